// Who may use which client: a grant lives while its user has had access without a gap, and what regains access revives
// nothing. No rule here moves a clock: only the order of changes counts.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import type { ApplicationClaim } from '../../../src/protocol/oauth/application-claims.ts';
import {
  type AccessChange,
  type Client,
  type Group,
  type Storage,
  StorageConflict,
  type User,
} from '../../../src/storage/storage.ts';
import {
  activeGrant,
  aGrant,
  anEvent,
  exchangeOf,
  hasEvent,
  issuedGrant,
  nothingIsOver,
  partiesAreActive,
  type Rule,
  start,
  storedClient,
  storedLink,
  storedSession,
  storedUser,
  tokenLives,
  winners,
} from '../records.ts';

let named = 0;

async function storedGroup(storage: Storage, overrides: Partial<Group> = {}): Promise<Group> {
  const group = { id: `group-${++named}`, name: `Group ${named}`, createdAt: start, updatedAt: start, ...overrides };
  return (await storage.createGroup(group, anEvent())) ?? assert.fail();
}

/** One user, one client, two groups, and every change to who may use the client, by a short name. */
class World {
  readonly storage: Storage;
  readonly user: User;
  readonly client: Client;
  readonly groups: Readonly<Record<'a' | 'b', Group>>;

  constructor(storage: Storage, user: User, client: Client, groups: World['groups']) {
    this.storage = storage;
    this.user = user;
    this.client = client;
    this.groups = groups;
  }

  static async in(storage: Storage, access: Client['access'] = 'everyone'): Promise<World> {
    const [user, client] = [await storedUser(storage), await storedClient(storage, { access })];
    return new World(storage, user, client, { a: await storedGroup(storage), b: await storedGroup(storage) });
  }

  /** Several names separated by a plus are one change. */
  async change(names: string): Promise<void> {
    const { storage, client, user, groups } = this;
    const listed = (id: string) => [{ id, event: anEvent() }];
    const access: { -readonly [Key in keyof AccessChange]: AccessChange[Key] } = {
      allow: { people: [], groups: [] },
      disallow: { people: [], groups: [] },
    };
    const about = (name: string) => (name.endsWith('b') ? groups.b : groups.a);
    for (const name of names.split('+')) {
      const { id } = about(name);
      const members = { add: [], remove: [] };
      if (name === 'listed' || name === 'everyone') access.access = { to: name, event: anEvent() };
      else if (name === 'allow') access.allow = { ...access.allow, people: listed(user.id) };
      else if (name === 'disallow') access.disallow = { ...access.disallow, people: listed(user.id) };
      else if (name.startsWith('allow ')) access.allow = { ...access.allow, groups: listed(id) };
      else if (name.startsWith('disallow ')) access.disallow = { ...access.disallow, groups: listed(id) };
      else if (name.startsWith('join ')) await storage.changeMembers(id, { ...members, add: listed(user.id) }, start);
      else if (name.startsWith('leave '))
        await storage.changeMembers(id, { ...members, remove: listed(user.id) }, start);
      else if (name.startsWith('delete ')) await storage.deleteGroup(id, start, anEvent());
      else assert.fail(name);
    }
    await storage.changeAccess(client.id, access, start);
  }

  async changes(names: string): Promise<void> {
    for (const name of names.split(', ').filter(Boolean)) await this.change(name);
  }
}

/** The changes before the grant begins, those after it, and whether it lives then and may begin anew. */
const histories: [before: string, after: string, lives: boolean, hasAccess: boolean][] = [
  // An open client, and one that becomes listed.
  ['', '', true, true],
  ['', 'allow', true, true],
  ['', 'allow, disallow', true, true],
  ['', 'listed', false, false],
  ['', 'listed, everyone', false, true],
  ['', 'listed, allow', false, true],
  ['', 'listed+allow', true, true],
  ['', 'allow, listed', true, true],
  ['', 'allow, listed, disallow', false, false],
  ['', 'allow, listed, disallow, allow', false, true],
  ['', 'allow, listed, everyone, disallow', true, true],
  ['', 'allow, listed, everyone, disallow, listed', false, false],
  ['', 'join a, allow a, listed', true, true],
  ['', 'allow a, join a, listed', true, true],
  ['', 'allow a, listed, join a', false, true],
  ['', 'listed, allow a, join a', false, true],
  // Switched before the grant began.
  ['listed, everyone', '', true, true],
  ['listed, everyone', 'listed', false, false],
  ['listed, everyone', 'allow, listed', true, true],
  ['listed, allow', '', true, true],
  ['listed, allow', 'everyone, disallow', true, true],
  ['listed, allow', 'disallow, everyone', false, true],
  ['listed, allow', 'disallow+everyone', true, true],
  ['listed, allow, disallow, allow', '', true, true],
  ['listed, allow', 'disallow, allow', false, true],
  // Listed twice.
  ['listed, allow, allow a, join a', 'disallow', true, true],
  ['listed, allow, allow a, join a', 'disallow a', true, true],
  ['listed, allow, allow a, join a', 'leave a', true, true],
  ['listed, allow, allow a, join a', 'delete a', true, true],
  ['listed, allow, allow a, join a', 'disallow, leave a', false, false],
  ['listed, allow, allow a, join a', 'leave a, disallow, join a', false, true],
  ['listed, allow a, join a, allow b, join b', 'leave a', true, true],
  ['listed, allow a, join a, allow b, join b', 'leave a, join a, leave b', true, true],
  ['listed, allow a, join a, allow b, join b', 'delete a, disallow b', false, false],
  // By way of a group.
  ['listed, allow a, join a', '', true, true],
  ['listed, allow a, join a', 'leave a', false, false],
  ['listed, allow a, join a', 'leave a, join a', false, true],
  ['listed, allow a, join a', 'disallow a', false, false],
  ['listed, allow a, join a', 'disallow a, allow a', false, true],
  ['listed, allow a, join a', 'delete a', false, false],
  ['listed, allow a, join a', 'disallow a, leave a', false, false],
  ['listed, allow a, join a', 'allow, leave a', true, true],
  ['listed, allow a, join a', 'leave a, allow', false, true],
  ['listed, allow a, join a', 'allow+disallow a', true, true],
  ['listed, allow a, join a', 'allow b+disallow a, join b', false, true],
  ['listed, allow a, join a, join b', 'allow b+disallow a', true, true],
  ['listed, allow a, join a', 'join b, allow b, delete a', true, true],
  ['listed, allow a, join a', 'join b, allow b, delete a, delete b', false, false],
  ['listed, allow a, join a, allow', 'disallow, allow, leave a', true, true],
  // What never gave access ends without a gap.
  ['listed, allow', 'join a, allow a, leave a', true, true],
  ['listed, allow', 'allow a, disallow a, join a', true, true],
  ['listed, allow', 'allow a, disallow a, join a, leave a', true, true],
  ['listed, allow', 'join a, leave a, allow a, delete a', true, true],
];

export function accessRules(rule: Rule): void {
  for (const [before, after, lives, hasAccess] of histories) {
    const name = `a grant ${lives ? 'lives' : 'ends'} after: ${before || 'nothing'}; the grant; ${after || 'nothing'}`;
    rule(name, async (storage) => {
      const world = await World.in(storage);
      const { user, client } = world;
      await world.changes(before);
      const session = await storedSession(storage, user);
      const active = await activeGrant(storage, user, client);
      const issued = await issuedGrant(storage, user, client);
      assert.equal(await tokenLives(storage, active), true);
      await world.changes(after);

      assert.equal(await tokenLives(storage, active), lives);
      assert.equal(await partiesAreActive(storage, active), lives);
      assert.equal(await storage.consumeCode(exchangeOf(issued)), lives);
      assert.equal(await storage.hasAccess(client.id, user.id, start), hasAccess);
      assert.equal((await storage.findAuthorizationContext(client.id, session.digest, start))?.hasAccess, hasAccess);
      assert.equal(await storage.issueCode(aGrant(user, client), start), hasAccess);
      const next = aGrant(user, client);
      assert.equal(await storage.approve(next, next.scopes, start, anEvent()), hasAccess);
      assert.equal(await storage.consumeCode(exchangeOf(next)), hasAccess);
    });
  }

  rule(
    'those who use a client and are on its list are counted, whether or not it is limited to it',
    async (storage) => {
      const world = await World.in(storage);
      const { client, user, groups } = world;
      const count = async (at = start, most = 10) => Object.values(await storage.countListedUsers(client.id, at, most));
      assert.deepEqual(await count(), [0, 0]);
      const [byGroup, ending, stranger, unused] = await Promise.all([1, 2, 3, 4].map(() => storedUser(storage)));
      assert.ok(byGroup && ending && stranger && unused);
      for (const each of [user, byGroup, ending, stranger]) await activeGrant(storage, each, client);
      await activeGrant(storage, unused, await storedClient(storage));
      assert.deepEqual(await count(), [4, 0]);
      const add = (id: string, expiresAt?: number) => ({ id, event: anEvent(), ...(expiresAt && { expiresAt }) });
      const allow = { people: [add(ending.id, start + 5), add(unused.id)], groups: [] };
      await storage.changeAccess(client.id, { allow, disallow: { people: [], groups: [] } }, start);
      await storage.changeMembers(groups.a.id, { add: [add(byGroup.id)], remove: [] }, start);
      await world.changes('allow, allow a, join a, join b');
      assert.deepEqual(await count(), [4, 3], 'each once, however they are on it');
      assert.deepEqual(await count(start + 5), [4, 2], 'without those whose place has ended');
      const without = (entry: object) => storage.countListedUsers(client.id, start, 10, entry);
      assert.equal((await without({ person: ending.id })).listed, 2);
      assert.equal((await without({ group: groups.a.id })).listed, 2, 'who is on it twice stays');
      assert.equal((await without({ person: groups.a.id, group: ending.id })).listed, 3);
      await world.changes('disallow, leave a');
      assert.deepEqual(await count(), [4, 2]);
      await world.changes('listed');
      assert.deepEqual(await count(), [4, 2]);
      await world.changes('delete a');
      assert.deepEqual(await count(), [4, 1]);
      assert.equal((await count(start, 3))[0], 3, 'so many are counted');
      await storage.revokeClient(client.id, start, anEvent());
      assert.deepEqual(await count(), [0, 0]);
    },
  );

  rule("losing access doesn't affect other users or clients", async (storage) => {
    const world = await World.in(storage, 'listed');
    await world.changes('allow, allow a, join a');
    const [other, open] = [await storedUser(storage), await storedClient(storage)];
    const allowOther = { people: [{ id: other.id, event: anEvent() }], groups: [] };
    const nothing = { people: [], groups: [] };
    await storage.changeAccess(world.client.id, { allow: allowOther, disallow: nothing }, start);
    const kept = [
      await activeGrant(storage, other, world.client),
      await activeGrant(storage, world.user, open),
      await activeGrant(storage, other, open),
    ];
    const lost = await activeGrant(storage, world.user, world.client);
    await world.changes('disallow, leave a');
    assert.equal(await tokenLives(storage, lost), false);
    for (const grant of kept) assert.equal(await tokenLives(storage, grant), true);
  });

  rule('without a session, a request learns whether everyone has access', async (storage) => {
    const [open, listed] = [await storedClient(storage), await storedClient(storage, { access: 'listed' })];
    assert.equal((await storage.findAuthorizationContext(open.id, undefined, start))?.hasAccess, true);
    assert.equal((await storage.findAuthorizationContext(listed.id, undefined, start))?.hasAccess, false);
  });

  rule('a client update that switches access is one change', async (storage) => {
    const { user, client } = await World.in(storage);
    const grant = await activeGrant(storage, user, client);
    const event = anEvent();
    assert.equal(await storage.updateClient(client, { access: 'listed', name: 'Listed' }, start, event), true);
    assert.equal(await tokenLives(storage, grant), false);
    assert.equal(await hasEvent(storage, event), true);
    const stored = await storage.findClient(client.id);
    assert.deepEqual([stored?.access, stored?.name], ['listed', 'Listed']);
    const changed = { ...client, redirectUris: ['https://other.example/'] };
    assert.equal(await storage.updateClient(changed, { access: 'everyone' }, start, anEvent()), false);
    assert.equal((await storage.findClient(client.id))?.access, 'listed');
  });

  rule(
    "a person's groups are listed by name, in the order of code points, without those that have ended",
    async (storage) => {
      const user = await storedUser(storage);
      const names = ['staff', 'Zoo', 'Éclair', 'Admins', '\u{10330}', '\uff21'];
      for (const name of [...names, 'Gone', 'Left']) {
        const group = await storedGroup(storage, { name });
        await storage.changeMembers(group.id, { add: [{ id: user.id, event: anEvent() }], remove: [] }, start);
        if (name === 'Gone') await storage.deleteGroup(group.id, start, anEvent());
        const leave = { add: [], remove: [{ id: user.id, event: anEvent() }] };
        if (name === 'Left') await storage.changeMembers(group.id, leave, start);
      }
      const listed = (await storage.listGroupsOf(user.id, start)).map(({ name }) => name);
      assert.deepEqual(listed, ['Admins', 'Zoo', 'staff', 'Éclair', '\uff21', '\u{10330}']);
      assert.deepEqual(await storage.listGroupsOf('nobody', start), []);
    },
  );

  rule('the list has exactly who was added, with one event per change', async (storage) => {
    const world = await World.in(storage);
    const { client, user, groups } = world;
    const listed = (id: string) => ({ id, event: anEvent() });
    const nothing = { people: [], groups: [] };
    const both = { people: [listed(user.id), listed('nobody')], groups: [listed(groups.a.id), listed('nothing')] };
    const recorded = async (of: typeof both) =>
      Promise.all([...of.people, ...of.groups].map(({ event }) => hasEvent(storage, event)));
    assert.equal(await storage.changeAccess(client.id, { allow: both, disallow: nothing }, start), true);
    assert.deepEqual(await recorded(both), [true, false, true, false]);
    const again = { people: [listed(user.id)], groups: [listed(groups.a.id)] };
    assert.equal(await storage.changeAccess(client.id, { allow: again, disallow: nothing }, start), true);
    assert.deepEqual(await recorded(again), [false, false]);
    const list = async () => ({
      people: (await storage.pageAllowedUsers(client.id, { after: undefined, limit: 10 })).items.map(({ id }) => id),
      groups: (await storage.listAllowedGroups(client.id)).map(({ id }) => id),
    });
    assert.deepEqual(await list(), { people: [user.id], groups: [groups.a.id] });
    await storage.deleteGroup(groups.a.id, start, anEvent());
    assert.deepEqual(await list(), { people: [user.id], groups: [] });
    const removed = { people: [listed(user.id)], groups: [listed(groups.b.id)] };
    await storage.changeAccess(client.id, { allow: nothing, disallow: removed }, start);
    assert.deepEqual(await recorded(removed), [true, false]);
    assert.deepEqual(await list(), { people: [], groups: [] });
    const event = anEvent();
    const change = { access: { to: 'listed', event }, allow: nothing, disallow: nothing } as const;
    assert.equal(await storage.changeAccess('nobody', change, start), false);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('a group has the members that were added, and is found by name or ID', async (storage) => {
    const group = await storedGroup(storage, { name: 'Straße' });
    await assert.rejects(storedGroup(storage, { name: 'STRAßE' }), StorageConflict);
    for (const name of ['straße', ' Straße ', group.id]) assert.deepEqual(await storage.findGroup(name), group);
    assert.equal(await storage.findGroup('nothing'), undefined);
    const users = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    const [first] = users;
    const changes = (of: readonly User[]) => of.map(({ id }) => ({ id, event: anEvent() }));
    const add = changes(users);
    assert.equal(await storage.changeMembers(group.id, { add, remove: [] }, start + 5), true);
    for (const { event } of add) assert.equal(await hasEvent(storage, event), true);
    assert.equal(await storage.countMembers(group.id), 3);
    assert.equal(await storage.countMembers(group.id, 2), 2, 'no further than that');
    const page = await storage.pageMembers(group.id, { after: undefined, limit: 2 });
    const rest = await storage.pageMembers(group.id, { after: page.next, limit: 2 });
    assert.equal(rest.next, undefined);
    const ids = users.map(({ id }) => id).sort();
    assert.deepEqual(
      [...page.items, ...rest.items].map(({ id }) => id),
      ids,
    );
    await storage.deleteUser(first?.id ?? '', anEvent());
    assert.equal(await storage.countMembers(group.id), 2);
    assert.equal((await storage.findGroup(group.id))?.updatedAt, start + 5);
    assert.equal(await storage.changeMembers('nothing', { add: changes(users), remove: [] }, start), false);
  });

  rule('a deleted group is gone, and its name is free', async (storage) => {
    const group = await storedGroup(storage, { name: 'Design' });
    assert.equal(await storage.deleteGroup(group.id, start, anEvent()), true);
    assert.equal(await storage.deleteGroup(group.id, start, anEvent()), false);
    for (const name of ['Design', group.id]) assert.equal(await storage.findGroup(name), undefined);
    assert.equal(await storage.changeMembers(group.id, { add: [], remove: [] }, start), false);
    const next = await storedGroup(storage, { name: 'design' });
    assert.deepEqual((await storage.pageGroups({ after: undefined, limit: 10 })).items, [next]);
  });

  rule('a renamed group is found by its new name, and claims that refer to it show that', async (storage) => {
    const [group, other] = [
      await storedGroup(storage, { name: 'Te"am' }),
      await storedGroup(storage, { name: 'Other' }),
    ];
    const uses = (...groups: Group[]) =>
      groups.map(({ id, name }): ApplicationClaim => {
        return { claim: 'admin', label: null, idToken: false, source: 'has-group', group: { id, name } };
      });
    const client = await storedClient(storage, { claims: uses(group, other) });
    const event = anEvent();
    assert.equal(await storage.renameGroup(group, 'Crew \\ "1"', start + 5, event), true);
    assert.equal(await hasEvent(storage, event), true);
    const renamed = { ...group, name: 'Crew \\ "1"', updatedAt: start + 5 };
    assert.deepEqual(await storage.findGroup('crew \\ "1"'), renamed);
    assert.equal(await storage.findGroup('Te"am'), undefined);
    assert.deepEqual((await storage.findClient(client.id))?.claims, uses(renamed, other));
    assert.equal((await storage.findClient(client.id))?.updatedAt, client.updatedAt);
    // It has another name by now, or another group has the name.
    assert.equal(await storage.renameGroup(group, 'Third', start, anEvent()), false);
    await assert.rejects(storage.renameGroup(renamed, 'OTHER', start, anEvent()), StorageConflict);
    assert.deepEqual((await storage.findClient(client.id))?.claims, uses(renamed, other));
    assert.equal(await storage.renameGroup({ id: 'nothing', name: 'x' }, 'y', start, anEvent()), false);
  });

  rule('a group is protected and opened once, from the state that was read', async (storage) => {
    const group = await storedGroup(storage, { name: 'Guarded' });
    const event = anEvent();
    assert.equal(await storage.protectGroup(group, true, start + 5, event), true);
    assert.equal(await hasEvent(storage, event), true);
    const guarded = { ...group, protectedSince: start + 5, updatedAt: start + 5 };
    assert.deepEqual(await storage.findGroupById(group.id), guarded);
    const late = anEvent();
    assert.equal(await storage.protectGroup(group, false, start + 6, late), false);
    assert.equal(await hasEvent(storage, late), false);
    assert.equal(await storage.protectGroup(guarded, false, start + 7, anEvent()), true);
    assert.equal((await storage.findGroupById(group.id))?.protectedSince, null);
    assert.equal(await storage.protectGroup({ id: 'nothing', protectedSince: null }, true, start, anEvent()), false);
  });

  rule(
    'a recovery link ends when its person joins a protected group, and stays when they are in it',
    async (storage) => {
      const groups = [await storedGroup(storage), await storedGroup(storage)] as const;
      const [open, guarded] = groups;
      assert.equal(await storage.protectGroup(guarded, true, start, anEvent()), true);
      const users = [await storedUser(storage), await storedUser(storage)];
      const bystander = await storedUser(storage);
      const recovery = () =>
        Promise.all([...users, bystander].map(({ id }) => storedLink(storage, { purpose: 'recover', userId: id })));
      const add = ({ id }: Group, expiresAt?: number | null) => {
        const added = users.map((user) => ({
          id: user.id,
          event: anEvent(),
          ...(expiresAt !== undefined && { expiresAt }),
        }));
        return storage.changeMembers(id, { add: added, remove: [] }, start);
      };
      let links = await recovery();
      const left = async () =>
        (await Promise.all(links.map(({ digest }) => storage.findLink(digest, 'recover', start)))).map(Boolean);
      assert.equal(await add(open), true);
      assert.deepEqual(await left(), [true, true, true]);
      assert.equal(await add(guarded), true);
      assert.deepEqual(await left(), [false, false, true]);
      links = await recovery();
      for (const expiresAt of [undefined, start + DAY, null]) assert.equal(await add(guarded, expiresAt), true);
      assert.deepEqual(await left(), [true, true, true]);
      assert.equal(await storage.protectGroup(open, true, start, anEvent()), true);
      assert.deepEqual(await left(), [false, false, true]);
    },
  );

  rule('a group that claims refer to is deleted by force only, and marked in them', async (storage) => {
    const [group, other] = [await storedGroup(storage), await storedGroup(storage)];
    const reference = ({ id, name }: Group) => ({ id, name });
    const map = [group, other].map((each) => ({ group: reference(each), value: each.name }));
    const claim = { claim: 'roles', label: null, idToken: true, source: 'map-groups', map } as const;
    const client = await storedClient(storage, { claims: [claim] });
    await storedClient(storage, { claims: [{ ...claim, map: [] }] });
    assert.deepEqual(await storage.listClientsWithClaimsOf(group.id), [{ id: client.id, name: client.name }]);
    const event = anEvent();
    assert.equal(await storage.deleteGroup(group.id, start, event), false);
    assert.equal(await hasEvent(storage, event), false);
    assert.deepEqual(await storage.findGroup(group.id), group);
    assert.equal(await storage.deleteGroup(group.id, start, event, true), true);
    const [left] = (await storage.findClient(client.id))?.claims ?? [];
    assert.deepEqual(left?.source === 'map-groups' && left.map.map((each) => each.group), [
      { ...reference(group), deleted: true },
      reference(other),
    ]);
    // A new group with its name is another one.
    const next = await storedGroup(storage, { name: group.name });
    assert.deepEqual(await storage.listClientsWithClaimsOf(next.id), []);
    assert.equal(await storage.deleteGroup(next.id, start, anEvent()), true);
  });

  rule('groups are listed by name, a page at a time', async (storage) => {
    for (const name of ['delta', 'Alpha', 'charlie', 'Bravo']) await storedGroup(storage, { name });
    const first = await storage.pageGroups({ after: undefined, limit: 3 });
    const second = await storage.pageGroups({ after: first.next, limit: 3 });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ name }) => name),
      ['Alpha', 'Bravo', 'charlie', 'delta'],
    );
    assert.deepEqual([first.items.length, second.next], [3, undefined]);
    const found = async (...words: string[]) =>
      (await storage.pageGroups({ words, after: undefined, limit: 3 })).items.map(({ name }) => name);
    assert.deepEqual(await found('a'), ['Alpha', 'Bravo', 'charlie']);
    assert.deepEqual(await found('a', 'r'), ['Bravo', 'charlie']);
    await storedGroup(storage, { name: '100%_\\' });
    for (const word of ['%', '_', '\\', '0%_\\']) assert.deepEqual(await found(word), ['100%_\\'], word);
  });

  rule('a client that is deleted and registered again has an empty list', async (storage) => {
    const world = await World.in(storage, 'listed');
    await world.changes('allow, allow a, join a');
    await storage.deleteClient(world.client.id, anEvent());
    await storage.createClient({ ...world.client, generation: 1 }, undefined, anEvent());
    assert.equal(await storage.hasAccess(world.client.id, world.user.id, start), false);
  });

  rule('every change has a unique number, even concurrent ones', async (storage) => {
    const { client, groups } = await World.in(storage);
    const before = await storage.lastAccessChange();
    const users = await Promise.all(Array.from({ length: 20 }, () => storedUser(storage)));
    const nothing = { people: [], groups: [] };
    const changes = await winners((index) => {
      const add = [{ id: users[index]?.id ?? '', event: anEvent() }];
      return index % 2
        ? storage.changeMembers(groups.a.id, { add, remove: [] }, start)
        : storage.changeAccess(client.id, { allow: { people: add, groups: [] }, disallow: nothing }, start);
    });
    assert.equal(await storage.lastAccessChange(), before + changes);
    assert.equal(await storage.countMembers(groups.a.id), 10);
  });

  rule('the sweep never revives or ends a grant, and eventually removes all ended access', async (storage) => {
    for (const [before, after, lives] of histories) {
      const world = await World.in(storage);
      await world.changes(before);
      const grant = await activeGrant(storage, world.user, world.client);
      await world.changes(after);
      const settledAccessChange = await storage.lastAccessChange();
      while ((await storage.sweep(nothingIsOver({ settledAccessChange }), 500)) > 0);
      assert.equal(await tokenLives(storage, grant), lives, `${before}; ${after}`);
    }
    const later = nothingIsOver({ now: start + 60 * DAY, settledAccessChange: await storage.lastAccessChange() });
    while ((await storage.sweep(later, 7)) > 0);
    assert.equal(await storage.sweep(later, 500), 0);
    // With the grants gone, everything that has ended goes, and what lasts stays.
    const world = await World.in(storage, 'listed');
    await world.changes('allow a, join a, allow b, join b, delete a');
    const settledAccessChange = await storage.lastAccessChange();
    const rows = async () => storage.sweep(nothingIsOver({ settledAccessChange }), 500);
    // The deleted group, its member and its place on the list.
    assert.equal(await rows(), 3);
    assert.equal(await rows(), 0);
    assert.equal(await storage.hasAccess(world.client.id, world.user.id, start), true);
  });

  rule("the sweep keeps access that ended after the oldest grant's change", async (storage) => {
    const world = await World.in(storage, 'listed');
    await world.changes('allow');
    const settledAccessChange = await storage.lastAccessChange();
    await world.changes('disallow');
    assert.equal(await storage.sweep(nothingIsOver({ settledAccessChange }), 500), 0);
    const next = nothingIsOver({ settledAccessChange: await storage.lastAccessChange() });
    assert.equal(await storage.sweep(next, 500), 1);
  });
}
