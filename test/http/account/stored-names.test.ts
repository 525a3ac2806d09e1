// Whichever way an account or a text for people comes in, it's stored without surrounding space and invisible characters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { formIn, Person } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { linkFor } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const typed = '  Name\u200b\u202e ';
const password = 'a phrase of my own';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });

async function storedName(email: string): Promise<unknown> {
  return (await service.rows('users')).find((row) => row.email === email)?.name;
}

async function finish(link: string, values: Record<string, string>): Promise<Response> {
  const person = new Person(service);
  return person.submit(await formIn(await person.visit(link)), { password, ...values });
}

test('set-up link', async () => {
  const made = await makeSetUpLink(service.running.services, requester);
  assert.ok(made.kind === 'done');
  const { pathname, search } = new URL(made.url);
  await finish(pathname + search, { email: 'first@example.test', name: typed });
  assert.equal(await storedName('first@example.test'), 'Name');
});

test('sign-up', async () => {
  const person = new Person(service);
  await person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email: 'new@example.test' });
  await finish(await linkFor(service, 'new@example.test'), { name: typed });
  assert.equal(await storedName('new@example.test'), 'Name');
});

test('invitation over the API', async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  const { status } = await api.call('inviteUser', key, { body: { email: 'guest@example.test', name: typed } });
  assert.equal(status, 201);
  const link = await linkFor(service, 'guest@example.test');
  assert.match(await (await new Person(service).visit(link)).text(), /name="name"[^>]* value="Name"/);
  await finish(link, { name: typed });
  assert.equal(await storedName('guest@example.test'), 'Name');
});

test('profile over the API', async () => {
  const user = await service.newUser();
  const api = await Api.of(service);
  const body = { name: typed, given_name: typed, family_name: ' \u200b' };
  const { data } = await api.call('updateProfile', await withSession(service, user), { body });
  assert.deepEqual([data.name, data.given_name, data.family_name], ['Name', 'Name', null]);
  assert.equal(await storedName(user.email), 'Name');
});

test('an administrator creates the account', async () => {
  const { record, email } = await service.newUser({ name: typed, givenName: typed, familyName: typed });
  assert.deepEqual([record.name, record.givenName, record.familyName], ['Name', 'Name', 'Name']);
  assert.equal(await storedName(email), 'Name');
});

test('every text that administrators write for others', async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  const text = `  Na\u2028me\u200b\u202e \u2066`;
  const created = async (operation: string, body: object) => {
    const { data, message, success } = await api.call(operation, key, { body });
    assert.ok(success, message);
    return data as unknown as Record<string, unknown>;
  };
  const webhook = await created('createWebhook', { url: 'https://hooks.example.com/', description: text });
  assert.equal(webhook.description, 'Name');
  const changed = await api.call('updateWebhook', key, {
    params: { id: String(webhook.id) },
    body: { description: text },
  });
  assert.equal((changed.data as unknown as Record<string, unknown>).description, 'Name');
  const uris = { redirect_uris: ['https://app.example/cb'] };
  assert.equal((await created('createApplication', { name: text, ...uris })).name, 'Name');
  assert.equal((await created('createGroup', { name: text })).name, 'Name');
  const github = { name: 'github', kind: 'github', client_id: 'ours', client_secret: 'hidden' };
  assert.equal((await created('createUpstream', { ...github, label: text })).label, 'Name');
  const settings = await created('updateSettings', { service_name: text, sign_in_message: text });
  assert.deepEqual([settings.service_name, settings.sign_in_message], ['Name', 'Name']);
  const made = await createApiKey(service.running.services, { name: text }, requester);
  assert.equal(made.kind === 'done' && made.key.name, 'Name');
});

test("a webhook's URL can't have invisible characters, which would show another host", async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  for (const url of [
    'https://exa\u00admple.com/',
    'https://example.com\u200b.evil.example/',
    'https://example.com/\ufeff',
  ]) {
    assert.equal((await api.call('createWebhook', key, { body: { url } })).status, 400, JSON.stringify(url));
  }
});
