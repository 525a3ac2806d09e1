// Owners of applications: who they are at a time, and `users.is_owner`, which triggers keep by what is written.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import type { Client, OwnersChange, Storage, User } from '../../../src/storage/storage.ts';
import {
  anEvent,
  hasEvent,
  later,
  type Rule,
  setAdministrator,
  start,
  storedClient,
  storedLink,
  storedUser,
} from '../records.ts';

let named = 0;

interface Named {
  readonly people?: readonly User[];
  readonly groups?: readonly string[];
}

function changes({ people = [], groups = [] }: Named) {
  return [
    ...people.map(({ id }) => ({ kind: 'person' as const, id, event: anEvent({ userId: id }) })),
    ...groups.map((id) => ({ kind: 'group' as const, id, event: anEvent() })),
  ];
}

const changing = (added: Named, removed: Named = {}): OwnersChange => ({
  added: changes(added),
  removed: changes(removed),
});

const add = (storage: Storage, client: Client, owners: Named) =>
  storage.changeOwners(client.id, changing(owners), later);
const remove = (storage: Storage, client: Client, owners: Named) =>
  storage.changeOwners(client.id, changing({}, owners), later);

async function protectedGroup(storage: Storage, ...members: readonly User[]): Promise<string> {
  const id = `keepers-${++named}`;
  const group = { id, name: `Keepers ${named}`, protectedSince: start, createdAt: start, updatedAt: start };
  assert.ok(await storage.createGroup(group, anEvent()));
  await join(storage, id, ...members);
  return id;
}

const listed = (people: readonly User[], expiresAt: number | null = null) =>
  people.map(({ id }) => ({ id, event: anEvent(), expiresAt }));

async function join(storage: Storage, group: string, ...people: readonly User[]): Promise<void> {
  assert.ok(await storage.changeMembers(group, { add: listed(people), remove: [] }, start));
}

async function joinUntil(storage: Storage, group: string, user: User, end: number): Promise<void> {
  assert.ok(await storage.changeMembers(group, { add: listed([user], end), remove: [] }, start));
}

async function leave(storage: Storage, group: string, ...people: readonly User[]): Promise<void> {
  assert.ok(await storage.changeMembers(group, { add: [], remove: listed(people) }, later));
}

async function writeEnds(storage: Storage, now: number): Promise<void> {
  const ended = await storage.listExpiredEntries(now, 10);
  await storage.endExpiredEntries(
    ended.map((entry) => [entry, anEvent({ kind: 'access_expired' })] as const),
    now,
  );
}

const isOwner = async (storage: Storage, { id }: User) => (await storage.findUser(id))?.isOwner;
const owns = (storage: Storage, { id }: User, now = later) => storage.ownedClients(id, now);
const ownersOf = async (storage: Storage, { id }: Client, now = later) =>
  (await storage.ownersOf(id, now)).map((owner) => owner.id);
const clientsOf = async (storage: Storage, owner: User | null, now = later) => {
  const filter = { owner: { id: owner?.id ?? null, now } };
  const { items, total } = await storage.pageClients({ words: [], after: undefined, limit: 100, total: true, filter });
  assert.equal(total?.count, items.length);
  return items.map(({ id }) => id);
};

/** Everything that says who owns a client, in one word for each. */
async function assertOwns(storage: Storage, client: Client, user: User, expected: boolean, now = later): Promise<void> {
  const said = {
    ownedClients: (await owns(storage, user, now)).includes(client.id),
    ownersOf: (await ownersOf(storage, client, now)).includes(user.id),
    filter: (await clientsOf(storage, user, now)).includes(client.id),
    isOwner: await isOwner(storage, user),
  };
  assert.deepEqual(said, { ownedClients: expected, ownersOf: expected, filter: expected, isOwner: expected });
}

/** What ends an ownership, of somebody named as an owner and of a member of a group that owns. */
interface World {
  readonly storage: Storage;
  readonly client: Client;
  readonly user: User;
  readonly group: string;
}

const endings: readonly [what: string, way: 'person' | 'group', end: (world: World) => Promise<unknown>][] = [
  ['the entry of a person', 'person', ({ storage, client, user }) => remove(storage, client, { people: [user] })],
  ['the entry of a group', 'group', ({ storage, client, group }) => remove(storage, client, { groups: [group] })],
  ['a membership', 'group', ({ storage, user, group }) => leave(storage, group, user)],
  ['the application, of a person', 'person', ({ storage, client }) => storage.deleteClient(client.id, anEvent())],
  ['the application, of a group', 'group', ({ storage, client }) => storage.deleteClient(client.id, anEvent())],
];

export function ownerRules(rule: Rule): void {
  rule('those who are named own it, and members of groups that are named', async (storage) => {
    const [client, other] = [await storedClient(storage), await storedClient(storage)];
    const [person, member, both, nobody] = await Promise.all([1, 2, 3, 4].map(() => storedUser(storage)));
    assert.ok(person && member && both && nobody);
    const group = await protectedGroup(storage, member, both);
    assert.ok(await add(storage, client, { people: [person, both], groups: [group] }));
    for (const user of [person, member, both]) await assertOwns(storage, client, user, true);
    await assertOwns(storage, client, nobody, false);
    // Each once, also who owns it twice.
    const sorted = (users: readonly User[]) => users.map(({ id }) => id).toSorted();
    assert.deepEqual((await ownersOf(storage, client)).toSorted(), sorted([person, member, both]));
    assert.deepEqual(await owns(storage, both), [client.id]);
    assert.deepEqual(await clientsOf(storage, both), [client.id]);
    assert.deepEqual(await ownersOf(storage, other), []);
    assert.deepEqual(await clientsOf(storage, null), [other.id]);
    const { people, groups } = await storage.listOwners(client.id);
    assert.deepEqual(
      [people.map(({ id }) => id).toSorted(), groups.map(({ id }) => id)],
      [sorted([person, both]), [group]],
    );
    assert.deepEqual(
      (await storage.listClientsOwnedByGroup(group)).map(({ id }) => id),
      [client.id],
    );
  });

  for (const [what, way, end] of endings) {
    rule(`the end of ${what} ends what they own`, async (storage) => {
      const [client, user] = [await storedClient(storage), await storedUser(storage)];
      const group = await protectedGroup(storage, user);
      assert.ok(await add(storage, client, way === 'person' ? { people: [user] } : { groups: [group] }));
      await assertOwns(storage, client, user, true);
      await end({ storage, client, user, group });
      await assertOwns(storage, client, user, false);
    });

    rule(`the end of ${what} leaves what they own otherwise`, async (storage) => {
      const [client, kept, user] = [
        await storedClient(storage),
        await storedClient(storage),
        await storedUser(storage),
      ];
      const [group, other] = [await protectedGroup(storage, user), await protectedGroup(storage, user)];
      assert.ok(await add(storage, client, way === 'person' ? { people: [user] } : { groups: [group] }));
      // The other way round, so that neither hides the other.
      assert.ok(await add(storage, kept, way === 'person' ? { groups: [other] } : { people: [user] }));
      await end({ storage, client, user, group });
      assert.deepEqual(await owns(storage, user), [kept.id]);
      await assertOwns(storage, kept, user, true);
    });
  }

  rule('whoever joins a group that owns is an owner, and one who joins again is one again', async (storage) => {
    const [client, user] = [await storedClient(storage), await storedUser(storage)];
    const group = await protectedGroup(storage);
    assert.ok(await add(storage, client, { groups: [group] }));
    for (let times = 0; times < 2; times++) {
      await join(storage, group, user);
      await assertOwns(storage, client, user, true);
      await leave(storage, group, user);
      await assertOwns(storage, client, user, false);
    }
  });

  rule(
    'a membership that ends by itself gives no right from that moment, and is noted once it is written',
    async (storage) => {
      const [client, user] = [await storedClient(storage), await storedUser(storage)];
      const group = await protectedGroup(storage);
      await joinUntil(storage, group, user, start + DAY);
      assert.ok(await add(storage, client, { groups: [group] }));
      const [before, end] = [start + DAY - 1, start + DAY];
      await assertOwns(storage, client, user, true, before);
      assert.deepEqual(await clientsOf(storage, null, before), []);
      assert.deepEqual(await owns(storage, user, end), []);
      assert.deepEqual(await ownersOf(storage, client, end), []);
      assert.deepEqual(await clientsOf(storage, user, end), []);
      assert.deepEqual(await clientsOf(storage, null, end), [client.id]);
      assert.equal(await isOwner(storage, user), true, 'whoever was an owner is protected until the end is written');
      await writeEnds(storage, end);
      await assertOwns(storage, client, user, false, end);
    },
  );

  rule('one whose account has ended is no owner while it has', async (storage) => {
    const client = await storedClient(storage);
    const [disabled, expired, good] = [
      await storedUser(storage),
      await storedUser(storage, { expiresAt: start + DAY }),
      await storedUser(storage),
    ];
    const group = await protectedGroup(storage, good);
    assert.ok(await add(storage, client, { people: [disabled, expired], groups: [group] }));
    const [before, end] = [start + DAY - 1, start + DAY];
    assert.equal((await ownersOf(storage, client, before)).length, 3);
    assert.equal(await storage.disableUser(disabled.id, later, anEvent()), true);
    assert.equal(await storage.disableUser(good.id, later, anEvent()), true);
    assert.deepEqual(await ownersOf(storage, client, before), [expired.id]);
    assert.deepEqual(await clientsOf(storage, null, before), []);
    assert.deepEqual(await ownersOf(storage, client, end), []);
    assert.deepEqual(await clientsOf(storage, null, end), [client.id]);
    assert.equal(await storage.enableUser(good.id, later, anEvent()), true);
    assert.deepEqual(await ownersOf(storage, client, end), [good.id]);
  });

  rule('one who is deleted leaves no entry, also if another owner stays', async (storage) => {
    const [client, user, other] = [await storedClient(storage), await storedUser(storage), await storedUser(storage)];
    const group = await protectedGroup(storage, user);
    assert.ok(await add(storage, client, { people: [user, other], groups: [group] }));
    assert.equal(await storage.deleteUser(user.id, anEvent()), true);
    assert.deepEqual(await ownersOf(storage, client), [other.id]);
    assert.deepEqual(
      (await storage.listOwners(client.id)).people.map(({ id }) => id),
      [other.id],
    );
    assert.deepEqual(await owns(storage, user), []);
  });

  const without: readonly [what: string, make: (storage: Storage) => Promise<readonly [string, Named]>][] = [
    ['an unknown application', async (storage) => ['nothing', { people: [await storedUser(storage)] }]],
    [
      'someone who is disabled',
      async (storage) => [
        (await storedClient(storage)).id,
        { people: [await storedUser(storage, { disabledAt: start })] },
      ],
    ],
    [
      'someone who is deleted',
      async (storage) => {
        const user = await storedUser(storage);
        await storage.deleteUser(user.id, anEvent());
        return [(await storedClient(storage)).id, { people: [user] }];
      },
    ],
    [
      'a group that anyone changes who looks after people',
      async (storage) => {
        const group = { id: `open-${++named}`, name: `Open ${named}`, createdAt: start, updatedAt: start };
        assert.ok(await storage.createGroup(group, anEvent()));
        return [(await storedClient(storage)).id, { groups: [group.id] }];
      },
    ],
    [
      'a group that is deleted',
      async (storage) => {
        const group = await protectedGroup(storage);
        assert.ok(await storage.deleteGroup(group, later, anEvent()));
        return [(await storedClient(storage)).id, { groups: [group] }];
      },
    ],
  ];
  for (const [what, make] of without) {
    rule(`nothing changes with ${what}`, async (storage) => {
      const [clientId, owners] = await make(storage);
      const [good, leaving] = [await storedUser(storage), await storedUser(storage)];
      const known = await storage.findClient(clientId);
      if (known !== undefined) assert.ok(await add(storage, known, { people: [leaving] }));
      const change = changing(
        { people: [good, ...(owners.people ?? [])], groups: owners.groups ?? [] },
        { people: [leaving] },
      );
      assert.equal(await storage.changeOwners(clientId, change, later), false);
      assert.equal(await isOwner(storage, good), false);
      assert.equal(await isOwner(storage, leaving), known !== undefined);
      for (const { event } of [...change.added, ...change.removed]) assert.equal(await hasEvent(storage, event), false);
    });
  }

  rule('a change that changes nothing any more has no event', async (storage) => {
    const [client, user] = [await storedClient(storage), await storedUser(storage)];
    const group = await protectedGroup(storage, user);
    const owners = { people: [user], groups: [group] };
    const written = async (change: OwnersChange) => {
      assert.equal(await storage.changeOwners(client.id, change, later), true);
      const events: EventRecord[] = [...change.added, ...change.removed].map(({ event }) => event);
      return Promise.all(events.map((event) => hasEvent(storage, event)));
    };
    assert.deepEqual(await written(changing(owners)), [true, true]);
    assert.deepEqual(await written(changing(owners)), [false, false]);
    assert.deepEqual(await written(changing({}, owners)), [true, true]);
    assert.deepEqual(await written(changing({}, owners)), [false, false]);
    await assertOwns(storage, client, user, false);
  });

  rule('of several who add the same owner at once, one writes the event', async (storage) => {
    const [client, user] = [await storedClient(storage), await storedUser(storage)];
    const attempts = Array.from({ length: 4 }, () => changing({ people: [user] }));
    await Promise.all(attempts.map((change) => storage.changeOwners(client.id, change, later)));
    const events = attempts.flatMap(({ added }) => added.map(({ event }) => event));
    const noted = await Promise.all(events.map((event) => hasEvent(storage, event)));
    assert.equal(noted.filter(Boolean).length, 1);
    await assertOwns(storage, client, user, true);
  });

  rule(
    'is_owner is what both say of a member who leaves and a group that becomes an owner at once',
    async (storage) => {
      for (let times = 0; times < 5; times++) {
        const [client, user] = [await storedClient(storage), await storedUser(storage)];
        const group = await protectedGroup(storage, user);
        await Promise.all([leave(storage, group, user), add(storage, client, { groups: [group] })]);
        await assertOwns(storage, client, user, false);
        await Promise.all([join(storage, group, user), remove(storage, client, { groups: [group] })]);
        await assertOwns(storage, client, user, false);
        await Promise.all([leave(storage, group, user), add(storage, client, { people: [user] })]);
        await assertOwns(storage, client, user, true);
      }
    },
  );

  rule('a group that owns is neither deleted nor opened', async (storage) => {
    const [client, user] = [await storedClient(storage), await storedUser(storage)];
    const group = await protectedGroup(storage, user);
    assert.ok(await add(storage, client, { groups: [group] }));
    const facts = { id: group, protectedSince: start };
    assert.equal(await storage.protectGroup(facts, false, later, anEvent()), false);
    assert.equal(await storage.deleteGroup(group, later, anEvent(), true), false);
    await assertOwns(storage, client, user, true);
    assert.ok(await remove(storage, client, { groups: [group] }));
    assert.equal(await storage.protectGroup(facts, false, later, anEvent()), true);
    assert.equal(await storage.deleteGroup(group, later, anEvent(), true), true);
  });

  rule('links from before someone became an owner end', async (storage) => {
    const client = await storedClient(storage);
    const [named, joined, other] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    const group = await protectedGroup(storage);
    assert.ok(await add(storage, client, { groups: [group] }));
    const links = await Promise.all(
      [named, joined, other].map(({ id }) => storedLink(storage, { purpose: 'recover', userId: id })),
    );
    const found = () =>
      Promise.all(links.map(async ({ digest }) => (await storage.findLink(digest, 'recover', start)) !== undefined));
    assert.deepEqual(await found(), [true, true, true]);
    assert.ok(await add(storage, client, { people: [named] }));
    await join(storage, group, joined);
    assert.deepEqual(await found(), [false, false, true]);
  });

  rule('owners count once among those who are asked for more than a password', async (storage) => {
    const client = await storedClient(storage);
    const [person, member, administrator] = await Promise.all([1, 2, 3].map(() => storedUser(storage)));
    assert.ok(person && member && administrator);
    await storedUser(storage);
    await setAdministrator(storage, administrator.id, start, anEvent());
    const counted = () => storage.countPasswordOnly('administrators');
    assert.equal(await counted(), 1);
    const group = await protectedGroup(storage, member, person);
    assert.ok(await add(storage, client, { people: [person, administrator], groups: [group] }));
    assert.equal(await counted(), 3);
    assert.equal(await storage.disableUser(member.id, later, anEvent()), true);
    assert.equal(await counted(), 2);
  });
}
