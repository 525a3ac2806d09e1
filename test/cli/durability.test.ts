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
import { populate, Served } from '../harness/served.ts';

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
  const database = new DatabaseSync(join(data, 'latchkey.db'));
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  assert.equal(check?.integrity_check, 'ok');
});

test('a backup taken while serving can be restored', async () => {
  const served = await Served.at({ LATCHKEY_DATA_DIR: join(folder, 'data') });
  const { client, users } = await populate(served.environment);
  const [user = assert.fail()] = users;
  const ledger = new Ledger(served.service, client, users);
  const file = join(folder, 'backup.db');
  const restored = { ...served.environment, LATCHKEY_DATA_DIR: join(folder, 'restored') };
  await served.start();
  try {
    const { tokens } = await obtainTokens(served.service, client, user);
    await ledger.signIn();
    let backedUp = false;
    const load = ledger.load(() => backedUp);
    const made = await runCommand(['backup', file], served.environment);
    assert.equal(made.status, 0, made.stderr);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    backedUp = true;
    await load;
    assert.deepEqual(ledger.wrong, []);
    const again = await runCommand(['backup', file], served.environment);
    assert.equal(again.status, 1);
    assert.match(again.stderr, /already exists/);
    await served.end('SIGTERM');

    mkdirSync(restored.LATCHKEY_DATA_DIR);
    copyFileSync(file, join(restored.LATCHKEY_DATA_DIR, 'latchkey.db'));
    copyFileSync(join(folder, 'data', 'keys'), join(restored.LATCHKEY_DATA_DIR, 'keys'));
    await served.start(restored);
    assert.equal((await userinfo(served.service, tokens.access_token)).status, 200);
    const refreshed = await postForm(served.service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.status, 200);
    assert.equal((await obtainTokens(served.service, client, user)).tokens.token_type, 'Bearer');
  } finally {
    await served.end('SIGTERM');
  }
});

test('a backup without a store is refused', async () => {
  const settings = { LATCHKEY_DATA_DIR: join(folder, 'nowhere') };
  const result = await runCommand(['backup', join(folder, 'x.db')], settings);
  assert.equal(result.status, 1);
  assert.match(result.stderr, /there's no store at/);
});
