// What the claims of an application are made from, and what a person agreed to.

import assert from 'node:assert/strict';
import { type ApplicationClaim, keysOf } from '../../../src/protocol/oauth/application-claims.ts';
import type { Client, Storage } from '../../../src/storage/storage.ts';
import { aGrant, anEvent, exchangeOf, type Rule, start, storedClient, storedSession, storedUser } from '../records.ts';

const shown = { label: null, idToken: false };
const groups: ApplicationClaim = { claim: 'groups', ...shown, source: 'groups', groups: null };
const tier: ApplicationClaim = { claim: 'tier', ...shown, source: 'value', value: 'line\nbreak "' };
const inIdToken: ApplicationClaim = { ...tier, idToken: true };
const attributes = { department: 'Sales\n\u2028"', level: 5, vip: true, teams: ['b', 'a'] };

let joinedCount = 0;

async function joined(storage: Storage, userId: string, name: string): Promise<{ id: string; name: string }> {
  const group = { id: `claimed-${++joinedCount}`, name };
  await storage.createGroup({ ...group, createdAt: start, updatedAt: start, managedBy: 'entra' }, anEvent());
  await storage.changeMembers(group.id, { add: [{ id: userId, event: anEvent() }], remove: [] }, start);
  return group;
}

/** A user in groups, and a client with these claims. */
async function stored(storage: Storage, claims: readonly ApplicationClaim[]) {
  const user = await storedUser(storage, { attributes });
  const names = ['staff', 'Zoo', 'Éclair', '\u{10330}', '\uff21', 'a "b" \\'];
  const members = [];
  for (const name of names) members.push(await joined(storage, user.id, `${name}${user.id}`));
  const left = await joined(storage, user.id, `left ${user.id}`);
  await storage.changeMembers(left.id, { add: [], remove: [{ id: user.id, event: anEvent() }] }, start);
  const gone = await joined(storage, user.id, `gone ${user.id}`);
  await storage.deleteGroup(gone.id, start, anEvent());
  const codePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const sorted = members.sort((a, b) => codePoints(a.name, b.name));
  const client = await storedClient(storage, { claims });
  return { user, client, facts: { groups: sorted, attributes } };
}

async function setClaims(storage: Storage, { id }: Client, claims: readonly ApplicationClaim[]): Promise<void> {
  const client = await storage.findClient(id);
  assert.ok(client);
  const change: object = { claims };
  assert.equal(await storage.updateClient(client, change, start, anEvent()), true);
}

export function claimRules(rule: Rule): void {
  rule('the name of a group that an application gets is chosen only by those who may', async (storage) => {
    const user = await storedUser(storage);
    const [group, other] = [await joined(storage, user.id, 'Readers'), await joined(storage, user.id, 'Others')];
    const client = await storedClient(storage, { name: '"groups":null' });
    const text: ApplicationClaim = {
      ...shown,
      claim: 'text',
      source: 'value',
      value: `"groups":null "id":"${group.id}"`,
    };
    const listed: ApplicationClaim = { ...shown, claim: 'groups', source: 'groups', groups: [group] };
    const limited = { limited: true } as const;
    let count = 0;
    const newGroup = () => {
      const id = `named${++count}`;
      const times = { createdAt: start, updatedAt: start };
      return { id, name: id, ...times, protectedSince: null, managedBy: 'entra', externalId: null };
    };
    const create = async (overrides = {}) => {
      const given = newGroup();
      const created = (await storage.createGroup(given, anEvent(overrides))) !== undefined;
      assert.equal((await storage.findGroupById(given.id)) !== undefined, created);
      return created;
    };
    const directoryCreates = () => storage.createScimGroup(newGroup(), [], [anEvent()], start);
    const directoryRenames = async ({ id }: { readonly id: string }) => {
      const before = (await storage.findGroupById(id)) ?? assert.fail();
      const change = (name: string) =>
        storage.changeScimGroup(before, { name, externalId: null }, { add: [], remove: [] }, [anEvent()], start);
      assert.equal(await change(before.name), true, 'it may keep its name');
      return change(`Renamed ${++count}`);
    };
    const rename = async ({ id }: { readonly id: string }, overrides = {}) => {
      const before = (await storage.findGroupById(id)) ?? assert.fail();
      const renamed = await storage.renameGroup(before, `Renamed ${++count}`, start, anEvent(overrides));
      const now = (await storage.findGroupById(id)) ?? assert.fail();
      assert.equal(now.name !== before.name, renamed);
      return renamed;
    };
    for (const [claims, creates, renames, renamesOther] of [
      [[text], true, true, true],
      [[listed], true, false, true],
      [[{ ...shown, claim: 'is', source: 'has-group', group }], true, false, true],
      [[{ ...shown, claim: 'is', source: 'map-groups', map: [{ group, value: 'x' }] }], true, false, true],
      [[tier, groups], false, false, false],
    ] as const) {
      const { name } = (await storage.findGroupById(group.id)) ?? assert.fail();
      const current = JSON.stringify(claims).replaceAll('"Readers"', JSON.stringify(name));
      await setClaims(storage, client, JSON.parse(current));
      assert.deepEqual(
        [await create(limited), await rename(group, limited), await rename(other, limited)],
        [creates, renames, renamesOther],
        current,
      );
      assert.deepEqual([await directoryCreates(), await directoryRenames(group)], [creates, renames], current);
      assert.deepEqual(
        [await storage.isNameClaimed(''), await storage.isNameClaimed(group.id)],
        [!creates, !renames],
        current,
      );
      assert.deepEqual([await create(), await rename(group), await rename(other)], [true, true, true]);
    }
  });

  rule('a grant without claims reads nothing of them', async (storage) => {
    const { user, client } = await stored(storage, [groups, inIdToken]);
    const grant = aGrant(user, client);
    await storage.approve(grant, grant.scopes, start, anEvent());
    assert.equal((await storage.findClientAndGrant(client.id, grant.id, start))?.claims, undefined);
    await storage.consumeCode(exchangeOf(grant));
    assert.equal((await storage.findTokenHolder(grant.id, 'token', start))?.claims, undefined);
  });

  rule(
    'userinfo gets the claims that were agreed to and are configured, with what they are made from',
    async (storage) => {
      const { user, client, facts } = await stored(storage, [groups, tier]);
      const grant = aGrant(user, client, { claims: keysOf([groups, tier]) });
      await storage.approve(grant, grant.scopes, start, anEvent());
      await storage.consumeCode(exchangeOf(grant));
      const claims = async () => (await storage.findTokenHolder(grant.id, 'token', start))?.claims;
      assert.deepEqual(await claims(), { claims: [groups, tier], facts });
      await setClaims(storage, client, [{ ...tier, label: 'Tier' }, groups]);
      assert.deepEqual((await claims())?.claims, [{ ...tier, label: 'Tier' }, groups]);
      await setClaims(storage, client, [inIdToken, groups]);
      assert.deepEqual((await claims())?.claims, [groups]);
      await setClaims(storage, client, []);
      assert.deepEqual((await claims())?.claims, []);
    },
  );

  rule('a user without groups and attributes has none', async (storage) => {
    const [user, client] = [await storedUser(storage), await storedClient(storage, { claims: [groups] })];
    const grant = aGrant(user, client, { claims: keysOf([groups]) });
    await storage.approve(grant, grant.scopes, start, anEvent());
    await storage.consumeCode(exchangeOf(grant));
    const facts = { groups: [], attributes: {} };
    assert.deepEqual((await storage.findTokenHolder(grant.id, 'token', start))?.claims, { claims: [groups], facts });
  });

  rule('the ID token reads them only if one of them is in it, and only for its own client', async (storage) => {
    const { user, client, facts } = await stored(storage, [groups, inIdToken]);
    const grant = aGrant(user, client, { claims: keysOf([groups, inIdToken]) });
    await storage.approve(grant, grant.scopes, start, anEvent());
    const find = async (clientId: string) => [
      (await storage.findClientAndGrant(clientId, grant.id, start))?.claims,
      (await storage.findClientAndRefreshable(clientId, grant.id, start))?.claims,
    ];
    const found = { claims: [groups, inIdToken], facts };
    assert.deepEqual(await find(client.id), [found, found]);
    const other = await storedClient(storage, { claims: [inIdToken] });
    assert.deepEqual(await find(other.id), [undefined, undefined]);
    await setClaims(storage, client, [groups, tier]);
    assert.deepEqual(await find(client.id), [undefined, undefined]);
    await setClaims(storage, client, [inIdToken]);
    await storage.disableUser(user.id, start, anEvent());
    assert.deepEqual(await find(client.id), [undefined, undefined]);
  });

  rule(
    'a consent remembers the claims of its last grant that had any, until the client is revoked',
    async (storage) => {
      const user = await storedUser(storage);
      const client = await storedClient(storage, { claims: [groups, tier] });
      const session = await storedSession(storage, user);
      const remembered = async () => [
        (await storage.findAuthorizationContext(client.id, session.digest, start))?.consentedClaims,
        (await storage.findRememberedApproval(client.id, session.digest, start))?.consentedClaims,
        (await storage.listConnectedApps(user.id))[0]?.claims,
      ];
      const approve = async (claims: string | null) => {
        const grant = aGrant(user, (await storage.findClient(client.id)) ?? client, { claims });
        assert.equal(await storage.approve(grant, grant.scopes, start, anEvent()), true);
        return remembered();
      };
      const all = (claims: string | null) => [claims, claims, claims];
      assert.deepEqual(await approve(null), all(null));
      assert.deepEqual(await approve(keysOf([groups, tier])), all(keysOf([groups, tier])));
      assert.deepEqual(await approve(null), all(keysOf([groups, tier])));
      assert.deepEqual(await approve(keysOf([tier])), all(keysOf([tier])));
      await storage.revokeClient(client.id, start, anEvent());
      await storage.restoreClient(client.id, start, anEvent());
      assert.deepEqual(await approve(null), all(null));
    },
  );
}
