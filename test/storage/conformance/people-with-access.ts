// Who can use a client, and why: random stores are asked everything, and every answer is compared with one that is computed from their
// rows one by one.

import assert from 'node:assert/strict';
import { type AccessFilters, reasonKinds } from '../../../src/protocol/admin/access-filters.ts';
import { DAY } from '../../../src/protocol/durations.ts';
import type { Driver } from '../../../src/storage/driver.ts';
import { lasting } from '../../../src/storage/groups/access-conditions.ts';
import { clientAccess, consents, groupMembers } from '../../../src/storage/schema.ts';
import { insertInto } from '../../../src/storage/sql/query.ts';
import type {
  AccessibleClient,
  AccessQuery,
  AccessReason,
  Client,
  Group,
  PagePosition,
  PersonWithAccess,
  Storage,
  User,
} from '../../../src/storage/storage.ts';
import { isReleaseLane } from '../../harness/lane.ts';
import { anEvent, type Rule, start, storedClient, storedUser } from '../records.ts';

const now = start + 1000 * DAY;
const nobodyListed = { people: [], groups: [] };

interface Entry {
  readonly client: Client;
  readonly subject: string;
  readonly kind: 'person' | 'group' | 'everyone';
  readonly lasts: boolean;
  readonly expiresAt: number | null;
  readonly since: number | null;
}
interface Membership extends Omit<Entry, 'client' | 'subject' | 'kind'> {
  readonly group: Group;
  readonly user: User;
}
interface Connection {
  readonly client: Client;
  readonly user: User;
  readonly generation: number;
  readonly grantedAt: number;
  readonly lastUsedAt: number;
}

/** The same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    chance: (share: number) => next() < share,
    of: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] ?? assert.fail(),
    days: (from: number, to: number) => Math.floor(from + next() * (to - from)) * DAY,
  };
}

/** Everything in a store that decides about access, and the naive answers about it. */
class RandomStore {
  readonly #random: ReturnType<typeof randomFrom>;
  readonly people: User[] = [];
  readonly clients: Client[] = [];
  readonly groups: (Group & { readonly isDeleted: boolean })[] = [];
  readonly #entries: Entry[] = [];
  readonly #memberships: Membership[] = [];
  readonly #connections: Connection[] = [];

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  async fill(storage: Storage, driver: Driver): Promise<void> {
    const random = this.#random;
    for (let index = 0; index < 40; index++) {
      const facts = {
        name: `${random.of(['Ada', 'Bob', 'Zoë'])} ${random.of(['North', 'South'])}`,
        createdAt: now - random.days(1, 200) - index,
        disabledAt: random.chance(0.15) ? now - DAY : null,
        expiresAt: random.chance(0.2) ? now + random.days(-3, 5) : null,
      };
      this.people.push(await storedUser(storage, facts));
    }
    for (const access of ['listed', 'listed', 'everyone', 'everyone'] as const) {
      const client = await storedClient(storage, { access, createdAt: now - random.days(1, 200), generation: 0 });
      const opened = this.clients.length === 3;
      if (opened) await driver.write([{ sql: 'UPDATE clients SET was_listed = 1 WHERE id = $1', params: [client.id] }]);
      this.clients.push(client);
      const since = random.chance(0.5) ? null : now - random.days(1, 150);
      if (opened) {
        const entry = { client, kind: 'everyone', subject: '' } as const;
        this.#entries.push({ ...entry, lasts: true, expiresAt: null, since });
      }
    }
    for (let index = 0; index < 6; index++) {
      const given = { id: `group-${index}`, name: `Group ${index}`, createdAt: start, updatedAt: start };
      const group = await storage.createGroup(given, anEvent());
      const isDeleted = index === 5;
      const end = { sql: 'UPDATE groups SET ended_by = 3, name_key = NULL WHERE id = $1', params: [given.id] };
      if (isDeleted) await driver.write([end]);
      this.groups.push({ ...(group ?? assert.fail()), isDeleted });
    }
    for (const client of this.clients) {
      for (const user of this.people) {
        if (random.chance(0.3)) this.#entries.push({ client, kind: 'person', subject: user.id, ...this.#times() });
        if (random.chance(0.5)) this.#connections.push(this.#connection(client, user));
      }
      for (const group of this.groups) {
        if (random.chance(0.6)) this.#entries.push({ client, kind: 'group', subject: group.id, ...this.#times() });
      }
    }
    for (const group of this.groups) {
      for (const user of this.people)
        if (random.chance(0.25)) this.#memberships.push({ group, user, ...this.#times() });
    }
    await driver.write(this.#statements());
  }

  #times() {
    const random = this.#random;
    return {
      lasts: random.chance(0.8),
      expiresAt: random.chance(0.5) ? now + random.of([random.days(-3, 60), 0, 30 * DAY]) : null,
      since: random.chance(0.2) ? null : now - random.of([random.days(0, 200), 90 * DAY]),
    };
  }

  #connection(client: Client, user: User): Connection {
    const random = this.#random;
    const lastUsedAt = now - random.of([random.days(0, 200), 90 * DAY]);
    const grantedAt = lastUsedAt - random.days(0, 30);
    return { client, user, generation: random.chance(0.8) ? 0 : 1, lastUsedAt, grantedAt };
  }

  #statements() {
    const [entry, member, consent] = [insertInto(clientAccess), insertInto(groupMembers), insertInto(consents)];
    const row = ({ lasts, expiresAt, since }: Pick<Entry, 'lasts' | 'expiresAt' | 'since'>) => ({
      began_with: 1,
      ended_by: lasts ? lasting : 2,
      expires_at: expiresAt,
      end_notices: 0,
      began_at: since,
    });
    return [
      ...this.#entries.map((each) =>
        entry({ client_id: each.client.id, kind: each.kind, subject_id: each.subject, ...row(each) }),
      ),
      ...this.#memberships.map((each) => member({ group_id: each.group.id, user_id: each.user.id, ...row(each) })),
      ...this.#connections.map(({ client, user, generation, grantedAt, lastUsedAt }) =>
        consent({
          user_id: user.id,
          client_id: client.id,
          client_generation: generation,
          scopes: 'openid',
          granted_at: grantedAt,
          last_used_at: lastUsedAt,
          claims: null,
        }),
      ),
    ];
  }

  reasons(client: Client, { id, createdAt }: User, at: number): AccessReason[] {
    const isInForce = ({ lasts, expiresAt }: Pick<Entry, 'lasts' | 'expiresAt'>) =>
      lasts && (expiresAt === null || expiresAt > at);
    const entries = this.#entries.filter((entry) => entry.client === client && isInForce(entry));
    const opened = entries.find(({ kind }) => kind === 'everyone');
    const openSince = opened === undefined ? client.createdAt : opened.since;
    const everyone = { kind: 'everyone', group: null, since: openSince && Math.max(openSince, createdAt) } as const;
    const direct = entries.filter(({ kind, subject }) => kind === 'person' && subject === id);
    const byGroups = this.#memberships.flatMap((membership): AccessReason[] => {
      const { group, user } = membership;
      const entry = entries.find(({ kind, subject }) => kind === 'group' && subject === group.id);
      const isDeleted = this.groups.some((each) => each.id === group.id && each.isDeleted);
      if (user.id !== id || isDeleted || entry === undefined || !isInForce(membership)) return [];
      const ends = [entry.expiresAt, membership.expiresAt].filter((end) => end !== null);
      const times = [entry.since, membership.since].filter((time) => time !== null);
      const since = times.length === 0 ? null : Math.max(...times);
      const expiresAt = ends.length === 0 ? null : Math.min(...ends);
      return [{ kind: 'group', group: { id: group.id, name: group.name }, since, expiresAt }];
    });
    return [
      ...(client.access === 'everyone' ? [{ ...everyone, expiresAt: null }] : []),
      ...direct.map(({ since, expiresAt }): AccessReason => ({ kind: 'person', group: null, since, expiresAt })),
      ...byGroups.toSorted((a, b) => ((a.group?.name ?? '') < (b.group?.name ?? '') ? -1 : 1)),
    ];
  }

  #describe(client: Client, user: User, at: number): PersonWithAccess {
    const reasons = this.reasons(client, user, at);
    const ends = reasons.map(({ expiresAt }) => expiresAt);
    const connection = this.#connections.find(
      (each) => each.client === client && each.user === user && each.generation === client.generation,
    );
    const { id, name, email } = user;
    return {
      person: { id, name, email },
      reasons,
      expiresAt: ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0)),
      connectedAt: connection?.grantedAt ?? null,
      lastUsedAt: connection?.lastUsedAt ?? null,
    };
  }

  accessOf(user: User, at: number): AccessibleClient[] {
    return this.clients.flatMap((client): AccessibleClient[] => {
      const { person: _, reasons, connectedAt, ...rest } = this.#describe(client, user, at);
      if (client.access === 'everyone' ? connectedAt === null : reasons.length === 0) return [];
      return [{ client: { id: client.id, name: client.name }, reasons, connectedAt, ...rest }];
    });
  }

  list(client: Client, by: AccessFilters, at: number): PersonWithAccess[] {
    const canSignIn = (user: User) => user.disabledAt === null && (user.expiresAt === null || user.expiresAt > at);
    return this.people
      .filter(canSignIn)
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map((user) => ({ user, described: this.#describe(client, user, at) }))
      .filter(({ described: { reasons, connectedAt } }) =>
        client.access === 'everyone' ? connectedAt !== null : reasons.length > 0,
      )
      .filter(({ user, described: { reasons, expiresAt, lastUsedAt } }) => {
        const before = at - (by.unused ?? 0) * DAY;
        return (
          (by.reason === undefined || reasons.some(({ kind }) => kind === by.reason)) &&
          (by.group === undefined || reasons.some(({ group }) => group?.id === by.group)) &&
          (by.expiresWithin === undefined || (expiresAt !== null && expiresAt <= at + by.expiresWithin * DAY)) &&
          (by.unused === undefined ||
            ((lastUsedAt === null || lastUsedAt < before) &&
              reasons.some(({ since }) => (since ?? user.createdAt) < before)))
        );
      })
      .map(({ described }) => described);
  }
}

async function readToTheEnd(
  storage: Storage,
  client: Client,
  query: Omit<AccessQuery, 'after' | 'limit'>,
  limit: number,
) {
  const items: PersonWithAccess[] = [];
  let after: PagePosition | undefined;
  do {
    const page = await storage.pagePeopleWithAccess(client, { ...query, after, limit });
    assert.ok(page.items.length <= limit);
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}

const idsOf = (items: readonly PersonWithAccess[]) => items.map(({ person }) => person.id);

export function peopleWithAccessRules(rule: Rule): void {
  for (const seed of isReleaseLane ? [1, 2, 3, 4] : [1]) {
    rule(`who can use a client, and why, is what its rows say (${seed})`, async (storage, driver) => {
      const store = new RandomStore(seed);
      await store.fill(storage, driver);
      const filters: AccessFilters[] = [
        {},
        ...reasonKinds.map((reason) => ({ reason })),
        ...['group-1', 'group-5'].map((group) => ({ group })),
        { expiresWithin: 30 },
        { unused: 90 },
      ];
      const pairs = filters.flatMap((one, index) => filters.slice(index).map((other) => ({ ...one, ...other })));
      let found = 0;
      for (const user of store.people) {
        const names = (apps: readonly { client: Pick<Client, 'id'> }[]) =>
          apps.map(({ client: { id } }) => id).toSorted();
        const apps = await storage.listAccessOf(user, now);
        assert.deepEqual(names(apps), names(store.accessOf(user, now)));
        for (const expected of store.accessOf(user, now)) {
          assert.deepEqual(
            apps.find(({ client }) => client.id === expected.client.id),
            expected,
          );
        }
      }
      for (const client of store.clients) {
        // Some ends pass between the two.
        for (const at of [now, now + 3 * DAY]) {
          const described = await storage.describeAccess(client, store.people, at);
          for (const [index, user] of store.people.entries()) {
            const reasons = store.reasons(client, user, at);
            assert.deepEqual(described[index]?.reasons, reasons);
            assert.equal(await storage.hasAccess(client.id, user.id, at), reasons.length > 0);
          }
          assert.equal((await storage.countPeopleWithAccess(client, at)).count, store.list(client, {}, at).length);
          for (const by of at === now && client !== store.clients[1] ? pairs : filters) {
            const expected = store.list(client, by, at);
            found += expected.length;
            const filter = { by, now: at };
            const page = await storage.pagePeopleWithAccess(client, {
              words: [],
              after: undefined,
              limit: 50,
              total: true,
              filter,
            });
            const told = `${client.access} ${JSON.stringify(by)}`;
            assert.deepEqual(page.items, expected, told);
            assert.deepEqual(page.total, { count: expected.length, more: false }, told);
          }
        }
      }
      assert.ok(found > 300, `only ${found} people were found`);
    });
  }

  rule('people with access are searched and sorted, a page at a time', async (storage, driver) => {
    const store = new RandomStore(4);
    await store.fill(storage, driver);
    for (const client of store.clients) {
      for (const by of [{}, { reason: 'group' }, { unused: 30 }] as const) {
        const all = idsOf(store.list(client, by, now));
        const named = (word: string) =>
          store.list(client, by, now).filter(({ person }) => person.name.toLowerCase().includes(word));
        const query = { words: [], filter: { by, now } };
        assert.deepEqual(idsOf(await readToTheEnd(storage, client, query, 3)), all);
        for (const sort of ['name', 'last_sign_in', 'created'] as const) {
          const order = { by: sort, descending: false };
          const sorted = await readToTheEnd(storage, client, { ...query, order }, 3);
          assert.deepEqual(idsOf(sorted).toSorted(), all.toSorted(), sort);
        }
        for (const words of [['nor'], ['zoë', 'south']]) {
          const searched = await readToTheEnd(storage, client, { ...query, words }, 3);
          const expected = words.length === 1 ? named('north') : named('zoë south');
          assert.deepEqual(idsOf(searched).toSorted(), idsOf(expected).toSorted(), words.join(' '));
        }
      }
    }
  });

  if (isReleaseLane)
    rule(
      'of more people than are sorted, all who can use a client are found in each order',
      async (storage, driver) => {
        const [all, unused] = [5100, 5090];
        const client = await storedClient(storage, { access: 'listed' });
        await storage.createGroup({ id: 'crew', name: 'Crew', createdAt: start, updatedAt: start }, anEvent());
        const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${all})`;
        const word = driver.engine === 'server' ? `convert_to('name' || i, 'UTF8')` : `CAST('name' || i AS BLOB)`;
        const words = (kind: string) => `${numbers} INSERT INTO search_words (kind, word, ref, source)
      SELECT '${kind}', ${word}, 'u' || (10000 + i), 'name' FROM n`;
        const statements = [
          `${numbers} INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
        SELECT 'u' || (10000 + i), i || '@example.test', i || '@example.test', 'Name' || i, 'hash', 0, i, i FROM n`,
          words('person'),
          words('person_name'),
          `INSERT INTO group_members (group_id, user_id, began_with, ended_by, began_at)
        SELECT 'crew', id, 1, ${lasting}, ${start} FROM users`,
          `INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by, began_at)
        SELECT id, 'group', 'crew', 1, ${lasting}, ${start} FROM clients`,
          `INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
        SELECT u.id, c.id, 0, 'openid', 1, ${now} FROM users u CROSS JOIN clients c WHERE u.created_at > ${unused}`,
        ];
        // The server does it by itself, but later.
        if (driver.engine === 'server') statements.push('ANALYZE');
        for (const sql of statements) await driver.write([{ sql, params: [] }]);
        const read = async (by: AccessFilters, query: Partial<AccessQuery>) => {
          const given = { words: [], filter: { by, now }, ...query };
          const { total } = await storage.pagePeopleWithAccess(client, {
            ...given,
            after: undefined,
            limit: 1,
            total: true,
          });
          const items = await readToTheEnd(storage, client, given, 1000);
          assert.equal(new Set(idsOf(items)).size, items.length);
          return [items.length, total?.count, total?.more];
        };
        for (const by of ['created', 'name', 'last_sign_in'] as const) {
          const order = { by, descending: false };
          assert.deepEqual(await read({}, { order }), [all, all, false]);
          const [count, , more] = await read({ unused: 90 }, { order });
          assert.deepEqual([count, more], [unused, true]);
        }
        assert.deepEqual((await read({ group: 'crew' }, {}))[0], all);
        assert.deepEqual((await read({ expiresWithin: 30 }, {}))[0], 0);
        assert.deepEqual((await read({}, { words: ['name'] }))[0], all);
        const [{ person } = assert.fail()] = await readToTheEnd(
          storage,
          client,
          { words: ['name17'], filter: { by: {}, now } },
          1,
        );
        assert.equal(person.name, 'Name17');
        const open = {
          access: { to: 'everyone', event: anEvent() },
          allow: nobodyListed,
          disallow: nobodyListed,
        } as const;
        await storage.changeAccess(client.id, open, now);
        const opened = await storage.findClient(client.id);
        const { items } = await storage.pagePeopleWithAccess(opened ?? client, {
          words: [],
          after: undefined,
          limit: 50,
          filter: { by: {}, now },
        });
        assert.equal(items.length, all - unused);
      },
    );

  rule('members of a group are searched, sorted and counted, with since when they are in it', async (storage) => {
    const group = { id: 'crew', name: 'Crew', createdAt: start, updatedAt: start };
    await storage.createGroup(group, anEvent());
    const people = [];
    for (const name of ['Ada North', 'Bob North', 'Cleo South', 'Dora North']) {
      people.push(await storedUser(storage, { name }));
    }
    const [ada, bob, cleo] = people;
    const add = [ada, bob, cleo].map((user) => ({
      id: user?.id ?? '',
      event: anEvent(),
      expiresAt: user === bob ? start + DAY : null,
    }));
    assert.equal(await storage.changeMembers('crew', { add, remove: [] }, start + 7), true);
    const read = async (
      query: Partial<Parameters<Storage['pageMembers']>[1]>,
      ending?: { after: number; until: number },
    ) => {
      const { items, total } = await storage.pageMembers(
        'crew',
        { after: undefined, limit: 5, total: true, ...query },
        ending,
      );
      assert.ok(items.every(({ listedSince }) => listedSince === start + 7));
      return [items.map(({ name }) => name).toSorted(), total?.count];
    };
    assert.deepEqual(await read({}), [['Ada North', 'Bob North', 'Cleo South'], 3]);
    assert.deepEqual(await read({ words: ['north'] }), [['Ada North', 'Bob North'], 2]);
    const soon = { after: start, until: start + DAY };
    assert.deepEqual(await read({}, soon), [['Bob North'], 1]);
    assert.deepEqual(await read({ words: ['ada'] }, soon), [[], 0]);
    const sorted = await storage.pageMembers('crew', {
      after: undefined,
      limit: 2,
      order: { by: 'name', descending: true },
    });
    assert.deepEqual(
      sorted.items.map(({ name }) => name),
      ['Cleo South', 'Bob North'],
    );
    const rest = await storage.pageMembers('crew', {
      after: sorted.next,
      limit: 2,
      order: { by: 'name', descending: true },
    });
    assert.deepEqual(
      rest.items.map(({ name }) => name),
      ['Ada North'],
    );
  });

  rule(
    'people on the list of a client are sorted by name, in pages, with since when and until when',
    async (storage) => {
      const [client, other] = [await storedClient(storage), await storedClient(storage)];
      const people: User[] = [];
      for (const name of ['Cleo', 'Ada', 'Dora', 'Bob']) people.push(await storedUser(storage, { name }));
      const nothing = { people: [], groups: [] };
      const [first, ...others] = people.map(({ id }, day) => ({
        id,
        event: anEvent(),
        expiresAt: start + day * DAY + 1,
      }));
      assert.ok(first);
      const put = (to: string, entries: readonly (typeof first)[]) =>
        storage.changeAccess(to, { allow: { people: entries, groups: [] }, disallow: nothing }, start + 7);
      assert.equal(await put(client.id, others), true);
      assert.equal(await put(other.id, [first]), true);
      const order = { by: 'name', descending: false } as const;
      const page = await storage.pageAllowedUsers(client.id, { order, after: undefined, limit: 2 });
      const rest = await storage.pageAllowedUsers(client.id, { order, after: page.next, limit: 2 });
      assert.deepEqual(
        [...page.items, ...rest.items].map(({ name, listedSince, listedUntil }) => [name, listedSince, listedUntil]),
        [
          ['Ada', start + 7, start + DAY + 1],
          ['Bob', start + 7, start + 3 * DAY + 1],
          ['Dora', start + 7, start + 2 * DAY + 1],
        ],
      );
      assert.deepEqual([page.items.length, rest.next], [2, undefined]);
      const soon = { after: start, until: start + 2 * DAY };
      const ending = await storage.pageAllowedUsers(client.id, { order, after: undefined, limit: 2 }, soon);
      assert.deepEqual(
        ending.items.map(({ name }) => name),
        ['Ada'],
      );
    },
  );

  rule('whatever lets somebody in notes since when', async (storage) => {
    const [user, client] = [await storedUser(storage), await storedClient(storage, { createdAt: start })];
    await storage.createGroup({ id: 'crew', name: 'Crew', createdAt: start, updatedAt: start }, anEvent());
    const entry = (id: string, expiresAt?: number) => [{ id, event: anEvent(), expiresAt }];
    const sinceOf = async () => {
      const [described] = await storage.describeAccess(
        (await storage.findClient(client.id)) ?? client,
        [user],
        start + 9,
      );
      return described?.reasons.map(({ kind, since }) => [kind, since === null ? null : since - start]);
    };
    assert.deepEqual(await sinceOf(), [['everyone', 0]]);
    await storage.changeAccess(
      client.id,
      {
        access: { to: 'listed', event: anEvent() },
        allow: { people: entry(user.id), groups: entry('crew') },
        disallow: nobodyListed,
      },
      start + 1,
    );
    assert.deepEqual(await sinceOf(), [['person', 1]]);
    await storage.changeMembers('crew', { add: entry(user.id), remove: [] }, start + 2);
    assert.deepEqual(await sinceOf(), [
      ['person', 1],
      ['group', 2],
    ]);
    // Another end is no other beginning.
    const prolonged = { people: entry(user.id, start + DAY), groups: [] };
    await storage.changeAccess(client.id, { allow: prolonged, disallow: nobodyListed }, start + 3);
    assert.deepEqual(await sinceOf(), [
      ['person', 1],
      ['group', 2],
    ]);
    await storage.changeAccess(
      client.id,
      { allow: nobodyListed, disallow: { people: entry(user.id), groups: [] } },
      start + 4,
    );
    await storage.changeAccess(
      client.id,
      { allow: { people: entry(user.id), groups: [] }, disallow: nobodyListed },
      start + 5,
    );
    const opened = {
      access: { to: 'everyone', event: anEvent() },
      allow: nobodyListed,
      disallow: nobodyListed,
    } as const;
    await storage.changeAccess(client.id, opened, start + 6);
    assert.deepEqual(await sinceOf(), [
      ['everyone', 6],
      ['person', 5],
      ['group', 2],
    ]);
  });
}
