// A person's page: their groups, applications and devices, with what ends when; and where admin access is given.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { requester } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, admin } = consoleOfSuite();

/** The part of the page with this heading. */
const cardOn = (page: string, title: string) =>
  page.split('<section class="card').find((part) => part.includes(`<h2>${title}</h2>`)) ?? '';
const rowOf = (card: string, name: string) =>
  new RegExp(`<tr[^>]*><th[^>]*>(?:<a [^>]*>)?${name}<[\\s\\S]*?</tr>`).exec(card)?.[0] ?? '';

async function newGroup(name: string): Promise<string> {
  const outcome = await createGroup(service.running.services, { name }, requester);
  assert.ok(outcome.kind === 'done');
  return outcome.group.id;
}

test('groups, applications and devices are shown with what ends when', async () => {
  const { services } = service.running;
  const user = await service.newUser({ name: 'Ida Rhodes' });
  const path = `/admin/people/${user.id}`;
  const empty = (await visit(admin, path)).page;
  assert.match(cardOn(empty, 'Groups'), /Not in any group\./);
  assert.match(cardOn(empty, 'Applications'), /No applications\./);

  const [board, crew] = [await newGroup('Board'), await newGroup('Crew')];
  const person = [{ id: user.id }];
  await changeMembers(services, board, { add: person, expiresAt: '2099-01-31' }, requester);
  await changeMembers(services, crew, { add: person, expiresAt: null }, requester);
  const open = await service.newClient({ name: 'Wiki' });
  const byGroup = await service.newClient({ name: 'Minutes', access: 'listed' });
  const byList = await service.newClient({ name: 'Ledger', access: 'listed' });
  const lost = await service.newClient({ name: 'Vault' });
  const allow = (id: string, people: string[], groups: string[], ends: string | null) =>
    changeAllowed(services, id, 'allow', { people, groups, expiresAt: ends }, requester);
  // The membership ends before the place of the group does.
  await allow(byGroup.id, [], ['Board'], '2099-06-30');
  await allow(byList.id, [user.id], [], '2099-03-31');
  await allow(byList.id, [], ['Board'], null);
  await obtainTokens(service, open, user);
  await obtainTokens(service, lost, user);
  await service.execute(`UPDATE clients SET access = 'listed', was_listed = 1 WHERE id = '${lost.id}'`);

  const { page } = await visit(admin, path);
  const groups = cardOn(page, 'Groups');
  assert.match(rowOf(groups, 'Board'), /title="31 January 2099/);
  assert.doesNotMatch(rowOf(groups, 'Crew'), /<time/);
  const apps = cardOn(page, 'Applications');
  assert.match(rowOf(apps, 'Wiki'), /data-label="Access">Everyone<[\s\S]*<time/);
  assert.match(rowOf(apps, 'Minutes'), /data-label="Access">Group Board<[\s\S]*title="31 January 2099[\s\S]*Never</);
  assert.match(rowOf(apps, 'Ledger'), /data-label="Access">On the list and Group Board<[\s\S]*title="31 March 2099/);
  assert.match(rowOf(apps, 'Vault'), /data-label="Access">No access</);
});

test('browsers in which no second step is asked for are among the devices', async () => {
  const user = await service.newUser();
  const browser = new Person(service);
  await browser.signIn(user);
  const path = `/admin/people/${user.id}`;
  assert.doesNotMatch(cardOn((await visit(admin, path)).page, 'Devices'), /Trusted browsers/);
  const until = service.clock.now() + 3 * 86_400_000;
  await service.execute(
    `UPDATE known_devices SET trusted_until = ${until}, device = 'Firefox on Linux' WHERE user_id = '${user.id}'`,
  );
  const devices = cardOn((await visit(admin, path)).page, 'Devices');
  assert.match(devices, /<h3>Active sessions<\/h3>/);
  assert.match(devices, /<h3>Trusted browsers<\/h3>[\s\S]*Firefox on Linux[\s\S]*in 3 days</);
});

test('admin access is given and removed with the roles, not in the danger zone', async () => {
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  const before = (await visit(admin, path)).page;
  assert.match(cardOn(before, 'Roles'), new RegExp(`href="${path}/make-administrator"[^>]* data-ask`));
  assert.doesNotMatch(cardOn(before, 'Danger zone'), /administrator/);
  await service.execute(`UPDATE users SET admin_since = 1 WHERE id = '${user.id}'`);
  const after = (await visit(admin, path)).page;
  assert.match(cardOn(after, 'Roles'), new RegExp(`href="${path}/remove-administrator"`));
  assert.doesNotMatch(cardOn(after, 'Danger zone'), /administrator/);
});
