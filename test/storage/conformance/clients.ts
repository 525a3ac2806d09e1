// Clients: what is known of them, their logos, and that revoking one stops everything of it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Logo, type NewGrant, type Storage, StorageConflict } from '../../../src/storage/storage.ts';
import {
  aClient,
  activeGrant,
  aDigest,
  aGrant,
  aLogo,
  anEvent,
  aSecret,
  connectedClientIds,
  exchangeOf,
  hasEvent,
  issuedGrant,
  longText,
  partiesAreActive,
  type Rule,
  start,
  storedClient,
  storedWorld,
  tokenLives,
} from '../records.ts';

export function clientRules(rule: Rule): void {
  rule('a client is read back as it was created', async (storage) => {
    const client = await storedClient(storage, {
      name: 'Übersicht „Ω" 🚀',
      redirectUris: ['https://app.example/cb?a=1&b="2"', 'com.example.app:/callback', 'http://127.0.0.1:8080/ü'],
      scopes: ['openid', 'email'],
      revokedAt: start - 1,
      generation: 5,
      createdAt: start - 2,
      updatedAt: start - 3,
    });
    assert.deepEqual(await storage.findClient(client.id), client);
  });

  rule('a public client is read back without a secret', async (storage) => {
    const client = await storedClient(storage, { isPublic: true, secrets: [] });
    assert.deepEqual(await storage.findClient(client.id), client);
  });

  rule('a client created with two secrets keeps both, newest first', async (storage) => {
    const secrets = [
      { digest: aDigest(), createdAt: start, usedAt: null, sealedStates: null, lastFour: null },
      { digest: aDigest(), createdAt: start - 1, usedAt: null, sealedStates: null, lastFour: null },
    ];
    const client = await storedClient(storage, { secrets });
    assert.deepEqual((await storage.findClient(client.id))?.secrets, secrets);
  });

  rule('Unicode and 8 KB of text survive in a client', async (storage) => {
    const client = await storedClient(storage, { name: longText, redirectUris: [`https://app.example/${longText}`] });
    assert.deepEqual(await storage.findClient(client.id), client);
  });

  rule('client IDs are unique, and a duplicate leaves no trace', async (storage) => {
    const logo = aLogo();
    const client = await storedClient(storage, {}, logo);
    const event = anEvent();
    await assert.rejects(storage.createClient(aClient({ id: client.id }), aLogo(), event), StorageConflict);
    assert.deepEqual(await storage.findClient(client.id), { ...client, logoVersion: logo.version });
    await assertLogo(storage, client.id, logo);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('clients are listed in order of creation', async (storage) => {
    const second = await storedClient(storage, { createdAt: start + 2 });
    const first = await storedClient(storage, { createdAt: start + 1 });
    assert.deepEqual(await storage.listClients(), [first, second]);
    assert.equal(await storage.findClient('nobody'), undefined);
  });

  rule('an update changes only what is given', async (storage) => {
    const logo = aLogo();
    const other = await storedClient(storage);
    const client = { ...(await storedClient(storage, {}, logo)), logoVersion: logo.version };
    const newLogo = aLogo();
    const updates = [
      { change: { name: 'New name' }, effect: { name: 'New name' } },
      { change: { redirectUris: ['https://new.example/cb'] }, effect: { redirectUris: ['https://new.example/cb'] } },
      {
        change: { postLogoutRedirectUris: ['https://new.example/bye'] },
        effect: { postLogoutRedirectUris: ['https://new.example/bye'] },
      },
      { change: { scopes: ['openid'] as const }, effect: { scopes: ['openid'] as const } },
      {
        change: { launchUrl: 'https://a.example/start' },
        effect: { launchUrl: 'https://a.example/start' },
      },
      {
        change: { policyUri: 'https://a.example/p', launchUrl: null },
        effect: { policyUri: 'https://a.example/p', launchUrl: null },
      },
      { change: { logo: newLogo }, effect: { logoVersion: newLogo.version } },
      { change: {}, effect: {} },
    ];
    let expected = client;
    for (const [index, { change, effect }] of updates.entries()) {
      const now = start + 1 + index;
      assert.equal(await storage.updateClient(expected, change, now, anEvent()), true);
      expected = { ...expected, ...effect, updatedAt: now };
      assert.deepEqual(await storage.findClient(client.id), expected);
    }
    await assertLogo(storage, client.id, newLogo);
    assert.deepEqual(await storage.findClient(other.id), other);
  });

  rule('an update for a client that has been changed meanwhile changes nothing', async (storage) => {
    const seen = await storedClient(storage);
    for (const change of [
      { redirectUris: ['https://new.example/cb'] },
      { postLogoutRedirectUris: ['https://new.example/bye'] },
      { isPublic: true },
    ]) {
      const now = (await storage.findClient(seen.id)) ?? seen;
      // Even when no time has passed between the two.
      assert.equal(await storage.updateClient(now, change, start, anEvent()), true);
      const changed = await storage.findClient(seen.id);
      for (const basis of [seen, now]) {
        assert.equal(await storage.updateClient(basis, { name: 'New', logo: aLogo() }, start, anEvent()), false);
      }
      assert.deepEqual(await storage.findClient(seen.id), changed);
    }
  });

  rule('updating an unknown client returns false and stores no logo', async (storage) => {
    assert.equal(await storage.updateClient(aClient(), { name: 'New', logo: aLogo() }, start, anEvent()), false);
    assert.equal(await storage.findClient('nobody'), undefined);
    assert.equal(await storage.findLogo('nobody', aLogo().version), undefined);
  });

  rule('a logo is read back byte for byte', async (storage) => {
    const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
    const logos: Logo[] = [
      aLogo(everyByte),
      { ...aLogo(randomBytes(512 * 1024)), contentType: 'image/jpeg' },
      { ...aLogo(randomBytes(1000).subarray(100, 200)), contentType: 'image/webp' },
    ];
    for (const logo of logos) {
      const client = await storedClient(storage, {}, logo);
      assert.equal((await storage.findClient(client.id))?.logoVersion, logo.version);
      await assertLogo(storage, client.id, logo);
    }
  });

  rule("a null logo removes that client's logo only", async (storage) => {
    const logo = aLogo();
    const client = await storedClient(storage, {}, logo);
    const other = await storedClient(storage, {}, logo);
    assert.equal(await storage.updateClient(client, { logo: null }, start, anEvent()), true);
    assert.equal(await storage.findLogo(client.id, logo.version), undefined);
    assert.equal((await storage.findClient(client.id))?.logoVersion, null);
    await assertLogo(storage, other.id, logo);
  });

  rule('a client can get its first logo later', async (storage) => {
    const logo = aLogo();
    const client = await storedClient(storage);
    assert.equal(await storage.findLogo(client.id, logo.version), undefined);
    await storage.updateClient(client, { logo }, start, anEvent());
    await assertLogo(storage, client.id, logo);
    assert.equal(await storage.findLogo(client.id, 'another version'), undefined);
  });

  rule('a new secret works alongside the previous one, and the next replaces the oldest', async (storage) => {
    const first = { digest: aDigest(), createdAt: start, usedAt: null, sealedStates: null, lastFour: null };
    const second = { digest: aDigest(), createdAt: start + 1, usedAt: null, sealedStates: null, lastFour: '2two' };
    const third = { digest: aDigest(), createdAt: start + 2, usedAt: null, sealedStates: null, lastFour: '3-_t' };
    const client = await storedClient(storage, { secrets: [first] });
    const other = await storedClient(storage);

    assert.equal(await storage.rotateClientSecret(client.id, second, second.createdAt, anEvent()), true);
    assert.deepEqual((await storage.findClient(client.id))?.secrets, [second, first]);
    assert.equal(await storage.rotateClientSecret(client.id, third, third.createdAt, anEvent()), true);
    assert.deepEqual((await storage.findClient(client.id))?.secrets, [third, second]);
    assert.deepEqual(await storage.findClient(other.id), other);
  });

  rule('of secrets created concurrently two work in the end', async (storage) => {
    const client = await storedClient(storage);
    const digests = Array.from({ length: 10 }, aDigest);
    const calls = digests.map((digest) =>
      storage.rotateClientSecret(client.id, { digest, lastFour: null }, start + 1, anEvent()),
    );
    assert.ok((await Promise.all(calls)).every(Boolean));
    const secrets = (await storage.findClient(client.id))?.secrets ?? [];
    assert.equal(new Set(secrets.map(({ digest }) => digest)).size, 2);
    for (const { digest } of secrets) assert.ok(digests.includes(digest));
  });

  rule('a public or unknown client gets no secret', async (storage) => {
    const client = await storedClient(storage, { isPublic: true, secrets: [] });
    assert.equal(await storage.rotateClientSecret(client.id, aSecret(), start, anEvent()), false);
    assert.deepEqual(await storage.findClient(client.id), client);
    assert.equal(await storage.rotateClientSecret('nobody', aSecret(), start, anEvent()), false);
  });

  rule('revoking a client stops its codes, tokens and consents at once', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    assert.equal(await tokenLives(storage, active), true);
    assert.deepEqual(await connectedClientIds(storage, user), [client.id]);

    assert.equal(await storage.revokeClient(client.id, start + 2000, anEvent()), true);
    const revoked = await storage.findClient(client.id);
    assert.equal(revoked?.revokedAt, start + 2000);
    assert.ok(revoked);
    await assertStopped(storage, { issued, active });
    assert.deepEqual(await storage.listConnectedApps(user.id), []);
    assert.equal(
      (await storage.findAuthorizationContext(client.id, session.digest, start))?.consentedScopes,
      undefined,
    );
    assert.equal(await storage.issueCode(aGrant(user, revoked), start), false);
  });

  rule("revoking a client doesn't affect other clients or its users", async (storage) => {
    const { user, client, session } = await storedWorld(storage);
    const other = await storedClient(storage);
    const active = await activeGrant(storage, user, other);
    const issued = await issuedGrant(storage, user, other);

    await storage.revokeClient(client.id, start, anEvent());
    assert.deepEqual(await storage.findClient(other.id), other);
    assert.equal(await tokenLives(storage, active), true);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), true);
    assert.deepEqual(await connectedClientIds(storage, user), [other.id]);
    assert.ok(await storage.findSession(session.digest, start));
  });

  rule('a client is revoked once, also concurrently', async (storage) => {
    const client = await storedClient(storage);
    const calls = Array.from({ length: 20 }, (_, index) => storage.revokeClient(client.id, start + index, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal(await storage.revokeClient('nobody', start, anEvent()), false);
  });

  rule('restoring a client revives no code, token or consent', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    await storage.revokeClient(client.id, start + 1, anEvent());
    assert.equal(await storage.restoreClient(client.id, start + 2, anEvent()), true);

    const restored = await storage.findClient(client.id);
    assert.equal(restored?.revokedAt, null);
    assert.ok(restored);
    assert.deepEqual(restored.secrets, client.secrets);
    await assertStopped(storage, { issued, active });
    assert.deepEqual(await storage.listConnectedApps(user.id), []);
    assert.equal(
      (await storage.findAuthorizationContext(client.id, session.digest, start))?.consentedScopes,
      undefined,
    );
    assert.equal(await storage.issueCode(aGrant(user, restored), start), false);
  });

  rule('a restored client works again once a user approves it anew', async (storage) => {
    const { user, client, issued, active } = await storedWorld(storage);
    await storage.revokeClient(client.id, start + 1, anEvent());
    await storage.restoreClient(client.id, start + 2, anEvent());
    const restored = await storage.findClient(client.id);
    assert.ok(restored);

    const grant = aGrant(user, restored);
    assert.equal(await storage.approve(grant, grant.scopes, start + 3, anEvent()), true);
    assert.equal(await storage.consumeCode(exchangeOf(grant)), true);
    assert.equal(await tokenLives(storage, grant), true);
    assert.equal((await storage.listConnectedApps(user.id))[0]?.grantedAt, start + 3);
    await assertStopped(storage, { issued, active });
  });

  rule("restoring returns false if the client isn't revoked or is unknown", async (storage) => {
    const client = await storedClient(storage);
    assert.equal(await storage.restoreClient(client.id, start + 1, anEvent()), false);
    assert.equal(await storage.restoreClient('nobody', start + 1, anEvent()), false);
    assert.deepEqual(await storage.findClient(client.id), client);
  });

  rule('deleting a client ends everything that belongs to it', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    const logo = aLogo();
    await storage.updateClient(client, { logo }, start, anEvent());
    assert.equal(await storage.deleteClient(client.id, anEvent()), true);

    assert.equal(await storage.findClient(client.id), undefined);
    assert.deepEqual(await storage.listClients(), []);
    assert.equal(await storage.findLogo(client.id, logo.version), undefined);
    assert.equal(await storage.findAuthorizationContext(client.id, session.digest, start), undefined);
    assert.equal(await storage.findClientAndGrant(client.id, active.id, start), undefined);
    assert.equal(await tokenLives(storage, active), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
    assert.deepEqual(await storage.listConnectedApps(user.id), []);
    assert.equal(await storage.deleteClient(client.id, anEvent()), false);
  });

  rule("deleting a client doesn't affect others", async (storage) => {
    const { user, client } = await storedWorld(storage);
    const logo = aLogo();
    const other = await storedClient(storage, {}, logo);
    const grant = await activeGrant(storage, user, other);

    await storage.deleteClient(client.id, anEvent());
    assert.deepEqual(await storage.listClients(), [{ ...other, logoVersion: logo.version }]);
    await assertLogo(storage, other.id, logo);
    assert.equal(await tokenLives(storage, grant), true);
    assert.deepEqual(await connectedClientIds(storage, user), [other.id]);
  });
}

async function assertStopped(storage: Storage, grants: { issued: NewGrant; active: NewGrant }): Promise<void> {
  assert.equal(await tokenLives(storage, grants.active), false);
  assert.equal(await partiesAreActive(storage, grants.active), false);
  assert.equal(await partiesAreActive(storage, grants.issued), false);
  assert.equal(await storage.consumeCode(exchangeOf(grants.issued)), false);
}

async function assertLogo(storage: Storage, clientId: string, expected: Logo): Promise<void> {
  const found = await storage.findLogo(clientId, expected.version);
  assert.ok(found);
  assert.equal(found.version, expected.version);
  assert.equal(found.contentType, expected.contentType);
  assert.ok(Buffer.from(expected.bytes).equals(found.bytes));
}
