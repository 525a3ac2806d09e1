// Whichever way an account or a name comes in, the name is stored without surrounding space and invisible characters.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { formIn, Person } from '../../harness/person.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { linkFor } from '../../harness/store.ts';

const typed = '  Name\u200b\u202e ';
const password = 'a phrase of my own';

let service: TestService;
before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
});
after(() => service?.stop());

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
  const key = await newKey(service);
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
