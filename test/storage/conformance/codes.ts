// Authorization: what a request is decided by, the consent, and the code that is used once or never.

import assert from 'node:assert/strict';
import { StorageConflict } from '../../../src/storage/storage.ts';
import {
  aDigest,
  aGrant,
  anEvent,
  asIssued,
  exchangeOf,
  issuedGrant,
  longText,
  type Rule,
  start,
  storedClient,
  storedSession,
  storedUser,
  storedWorld,
  tokenClient,
  tokenLives,
  type World,
} from '../records.ts';

export function codeRules(rule: Rule): void {
  rule('an authorization request is decided by its client, session, user and consent', async (storage) => {
    const { user, client, session, active } = await storedWorld(storage);
    assert.deepEqual(await storage.findAuthorizationContext(client.id, session.digest, start), {
      client,
      signedIn: { session, user },
      consentedScopes: active.scopes,
      consentedClaims: null,
      hasAccess: true,
    });
  });

  rule('an approval that was given before is found with what it is judged by', async (storage) => {
    const { user, client, session, active } = await storedWorld(storage);
    const { id, isPublic, redirectUris, scopes, secondFactor, revokedAt, generation, claims } = client;
    const { backchannelLogoutUri } = client;
    const { digest, createdAt, lastSeenAt, authTime, amr, answered, kept, trusted, id: sessionId } = session;
    const { id: userId, generation: userGeneration, adminSince, roles, isOwner, reviewSince } = user;
    const judged = { id, isPublic, redirectUris, scopes, secondFactor, revokedAt, generation };
    assert.deepEqual(await storage.findRememberedApproval(client.id, session.digest, start), {
      client: { ...judged, claims, backchannelLogoutUri },
      signedIn: {
        session: { digest, createdAt, lastSeenAt, authTime, amr, answered, kept, trusted, id: sessionId },
        user: { id: userId, generation: userGeneration, adminSince, roles, isOwner, reviewSince },
      },
      consentedScopes: active.scopes,
      consentedClaims: null,
    });
  });

  rule('without a session, a consent or access there is no approval to find', async (storage) => {
    const { user, client, session } = await storedWorld(storage);
    const other = await storedSession(storage, await storedUser(storage));
    const find = (digest: string, clientId = client.id) => storage.findRememberedApproval(clientId, digest, start);
    assert.equal(await find(aDigest()), undefined);
    assert.equal(await find(other.digest), undefined);
    assert.equal(await find(session.digest, 'nobody'), undefined);
    assert.equal((await find(session.digest))?.client.id, client.id);
    const listed = await storedClient(storage, { access: 'listed' });
    assert.equal(await find(session.digest, listed.id), undefined);
    await storage.disableUser(user.id, start, anEvent());
    assert.equal(await find(session.digest), undefined);
  });

  rule('without a session nobody is signed in and no consent is known', async (storage) => {
    const { client } = await storedWorld(storage);
    const nobody = { client, signedIn: undefined, consentedScopes: undefined, consentedClaims: null, hasAccess: true };
    assert.deepEqual(await storage.findAuthorizationContext(client.id, undefined, start), nobody);
    assert.deepEqual(await storage.findAuthorizationContext(client.id, aDigest(), start), nobody);
  });

  rule('a request of an unknown client finds nothing', async (storage) => {
    const { session } = await storedWorld(storage);
    assert.equal(await storage.findAuthorizationContext('nobody', session.digest, start), undefined);
  });

  rule('a consent counts for its own user and client only', async (storage) => {
    const { user, client, session } = await storedWorld(storage);
    const other = await storedUser(storage);
    const othersSession = await storedSession(storage, other);
    const otherClient = await storedClient(storage);
    const consent = async (clientId: string, digest: string) =>
      (await storage.findAuthorizationContext(clientId, digest, start))?.consentedScopes;

    assert.equal(await consent(client.id, othersSession.digest), undefined);
    assert.equal(await consent(otherClient.id, session.digest), undefined);
    assert.equal(await storage.issueCode(aGrant(other, client), start), false);
    assert.equal(await storage.issueCode(aGrant(user, otherClient), start), false);
  });

  rule('an approval issues the code and remembers the consent to all of its scopes', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const session = await storedSession(storage, user);
    const grant = aGrant(user, client, {
      scopes: ['openid'],
      nonce: longText,
      amr: ['pwd', 'otp'],
      authTime: start - 9,
    });

    assert.equal(await storage.approve(grant, ['openid', 'profile'], start + 1, anEvent()), true);
    assert.deepEqual(await storage.findClientAndGrant(client.id, grant.id, start), {
      client: tokenClient(client),
      grant: asIssued(grant),
      claims: undefined,
    });
    const context = await storage.findAuthorizationContext(client.id, session.digest, start);
    assert.deepEqual(context?.consentedScopes, ['openid', 'profile']);
    assert.deepEqual(await storage.listConnectedApps(user.id), [
      { client, scopes: ['openid', 'profile'], claims: null, grantedAt: start + 1, lastUsedAt: start + 1 },
    ]);
  });

  rule('another approval replaces the scopes and keeps the time of the first', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    await storage.approve(aGrant(user, client), ['openid'], start + 1, anEvent());
    await storage.approve(aGrant(user, client), ['openid', 'profile', 'email'], start + 2, anEvent());
    assert.deepEqual(await storage.listConnectedApps(user.id), [
      { client, scopes: ['openid', 'profile', 'email'], claims: null, grantedAt: start + 1, lastUsedAt: start + 2 },
    ]);
  });

  rule('another approval ends no earlier grant', async (storage) => {
    const { user, client, issued, active } = await storedWorld(storage);
    await issuedGrant(storage, user, client);
    assert.equal(await tokenLives(storage, active), true);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), true);
  });

  rule('a code is issued under a remembered consent', async (storage) => {
    const { user, client } = await storedWorld(storage);
    const grant = aGrant(user, client, { nonce: 'n-0S6' });
    assert.equal(await storage.issueCode(grant, start), true);
    assert.deepEqual(await storage.findClientAndGrant(client.id, grant.id, start), {
      client: tokenClient(client),
      grant: asIssued(grant),
      claims: undefined,
    });
  });

  rule('no code is issued without consent, or if it was removed meanwhile', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const early = aGrant(user, client);
    assert.equal(await storage.issueCode(early, start), false);

    await issuedGrant(storage, user, client);
    await storage.removeConnectedApp(user.id, client.id, start, anEvent());
    const late = aGrant(user, client);
    assert.equal(await storage.issueCode(late, start), false);
    for (const { id } of [early, late]) {
      assert.deepEqual(await storage.findClientAndGrant(client.id, id, start), {
        client: tokenClient(client),
        grant: undefined,
        claims: undefined,
      });
    }
  });

  rule(
    'no code is issued for a session that has ended, whether consent is remembered or just given',
    async (storage) => {
      const { user, client, session } = await storedWorld(storage);
      const grant = () => aGrant(user, client, { sessionDigest: session.digest });
      assert.equal(await storage.issueCode(grant(), start), true);
      assert.equal(await storage.approve(grant(), ['openid'], start, anEvent()), true);
      await storage.endSession(session.digest, anEvent());
      assert.equal(await storage.issueCode(grant(), start), false);
      assert.equal(await storage.approve(grant(), ['openid'], start, anEvent()), false);
    },
  );

  rule('grant IDs are unique', async (storage) => {
    const { user, client, issued } = await storedWorld(storage);
    await assert.rejects(storage.issueCode(aGrant(user, client, { id: issued.id }), start), StorageConflict);
    assert.deepEqual((await storage.findClientAndGrant(client.id, issued.id, start))?.grant, asIssued(issued));
  });

  rule('a code issued concurrently with a stop is void', async (storage) => {
    const worlds = [await storedWorld(storage), await storedWorld(storage), await storedWorld(storage)] as const;
    await storage.disableUser(worlds[0].user.id, start, anEvent());
    await storage.revokeClient(worlds[1].client.id, start, anEvent());
    await storage.revokeClient(worlds[2].client.id, start, anEvent());
    await storage.restoreClient(worlds[2].client.id, start, anEvent());
    for (const { user, client } of worlds) {
      const remembered = aGrant(user, client);
      await storage.issueCode(remembered, start);
      assert.equal(await storage.consumeCode(exchangeOf(remembered)), false);
      const asked = aGrant(user, client);
      await storage.approve(asked, asked.scopes, start, anEvent());
      assert.equal(await storage.consumeCode(exchangeOf(asked)), false);
    }
  });

  rule('an exchange makes the grant active', async (storage) => {
    const { client, issued } = await storedWorld(storage);
    const exchange = exchangeOf(issued);
    assert.equal(await storage.consumeCode(exchange), true);
    const { now, refreshDigest, expiresAt } = exchange;
    assert.deepEqual((await storage.findClientAndGrant(client.id, issued.id, start))?.grant, {
      ...asIssued(issued),
      exchangedAt: now,
      lastUsedAt: now,
      refreshDigest,
      expiresAt,
    });
  });

  rule('of 100 concurrent exchanges of one code exactly one succeeds, and that one is stored', async (storage) => {
    const { client, issued } = await storedWorld(storage);
    const exchanges = Array.from({ length: 100 }, () => exchangeOf(issued));
    const answers = await Promise.all(exchanges.map((exchange) => storage.consumeCode(exchange)));
    assert.equal(answers.filter(Boolean).length, 1);
    const stored = (await storage.findClientAndGrant(client.id, issued.id, start))?.grant?.refreshDigest;
    assert.equal(stored, exchanges[answers.indexOf(true)]?.refreshDigest);
  });

  rule('many codes exchanged concurrently all succeed', async (storage) => {
    const { user, client } = await storedWorld(storage);
    const grants = Array.from({ length: 100 }, () => aGrant(user, client));
    assert.ok((await Promise.all(grants.map((grant) => storage.issueCode(grant, start)))).every(Boolean));
    const answers = await Promise.all(grants.map((grant) => storage.consumeCode(exchangeOf(grant))));
    assert.ok(answers.every(Boolean));
  });

  rule("a used code isn't exchanged again and keeps its first exchange", async (storage) => {
    const { client, active } = await storedWorld(storage);
    const before = await storage.findClientAndGrant(client.id, active.id, start);
    assert.equal(await storage.consumeCode(exchangeOf(active, { now: start + 2000 })), false);
    assert.deepEqual(await storage.findClientAndGrant(client.id, active.id, start), before);
  });

  rule('a code is valid until the millisecond before its expiry', async (storage) => {
    const { user, client, issued } = await storedWorld(storage);
    const atExpiry = exchangeOf(issued, { now: issued.codeExpiresAt });
    assert.equal(await storage.consumeCode({ ...atExpiry, now: issued.codeExpiresAt + 1 }), false);
    assert.equal(await storage.consumeCode(atExpiry), false);
    assert.deepEqual((await storage.findClientAndGrant(client.id, issued.id, start))?.grant, asIssued(issued));

    const inTime = await issuedGrant(storage, user, client);
    assert.equal(await storage.consumeCode(exchangeOf(inTime, { now: inTime.codeExpiresAt - 1 })), true);
  });

  rule('an exchange with another digest or grant fails and leaves the code unused', async (storage) => {
    const { client, issued, active } = await storedWorld(storage);
    assert.equal(await storage.consumeCode(exchangeOf(issued, { codeDigest: aDigest() })), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued, { codeDigest: active.codeDigest })), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued, { codeDigest: '' })), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued, { grantId: active.id })), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued, { grantId: 'none' })), false);
    assert.deepEqual((await storage.findClientAndGrant(client.id, issued.id, start))?.grant, asIssued(issued));
    assert.equal(await storage.consumeCode(exchangeOf(issued)), true);
  });

  rule('a code is not exchanged after its grant has ended', async (storage) => {
    const { issued } = await storedWorld(storage);
    assert.equal(await storage.endGrant(issued.id, start + 1, anEvent()), true);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
    assert.equal(await tokenLives(storage, issued), false);
  });

  rule('a stop concurrent with an exchange leaves no valid token', async (storage) => {
    const now = start + 1;
    const stops = [
      (world: World) => storage.disableUser(world.user.id, now, anEvent()),
      (world: World) => storage.revokeClient(world.client.id, now, anEvent()),
      (world: World) => storage.endGrant(world.issued.id, now, anEvent()),
      (world: World) => storage.removeConnectedApp(world.user.id, world.client.id, now, anEvent()),
    ];
    for (const stop of stops) {
      const first = await storedWorld(storage);
      await Promise.all([stop(first), storage.consumeCode(exchangeOf(first.issued))]);
      assert.equal(await tokenLives(storage, first.issued), false);
      const second = await storedWorld(storage);
      await Promise.all([storage.consumeCode(exchangeOf(second.issued)), stop(second)]);
      assert.equal(await tokenLives(storage, second.issued), false);
    }
  });
}
