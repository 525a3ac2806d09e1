// Who can use an application, in the console: the table of people with every reason, what can be added and ended in it, the answer
// about one person, and the members of a group.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { DAY, SECOND } from '../../../src/protocol/durations.ts';
import { alertOn, namesOn, noticeOn, problemAt, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, admin, signInAgain } = consoleOfSuite();
const ids = (people: readonly TestUser[]) => people.map(({ id }) => ({ id }));
const rowOf = (page: string, name: string) =>
  page.split('<tr').find((row) => row.includes(`>${name}<`) && row.includes('/admin/people/')) ?? '';
const read = async (path: string, who: Person = admin) => (await visit(who, path)).page;
const tab = ({ id }: Pick<TestClient, 'id'>) => `/admin/applications/${id}/access`;
/** What the page says about the one who was checked. */
const answerOn = (page: string) =>
  /<div role="status">([\s\S]*?)<\/div>/
    .exec(page)?.[1]
    ?.replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim();

async function newGroup(name: string, people: readonly TestUser[] = []): Promise<string> {
  const made = await createGroup(service.running.services, { name }, requester);
  assert.ok(made.kind === 'done');
  const { id } = made.group;
  await changeMembers(service.running.services, { id }, { add: ids(people), expiresAt: null }, requester);
  return id;
}

async function allow({ id }: TestClient, people: readonly TestUser[], groups: readonly string[], expiresAt = '') {
  const entry = { people: people.map((each) => each.id), groups, expiresAt: expiresAt || null };
  assert.equal((await changeAllowed(service.running.services, id, 'allow', entry, requester)).kind, 'done');
}

async function signedIn(user: TestUser): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user);
  return person;
}

test('everyone who can use an application is in its table, with every reason, and is found, filtered, sorted and counted', async () => {
  const names = ['Ada Reason', 'Bob Reason', 'Cleo Reason'];
  const people = await Promise.all(names.map((name) => service.newUser({ name })));
  const [ada, bob, cleo] = people as [TestUser, TestUser, TestUser];
  const client = await service.newClient({ name: 'Grafana', access: 'listed' });
  const path = tab(client);
  assert.match(await read(path), /Nobody can use it now\./);
  await newGroup('Engineers', [ada, bob]);
  await allow(client, [], ['Engineers'], '2099-06-30');
  await allow(client, [ada], [], '2099-01-31');
  await allow(client, [cleo], [], '10d');
  await obtainTokens(service, client, bob);

  const page = await read(path);
  assert.deepEqual(namesOn(page).slice(-3), names);
  assert.match(page, /1–3 of 3/);
  assert.match(page, /Engineers<\/a><\/th>/, 'the list itself is above');
  // The end of a reason is said where it isn't the row's.
  const reasons = /data-label="Access">.*>Directly<.*title="31 January 2099.*>Through Engineers<\/span><\/span>/;
  assert.match(rowOf(page, 'Ada Reason'), reasons);
  assert.match(rowOf(page, 'Ada Reason'), /data-label="Access ends">.*title="30 June 2099/);
  assert.match(rowOf(page, 'Ada Reason'), /data-label="Connected"><\/td>.*data-label="Last used">.*Never</);
  assert.match(rowOf(page, 'Bob Reason'), /data-label="Connected"><time.*data-label="Last used">.*<time/);
  assert.match(rowOf(page, 'Cleo Reason'), /data-label="Since"><time[\s\S]*in 10 days/);

  assert.deepEqual(namesOn(await read(`${path}?sort=-name`)).slice(-3), names.toReversed());
  const found = async (query: string) => {
    const list = (await read(`${path}?${query}`)).split('<h2>People with access</h2>')[1] ?? '';
    return namesOn(list);
  };
  assert.deepEqual(await found('search=bob'), ['Bob Reason']);
  assert.deepEqual(await found('reason=person'), ['Ada Reason', 'Cleo Reason']);
  assert.deepEqual(await found('reason=group&group=engineers'), ['Ada Reason', 'Bob Reason']);
  assert.deepEqual(await found('expires_within=30d'), ['Cleo Reason']);
  assert.match(await read(`${path}?group=Engineers`), /<a class="chip"[^>]*aria-current="true">Through Engineers</);
  const wrong = await visit(admin, `${path}?group=Enginers`);
  assert.equal(wrong.status, 400);
  assert.equal(alertOn(wrong.page), 'There is no group &quot;Enginers&quot;. Did you mean Engineers?');
  assert.equal((await visit(admin, `${path}?cursor=nonsense`)).status, 400);

  service.clock.advance((9 * DAY) / SECOND);
  await obtainTokens(service, client, ada);
  await service.running.services.journal.flush();
  await signInAgain();
  assert.deepEqual(await found('unused=5d'), ['Bob Reason', 'Cleo Reason'], 'who never connected it counts');
  await disableUser(service.running.services, { id: cleo.id }, requester);
  assert.deepEqual(await found('unused=5d'), ['Bob Reason']);
});

test('a long table has pages, in its order and with its filters', async () => {
  const client = await service.newClient({ access: 'listed' });
  const people: TestUser[] = [];
  for (let index = 0; index < 52; index++) {
    people.push(await service.newUser({ name: `Paged ${String(index).padStart(2, '0')}` }));
  }
  await allow(client, people, []);
  const first = await read(`${tab(client)}?reason=person`);
  assert.match(first, /1–50 of 52/);
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first) ?? [];
  assert.match(next, /reason=person/);
  const second = await read(next.replaceAll('&amp;', '&'));
  assert.deepEqual(namesOn(second), ['Paged 50', 'Paged 51']);
});

test('of an application that everyone can use, those who have connected it are shown, and its list is managed on its own', async () => {
  const client = await service.newClient({ name: 'Wiki' });
  const [ada, bob] = [
    await service.newUser({ name: 'Ada Connected' }),
    await service.newUser({ name: 'Bob Prepared' }),
  ];
  await obtainTokens(service, client, ada);
  const path = tab(client);
  const added = await send(admin, `${path}?find=prepared`, `${path}/allow`, { person_0: bob.id });
  assert.equal(noticeOn(added.page), 'Access allowed.');
  assert.match(added.page, /People on the list/);
  assert.deepEqual(namesOn(added.page), ['Bob Prepared'], 'what was added is shown');
  const page = await read(path);
  assert.match(page, /<h2>People who have connected it<\/h2>/);
  assert.deepEqual(namesOn(page), ['Ada Connected']);
  assert.doesNotMatch(page, /expires_within/, "nobody's access ends");
  const removed = await send(admin, `${path}?view=list`, `${path}/disallow`);
  assert.match(noticeOn(removed.page) ?? '', / was removed from /);
  assert.match(removed.page, /No people on the list\./);
});

test('who is on the list can be taken off it in the table, and also if they cannot use it', async () => {
  const client = await service.newClient({ name: 'Ledger', access: 'listed' });
  const names = ['Ada Entry', 'Bob Entry', 'Dora Disabled', 'Max Member'];
  const people = await Promise.all(names.map((name) => service.newUser({ name })));
  const [ada, bob, dora, max] = people as [TestUser, TestUser, TestUser, TestUser];
  await newGroup('Bookkeeping', [max]);
  await allow(client, [ada, bob, dora], ['Bookkeeping']);
  await disableUser(service.running.services, { id: dora.id }, requester);
  const path = tab(client);
  const page = await read(path);
  assert.equal(rowOf(page, 'Dora Disabled'), '');
  assert.doesNotMatch(rowOf(page, 'Max Member'), /disallow/, 'the group lets them in');
  const form = readForm(rowOf(page, 'Ada Entry'), `${path}/disallow`);
  assert.ok(form);
  const left = await (await admin.submit(form, {})).text();
  assert.match(noticeOn(left) ?? '', / was removed from /);
  assert.equal(rowOf(left, 'Ada Entry'), '');
  const list = await read(`${path}?view=list`);
  assert.deepEqual(namesOn(list).toSorted(), ['Bob Entry', 'Bookkeeping', 'Dora Disabled']);
  const again = readForm(rowOf(list, 'Dora Disabled'), `${path}/disallow`);
  assert.ok(again);
  const without = await (await admin.submit(again, {})).text();
  assert.match(without, /<h2>People on the list<\/h2>/, 'the list stays in view');
  assert.equal(rowOf(without, 'Dora Disabled'), '');
  assert.notEqual(rowOf(without, 'Bob Entry'), '');
});

test('the people on the list are in order of their names, for everyone who sees it', async () => {
  const names = ['Cleo Sorted', 'Ada Sorted', 'Dora Sorted', 'Bob Sorted'];
  const client = await service.newClient({ access: 'listed' });
  await allow(client, await Promise.all(names.map((name) => service.newUser({ name }))), []);
  assert.deepEqual(namesOn(await read(`${tab(client)}?view=list`)), names.toSorted());
  const helper = await signedIn(await newUserWithRoles(service, ['applications']));
  assert.match(await read(tab(client), helper), /Ada Sorted[\s\S]*Bob Sorted[\s\S]*Cleo Sorted[\s\S]*Dora Sorted/);
});

test('a person is checked by email address, username or ID, with what lets them in or why nothing does', async () => {
  const client = await service.newClient({ name: 'Vault', access: 'listed' });
  const [ada, eve] = [await service.newUser({ name: 'Ada Checked' }), await service.newUser({ name: 'Eve Checked' })];
  await newGroup('Keyholders', [ada]);
  await allow(client, [ada], ['Keyholders']);
  await service.execute(`UPDATE users SET preferred_username = 'ada-c', username_key = 'ada-c' WHERE id = '${ada.id}'`);
  const check = async (person: string) => visit(admin, `${tab(client)}?check=${encodeURIComponent(person)}`);
  for (const name of [ada.email, 'ada-c', ada.id, ` ${ada.email.toUpperCase()} `]) {
    const { status, page } = await check(name);
    assert.equal(status, 200, name);
    assert.equal(answerOn(page), 'Ada Checked can use it. They have access: Directly Through Keyholders');
  }
  assert.equal(
    answerOn((await check(eve.id)).page),
    'Eve Checked can’t use it. The list has neither them nor a group they’re in.',
  );
  await disableUser(service.running.services, { id: ada.id }, requester);
  assert.equal(
    answerOn((await check(ada.id)).page),
    'Ada Checked can’t use it. Their account is disabled. Apart from that, they’d have access: Directly Through Keyholders',
  );
  const unknown = await check('nobody@example.test');
  assert.equal(unknown.status, 400);
  assert.equal(
    problemAt(unknown.page, 'check'),
    'There is no person with the email address, username or ID &quot;nobody@example.test&quot;.',
  );
  assert.equal(answerOn(unknown.page), undefined);
});

test('someone who looks after applications alone sees the list and how many have access', async () => {
  const client = await service.newClient({ name: 'Minutes', access: 'listed' });
  const [listed, member] = [
    await service.newUser({ name: 'Lise Listed' }),
    await service.newUser({ name: 'Mia Member' }),
  ];
  await newGroup('Secretaries', [member]);
  await allow(client, [listed], ['Secretaries']);
  const path = tab(client);
  const helper = await signedIn(await newUserWithRoles(service, ['applications']));
  const page = await read(path, helper);
  assert.match(page, /2 people can use it now\./);
  assert.match(page, /Lise Listed/);
  assert.doesNotMatch(page, /Mia Member|Check a person|access\.csv/);
  const removed = await send(helper, path, `${path}/disallow`, { group: '', person: listed.id, sure: 'yes' });
  assert.match(noticeOn(removed.page) ?? '', / was removed from /);
  assert.match(removed.page, /1 person can use it now\./);
  const open = await service.newClient();
  await obtainTokens(service, open, member);
  assert.match(await read(tab(open), helper), /1 person has connected it\./);

  const auditor = await signedIn(await newUserWithRoles(service, ['auditor']));
  const seen = await read(path, auditor);
  assert.match(seen, /Mia Member/);
  assert.doesNotMatch(seen, /action="[^"]*\/(allow|disallow)"/);
});

test('the table is downloaded with its filters', async () => {
  const client = await service.newClient({ access: 'listed' });
  const [ada, bob] = [await service.newUser({ name: 'Ada File' }), await service.newUser({ name: 'Bob File' })];
  await allow(client, [ada, bob], []);
  const path = tab(client);
  const page = await read(`${path}?search=ada`);
  const [, link = ''] = /href="([^"]*access\.csv[^"]*)" download/.exec(page) ?? [];
  const file = await admin.request(link.replaceAll('&amp;', '&'));
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="latchkey-people-with-access.csv"');
  const lines = (await file.text()).trim().split('\r\n');
  assert.deepEqual([lines.length, lines[1]?.split(',').slice(0, 4)], [2, [ada.id, 'Ada File', ada.email, 'person']]);
  const refused = await visit(admin, `${path}.csv?unused=long`);
  assert.equal(refused.status, 400);
  assert.match(refused.page, new RegExp(`href="${path}\\?unused=long"`), 'the way back');
  assert.equal((await visit(admin, '/admin/applications/nothing/access.csv')).status, 400);
});

test('members of a group are searched, sorted and counted, apart from those who could be added', async () => {
  const names = ['Ada Inside', 'Bob Inside', 'Cleo Inside'];
  const people = await Promise.all(names.map((name) => service.newUser({ name })));
  await service.newUser({ name: 'Dora Inside Later' });
  const path = `/admin/groups/${await newGroup('Insiders', people)}`;
  const page = await read(path);
  assert.deepEqual(namesOn(page), names);
  assert.match(page, /Members \(3\)[\s\S]*1–3 of 3/);
  assert.deepEqual(namesOn(await read(`${path}?sort=-name`)), names.toReversed());
  const found = await read(`${path}?search=bob`);
  assert.deepEqual(namesOn(found), ['Bob Inside']);
  assert.match(found, /Members \(3\)[\s\S]*1–1 of 1/);
  assert.match(await read(`${path}?search=dora`), /No people found\./);
  assert.match(await read(`${path}?search=bob&find=dora`), /Dora Inside Later/);
  const removed = await send(admin, `${path}?search=bob`, `${path}/remove`);
  assert.match(noticeOn(removed.page) ?? '', / was removed from /);
  assert.deepEqual(namesOn(removed.page), ['Ada Inside', 'Cleo Inside']);
});

test('members of a group are downloaded as their table is searched and sorted', async () => {
  const names = ['Ada Exported', 'Bob Exported', 'Cleo Exported'];
  const people = await Promise.all(names.map((name) => service.newUser({ name })));
  const path = `/admin/groups/${await newGroup('Exported', people)}`;
  const page = await read(`${path}?sort=-name`);
  const [, link = ''] = /href="([^"]*people\.csv[^"]*)" download/.exec(page) ?? [];
  assert.equal(link, `${path}/people.csv?sort=-name`);
  const file = await admin.request(link);
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="latchkey-members.csv"');
  const lines = (await file.text()).trim().split('\r\n').slice(1);
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 4)),
    people.toReversed().map(({ id, email, record: { name } }) => [id, email, 'true', name]),
  );
  const found = await admin.request(`${path}/people.jsonl?search=bob`);
  const [bob, ...rest] = (await found.text()).trim().split('\n');
  assert.deepEqual([JSON.parse(bob ?? '').name, rest], ['Bob Exported', []]);
  const refused = await visit(admin, `${path}/people.csv?sort=x`);
  assert.equal(refused.status, 400);
  assert.match(refused.page, new RegExp(`href="${path}\\?sort=x"`), 'the way back');
  // Everyone who sees the members may take them along, and nobody else.
  const helper = await signedIn(await newUserWithRoles(service, ['people']));
  assert.match(await read(path, helper), /people\.csv/);
  assert.equal((await helper.request(link)).status, 200);
  const other = await signedIn(await newUserWithRoles(service, ['applications']));
  assert.equal((await other.request(link)).status, 403);
});
