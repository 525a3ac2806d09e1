// Emails about access that ends soon: when people and administrators get them, and that each is sent once.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { changeAllowed, setAccess } from '../../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { tellOfEnds } from '../../../src/operations/housekeeping/end-notices.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { newSweep, sweep } from '../../harness/sweep.ts';
import { startTwoInstances } from '../../harness/two-instances.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const soon = /Your access ends soon/;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());
// Whatever an earlier test has left is over.
beforeEach(() => service.clock.advance(40 * DAY));

const services = () => service.running.services;
const inDays = (days: number) => new Date(service.clock.now() + days * DAY * 1000).toISOString();
const tell = () => tellOfEnds(services());
const told = async (user: Pick<TestUser, 'email'>, subject = soon) =>
  (await mailsTo(service, user.email)).filter((mail) => subject.test(mail.subject));
const counts = async (...users: TestUser[]) => Promise.all(users.map(async (user) => (await told(user)).length));

async function setEnd(user: TestUser, ends: string | null) {
  const outcome = await editUser(services(), { id: user.id }, { expiresAt: ends }, requester);
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
}

let groups = 0;
async function newGroup() {
  const made = await createGroup(services(), { name: `Group <${++groups}>` }, requester);
  assert.equal(made.kind, 'done');
  return made.kind === 'done' ? made.group : assert.fail();
}

async function join(groupId: string, user: TestUser, ends: string | null) {
  const outcome = await changeMembers(services(), groupId, { add: [{ id: user.id }], expiresAt: ends }, requester);
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
}

async function allow(clientId: string, people: TestUser[], names: string[], ends: string | null) {
  const named = { people: people.map(({ email }) => email), groups: names, expiresAt: ends };
  const outcome = await changeAllowed(services(), clientId, 'allow', named, requester);
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
}

async function newListedClient(name: string) {
  const client = await service.newClient({ name });
  assert.equal((await setAccess(services(), client.id, { access: 'listed' }, requester)).kind, 'done');
  return client;
}

describe('the person', () => {
  test('hears of it 7 days and 1 day before, and of nothing earlier or twice', async () => {
    const user = await service.newUser();
    await setEnd(user, inDays(8));
    await tell();
    assert.deepEqual(await counts(user), [0]);
    service.clock.advance(DAY - 1);
    await tell();
    assert.deepEqual(await counts(user), [0], 'a second too early');
    service.clock.advance(1);
    await tell();
    await tell();
    assert.deepEqual(await counts(user), [1]);
    service.clock.advance(6 * DAY - 1);
    await tell();
    assert.deepEqual(await counts(user), [1]);
    service.clock.advance(1);
    await tell();
    await tell();
    assert.deepEqual(await counts(user), [2]);
    service.clock.advance(DAY);
    await tell();
    assert.deepEqual(await counts(user), [2], 'it has ended');
  });

  test('gets one email, however much ends, and it says what and when, in UTC and in their language', async () => {
    const user = await service.newUser({ locale: 'de' });
    const [group, client] = [await newGroup(), await newListedClient('Photos & more')];
    await setEnd(user, inDays(7));
    await join(group.id, user, inDays(7.25));
    await allow(client.id, [user], [], inDays(7.5));
    await tell();
    const [mail, ...others] = await told(user, /Ihr Zugriff endet bald/);
    assert.deepEqual(others, []);
    const at = (days: number) =>
      `${new Intl.DateTimeFormat('de', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(Date.parse(inDays(days)))} UTC`;
    const lines = mail?.text.split('\n').filter((line) => line.startsWith('- '));
    assert.deepEqual(lines, [
      `- Ihr Konto: ${at(7)}`,
      `- Mitgliedschaft in der Gruppe „${group.name}“: ${at(7.25)}`,
      `- Zugriff auf „Photos & more“: ${at(7.5)}`,
    ]);
    assert.match(mail?.html ?? '', /<li>Zugriff auf „Photos &amp; more“: /);
    assert.equal(mail?.html.includes(group.name), false, 'a name is escaped');
    service.clock.advance(DAY / 2);
    await tell();
    assert.equal((await told(user, /Ihr Zugriff endet bald/)).length, 1, 'all of it was told at once');
    service.clock.advance(5.5 * DAY);
    await tell();
    assert.equal((await told(user, /Ihr Zugriff endet bald/)).length, 2, 'and again a day before');
    service.clock.advance(DAY / 2);
    await tell();
    assert.equal((await told(user, /Ihr Zugriff endet bald/)).length, 2);
  });

  test('hears at once of an end that is closer than 7 days when it is set', async () => {
    const [later, sooner] = [await service.newUser(), await service.newUser()];
    await setEnd(later, inDays(3));
    await setEnd(sooner, inDays(0.5));
    await tell();
    assert.deepEqual(await counts(later, sooner), [1, 1]);
    service.clock.advance(2 * DAY);
    await tell();
    assert.deepEqual(await counts(later, sooner), [2, 1]);
  });

  test('hears of a new end again, and not of one that was taken back', async () => {
    const [extended, kept] = [await service.newUser(), await service.newUser()];
    const group = await newGroup();
    for (const user of [extended, kept]) await join(group.id, user, inDays(7));
    await tell();
    assert.deepEqual(await counts(extended, kept), [1, 1]);
    await join(group.id, extended, inDays(20));
    await join(group.id, kept, null);
    service.clock.advance(6 * DAY);
    await tell();
    assert.deepEqual(await counts(extended, kept), [1, 1]);
    service.clock.advance(7 * DAY);
    await tell();
    assert.deepEqual(await counts(extended, kept), [2, 1]);
  });

  test('hears nothing while disabled, of an application that is open to everyone, or of an entry of their group', async () => {
    const [disabled, free, member] = [await service.newUser(), await service.newUser(), await service.newUser()];
    await setEnd(disabled, inDays(2));
    assert.equal((await disableUser(services(), { id: disabled.id }, requester)).kind, 'done');
    const open = await service.newClient();
    await allow(open.id, [free], [], inDays(2));
    const [group, client] = [await newGroup(), await newListedClient('Groups only')];
    await join(group.id, member, null);
    await allow(client.id, [], [group.name], inDays(2));
    await tell();
    assert.deepEqual(await counts(disabled, free, member), [0, 0, 0]);
    assert.equal((await setAccess(services(), open.id, { access: 'listed' }, requester)).kind, 'done');
    await tell();
    assert.deepEqual(await counts(disabled, free, member), [0, 1, 0], 'the list matters now');
  });
});

describe('administrators', () => {
  const list = /Access that ends soon/;

  test('get the list once a day while there is one, each in their language', async () => {
    const [admin, german] = [
      await service.newUser({ admin: true }),
      await service.newUser({ admin: true, locale: 'de' }),
    ];
    await tell();
    assert.deepEqual(await told(admin, list), [], 'nothing ends');
    const [user, member] = [await service.newUser({ name: 'Ada' }), await service.newUser({ name: 'Bob' })];
    const [group, client] = [await newGroup(), await newListedClient('Payroll')];
    await setEnd(user, inDays(5));
    await join(group.id, member, inDays(6));
    await allow(client.id, [user], [group.name], inDays(6.5));
    await tell();
    await tell();
    const [mail, ...more] = await told(admin, list);
    assert.deepEqual(more, []);
    const lines = mail?.text.split('\n').filter((line) => line.startsWith('- '));
    assert.deepEqual(lines?.map((line) => line.replace(/: [^:]*:\d\d UTC$/, '')).toSorted(), [
      `- Ada <${user.email}>, account`,
      `- Ada <${user.email}>, application “Payroll”`,
      `- Bob <${member.email}>, group “${group.name}”`,
      `- Group “${group.name}”, application “Payroll”`,
    ]);
    assert.ok(mail?.text.includes('/admin/people?ending=yes'));
    assert.equal((await told(german, /Zugriff, der bald endet/)).length, 1);
    service.clock.advance(DAY - 1);
    await tell();
    assert.equal((await told(admin, list)).length, 1);
    service.clock.advance(1);
    await tell();
    assert.equal((await told(admin, list)).length, 2);
    service.clock.advance(7 * DAY);
    await tell();
    assert.equal((await told(admin, list)).length, 2, 'nothing ends any more');
  });

  test('get a list that is read: the first fifty, and how many more', async () => {
    const admin = await service.newUser({ admin: true });
    const group = await newGroup();
    for (let each = 0; each < 53; each++) await join(group.id, await service.newUser(), inDays(3));
    await tell();
    const [mail] = await told(admin, list);
    const lines = mail?.text.split('\n').filter((line) => line.startsWith('- '));
    assert.equal(lines?.length, 51);
    assert.equal(lines?.at(-1), '- And 3 more.');
  });
});

test('a round of the sweep tells, and not while it distrusts the clock', async () => {
  const user = await service.newUser();
  await setEnd(user, inDays(3));
  const jumped = newSweep(service, { elapsed: () => 0 });
  await jumped.round();
  await setEnd(user, inDays(4));
  service.clock.advance(12 * HOUR);
  const before = (await told(user)).length;
  assert.equal((await jumped.round()).kind, 'paused');
  assert.equal((await told(user)).length, before);
  assert.equal((await sweep(service, 'test')).kind, 'swept');
  assert.equal((await told(user)).length, before + 1);
});

test('of two instances, one sends each email', async () => {
  const { one, two, stop } = await startTwoInstances();
  try {
    const admin = await one.newUser({ admin: true });
    const users = await Promise.all(Array.from({ length: 5 }, () => one.newUser()));
    for (const { id } of users) {
      const ends = new Date(one.clock.now() + 3 * DAY * 1000).toISOString();
      assert.equal((await editUser(one.running.services, { id }, { expiresAt: ends }, requester)).kind, 'done');
    }
    await Promise.all([one, two, one, two].map(({ running }) => tellOfEnds(running.services)));
    await tellOfEnds(two.running.services);
    for (const { email } of users) {
      assert.equal((await mailsTo(one, email)).filter(({ subject }) => soon.test(subject)).length, 1);
    }
    assert.equal((await mailsTo(one, admin.email)).length, 1);
  } finally {
    await stop();
  }
});
