// What the rows of the console's lists say: badges for exceptions alone, the names of things, and why something failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { deleteClient } from '../../../src/operations/clients/revoke-client.ts';
import { createGroup, deleteGroup } from '../../../src/operations/groups/groups.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { anEvent } from '../../storage/records.ts';

const { service, administrator, admin } = consoleOfSuite();

/** The text of each row, without that of the row that opens below it. */
async function rows(path: string): Promise<string[]> {
  const { page } = await visit(admin, path);
  return [...page.matchAll(/<tr(?: id="[^"]*")?><th scope="row"[\s\S]*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<svg[\s\S]*?<\/svg>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

test('only people and applications that are an exception have a badge', async () => {
  const user = await service.newUser({ name: 'Annie Easley' });
  const client = await service.newClient({ name: 'Centaur' });
  const badges = async (path: string) => (await visit(admin, path)).page.match(/class="badge/g)?.length ?? 0;
  assert.deepEqual([await badges('/admin/people?search=annie'), await badges('/admin/applications')], [0, 0]);
  await disableUser(service.running.services, { id: user.id }, requester);
  await send(admin, `/admin/applications/${client.id}/revoke`, `/admin/applications/${client.id}/revoke`);
  assert.match((await rows('/admin/people?search=annie')).join(), /^Annie Easley Disabled /);
  assert.match((await rows('/admin/applications')).join(), / Centaur Revoked /);
});

test('an event says the name of what it is about, also once that is deleted', async () => {
  const { services } = service.running;
  await createGroup(services, { name: 'Board' }, requester);
  await deleteGroup(services, 'Board', false, requester);
  const created = await createApiKey(services, { name: 'Deploy bot', permission: 'read', days: 1 }, requester);
  assert.equal(created.kind, 'done');
  if (created.kind === 'done') await revokeApiKey(services, created.key.id, requester);
  const client = await service.newClient({ name: 'Short-lived' });
  await deleteClient(services, client.id, requester);
  await changeSettings(services, { session_hours: 12 }, requester);
  const about = async (kind: string) => (await rows(`/admin/events?kind=${kind}`))[0];
  assert.match((await about('group_created')) ?? '', /^Group created Board /);
  assert.match((await about('group_deleted')) ?? '', /^Group deleted Board /);
  assert.match((await about('api_key_created')) ?? '', /^API key created Deploy bot /);
  assert.match((await about('api_key_ended')) ?? '', /^API key revoked Deploy bot /);
  assert.match((await about('client_deleted')) ?? '', /^Application deleted Short-lived /);
  assert.match((await about('settings_changed')) ?? '', /^Settings changed Session length \(hours\) /);
});

test('an event that failed says so once, and why', async () => {
  await new Person(service).signIn({ ...administrator, password: 'not the password' });
  const [failed = ''] = await rows('/admin/events?kind=sign_in_failed');
  assert.match(failed, /^Sign-in failed The password was incorrect\. Margaret Hamilton /);
  const [signedIn = ''] = await rows('/admin/events?kind=signed_in');
  assert.doesNotMatch(signedIn, /Failed|Success/);
  await service.running.services.storage.appendEvents([anEvent({ kind: 'mail_delayed', at: service.clock.now() })]);
  assert.match((await rows('/admin/events?kind=mail_delayed'))[0] ?? '', /^Email delayed Failed /);
});

test('a page has 25 rows on a phone and 50 elsewhere, and the next page goes on from there', async () => {
  for (let made = 0; made < 60; made++) await service.newUser({ name: `Person ${made}`, password: null });
  const phone = { headers: { 'Sec-CH-UA-Mobile': '?1' } };
  const read = async (path: string, init?: RequestInit) => (await admin.request(path, init)).text();
  const ids = (page: string) => [...page.matchAll(/<th scope="row"[^>]*><a href="([^"]*)"/g)].map(([, href]) => href);
  const first = await read('/admin/people?sort=name', phone);
  assert.equal(ids(first).length, 25);
  assert.equal(ids(await read('/admin/people?sort=name')).length, 50);
  const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first) ?? [];
  const second = await read(next.replaceAll('&amp;', '&'), phone);
  assert.equal(new Set([...ids(first), ...ids(second)]).size, 50);
});
