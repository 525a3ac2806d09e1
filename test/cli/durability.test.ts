// The embedded store under stress: killed at random moments under load, and backed up while it serves.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { killUnderLoad } from '../harness/killed-under-load.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { Ledger } from '../harness/ledger.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { startTestService } from '../harness/service.ts';

/** `npm run faults` does it more often. */
const kills = isReleaseLane ? 10 : 1;

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-durability-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('killed under load, the store spends no code twice and forgets nothing that it has acknowledged', async () => {
  const data = join(folder, 'killed');
  const { grants, lost } = await killUnderLoad({ LATCHKEY_DATA_DIR: data }, kills);
  assert.deepEqual(lost, []);
  assert.ok(grants > kills, `${grants} grants`);
  const database = new DatabaseSync(join(data, 'latchkey.db'), { timeout: 10_000 });
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  assert.equal(check?.integrity_check, 'ok');
});

test('a backup taken while serving can be restored', async () => {
  let service = await startTestService();
  const { url, dataDir } = service;
  const environment = { LATCHKEY_BASE_URL: url, LATCHKEY_DATA_DIR: dataDir };
  const file = join(folder, 'backup.db');
  const restored = join(folder, 'restored');
  try {
    const [client, user] = [await service.newClient(), await service.newUser()];
    const ledger = new Ledger(service, client, [user]);
    const { tokens } = await obtainTokens(service, client, user);
    await ledger.signIn();
    let backedUp = false;
    const load = ledger.load(() => backedUp);
    const made = await runCommand(['backup', file], environment);
    assert.equal(made.status, 0, made.stderr);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    backedUp = true;
    await load;
    assert.deepEqual(ledger.wrong, []);
    const again = await runCommand(['backup', file], environment);
    assert.equal(again.status, 1);
    assert.match(again.stderr, /already exists/);
    mkdirSync(restored);
    copyFileSync(file, join(restored, 'latchkey.db'));
    copyFileSync(join(dataDir, 'keys'), join(restored, 'keys'));
    await service.stop();

    // With the issuer of its tokens, on another port.
    service = await startTestService({ LATCHKEY_BASE_URL: url, LATCHKEY_DATA_DIR: restored });
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.status, 200);
    assert.equal((await obtainTokens(service, client, user)).tokens.token_type, 'Bearer');
  } finally {
    await service.stop();
  }
});

test('a backup without a store is refused', async () => {
  const settings = { LATCHKEY_DATA_DIR: join(folder, 'nowhere') };
  const result = await runCommand(['backup', join(folder, 'x.db')], settings);
  assert.equal(result.status, 1);
  assert.match(result.stderr, /there's no store at/);
});
