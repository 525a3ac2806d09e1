// An owner of one application wants more: another application, access for themselves or a friend, and others want the owner's account.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { type GivenOwners, setOwners } from '../../src/operations/clients/owners.ts';
import { changeMembers, createGroup, deleteGroup, updateGroup } from '../../src/operations/groups/groups.ts';
import { deleteUser, disableUser } from '../../src/operations/users/disable-user.ts';
import { editUser } from '../../src/operations/users/edit-user.ts';
import { makeRecoveryLink, removeSecondFactors, setPassword } from '../../src/operations/users/user-recovery.ts';
import type { Requester } from '../../src/protocol/event.ts';
import { Api, newKey, withSession } from '../harness/api.ts';
import { visit } from '../harness/console.ts';
import { Person } from '../harness/person.ts';
import { requester, type TestUser } from '../harness/service.ts';
import { consoleOfSuite } from '../harness/suite.ts';

const { service } = consoleOfSuite();
const services = () => service.running.services;
const asPeople: Requester = { ...requester, authority: { roles: ['people'] } };

async function own(clientId: string, owners: GivenOwners) {
  const outcome = await setOwners(services(), clientId, owners, requester);
  assert.equal(outcome.kind, 'done');
}

async function newOwner(name = 'Olga Owner') {
  const client = await service.newClient({ name: 'Wiki', access: 'listed' });
  const user = await service.newUser({ name });
  await own(client.id, { people: [user.id] });
  const person = new Person(service);
  await person.signIn(user);
  return { client, user, person, caller: await withSession(service, user) };
}

async function protectedGroup(name: string, members: readonly TestUser[]) {
  const made = await createGroup(services(), { name, protected: true }, requester);
  assert.ok(made.kind === 'done');
  const add = members.map(({ id }) => ({ id }));
  await changeMembers(services(), { id: made.group.id }, { add, expiresAt: null }, requester);
  return made.group.id;
}

const isOwner = async ({ id }: TestUser) => (await services().storage.findUser(id))?.isOwner;

describe('an owner of one application', () => {
  test('reads nothing of another by ID, cursor, filter, file or event', async () => {
    const { client, person, caller } = await newOwner();
    const other = await service.newClient({ name: 'Payroll', access: 'listed' });
    const secret = await service.newUser({ name: 'Paula Payroll' });
    const group = await createGroup(services(), { name: 'Secret plans' }, requester);
    assert.ok(group.kind === 'done');
    const listed = { people: [secret.id], groups: [group.group.id], expiresAt: null };
    await changeAllowed(services(), other.id, 'allow', listed, requester);
    for (const tab of ['', '/access', '/access.csv', '/activity', '/settings', '/claims', '/secrets', '/webhook']) {
      const answer = await person.request(`/admin/applications/${other.id}${tab}`);
      assert.equal(answer.status, 403, tab);
      assert.doesNotMatch(await answer.text(), /Payroll|Secret plans/);
    }
    for (const query of [`application=${other.id}`, `person=${secret.id}`, `client=${other.id}`, `search=Paula`]) {
      for (const tab of ['activity', 'access']) {
        const answer = await person.request(`/admin/applications/${client.id}/${tab}?${query}`);
        assert.doesNotMatch(await answer.text(), /Payroll|Secret plans/, `${tab}?${query}`);
      }
    }
    // Nor by a cursor of the other one's lists: it's a place in the owner's own.
    const api = await Api.of(service);
    const key = await newKey(service, 'administrator');
    const more = await service.newUser({ name: 'Pia Payroll' });
    await changeAllowed(services(), other.id, 'allow', { ...listed, people: [more.id], groups: [] }, requester);
    for (const operation of ['listPeopleWithAccess', 'listApplicationEvents']) {
      const read = await api.call(operation, key, { params: { client_id: other.id }, query: { limit: '1' } });
      const cursor = read.data.next_cursor ?? assert.fail(operation);
      for (const query of [{ cursor }, { cursor, limit: '100' }]) {
        const answer = await api.call(operation, caller, { params: { client_id: client.id }, query });
        assert.doesNotMatch(JSON.stringify(answer), /Payroll|Secret plans/, operation);
        const ofOther = await api.call(operation, caller, { params: { client_id: other.id }, query });
        assert.equal(ofOther.status, 403, operation);
      }
      const tab = operation === 'listApplicationEvents' ? 'activity' : 'access';
      const page = await person.request(`/admin/applications/${client.id}/${tab}?cursor=${encodeURIComponent(cursor)}`);
      assert.doesNotMatch(await page.text(), /Payroll|Secret plans/, tab);
    }
    // As a filter, a group that isn't on the list is as unknown as none.
    const [about, none] = await Promise.all(
      ['Secret plans', 'No such plans'].map(async (name) => {
        const url = `/admin/applications/${client.id}/access?group=${encodeURIComponent(name)}`;
        return (await (await person.request(url)).text())
          .replaceAll(name, 'NAME')
          .replaceAll(encodeURIComponent(name), 'NAME');
      }),
    );
    const alert = (page = '') => /there is no group[^<]*/i.exec(page)?.[0];
    assert.equal(alert(about), alert(none));
    assert.ok(alert(about));
    const { page } = await visit(person, '/admin/your-applications');
    assert.match(page, /Wiki/);
    assert.doesNotMatch(page, /Payroll/);
  });

  test('sees events without IP addresses, requests, devices, URIs and secrets', async () => {
    const { client, person } = await newOwner();
    const { storage, journal } = services();
    const facts = {
      kind: 'access_refused',
      clientId: client.id,
      detail: { reason: 'no_access', device: 'Firefox on Mars' },
    } as const;
    const event = journal.event(facts, {
      ...requester,
      address: '192.0.2.77',
      requestId: 'ab12cd34-1',
      traceId: 'f'.repeat(32),
    });
    const updated = journal.event(
      {
        kind: 'client_updated',
        clientId: client.id,
        detail: { redirect_uris: ['https://internal.example/cb'], last_four: 'zzzz' },
      },
      requester,
    );
    await storage.appendEvents([event, updated]);
    const { page } = await visit(person, `/admin/applications/${client.id}/activity`);
    assert.match(page, /Application updated/);
    assert.doesNotMatch(page, /192\.0\.2\.77|Mars|ab12cd34|f{32}|internal\.example|zzzz/);
  });

  test('gives access to others by email address or username, and ends it', async () => {
    const { client, caller } = await newOwner();
    const friend = await service.newUser({ name: 'Fred Friend' });
    const api = await Api.of(service);
    const params = { client_id: client.id };
    const given = await api.call('allowAccess', caller, { params, body: { people: [friend.email] } });
    assert.equal(given.status, 200, given.message);
    assert.equal(await services().storage.hasAccess(client.id, friend.id, service.clock.now()), true);
    const ended = await api.call('disallowAccess', caller, { params, body: { people: [friend.email] } });
    assert.equal(ended.status, 200, ended.message);
    assert.equal(await services().storage.hasAccess(client.id, friend.id, service.clock.now()), false);
  });

  test("gives access neither to themselves nor to groups, and can't make owners", async () => {
    const { client, user, caller } = await newOwner();
    const friend = await service.newUser();
    const group = await protectedGroup(`Friends of ${user.id}`, [friend]);
    const api = await Api.of(service);
    const params = { client_id: client.id };
    for (const body of [
      { people: [user.email] },
      { people: [user.id, friend.id] },
      { groups: [group] },
      { groups: ['none'] },
    ]) {
      const answer = await api.call('allowAccess', caller, { params, body });
      assert.equal(answer.status, 403, JSON.stringify(body));
      assert.doesNotMatch(answer.message ?? '', /there is no group/);
    }
    for (const body of [{ owners: { people: [friend.id] } }, { access: 'everyone' }, { access_requests: 'on' }]) {
      assert.equal((await api.call('updateApplication', caller, { params, body })).status, 403);
    }
    assert.equal(await services().storage.hasAccess(client.id, user.id, service.clock.now()), false);
    assert.equal(await isOwner(friend), false);
  });

  test('is none once the account ends, or the ownership', async () => {
    const { client, user, person } = await newOwner();
    await own(client.id, { people: [] });
    assert.equal((await person.request(`/admin/applications/${client.id}/access`)).status, 403);
    assert.equal(await isOwner(user), false);
    await own(client.id, { people: [user.id] });
    const { storage, clock } = services();
    assert.deepEqual(
      (await storage.ownersOf(client.id, clock.now())).map(({ id }) => id),
      [user.id],
    );
    await disableUser(services(), { id: user.id }, requester);
    assert.deepEqual(await storage.ownersOf(client.id, clock.now()), []);
    const { items } = await storage.pageClients({
      words: [],
      after: undefined,
      limit: 100,
      filter: { owner: { id: null, now: clock.now() } },
    });
    assert.ok(items.some(({ id }) => id === client.id));
    await deleteUser(services(), { id: user.id }, requester);
    assert.deepEqual(await storage.listOwners(client.id), { people: [], groups: [] });
  });
});

describe('an owner by way of a group', () => {
  test('is one while the membership lasts, and the group stays protected', async () => {
    const client = await service.newClient();
    const [member, friend] = [await service.newUser(), await service.newUser()];
    const group = await protectedGroup('Wiki owners', [member]);
    await own(client.id, { groups: [group] });
    const { storage, clock } = services();
    assert.equal(await isOwner(member), true);
    assert.deepEqual(await storage.ownedClients(member.id, clock.now()), [client.id]);
    const unprotected = await updateGroup(services(), { id: group }, { protected: false }, requester);
    assert.ok(unprotected.kind === 'refused' && unprotected.reason === 'conflict');
    const deleted = await deleteGroup(services(), { id: group }, true, requester);
    assert.ok(deleted.kind === 'refused' && deleted.reason === 'conflict');
    const raised = await changeMembers(
      services(),
      { id: group },
      { add: [{ id: friend.id }], expiresAt: null },
      asPeople,
    );
    assert.ok(raised.kind === 'refused' && raised.reason === 'forbidden');
    await changeMembers(services(), { id: group }, { add: [{ id: friend.id }], expiresAt: null }, requester);
    await changeMembers(services(), { id: group }, { remove: [{ id: member.id }] }, requester);
    assert.deepEqual([await isOwner(member), await isOwner(friend)], [false, true]);
    await own(client.id, { groups: [] });
    assert.equal(await isOwner(friend), false);
  });

  test("can't be made with a group that anyone with the role people can change", async () => {
    const client = await service.newClient();
    const made = await createGroup(services(), { name: 'Open to all' }, requester);
    assert.ok(made.kind === 'done');
    const outcome = await setOwners(services(), client.id, { groups: ['Open to all'] }, requester);
    assert.ok(outcome.kind === 'refused' && outcome.reason === 'conflict');
  });

  test('ends by the clock before the end is written', async () => {
    const client = await service.newClient();
    const member = await service.newUser();
    const group = await protectedGroup('Until tomorrow', []);
    await changeMembers(services(), { id: group }, { add: [{ id: member.id }], expiresAt: '1d' }, requester);
    await own(client.id, { groups: [group] });
    const { storage, clock } = services();
    assert.deepEqual(await storage.ownedClients(member.id, clock.now()), [client.id]);
    assert.deepEqual(await storage.ownedClients(member.id, clock.now() + 2 * 24 * 60 * 60 * 1000), []);
  });
});

describe('someone with the role people', () => {
  test('takes over no owner', async () => {
    const { user } = await newOwner();
    const named = { id: user.id };
    const attempts = [
      makeRecoveryLink(services(), named, asPeople),
      removeSecondFactors(services(), named, asPeople),
      editUser(services(), named, { email: 'mine@example.test' }, asPeople),
      disableUser(services(), named, asPeople),
      deleteUser(services(), named, asPeople),
      setPassword(services(), named, 'another rather long phrase', asPeople),
    ];
    for (const outcome of await Promise.all(attempts)) {
      assert.ok(outcome.kind === 'refused' && outcome.reason === 'forbidden', JSON.stringify(outcome));
    }
    assert.equal((await services().storage.findUser(user.id))?.email, user.email);
  });

  test('keeps no link from before the person became an owner', async () => {
    const client = await service.newClient();
    const user = await service.newUser();
    const made = await makeRecoveryLink(services(), { id: user.id }, asPeople);
    assert.ok(made.kind === 'done');
    await own(client.id, { people: [user.id] });
    const { pathname, search } = new URL(made.url);
    const opened = await new Person(service).request(pathname + search);
    assert.equal(opened.status, 410);
    assert.doesNotMatch(await opened.text(), /type="password"/);
    const links = (await service.rows('links')).filter(({ user_id }) => user_id === user.id);
    assert.deepEqual(links, []);
  });
});
