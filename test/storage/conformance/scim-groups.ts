// Groups of directories: finding them, and changes of members that name a few of many.

import assert from 'node:assert/strict';
import { type Group, type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  anEvent,
  later,
  type Rule,
  start,
  storedClient,
  storedLink,
  storedUser,
  tokenLives,
} from '../records.ts';

const source = 'entra';
let named = 0;

function aGroup(overrides: Partial<Group> = {}): Group {
  const id = `group-${++named}`;
  const times = { createdAt: start + named, updatedAt: start, protectedSince: null };
  return { id, name: `Group ${named}`, externalId: null, managedBy: source, ...times, ...overrides };
}

async function stored(storage: Storage, overrides: Partial<Group> = {}, people: readonly User[] = []): Promise<Group> {
  const group = aGroup(overrides);
  assert.ok(await storage.createScimGroup(group, joining(people), [anEvent({ kind: 'group_created' })], start));
  return group;
}

const ownPerson = (storage: Storage, overrides: Partial<User> = {}) =>
  storedUser(storage, { managedBy: source, ...overrides });
const someone = async (storage: Storage, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => ownPerson(storage)))).toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
const listed = (people: readonly User[], kind: 'group_member_added' | 'group_member_removed') =>
  people.map(({ id }) => ({ id, event: anEvent({ kind, userId: id }) }));
const joining = (people: readonly User[]) => listed(people, 'group_member_added');
const leaving = (people: readonly User[]) => listed(people, 'group_member_removed');
const idsOf = (people: readonly { readonly id: string }[]) => people.map(({ id }) => id);

async function change(storage: Storage, group: Group, add: readonly User[], remove: readonly User[]): Promise<boolean> {
  return storage.changeScimGroup(group, group, { add: joining(add), remove: leaving(remove) }, [], later);
}

async function members(storage: Storage, { id }: Group): Promise<string[]> {
  return idsOf(await storage.listScimMembers(id, source, '', 1000));
}

export function scimGroupRules(rule: Rule): void {
  rule('groups are found by what is compared, oldest first, and only those of the source', async (storage) => {
    const alpha = await stored(storage, { name: 'Alpha', externalId: 'x-1' });
    const beta = await stored(storage, { name: 'Beta' });
    const other = await stored(storage, { name: 'Other', managedBy: 'okta', externalId: 'x-1' });
    await storage.createGroup({ id: 'own', name: 'Own', createdAt: start, updatedAt: start }, anEvent());
    const gone = await stored(storage, { name: 'Gone', externalId: 'x-2' });
    await storage.deleteGroup(gone.id, later, anEvent(), true);
    const find = async (filter: Parameters<Storage['findScimGroups']>[1], part = { limit: 10, offset: 0 }) => {
      const { groups, total } = await storage.findScimGroups(source, filter, part);
      return [idsOf(groups), total];
    };
    assert.deepEqual(await find({}), [[alpha.id, beta.id], 2]);
    assert.deepEqual(await find({}, { limit: 1, offset: 1 }), [[beta.id], 2]);
    assert.deepEqual(await find({}, { limit: 0, offset: 0 }), [[], 2]);
    assert.deepEqual(await find({ name: { eq: 'alpha' } }), [[alpha.id], 1]);
    assert.deepEqual(await find({ name: { sw: 'be' } }), [[beta.id], 1]);
    assert.deepEqual(await find({ externalId: { eq: 'x-1' } }), [[alpha.id], 1]);
    assert.deepEqual(await find({ externalId: { pr: true } }), [[alpha.id], 1]);
    assert.deepEqual(await find({ externalId: { eq: 'x-2' } }), [[], 0]);
    assert.deepEqual(await find({ id: { eq: other.id } }), [[], 0]);
    assert.deepEqual(await find({ id: { eq: beta.id }, name: { eq: 'alpha' } }), [[], 0]);
    const { groups } = await storage.findScimGroups(source, { id: { eq: alpha.id } }, { limit: 1, offset: 0 });
    assert.deepEqual(groups, [alpha]);
  });

  rule('a name is taken by any group, an external ID by those of the source', async (storage) => {
    await storage.createGroup({ id: 'own', name: 'Admins', createdAt: start, updatedAt: start }, anEvent());
    const first = await stored(storage, { externalId: 'x' });
    const taken = [aGroup({ name: 'ADMINS' }), aGroup({ externalId: 'x' })];
    for (const group of taken) {
      await assert.rejects(storage.createScimGroup(group, [], [anEvent()], start), StorageConflict);
    }
    const other = await stored(storage, { managedBy: 'okta', externalId: 'x' });
    const second = await stored(storage);
    const none = { add: [], remove: [] };
    for (const fields of [
      { name: 'admins', externalId: null },
      { name: second.name, externalId: 'x' },
    ]) {
      await assert.rejects(storage.changeScimGroup(second, fields, none, [], later), StorageConflict);
    }
    assert.equal((await storage.findGroupById(other.id))?.externalId, 'x');
    // What a deleted group was called is free again.
    await storage.deleteGroup(first.id, later, anEvent(), true);
    await stored(storage, { name: first.name, externalId: 'x' });
  });

  rule('a group changes only if it is as it was, and still belongs to the source', async (storage) => {
    const group = await stored(storage, { externalId: 'x' });
    const event = anEvent({ kind: 'group_renamed' });
    const [fields, none] = [
      { name: 'New', externalId: 'y' },
      { add: [], remove: [] },
    ];
    for (const basis of [
      { ...group, name: 'Other' },
      { ...group, externalId: null },
      { ...group, managedBy: 'okta' },
    ]) {
      assert.equal(await storage.changeScimGroup(basis, fields, none, [event], later), false);
    }
    assert.equal(await storage.changeScimGroup(group, fields, none, [event], later), true);
    assert.deepEqual(await storage.findGroupById(group.id), { ...group, ...fields, updatedAt: later });
    assert.equal((await storage.findGroup('new'))?.id, group.id);
    assert.equal((await storage.findEvents({ kind: 'group_renamed' }, 10, 'oldest')).length, 1);
  });

  rule('people join and leave in one write, each with an event', async (storage) => {
    const people = await someone(storage, 5);
    const [a, b, ...others] = people as [User, User, ...User[]];
    const group = await stored(storage, {}, [a, b]);
    assert.equal(await change(storage, group, others, [a]), true);
    assert.deepEqual(await members(storage, group), idsOf([b, ...others]));
    assert.deepEqual(idsOf(await storage.listScimMembers(group.id, source, b.id, 2)), idsOf(others.slice(0, 2)));
    const about = async (kind: 'group_member_added' | 'group_member_removed') =>
      (await storage.findEvents({ kind }, 100, 'oldest')).map(({ userId }) => userId ?? '').sort();
    assert.deepEqual(await about('group_member_added'), idsOf(people));
    assert.deepEqual(await about('group_member_removed'), [a.id]);
    assert.equal(await change(storage, group, [a], []), true);
    assert.deepEqual(await members(storage, group), idsOf(people));
  });

  rule('nobody joins or leaves if one of them is not as the change was put together', async (storage) => {
    const [member, free, second] = (await someone(storage, 3)) as [User, User, User];
    const auditor = await ownPerson(storage, { roles: 'auditor' });
    const administrator = await ownPerson(storage, { adminSince: start });
    const stranger = await storedUser(storage);
    const others = await storedUser(storage, { managedBy: 'okta' });
    const missing = { ...free, id: 'nobody' };
    const group = await stored(storage, {}, [member]);
    await storage.changeMembers(group.id, { add: joining([auditor, stranger]), remove: [] }, start);
    for (const wrong of [member, auditor, administrator, stranger, others, missing]) {
      assert.equal(await change(storage, group, [free, wrong], []), false, wrong.id);
    }
    for (const wrong of [free, auditor, stranger, missing]) {
      assert.equal(await change(storage, group, [second], [member, wrong]), false, wrong.id);
    }
    assert.equal(await storage.createScimGroup(aGroup(), joining([stranger]), [], start), false);
    assert.deepEqual(await members(storage, group), [member.id, auditor.id].sort());
    assert.equal((await storage.findEvents({ kind: 'group_member_removed' }, 9, 'oldest')).length, 0);
  });

  rule(
    'a recovery link ends when its person joins a protected group, and not for those who are in it',
    async (storage) => {
      const people = await someone(storage, 3);
      const [member, joins] = people as [User, User, User];
      const group = await stored(storage, {}, [member]);
      assert.equal(await storage.protectGroup(group, true, start, anEvent()), true);
      const links = await Promise.all(people.map(({ id }) => storedLink(storage, { purpose: 'recover', userId: id })));
      assert.equal(await change(storage, group, [joins], []), true);
      const left = await Promise.all(links.map(({ digest }) => storage.findLink(digest, 'recover', start)));
      assert.deepEqual(left.map(Boolean), [true, false, true]);
    },
  );

  rule('nobody joins before an end is written', async (storage) => {
    const [ending, joins] = (await someone(storage, 2)) as [User, User];
    const group = await stored(storage);
    const [only] = joining([ending]);
    assert.ok(only);
    await storage.changeMembers(group.id, { add: [{ ...only, expiresAt: start + 1 }], remove: [] }, start);
    assert.equal(await change(storage, group, [joins], []), false);
    assert.equal(await storage.createScimGroup(aGroup(), joining([joins]), [], later), false);
    assert.equal(await change(storage, group, [], [ending]), true);
    assert.equal(await change(storage, group, [joins], []), true);
  });

  rule('those named are told apart', async (storage) => {
    const [member, free] = (await someone(storage, 2)) as [User, User];
    const auditor = await ownPerson(storage, { roles: 'auditor' });
    const stranger = await storedUser(storage);
    const group = await stored(storage, {}, [member]);
    const ids = [...idsOf([member, free, auditor, stranger]), 'nobody'];
    const found = await storage.findNamedMembers(group.id, source, ids);
    const expected = [
      { id: member.id, hasRole: false, isMember: true },
      { id: free.id, hasRole: false, isMember: false },
      { id: auditor.id, hasRole: true, isMember: false },
    ];
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    assert.deepEqual(found.toSorted(byId), expected.toSorted(byId));
    assert.deepEqual(await storage.findNamedMembers(group.id, source, []), []);
  });

  rule('other members are those of the source without a role who were there before', async (storage) => {
    const people = await someone(storage, 4);
    const [a, b, c, late] = people as [User, User, User, User];
    const auditor = await ownPerson(storage, { roles: 'auditor' });
    const stranger = await storedUser(storage);
    const group = await stored(storage, {}, [a, b, c]);
    await storage.changeMembers(group.id, { add: joining([stranger]), remove: [] }, start);
    assert.equal(await storage.findOtherWithRole(group.id, source, []), undefined);
    await storage.changeMembers(group.id, { add: joining([auditor]), remove: [] }, start);
    const part = { change: await storage.lastAccessChange(), after: '', limit: 10 };
    assert.ok(await change(storage, group, [late], []));
    const others = (ids: readonly string[], more: Partial<typeof part> = {}) =>
      storage.listOtherMembers(group.id, source, ids, { ...part, ...more });
    assert.deepEqual(await others([]), idsOf([a, b, c]));
    assert.deepEqual(await others([b.id]), idsOf([a, c]));
    assert.deepEqual(await others([], { limit: 2 }), idsOf([a, b]));
    assert.deepEqual(await others([], { after: b.id }), [c.id]);
    assert.equal(await storage.findOtherWithRole(group.id, source, []), auditor.id);
    assert.equal(await storage.findOtherWithRole(group.id, source, [auditor.id]), undefined);
  });

  rule('whoever is removed loses applications, except by another way', async (storage) => {
    const people = await someone(storage, 3);
    const [leaves, keeps, stays] = people as [User, User, User];
    const client = await storedClient(storage);
    const group = await stored(storage, {}, people);
    const access = { to: 'listed', event: anEvent() } as const;
    const nobody = { people: [], groups: [] };
    const allow = { people: joining([keeps]), groups: [{ id: group.id, event: anEvent() }] };
    await storage.changeAccess(client.id, { access, allow, disallow: nobody }, start);
    const grants = await Promise.all(people.map((user) => activeGrant(storage, user, client)));
    assert.ok(await change(storage, group, [], [leaves, keeps]));
    const live = await Promise.all(grants.map((grant) => tokenLives(storage, grant)));
    assert.deepEqual(live, [false, true, true], stays.id);
    // Joining again doesn't bring the grant back.
    assert.ok(await change(storage, group, [leaves], []));
    assert.equal(await tokenLives(storage, grants[0] as (typeof grants)[number]), false);
  });

  rule('someone who is released leaves the groups of the source', async (storage) => {
    const user = await ownPerson(storage, { adoptedAt: start });
    const group = await stored(storage, {}, [user]);
    const [left] = leaving([user]);
    assert.ok(left);
    const groups = [{ id: group.id, event: left.event }];
    assert.equal(await storage.releaseScimUser(user, 'okta', groups, later, anEvent()), false);
    assert.deepEqual(idsOf(await storage.listGroupsOf(user.id, later)), [group.id]);
    assert.equal(await storage.releaseScimUser(user, source, groups, later, anEvent()), true);
    assert.deepEqual(await storage.listGroupsOf(user.id, later), []);
    assert.equal((await storage.findEvents({ kind: 'group_member_removed' }, 9, 'oldest')).length, 1);
  });
}
