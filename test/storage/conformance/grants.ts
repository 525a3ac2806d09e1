// Active grants: whose they are, whom their tokens speak for, how they end, and connected apps.

import assert from 'node:assert/strict';
import type { User } from '../../../src/storage/records.ts';
import {
  activeGrant,
  aGrant,
  anEvent,
  connectedClientIds,
  exchangeOf,
  hasEvent,
  issuedGrant,
  later,
  longText,
  type Rule,
  start,
  storedClient,
  storedUser,
  storedWorld,
  tokenClient,
  tokenLives,
} from '../records.ts';

/** What a token's holder has no use for. */
const untoldToApplications: ReadonlySet<string> = new Set<keyof User>([
  'passwordHash',
  'adminSince',
  'disabledAt',
  'generation',
  'sessionGeneration',
  'createdAt',
  'reviewSince',
  'breachedSince',
  'attributes',
  'expiresAt',
  'pendingSince',
  'roles',
  'managedBy',
  'externalId',
  'adoptedAt',
  'inactiveEnd',
  'isOwner',
  'lostFactorAt',
]);

export function grantRules(rule: Rule): void {
  rule("users with consent for a client are counted once each, until it's revoked", async (storage) => {
    const [client, other] = [await storedClient(storage), await storedClient(storage)];
    const [ada, bob, carol] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    const count = async () => (await storage.countConnectedUsers(client.id)).count;
    assert.equal(await count(), 0);
    for (const user of [ada, ada, bob, carol]) await activeGrant(storage, user, client);
    await issuedGrant(storage, ada, other);
    assert.equal(await count(), 3);
    await storage.removeConnectedApp(carol.id, client.id, later, anEvent());
    assert.equal(await count(), 2);
    await storage.deleteUser(bob.id, anEvent());
    assert.equal(await count(), 1);

    await storage.revokeClient(client.id, later, anEvent());
    assert.equal(await count(), 0);
    await storage.restoreClient(client.id, later, anEvent());
    assert.equal(await count(), 0);
    const restored = await storage.findClient(client.id);
    assert.ok(restored);
    const grant = aGrant(ada, restored);
    assert.equal(await storage.approve(grant, grant.scopes, later, anEvent()), true);
    assert.equal(await count(), 1);
    await storage.deleteClient(client.id, anEvent());
    assert.equal(await count(), 0);
    assert.deepEqual(await storage.countConnectedUsers(other.id), { count: 1, more: false });
    assert.deepEqual(await storage.countConnectedUsers('nobody'), { count: 0, more: false });
  });

  rule('a client is found with or without the requested grant', async (storage) => {
    const { client, active } = await storedWorld(storage);
    assert.equal((await storage.findClientAndGrant(client.id, active.id, start))?.grant?.id, active.id);
    assert.deepEqual(await storage.findClientAndGrant(client.id, 'none', start), {
      client: tokenClient(client),
      grant: undefined,
      claims: undefined,
    });
    assert.deepEqual(await storage.findClientAndGrant(client.id, undefined, start), {
      client: tokenClient(client),
      grant: undefined,
      claims: undefined,
    });
    assert.equal(await storage.findClientAndGrant('nobody', active.id, start), undefined);
  });

  rule("a grant is found with any client, even if it isn't the client's own", async (storage) => {
    const { client, active } = await storedWorld(storage);
    const other = await storedClient(storage);
    const own = await storage.findClientAndGrant(client.id, active.id, start);
    assert.deepEqual(await storage.findClientAndGrant(other.id, active.id, start), {
      client: tokenClient(other),
      grant: own?.grant,
      claims: undefined,
    });
    assert.equal(own?.grant?.clientId, client.id);
  });

  rule('for its refresh token, a grant is found without what its code is judged by', async (storage) => {
    const { client, issued, active } = await storedWorld(storage);
    for (const { id } of [issued, active]) {
      const found = await storage.findClientAndGrant(client.id, id, start);
      assert.ok(found?.grant);
      const { redirectUri, codeChallenge, codeDigest, codeExpiresAt, exchangedAt, ...refreshable } = found.grant;
      assert.deepEqual(await storage.findClientAndRefreshable(client.id, id, start), { ...found, grant: refreshable });
    }
    const none = { client: tokenClient(client), grant: undefined, claims: undefined };
    assert.deepEqual(await storage.findClientAndRefreshable(client.id, undefined, start), none);
    assert.equal(await storage.findClientAndRefreshable('nobody', active.id, start), undefined);
  });

  rule('a grant found with another client shows whether its user is active', async (storage) => {
    const { user, active } = await storedWorld(storage);
    const other = await storedClient(storage);
    const stands = async () => (await storage.findClientAndGrant(other.id, active.id, start))?.grant?.partiesAreActive;
    await storage.revokeClient(other.id, start, anEvent());
    assert.equal(await stands(), true);
    await storage.disableUser(user.id, start, anEvent());
    assert.equal(await stands(), false);
  });

  rule("a token gives the user's current data, without the password", async (storage) => {
    const user = await storedUser(storage, { name: longText, locale: 'de', emailVerifiedAt: start });
    const client = await storedClient(storage);
    const grant = await activeGrant(storage, user, client);
    const person = Object.fromEntries(Object.entries(user).filter(([field]) => !untoldToApplications.has(field)));
    const scopes = { grantScopes: grant.scopes, clientScopes: client.scopes };
    const expected = { user: person, ...scopes, claims: undefined, lastUsedAt: start + 1000 };
    assert.deepEqual(await storage.findTokenHolder(grant.id, 'token', start), expected);
  });

  rule('no token is valid before the exchange, or for an unknown grant', async (storage) => {
    const { issued } = await storedWorld(storage);
    assert.equal(await tokenLives(storage, issued), false);
    assert.equal(await storage.findTokenHolder('none', 'token', start), undefined);
  });

  rule('ending a grant ends only its own tokens', async (storage) => {
    const { user, client, active } = await storedWorld(storage);
    const other = await activeGrant(storage, user, client);
    assert.equal(await storage.endGrant(active.id, start + 2000, anEvent()), true);
    assert.equal(await tokenLives(storage, active), false);
    assert.equal((await storage.findClientAndGrant(client.id, active.id, start))?.grant?.endedAt, start + 2000);
    assert.equal(await tokenLives(storage, other), true);
    assert.deepEqual(await connectedClientIds(storage, user), [client.id]);
  });

  rule('a grant ends once, also concurrently', async (storage) => {
    const { client, active } = await storedWorld(storage);
    const events = Array.from({ length: 20 }, () => anEvent());
    const calls = events.map((event, index) => storage.endGrant(active.id, start + index, event));
    const answers = await Promise.all(calls);
    assert.equal(answers.filter(Boolean).length, 1);
    const first = answers.indexOf(true);
    assert.equal((await storage.findClientAndGrant(client.id, active.id, start))?.grant?.endedAt, start + first);
    for (const [index, event] of events.entries()) assert.equal(await hasEvent(storage, event), index === first);
    assert.equal(await storage.endGrant('none', start, anEvent()), false);
  });

  rule('revoking an access token ends that token only', async (storage) => {
    const { user, client, active } = await storedWorld(storage);
    const other = await activeGrant(storage, user, client);
    await storage.revokeAccessToken('first token', start + 900_000, anEvent());
    assert.equal(await tokenLives(storage, active, 'first token'), false);
    assert.equal(await tokenLives(storage, active, 'second token'), true);
    assert.equal(await tokenLives(storage, other, 'third token'), true);
    assert.equal((await storage.findClientAndGrant(client.id, active.id, start))?.grant?.endedAt, null);
  });

  rule('an access token is revoked and recorded once, also concurrently', async (storage) => {
    const { active } = await storedWorld(storage);
    const events = Array.from({ length: 10 }, () => anEvent());
    await Promise.all(events.map((event) => storage.revokeAccessToken('token', start + 900_000, event)));
    const recorded = await Promise.all(events.map((event) => hasEvent(storage, event)));
    assert.equal(recorded.filter(Boolean).length, 1);
    assert.equal(await tokenLives(storage, active, 'token'), false);
  });

  rule('a use is stored in its grant and in Connected apps', async (storage) => {
    const { user, client, active, issued } = await storedWorld(storage);
    const bystander = await activeGrant(storage, await storedUser(storage), client);
    const use = { grantId: active.id, userId: user.id, clientId: client.id };
    const unknown = { grantId: 'none', userId: 'nobody', clientId: 'nothing' };
    await storage.noteGrantUses([
      { ...use, at: start + 5000 },
      { ...unknown, at: start + 5000 },
    ]);

    assert.equal((await storage.findTokenHolder(active.id, 'token', start))?.lastUsedAt, start + 5000);
    assert.equal((await storage.findClientAndGrant(client.id, active.id, start))?.grant?.lastUsedAt, start + 5000);
    assert.equal((await storage.findClientAndGrant(client.id, issued.id, start))?.grant?.lastUsedAt, null);
    assert.equal((await storage.listConnectedApps(user.id))[0]?.lastUsedAt, start + 5000);
    assert.equal((await storage.findTokenHolder(bystander.id, 'token', start))?.lastUsedAt, start + 1000);
    assert.equal((await storage.listConnectedApps(bystander.userId))[0]?.lastUsedAt, start);
  });

  rule("a use that's stored late doesn't set Connected apps back", async (storage) => {
    const { user, client, active } = await storedWorld(storage);
    const use = { grantId: active.id, userId: user.id, clientId: client.id };
    await storage.noteGrantUses([{ ...use, at: start + 5000 }]);
    await storage.noteGrantUses([{ ...use, at: start + 4000 }]);
    assert.equal((await storage.listConnectedApps(user.id))[0]?.lastUsedAt, start + 5000);
  });

  rule('storing no uses is allowed', async (storage) => {
    await storage.noteGrantUses([]);
  });

  rule('Connected apps lists the clients the user approved', async (storage) => {
    const { user, client } = await storedWorld(storage);
    const second = await storedClient(storage);
    await storedClient(storage);
    const other = await storedUser(storage);
    await issuedGrant(storage, user, second);

    assert.deepEqual(await connectedClientIds(storage, user), [client.id, second.id].sort());
    assert.deepEqual(await storage.listConnectedApps(other.id), []);
    assert.deepEqual(await storage.listConnectedApps('nobody'), []);
  });

  rule('removing a connected app ends its consent, tokens and unexchanged codes together', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    const second = await activeGrant(storage, user, client);
    assert.equal(await storage.removeConnectedApp(user.id, client.id, start + 2000, anEvent()), true);

    assert.deepEqual(await storage.listConnectedApps(user.id), []);
    assert.equal(
      (await storage.findAuthorizationContext(client.id, session.digest, start))?.consentedScopes,
      undefined,
    );
    assert.equal(await storage.issueCode(aGrant(user, client), start), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
    for (const grant of [issued, active, second]) {
      assert.equal(await tokenLives(storage, grant), false);
      assert.equal((await storage.findClientAndGrant(client.id, grant.id, start))?.grant?.endedAt, start + 2000);
    }
  });

  rule("removing a connected app doesn't affect other users or clients", async (storage) => {
    const { user, client, session } = await storedWorld(storage);
    const otherUser = await storedUser(storage);
    const otherClient = await storedClient(storage);
    const pairs = [
      [otherUser, client],
      [user, otherClient],
    ] as const;
    const left = [];
    for (const pair of pairs) {
      left.push({ active: await activeGrant(storage, ...pair), issued: await issuedGrant(storage, ...pair) });
    }

    await storage.removeConnectedApp(user.id, client.id, start + 1, anEvent());
    for (const { active, issued } of left) {
      assert.equal(await tokenLives(storage, active), true);
      assert.equal(await storage.consumeCode(exchangeOf(issued)), true);
    }
    for (const pair of pairs) assert.equal(await storage.issueCode(aGrant(...pair), start), true);
    assert.ok(await storage.findSession(session.digest, start));
    assert.deepEqual(await storage.findClient(client.id), client);
  });

  rule('a grant that ended earlier keeps its end time when its app is removed', async (storage) => {
    const { user, client, active } = await storedWorld(storage);
    await storage.endGrant(active.id, start + 1, anEvent());
    await storage.removeConnectedApp(user.id, client.id, start + 2, anEvent());
    assert.equal((await storage.findClientAndGrant(client.id, active.id, start))?.grant?.endedAt, start + 1);
  });

  rule("removing an app that isn't connected returns false", async (storage) => {
    const { user, client } = await storedWorld(storage);
    const other = await storedUser(storage);
    assert.equal(await storage.removeConnectedApp(other.id, client.id, start, anEvent()), false);
    assert.equal(await storage.removeConnectedApp(user.id, 'nothing', start, anEvent()), false);
    const calls = Array.from({ length: 10 }, () => storage.removeConnectedApp(user.id, client.id, start, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
  });

  rule("a code issued concurrently with its app's removal is void", async (storage) => {
    for (let round = 0; round < 10; round++) {
      const { user, client } = await storedWorld(storage);
      const before = aGrant(user, client);
      const after = aGrant(user, client);
      await Promise.all([
        storage.issueCode(before, start),
        storage.removeConnectedApp(user.id, client.id, start, anEvent()),
        storage.issueCode(after, start),
      ]);
      assert.equal(await storage.consumeCode(exchangeOf(before)), false);
      assert.equal(await storage.consumeCode(exchangeOf(after)), false);
    }
  });

  rule('an app can be reconnected after removal, which revives nothing', async (storage) => {
    const { user, client, issued, active } = await storedWorld(storage);
    await storage.removeConnectedApp(user.id, client.id, start + 1, anEvent());
    const grant = aGrant(user, client);
    assert.equal(await storage.approve(grant, ['openid'], start + 2, anEvent()), true);
    assert.deepEqual(await storage.listConnectedApps(user.id), [
      { client, scopes: ['openid'], claims: null, grantedAt: start + 2, lastUsedAt: start + 2 },
    ]);
    assert.equal(await storage.consumeCode(exchangeOf(grant)), true);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
    assert.equal(await tokenLives(storage, active), false);
  });
}
