import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('after a rotation the running service signs with the new key, and everything of the old one goes on', async () => {
  const user = await service.newUser();
  const client = await service.newClient();
  const { tokens, person } = await obtainTokens(service, client, user);

  const file = join(service.dataDir, 'keys');
  const environment = { LATCHKEY_DATA_DIR: service.dataDir, LATCHKEY_BASE_URL: service.url };
  const result = await runCommand(['keys', 'rotate'], environment);
  assert.equal(result.status, 0, result.stderr);
  assert.match(result.stdout, /^There is a new key in .*keys; the old one goes on working\.\n$/);
  const [newest = '', old = ''] = readFileSync(file, 'utf8').trim().split('\n');
  assert.notEqual(newest, old);
  assert.equal(statSync(file).mode & 0o777, 0o600);

  await until(() => service.log().includes('the new ones are in use'), 'the new key is in use');
  assert.equal((await userinfo(service, tokens.access_token)).status, 200, 'an access token of the old key');
  assert.equal((await person.request('/account')).status, 200, 'a session');
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token ?? ''));
  const { access_token: token } = refreshed.body;
  assert.equal((await userinfo(service, token)).status, 200, 'an access token of the new key');
});

test('keys from the environment are not changed by the command', async () => {
  const environment = { LATCHKEY_DATA_DIR: service.dataDir, LATCHKEY_KEYS: 'k'.repeat(43) };
  const result = await runCommand(['keys', 'rotate'], environment);
  assert.equal(result.status, 1);
  assert.match(result.stderr, /put a new one before the others there, and restart/);
});
