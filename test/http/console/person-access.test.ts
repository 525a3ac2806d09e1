// A person's page: its tabs, groups, applications and devices, with what ends when; access that is given and ended in place;
// and where admin access is given.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
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

test('groups and applications are shown with what ends when, and with every reason', async () => {
  const { services } = service.running;
  const user = await service.newUser({ name: 'Ida Rhodes' });
  const path = `/admin/people/${user.id}/access`;
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
  const byGroups = await service.newClient({ name: 'Atlas', access: 'listed' });
  await allow(byGroups.id, [], ['Board', 'Crew'], null);
  await obtainTokens(service, open, user);
  await obtainTokens(service, lost, user);
  await service.execute(`UPDATE clients SET access = 'listed', was_listed = 1 WHERE id = '${lost.id}'`);

  const { page } = await visit(admin, path);
  const groups = cardOn(page, 'Groups');
  assert.match(rowOf(groups, 'Board'), /title="31 January 2099/);
  assert.doesNotMatch(rowOf(groups, 'Crew'), /data-label="Access ends">[^/]*<time/);
  const apps = cardOn(page, 'Applications');
  assert.match(rowOf(apps, 'Wiki'), /data-label="Access">[^/]*>Everyone<[\s\S]*<time/);
  assert.match(
    rowOf(apps, 'Minutes'),
    /data-label="Access">[^/]*>Through Board<[\s\S]*title="31 January 2099[\s\S]*Never</,
  );
  assert.match(
    rowOf(apps, 'Ledger'),
    />Directly<[\s\S]*>Through Board<[\s\S]*title="31 January 2099[\s\S]*>Directly, Through Board<[\s\S]*title="31 March/,
  );
  assert.match(rowOf(apps, 'Atlas'), />Through Board and Crew</);
  assert.match(rowOf(apps, 'Vault'), /data-label="Access">[^/]*>No access</);
});

test('browsers in which no second step is asked for are among the devices', async () => {
  const user = await service.newUser();
  const browser = new Person(service);
  await browser.signIn(user);
  const path = `/admin/people/${user.id}/security`;
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
  const before = (await visit(admin, `${path}/security`)).page;
  assert.match(cardOn(before, 'Roles'), new RegExp(`href="${path}/make-administrator"[^>]* data-ask`));
  assert.doesNotMatch(cardOn((await visit(admin, `${path}/danger`)).page, 'Danger zone'), /administrator/);
  await service.execute(`UPDATE users SET admin_since = 1 WHERE id = '${user.id}'`);
  const after = (await visit(admin, `${path}/security`)).page;
  assert.match(cardOn(after, 'Roles'), new RegExp(`href="${path}/remove-administrator"`));
  assert.doesNotMatch(cardOn((await visit(admin, `${path}/danger`)).page, 'Danger zone'), /administrator/);
});

const everyTab = ['', '/access', '/security', '/activity', '/danger'];

test('each tab leads to the others; one who looks after people has no forms for applications', async () => {
  const user = await service.newUser({ name: 'Mary Somerville' });
  const path = `/admin/people/${user.id}`;
  const helper = new Person(service);
  await helper.signIn(await newUserWithRoles(service, ['people']));
  const auditor = new Person(service);
  await auditor.signIn(await newUserWithRoles(service, ['auditor']));
  await newGroup('Offered');
  await service.newClient({ name: 'Limited', access: 'listed' });
  for (const tab of everyTab) {
    const { status, page } = await visit(admin, path + tab);
    assert.equal(status, 200, tab);
    for (const other of everyTab) assert.ok(page.includes(`<a href="${path}${other}"`), `${tab} leads to ${other}`);
  }
  const formsOf = (page: string) => [...page.matchAll(new RegExp(`action="${path}/([^"]*)"`, 'g'))].map(([, at]) => at);
  assert.deepEqual(formsOf((await visit(admin, `${path}/access`)).page), ['groups/add', 'applications/allow', 'end']);
  assert.deepEqual(formsOf((await visit(helper, `${path}/access`)).page), ['groups/add', 'end']);
  const { page } = await visit(auditor, `${path}/access`);
  assert.deepEqual(formsOf(page), []);
  assert.doesNotMatch(page, /href="[^"]*\/danger"/);
});

test('someone is added to a group until an end, and removed again', async () => {
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  await newGroup('Chess club');
  const add = (fields: Record<string, string>) => send(admin, `${path}/access`, `${path}/groups/add`, fields);
  const added = await add({ group: 'chess CLUB', expires_at: '2099-01-31' });
  assert.equal(noticeOn(added.page), 'Added to the group.');
  assert.match(rowOf(cardOn(added.page, 'Groups'), 'Chess club'), /title="31 January 2099/);
  const again = await add({ group: 'Chess club', expires_at: 'never' });
  assert.doesNotMatch(rowOf(cardOn(again.page, 'Groups'), 'Chess club'), /title="31 January/);
  const removed = await send(admin, `${path}/access`, `${path}/groups/remove`);
  assert.match(noticeOn(removed.page) ?? '', / was removed from Chess club\. /);
  assert.match(cardOn(removed.page, 'Groups'), /Not in any group\./);

  const wrong = await add({ group: 'Chess culb', expires_at: 'at', expires_at_time: '2099-01-31T17:00' });
  assert.deepEqual(
    [wrong.status, alertOn(wrong.page)],
    [400, 'There is no group &quot;Chess culb&quot;. Did you mean Chess club?'],
  );
  assert.match(
    wrong.page,
    /name="group"[^>]* value="Chess culb"[\s\S]*name="expires_at_time" value="2099-01-31T17:00"/,
  );
});

test('groups that the reader may not change are neither offered nor removed', async () => {
  const { services } = service.running;
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  const [locked, open] = [await newGroup('Locked group'), await newGroup('Open group')];
  for (const group of [locked, open]) await changeMembers(services, { id: group }, { add: [user.email] }, requester);
  await send(admin, `/admin/groups/${locked}`, `/admin/groups/${locked}/protect`, { protected: 'yes' });
  const helper = new Person(service);
  await helper.signIn(await newUserWithRoles(service, ['people']));
  const groups = cardOn((await visit(helper, `${path}/access`)).page, 'Groups');
  assert.match(rowOf(groups, 'Locked group'), />Protected</);
  assert.doesNotMatch(rowOf(groups, 'Locked group'), /<form/);
  assert.match(rowOf(groups, 'Open group'), /<form/);
  assert.match(groups, /<option value="Open group">/);
  assert.doesNotMatch(groups, /<option value="Locked group">/);
  const form = readForm(groups, `${path}/groups/remove`) ?? assert.fail();
  const refused = await helper.submit({ ...form, fields: { ...form.fields, group: locked } }, {});
  assert.equal(refused.status, 403);
  assert.match(alertOn(await refused.text()) ?? '', /is protected: only an administrator can change it\.$/);
  assert.equal((await service.running.services.storage.listGroupsOf(user.id, service.clock.now())).length, 2);
});

test('access to a limited application is given until an end, and ended in place', async () => {
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  const client = await service.newClient({ name: 'Payroll', access: 'listed' });
  await service.newClient({ name: 'For everyone' });
  const gone = await service.newClient({ name: 'Gone', access: 'listed' });
  await service.execute(`UPDATE clients SET revoked_at = 1 WHERE id = '${gone.id}'`);
  const before = cardOn((await visit(admin, `${path}/access`)).page, 'Applications');
  assert.match(before, />Payroll<\/option>/);
  assert.doesNotMatch(before, />(For everyone|Gone)<\/option>/);
  const give = (fields: Record<string, string>) =>
    send(admin, `${path}/access`, `${path}/applications/allow`, { application: client.id, ...fields });
  const given = await give({ expires_at: '2099-01-31' });
  assert.equal(noticeOn(given.page), 'Access given.');
  assert.match(rowOf(cardOn(given.page, 'Applications'), 'Payroll'), />Directly<[\s\S]*title="31 January 2099/);
  const late = await give({ expires_at: 'at', expires_at_time: '2001-01-31T17:00' });
  assert.deepEqual([late.status, alertOn(late.page)], [400, 'The end must be in the future.']);
  assert.match(late.page, new RegExp(`<option value="${client.id}" selected>`));

  // Nobody else is on its list.
  const form = readForm(given.page, `${path}/applications/disallow`) ?? assert.fail();
  const asked = await (await admin.submit(form, {})).text();
  assert.match(asked, /<h1>Lock everyone out of Payroll\?</);
  assert.match(asked, new RegExp(`href="${path}/access"`));
  const ended = await (
    await admin.submit(readForm(asked, `${path}/applications/disallow`) ?? assert.fail(), {})
  ).text();
  assert.match(noticeOn(ended) ?? '', / was removed from the access list of Payroll\. /);
  assert.match(cardOn(ended, 'Applications'), /No applications\./);

  await changeAllowed(service.running.services, client.id, 'allow', { people: [user.id], groups: [] }, requester);
  await changeAllowed(
    service.running.services,
    client.id,
    'allow',
    { people: [(await service.newUser()).id], groups: [] },
    requester,
  );
  const unasked = await send(admin, `${path}/access`, `${path}/applications/disallow`);
  assert.match(noticeOn(unasked.page) ?? '', / was removed from the access list of Payroll\. /);
});

test('of many applications, those are offered that a search finds', async () => {
  const many = Array.from({ length: 201 }, (_, index) => service.newClient({ name: `Plotter ${1000 + index}` }));
  await Promise.all(many);
  const client = await service.newClient({ name: 'Zeppelin', access: 'listed' });
  const user = await service.newUser();
  const path = `/admin/people/${user.id}/access`;
  const first = cardOn((await visit(admin, path)).page, 'Applications');
  assert.match(first, /Find restricted applications by/);
  assert.ok(first.includes(`action="${path}#applications"`), 'the search leads back to this card');
  assert.doesNotMatch(first, /Zeppelin/);
  const found = (await visit(admin, `${path}?search=zepp`)).page;
  assert.match(found, new RegExp(`<option value="${client.id}">Zeppelin</option>`));
  assert.match((await visit(admin, `${path}?search=nowhere`)).page, /No restricted applications found\./);
});
