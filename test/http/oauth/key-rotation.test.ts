// Which key of the service counts for how long, and what a token can't say, whoever has signed it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { rotateKeys } from '../../../src/platform/key-file.ts';
import { forgeAccessToken } from '../../harness/forged-tokens.ts';
import { formIn, type Person } from '../../harness/person.ts';
import { type IssuedTokens, obtainTokens, postForm, refreshParameters, userinfo } from '../../harness/relying-party.ts';
import type { TestClient } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const service = serviceOfSuite();

const keys = () => readFileSync(join(service.dataDir, 'keys'), 'utf8').trim().split('\n');
const seconds = () => Math.floor(service.clock.now() / 1000);
const status = async (token: string) => (await userinfo(service, token)).status;

async function rotate(): Promise<string> {
  const [old = ''] = keys();
  const before = service.running.services.keys.signingId;
  rotateKeys(join(service.dataDir, 'keys'));
  await until(() => service.running.services.keys.signingId !== before, 'the new key is in use');
  return old;
}

async function signedIn(scope: string): Promise<IssuedTokens & { client: TestClient }> {
  const client = await service.newClient();
  return { client, ...(await obtainTokens(service, client, await service.newUser(), { scope })) };
}

describe('a token that is signed with the right key', () => {
  test("is limited to its grant's scopes", async () => {
    const { tokens } = await signedIn('openid email');
    const [key = ''] = keys();
    const more = forgeAccessToken(tokens.access_token, key, { scope: 'openid profile email' });
    const { status, body } = await userinfo(service, more);
    assert.deepEqual([status, Object.keys(body).sort()], [200, ['email', 'email_verified', 'sub']]);
    const less = forgeAccessToken(tokens.access_token, key, { scope: 'openid' });
    assert.deepEqual(Object.keys((await userinfo(service, less)).body), ['sub']);
  });

  test('is valid for at most 900 seconds, whatever its claims', async () => {
    const { tokens, client } = await signedIn('openid');
    const [key = ''] = keys();
    const tenYears = 10 * 365 * 24 * HOUR;
    const forged = (changes: Record<string, unknown>) => forgeAccessToken(tokens.access_token, key, changes);
    const now = seconds();
    assert.equal(await status(forged({ iat: now, exp: now + 900 })), 200, 'forging works');
    for (const changes of [
      { exp: now + tenYears },
      { iat: now, exp: now + 901 },
      { iat: now + tenYears - 900, exp: now + tenYears },
      { iat: undefined, exp: now + tenYears },
      { iat: now, exp: undefined },
      { iat: String(now), exp: String(now + 900) },
      { iat: now, exp: now + 900, scope: 7 },
    ]) {
      assert.equal(await status(forged(changes)), 401, JSON.stringify(changes));
    }
    // Revoking one answers 200 as always, and keeps nothing for ten years.
    const credentials = { client_id: client.id, client_secret: client.secret };
    const endless = forged({ iat: now + tenYears - 900, exp: now + tenYears });
    assert.equal((await postForm(service, '/oauth/revoke', { token: endless, ...credentials })).status, 200);
    assert.deepEqual(await service.rows('revoked_tokens'), []);
  });
});

describe('after a rotation', () => {
  test("the old key verifies access tokens for 15 minutes, then can't be used to forge one", async () => {
    const { tokens, client } = await signedIn('openid email');
    const forge = (key: string) => forgeAccessToken(tokens.access_token, key, { iat: seconds(), exp: seconds() + 900 });
    const first = await rotate();
    assert.equal(await status(tokens.access_token), 200);
    service.clock.advance(10 * MINUTE);
    const second = await rotate();
    service.clock.advance(5 * MINUTE - 1);
    const last = forge(first);
    assert.equal(await status(tokens.access_token), 200, 'a token lives as long as it says');
    assert.equal(await status(last), 200, 'until then, the key counts');
    service.clock.advance(1);
    assert.equal(await status(last), 401, 'a token that was known before is forgotten');
    assert.equal(await status(forge(first)), 401);
    assert.equal(await status(forge(second)), 200, 'each key has its own 15 minutes');
    service.clock.advance(10 * MINUTE);
    assert.equal(await status(forge(second)), 401);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(await status(refreshed.body.access_token), 200, 'an application refreshes, and goes on');
  });

  test('open forms work for 4 hours', async () => {
    const { person } = await signedIn('openid');
    const early = await profileForm(person);
    const late = await profileForm(person);
    await rotate();
    service.clock.advance(4 * HOUR - 1);
    assert.equal((await person.submit(early, { name: 'Ada' })).status, 200);
    service.clock.advance(1);
    assert.equal((await person.submit(late, { name: 'Grace' })).status, 403, 'the form has expired');
    assert.equal((await person.submit(await profileForm(person), { name: 'Grace' })).status, 200);
  });

  test('the store records when each key was first used, but not the key', async () => {
    const rows = await service.rows('service_keys');
    assert.equal(rows.length, keys().length);
    for (const key of keys()) assert.equal(JSON.stringify(rows).includes(key.slice(0, 12)), false);
  });
});

async function profileForm(person: Person) {
  return formIn(await person.visit('/account/profile'), '/account/profile');
}
