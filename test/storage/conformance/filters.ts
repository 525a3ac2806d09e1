// Filters of people, totals of lists, and what lists show besides the records.

import assert from 'node:assert/strict';
import type { PeopleFilters } from '../../../src/protocol/admin/people-filters.ts';
import { DAY } from '../../../src/protocol/durations.ts';
import type { Storage, User, UserQuery } from '../../../src/storage/storage.ts';
import {
  aGrant,
  anAuthenticator,
  anEvent,
  aPasskey,
  type Rule,
  someDigests,
  start,
  storedClient,
  storedSession,
  storedUser,
} from '../records.ts';

const now = start + 100 * DAY;
const first = { words: [], after: undefined, limit: 50 };

async function page(storage: Storage, by: PeopleFilters, query: Partial<UserQuery> = {}) {
  const read = await storage.pageUsers({ ...first, ...query, total: true, filter: { by, now } });
  return { ...read, names: read.items.map(({ name }) => name) };
}

/** One for each filter that meets it, and one whom none finds. */
async function storedPeople(storage: Storage): Promise<Record<string, User>> {
  let createdAt = start;
  const store = async (name: string, facts: Partial<User> = {}, signedInAt = now) => {
    const user = await storedUser(storage, { name: `${name} Same`, createdAt: createdAt++, ...facts });
    await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
    await storedSession(storage, user, { authTime: signedInAt, createdAt: signedInAt, lastSeenAt: signedInAt - 1 });
    return user;
  };
  return {
    Nobody: await store('Nobody', {}, now - 2 * DAY),
    Admin: await store('Admin', { adminSince: start }),
    Auditor: await store('Auditor', { roles: 'auditor people' }),
    Disabled: await disabled(storage, await storedUser(storage, { name: 'Disabled Same', createdAt: createdAt++ })),
    Pending: await storedUser(storage, {
      name: 'Pending Same',
      createdAt: createdAt++,
      disabledAt: start,
      pendingSince: start,
    }),
    Factorless: await signedIn(storage, await storedUser(storage, { name: 'Factorless Same', createdAt: createdAt++ })),
    Ends: await store('Ends', { expiresAt: now + 30 * DAY }),
    Over: await store('Over', { expiresAt: now }),
    Managed: await store('Managed', { managedBy: 'okta', externalId: '1' }),
  };
}

async function signedIn(storage: Storage, user: User): Promise<User> {
  await storedSession(storage, user, { authTime: now, createdAt: now, lastSeenAt: now });
  return user;
}

async function disabled(storage: Storage, user: User): Promise<User> {
  await storage.disableUser(user.id, start, anEvent());
  return user;
}

export function filterRules(rule: Rule): void {
  const found: readonly (readonly [PeopleFilters, readonly string[]])[] = [
    [{}, ['Managed', 'Over', 'Ends', 'Factorless', 'Pending', 'Disabled', 'Auditor', 'Admin', 'Nobody']],
    [{ role: 'any' }, ['Auditor', 'Admin']],
    [{ role: 'administrator' }, ['Admin']],
    [{ role: 'people' }, ['Auditor']],
    [{ role: 'auditor' }, ['Auditor']],
    [{ role: 'applications' }, []],
    [{ status: 'active' }, ['Managed', 'Ends', 'Factorless', 'Auditor', 'Admin', 'Nobody']],
    [{ status: 'disabled' }, ['Disabled']],
    [{ status: 'pending' }, ['Pending']],
    [{ status: 'inactive' }, []],
    [{ inactive: 99 }, ['Pending', 'Disabled']],
    [{ inactive: 2 }, ['Pending', 'Disabled', 'Nobody']],
    [{ inactive: 101 }, []],
    [{ secondFactor: 'none' }, ['Factorless', 'Pending', 'Disabled']],
    [{ signedIn: 'never' }, ['Pending', 'Disabled']],
    [{ signedIn: 1 }, ['Managed', 'Over', 'Ends', 'Factorless', 'Auditor', 'Admin']],
    [{ signedIn: 2 }, ['Managed', 'Over', 'Ends', 'Factorless', 'Auditor', 'Admin', 'Nobody']],
    [{ expiresWithin: 30 }, ['Ends']],
    [{ expiresWithin: 29 }, []],
    [{ managedBy: 'okta' }, ['Managed']],
    [{ managedBy: 'Okta' }, []],
    // Whoever is listed meets all of them.
    [{ secondFactor: 'none', signedIn: 'never' }, ['Pending', 'Disabled']],
    [{ inactive: 2, status: 'active' }, ['Nobody']],
    [{ inactive: 2, secondFactor: 'none', signedIn: 'never' }, ['Pending', 'Disabled']],
    [{ status: 'active', signedIn: 1 }, ['Managed', 'Ends', 'Factorless', 'Auditor', 'Admin']],
    [{ secondFactor: 'none', status: 'active' }, ['Factorless']],
    [{ secondFactor: 'none', status: 'disabled', signedIn: 'never' }, ['Disabled']],
    [{ role: 'any', secondFactor: 'none' }, []],
    [{ status: 'disabled', expiresWithin: 30 }, []],
    [{ role: 'auditor', status: 'active', managedBy: 'okta' }, []],
  ];

  rule('people are found by each filter, by several at once, and with a search in any order', async (storage) => {
    await storedPeople(storage);
    for (const [by, names] of found) {
      const expected = names.map((name) => `${name} Same`);
      const total = { count: names.length, more: false };
      const newest = await page(storage, by);
      assert.deepEqual([newest.names, newest.total], [expected, total], JSON.stringify(by));
      const sorted = await page(storage, by, { order: { by: 'name', descending: true } });
      assert.deepEqual([sorted.names, sorted.total], [expected.toSorted().toReversed(), total], JSON.stringify(by));
      for (const order of ['last_sign_in', 'last_active'] as const) {
        const byUse = await page(storage, by, { order: { by: order, descending: false } });
        assert.deepEqual([byUse.names.toSorted(), byUse.total], [expected.toSorted(), total], JSON.stringify(by));
      }
      for (const words of [['same'], ['same', 'sam']]) {
        const searched = await page(storage, by, { words });
        assert.deepEqual([searched.names.toSorted(), searched.total], [expected.toSorted(), total], JSON.stringify(by));
      }
      const one = expected.filter((name) => name.startsWith('Pending'));
      const both = await page(storage, by, { words: ['pend', 'same'] });
      assert.deepEqual([both.names, both.total?.count], [one, one.length], JSON.stringify(by));
    }
  });

  rule('a filtered list is read a page at a time, forwards and backwards, in each order', async (storage) => {
    for (let index = 0; index < 7; index++) {
      await storedUser(storage, {
        name: `Person ${index}`,
        createdAt: start + index,
        expiresAt: now + ((index * 3) % 7) + 1,
        managedBy: index === 3 ? null : 'okta',
      });
    }
    for (const by of ['created', 'name', 'last_sign_in', 'last_active', 'expires'] as const) {
      for (const words of [[], ['person']]) {
        const filters = { managedBy: 'okta', expiresWithin: 1 };
        const order = { by, descending: false };
        const all = (await page(storage, filters, { order, words })).names;
        assert.equal(all.length, 6);
        const forwards: string[] = [];
        let part = await page(storage, filters, { order, words, limit: 2 });
        for (;;) {
          forwards.push(...part.names);
          if (part.next === undefined) break;
          part = await page(storage, filters, { order, words, limit: 2, after: part.next });
          assert.deepEqual(part.total, { count: 6, more: false });
        }
        assert.deepEqual(forwards, all);
        const back = await page(storage, filters, { order, words, limit: 2, before: part.previous });
        assert.deepEqual(back.names, all.slice(2, 4));
      }
    }
  });

  rule('whoever has a second factor is known, whatever changes it', async (storage) => {
    const user = await storedUser(storage);
    const passkey = aPasskey(user, { createdAt: start });
    const has = async () => {
      const { items } = await page(storage, { secondFactor: 'none' });
      const isListed = items.some(({ id }) => id === user.id);
      assert.equal((await storage.findListedUser(user.id))?.hasSecondFactor, !isListed);
      return !isListed;
    };
    assert.equal(await has(), false);
    await storage.addPasskey(passkey, someDigests(), anEvent());
    assert.equal(await has(), true);
    await storage.enableAuthenticator(user.id, anAuthenticator(), undefined, start, anEvent());
    await storage.removePasskey(user.id, passkey.id, anEvent());
    assert.equal(await has(), true);
    // A reset suspends what was added shortly before.
    await storage.setPasswordHash(user.id, user.passwordHash, start, anEvent());
    assert.equal(await has(), false);
    const factor = { kind: 'authenticator', createdAt: start } as const;
    await storage.decideOnFactor(user.id, factor, 'keep', 1, anEvent());
    assert.equal(await has(), true);
    await storage.removeAuthenticator(user.id, anEvent());
    assert.equal(await has(), false);
    await storage.addPasskey(passkey, undefined, anEvent());
    await storage.removeSecondFactors(user.id, anEvent());
    assert.equal(await has(), false);
  });

  rule(
    'applications are listed with who uses them, and groups with who is in them and what they open',
    async (storage) => {
      const [used, unused] = [
        await storedClient(storage, { name: 'Used', access: 'listed' }),
        await storedClient(storage),
      ];
      const users = [await storedUser(storage), await storedUser(storage)];
      for (const [index, user] of users.entries()) {
        const { digest } = await storedSession(storage, user);
        const grant = aGrant(user, used, { sessionDigest: digest });
        await storage.changeAccess(
          used.id,
          { allow: { people: [{ id: user.id, event: anEvent() }], groups: [] }, disallow: { people: [], groups: [] } },
          start,
        );
        assert.equal(await storage.approve(grant, ['openid'], start + index, anEvent()), true);
      }
      const { items, total } = await storage.pageListedClients({ ...first, total: true });
      const shown = Object.fromEntries(items.map(({ id, people, lastUsedAt }) => [id, { people, lastUsedAt }]));
      assert.deepEqual(shown[used.id], { people: { count: 2, more: false }, lastUsedAt: start + 1 });
      assert.deepEqual(shown[unused.id], { people: { count: 0, more: false }, lastUsedAt: null });
      assert.deepEqual(total, { count: 2, more: false });

      const group = { id: 'group', name: 'Group', createdAt: start, updatedAt: start, protectedSince: null };
      await storage.createGroup(group, anEvent());
      const change = (user: User | undefined) => [{ id: user?.id ?? '', event: anEvent() }];
      await storage.changeMembers('group', { add: [...change(users[0]), ...change(users[1])], remove: [] }, start);
      await storage.changeMembers('group', { add: [], remove: change(users[1]) }, start + 1);
      for (const client of [used, unused]) {
        const allow = { people: [], groups: [{ id: 'group', event: anEvent() }] };
        await storage.changeAccess(client.id, { allow, disallow: { people: [], groups: [] } }, start + 2);
      }
      const groups = await storage.pageListedGroups({ ...first, total: true });
      // What is open to everyone isn't opened by a group.
      assert.deepEqual(
        groups.items.map(({ id, members, clients }) => [id, members.count, clients.count]),
        [['group', 1, 1]],
      );
      assert.deepEqual(groups.total, { count: 1, more: false });
    },
  );

  rule('the directories that people belong to are listed once', async (storage) => {
    for (const [index, managedBy] of ['okta', 'entra', 'okta', null, 'google'].entries()) {
      await storedUser(storage, { managedBy, externalId: managedBy && `${index}` });
    }
    assert.deepEqual(await storage.listDirectories(10), ['entra', 'google', 'okta']);
    assert.deepEqual(await storage.listDirectories(2), ['entra', 'google']);
  });

  rule('events are counted by the same filter', async (storage) => {
    const user = await storedUser(storage);
    for (let index = 0; index < 5; index++) {
      await storage.appendEvents([anEvent({ kind: index === 0 ? 'signed_out' : 'signed_in', userId: user.id })]);
    }
    assert.deepEqual(await storage.countEvents({ userId: user.id, kind: 'signed_in' }), { count: 4, more: false });
    assert.deepEqual(await storage.countEvents({ kind: 'signed_out' }), { count: 1, more: false });
    assert.deepEqual(await storage.countEvents({ userId: user.id }, 5), { count: 5, more: false });
    assert.deepEqual(await storage.countEvents({ userId: user.id }, 4), { count: 4, more: true });
    assert.deepEqual(await storage.countEvents({ userId: user.id }, 0), { count: 0, more: true });
  });
}
