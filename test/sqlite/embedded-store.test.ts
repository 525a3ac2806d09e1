// The embedded store under a lock of another process, and the permissions and contents of its files.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { answer, newHolder, offered, passkeysOf } from '../harness/passkeys.ts';
import { formIn } from '../harness/person.ts';
import {
  exchangeParameters,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { isSignedIn, post, securityPath } from '../harness/second-factors.ts';
import { startTestService, type TestService } from '../harness/service.ts';

async function withService(
  work: (service: TestService) => Promise<void>,
  options: { busyTimeout?: number } = {},
): Promise<void> {
  const service = await startTestService({}, options);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

test("a locked database gives 503 with Retry-After, never invalid_grant, and everything works once it's free", () =>
  withService(
    async (service) => {
      const client = await service.newClient();
      const user = await service.newUser();
      const { tokens, person } = await obtainTokens(service, client, user);
      const { code, verifier } = await obtainCode(service, client, user);
      const form = await formIn(await person.visit('/account/apps'), '/account/apps');

      const lock = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 5000 });
      lock.exec('BEGIN IMMEDIATE');
      const exchange = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.equal(exchange.status, 503);
      assert.equal(exchange.body.error_code, 'SERVER_BUSY');
      assert.equal(exchange.body.error, 'temporarily_unavailable');
      assert.ok(Number(exchange.headers.get('retry-after')) > 0);
      assert.equal(exchange.headers.get('access-control-allow-origin'), '*');
      const revocation = await postForm(service, '/oauth/revoke', {
        token: tokens.refresh_token,
        client_id: client.id,
        client_secret: client.secret,
      });
      assert.equal(revocation.status, 503, 'nothing was revoked, and 200 would be a lie');
      const removal = await person.submit(form, { remove: client.id });
      assert.equal(removal.status, 503);
      assert.ok(Number(removal.headers.get('retry-after')) > 0);
      assert.match(await removal.text(), /busy right now/);
      assert.equal((await userinfo(service, tokens.access_token)).status, 200, 'reading goes on');
      const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      assert.equal(refreshed.status, 200, 'and so does refreshing');
      lock.exec('ROLLBACK');
      lock.close();

      const again = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.equal(again.status, 200);
      assert.equal((await person.submit(form, { remove: client.id })).status, 200);
    },
    { busyTimeout: 100 },
  ));

test('only the service can read the database and key file', () =>
  withService(async (service) => {
    await service.newClient();
    for (const name of ['latchkey.db', 'latchkey.db-wal', 'latchkey.db-shm', 'keys']) {
      assert.equal(statSync(join(service.dataDir, name)).mode & 0o777, 0o600, name);
    }
  }));

test("the store's files contain no secrets", () =>
  withService(async (service) => {
    const client = await service.newClient();
    const user = await service.newUser({ password: 'a very private password' });
    const { tokens, code, person } = await obtainTokens(service, client, user);
    await service.events();
    const files = ['latchkey.db', 'latchkey.db-wal'].map((name) => readFileSync(join(service.dataDir, name), 'latin1'));
    assert.ok(files.join('').includes(user.id), 'the right files are read');
    const session = person.cookies.get('latchkey_session') ?? '';
    for (const secret of [user.password, client.secret, code, tokens.refresh_token, tokens.access_token, session]) {
      const bare = secret.split('.').at(-1) ?? '';
      assert.ok(bare.length > 10);
      for (const file of files) assert.equal(file.includes(bare), false);
    }
  }));

test('somebody with more passkeys than the limit keeps and uses all of them, and adds none', () =>
  withService(async (service) => {
    const { person, device, user } = await newHolder(service);
    const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 5000 });
    const columns = 'public_key, counter, transports, name, created_at, last_used_at, suspended_at, user_id';
    const copy = database.prepare(
      `INSERT INTO passkeys (id, ${columns}) SELECT ?, ${columns} FROM passkeys WHERE id = ?`,
    );
    for (let number = 1; number <= 24; number++) copy.run(`copy-${number}`, device.id);
    database.close();

    const offer = await offered(service);
    await answer(offer, device.get(offer.challenge));
    assert.ok(await isSignedIn(offer.person));
    const page = await (await person.visit(securityPath)).text();
    assert.equal(page.match(/action="\/account\/passkeys\/remove"/g)?.length, 25);
    assert.match(page, /limit of 20 passkeys/);
    const { fields } = await formIn(await person.visit(securityPath), '/account/passkeys/remove');
    const removed = await post(person, '/account/passkeys/remove', { ...fields, remove: 'copy-24' });
    assert.equal(removed.headers.get('location'), `${securityPath}?done=passkey`);
    assert.equal((await passkeysOf(service, user)).length, 24);
  }));
