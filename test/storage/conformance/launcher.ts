// The clients that a user can open from their account.

import assert from 'node:assert/strict';
import type { AccessChange, Client, PagePosition, Storage } from '../../../src/storage/storage.ts';
import { anEvent, type Rule, start, storedClient, storedUser } from '../records.ts';

const opens = { launchUrl: 'https://app.example/start' };
const nobody = { people: [], groups: [] };

async function allow(storage: Storage, client: Client, change: Partial<AccessChange['allow']>): Promise<void> {
  await storage.changeAccess(client.id, { allow: { ...nobody, ...change }, disallow: nobody }, start);
}

async function namesFor(storage: Storage, userId: string, limit = 10, part = ''): Promise<string[]> {
  const names: string[] = [];
  let after: PagePosition | undefined;
  do {
    const page = await storage.pageClientsToLaunch(userId, { part, after, limit }, start);
    assert.ok(page.items.length <= limit);
    names.push(...page.items.map(({ name }) => name));
    after = page.next;
  } while (after !== undefined);
  return names;
}

export function launcherRules(rule: Rule): void {
  rule("a user's apps include open clients with a URL, by name, in pages", async (storage) => {
    const user = await storedUser(storage);
    await storedClient(storage, { name: 'without a URL' });
    await storedClient(storage, {
      name: 'only a policy',
      policyUri: 'https://a.example',
    });
    for (const name of ['delta', 'Bravo', 'charlie', 'bravo', 'Alpha']) await storedClient(storage, { name, ...opens });
    await storedClient(storage, { name: 'echo', clientUri: 'https://echo.example' });
    const stopped = await storedClient(storage, { name: 'stopped', ...opens });
    await storage.revokeClient(stopped.id, start, anEvent());
    for (const limit of [1, 2, 10]) {
      const names = await namesFor(storage, user.id, limit);
      assert.deepEqual(
        names.map((name) => name.toLowerCase()),
        ['alpha', 'bravo', 'bravo', 'charlie', 'delta', 'echo'],
      );
      assert.equal(new Set(names).size, 6);
    }
  });

  rule('a listed client is there once for people on the list and members of its groups', async (storage) => {
    const [member, listed, other] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    const group = { id: 'staff', name: 'Staff', createdAt: start, updatedAt: start };
    await storage.createGroup(group, anEvent());
    const add = [member, listed].map(({ id }) => ({ id, event: anEvent() }));
    await storage.changeMembers(group.id, { add, remove: [] }, start);
    const client = await storedClient(storage, { name: 'Wiki', ...opens, access: 'listed' });
    const hidden = await storedClient(storage, { name: 'Hidden', access: 'listed' });
    await storedClient(storage, { name: 'Open', ...opens });
    await allow(storage, client, {
      people: [{ id: listed.id, event: anEvent() }],
      groups: [{ id: group.id, event: anEvent() }],
    });
    await allow(storage, hidden, { people: [{ id: listed.id, event: anEvent() }] });
    assert.deepEqual(await namesFor(storage, member.id, 1), ['Open', 'Wiki']);
    assert.deepEqual(await namesFor(storage, listed.id, 1), ['Open', 'Wiki']);
    assert.deepEqual(await namesFor(storage, other.id), ['Open']);

    await storage.changeMembers(group.id, { add: [], remove: [{ id: member.id, event: anEvent() }] }, start);
    assert.deepEqual(await namesFor(storage, member.id), ['Open']);
    await storage.deleteGroup(group.id, start, anEvent());
    assert.deepEqual(await namesFor(storage, listed.id), ['Open', 'Wiki'], 'listed by themselves');
    const disallow = { ...nobody, people: [{ id: listed.id, event: anEvent() }] };
    await storage.changeAccess(client.id, { allow: nobody, disallow }, start);
    assert.deepEqual(await namesFor(storage, listed.id), ['Open']);
  });

  rule("a user's apps are found by any part of their name, in pages", async (storage) => {
    const user = await storedUser(storage);
    for (const name of ['Team wiki', 'Wiki', 'wikipedia', 'Mail', 'Ärzte'])
      await storedClient(storage, { name, ...opens });
    await storedClient(storage, { name: 'Hidden wiki', ...opens, access: 'listed' });
    const listed = await storedClient(storage, { name: 'Wiki for some', ...opens, access: 'listed' });
    await allow(storage, listed, { people: [{ id: user.id, event: anEvent() }] });
    for (const limit of [1, 10]) {
      const names = await namesFor(storage, user.id, limit, 'wiki');
      assert.deepEqual(names, ['Team wiki', 'Wiki', 'Wiki for some', 'wikipedia']);
    }
    for (const [part, found] of [
      ['ärz', ['Ärzte']],
      ['m w', ['Team wiki']],
      ['app.example', []],
      ['%', []],
    ] as const) {
      assert.deepEqual(await namesFor(storage, user.id, 10, part), found, part);
    }
  });
}
