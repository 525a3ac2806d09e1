// The keys that sign the bridge's tokens: when each is published and signs, in several processes.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SignJWT } from 'jose';
import { bridgeKeys, openBridgeDatabase } from '../../src/bridge/database.ts';
import { readOwnIdToken } from '../../src/bridge/jwt.ts';
import { type KeyStore, openKeyStore } from '../../src/bridge/key-store.ts';
import { readKeyFile } from '../../src/platform/key-file.ts';
import type { Database } from '../../src/platform/relying-party/database.ts';
import { applicationFor, ask, BridgeVisitor, bridgeClient, startTestBridge } from '../harness/bridge.ts';
import { startTestService } from '../harness/service.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('signing keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bridge-keys-'));
  const keyFile = join(folder, 'key');
  let now = Date.UTC(2026, 0, 1);
  let database: Database;
  let store: KeyStore;
  const opened = (secret = readKeyFile(keyFile)[0]) => openKeyStore(database, bridgeKeys(secret), () => now);
  const states = (from = store) => from.list().map(({ algorithm, state }) => `${algorithm} ${state}`);
  before(() => {
    database = openBridgeDatabase(folder);
    store = opened();
  });
  after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('exist for the algorithms in use alone, once, and the first one signs', async () => {
    await Promise.all([store, opened()].map((each) => each.ensure(['ES256', 'EdDSA'])));
    assert.deepEqual(states(), ['ES256 signing', 'EdDSA signing']);
  });

  test('sign an hour after a rotation, and stay published for 30 days after that', async () => {
    const [first] = store.list();
    await store.rotate(['ES256']);
    assert.deepEqual(states(), ['ES256 signing', 'ES256 next', 'EdDSA signing']);
    now += hour - 1;
    assert.equal(opened().list()[0]?.kid, first?.kid);
    now += 1;
    assert.deepEqual(states(), ['ES256 signing', 'ES256 previous', 'EdDSA signing']);
    assert.notEqual(store.list()[0]?.kid, first?.kid);
    now += 30 * day - 1;
    assert.ok(store.list().some(({ kid }) => kid === first?.kid));
    now += 1;
    store.sweep();
    assert.deepEqual(states(), ['ES256 signing', 'EdDSA signing']);
  });

  test('that do not sign yet are replaced by another rotation', async () => {
    const [next] = (await store.rotate(['ES256'])).map(({ kid }) => kid);
    const [later] = (await store.rotate(['ES256'])).map(({ kid }) => kid);
    assert.notEqual(next, later);
    assert.deepEqual(
      store
        .list()
        .filter(({ state }) => state === 'next')
        .map(({ kid }) => kid),
      [later],
    );
  });

  test('open with the key file they were made with alone; another one makes new ones', async () => {
    const other = opened('another-secret-'.repeat(3));
    assert.deepEqual(states(other), []);
    await other.ensure(['ES256']);
    assert.deepEqual(states(other), ['ES256 signing']);
  });

  test('are asked about ID tokens of the same issuer alone', async () => {
    const [key] = store.list();
    assert.ok(key);
    const claims = { iss: 'https://bridge.example', aud: 'wiki', sub: 'ada', sid: 's' };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid })
      .sign(key.privateKey);
    const read = (issuer: string) => readOwnIdToken(token, issuer, store.list());
    assert.deepEqual(read('https://bridge.example'), { clientId: 'wiki', sub: 'ada', sid: 's' });
    assert.equal(read('https://earlier.example'), undefined);
  });

  test('of RS256 have 3072 bits', async () => {
    await store.ensure(['RS256']);
    const [key] = store.list();
    assert.equal(key?.publicKey.asymmetricKeyDetails?.modulusLength, 3072);
  });
});

test('processes that are running notice a rotation within a minute, and tokens verify throughout', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const bridge = await startTestBridge(service);
  t.after(() => bridge.stop());
  const beside = await startTestBridge(service, { beside: bridge });
  t.after(() => beside.stop());
  const { dataDir, keyFile } = bridge.config;
  const database = openBridgeDatabase(dataDir);
  t.after(() => database.close());
  const store = openKeyStore(database, bridgeKeys(readKeyFile(keyFile)[0]), service.clock.now);
  const kids = async (on = bridge) => ((await ask(on, '/jwks')).body.keys as { kid: string }[]).map(({ kid }) => kid);
  const signedWith = async () => {
    const { id_token } = await new BridgeVisitor(bridge, service).signIn(user);
    return JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString()).kid as string;
  };
  const user = await service.newUser();
  const [first] = await kids();
  const [added] = await store.rotate(['ES256']);
  service.clock.advance(60);
  for (const each of [bridge, beside]) assert.deepEqual(await kids(each), [first, added?.kid]);
  assert.equal(await signedWith(), first);
  service.clock.advance(3600);
  for (const each of [bridge, beside]) assert.deepEqual(await kids(each), [added?.kid, first]);
  assert.equal(await signedWith(), added?.kid);
  // What is published has nothing of the private key.
  const [jwk] = (await ask(bridge, '/jwks')).body.keys as object[];
  assert.deepEqual(Object.keys(jwk ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);

  // A process deletes what is over, when it starts and every ten minutes.
  service.clock.advance(31 * 24 * 3600);
  const later = await startTestBridge(service, { beside: bridge });
  t.after(() => later.stop());
  const rows = (table: string) => Number(database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n);
  assert.deepEqual(['signing_keys', 'grants', 'tokens', 'spent'].map(rows), [1, 0, 0, 0]);
  assert.equal(await signedWith(), added?.kid);
});

test('each application is signed for with its own algorithm', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const first = await startTestBridge(service, { application: { signing: 'RS256' } });
  t.after(() => first.stop());
  const application = applicationFor(await bridgeClient(service, first.config.baseUrl), { signing: 'EdDSA' });
  const config = { applications: [first.application, application] };
  const second = { ...(await startTestBridge(service, { beside: first, config })), application };
  t.after(() => second.stop());
  const { id_token } = await new BridgeVisitor(second, service).signIn(await service.newUser());
  assert.match(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString(), /"alg":"EdDSA"/);
  const { body } = await ask(second, '/.well-known/openid-configuration');
  assert.deepEqual(body.id_token_signing_alg_values_supported, ['RS256', 'EdDSA']);
});
