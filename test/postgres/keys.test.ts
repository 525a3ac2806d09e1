// Two instances on one PostgreSQL, each with its own copy of the key file.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let one: TestService;
let two: TestService;
let shared: { DATABASE_URL: string; LATCHKEY_BASE_URL: string };
before(async () => {
  shared = {
    DATABASE_URL: await (await sharedPostgres()).newDatabase(),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
  };
  one = await startTestService(shared);
  const copy = join(one.dataDir, 'copy');
  copyFileSync(join(one.dataDir, 'keys'), copy);
  two = await startTestService({ ...shared, LATCHKEY_KEYS_FILE: copy });
});
after(async () => {
  await two?.stop();
  await one?.stop();
  await removeSharedPostgres();
});

test('an instance without the new key refuses the compromised one and logs it', async () => {
  const client = await one.newClient();
  const { tokens } = await obtainTokens(one, client, await one.newUser());
  const status = async (service: TestService, token: string) => (await userinfo(service, token)).status;
  assert.deepEqual([await status(one, tokens.access_token), await status(two, tokens.access_token)], [200, 200]);

  const environment = { ...shared, LATCHKEY_DATA_DIR: one.dataDir };
  const command = runCommand(['keys', 'rotate', '--compromised'], environment);
  for (const service of [one, two]) {
    await until(async () => (await status(service, tokens.access_token)) === 401, 'the old key is retired');
  }
  await until(() => two.log().includes('was retired as compromised'), 'the instance without the new key complains');
  const result = await command;
  assert.equal(result.status, 0, result.stderr);
  assert.match(
    result.stdout,
    /^Retired the old key\. .*\nRe-encrypted: \d+\.\nCopy the file to any instance that has its own copy/,
  );

  const refreshed = await postForm(one, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(await status(one, refreshed.body.access_token), 200);
  assert.equal(await status(two, refreshed.body.access_token), 401);
  copyFileSync(join(one.dataDir, 'keys'), join(one.dataDir, 'copy'));
  await until(async () => (await status(two, refreshed.body.access_token)) === 200, 'the copy is in use');
});
