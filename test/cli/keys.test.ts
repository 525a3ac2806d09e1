import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { forgeAccessToken } from '../harness/forged-tokens.ts';
import { formIn } from '../harness/person.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { newOwner } from '../harness/second-factors.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { newWebhook } from '../harness/webhooks.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const keysIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n');
const newKey = () => randomBytes(32).toString('base64url');
const environmentOf = ({ dataDir, url }: TestService) => ({ LATCHKEY_DATA_DIR: dataDir, LATCHKEY_BASE_URL: url });

test('after a rotation the running service signs with the new key, and the old one still verifies', async () => {
  const user = await service.newUser();
  const client = await service.newClient();
  const { tokens, person } = await obtainTokens(service, client, user);

  const file = join(service.dataDir, 'keys');
  const result = await runCommand(['keys', 'rotate'], environmentOf(service));
  assert.equal(result.status, 0, result.stderr);
  assert.match(result.stdout, /^Added a new key to \S+keys\. .* for another 15 minutes\.\n$/);
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

describe('retiring keys', () => {
  test('compromised keys are retired at once, and what they sealed is resealed with the new one', async () => {
    const { user, secret } = await newOwner(service);
    const other = await service.newUser();
    const client = await service.newClient();
    const { tokens, person } = await obtainTokens(service, client, other);
    const form = await formIn(await person.visit('/account'));
    const hook = await newWebhook(service);
    const file = join(service.dataDir, 'keys');
    const stolen = keysIn(file);
    const mails = await service.rows('mails');
    assert.ok(mails.length > 0);

    // While the command runs, an account gets an authenticator and the queue an email.
    const command = runCommand(['keys', 'rotate', '--compromised', '--json'], environmentOf(service));
    await until(() => service.running.services.keys.ids.length > stolen.length, 'the new key is in use');
    const meanwhile = await newOwner(service);
    await until(async () => (await userinfo(service, tokens.access_token)).status === 401, 'the old key is retired');
    assert.equal((await person.submit(form, { name: 'Ada' })).status, 403, 'an open form');
    const result = await command;
    assert.equal(result.status, 0, result.stderr);
    const report = JSON.parse(result.stdout);
    assert.deepEqual([report.file, report.retired, report.unreadable], [file, stolen.length, 0]);
    assert.ok(report.resealed >= mails.length + 2);

    assert.equal(keysIn(file).length, 1);
    for (const key of stolen) {
      assert.equal(keysIn(file).includes(key), false);
      const changes = {
        iat: Math.floor(service.clock.now() / 1000),
        exp: Math.floor(service.clock.now() / 1000) + 900,
      };
      assert.equal((await userinfo(service, forgeAccessToken(tokens.access_token, key, changes))).status, 401);
    }
    assert.equal((await person.request('/account')).status, 200, 'sessions stay');
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal((await userinfo(service, refreshed.body.access_token)).status, 200);
    const [event] = await service.events('service_keys_retired');
    assert.deepEqual([event?.detail?.keys, event?.address], [stolen.length, 'command line']);

    // With the new key alone, everything that was sealed opens.
    await until(() => service.running.services.keys.ids.length === 1, 'the old keys are gone');
    const { storage, keys, emailQueue } = service.running.services;
    assert.equal((await emailQueue.list(100)).length, (await service.rows('mails')).length);
    for (const owner of [{ user, secret }, meanwhile]) {
      const { authenticator } = await storage.findSignInFacts(owner.user.id, undefined);
      const opened = keys.unseal(`authenticator ${owner.user.id}`, authenticator?.sealedSecret ?? '');
      assert.equal(opened, Buffer.from(owner.secret).toString('base64url'));
    }
    const [signing] = await storage.listWebhookSecrets(hook.webhook.id);
    assert.equal(keys.unseal(`webhook secret ${signing?.id}`, signing?.sealed ?? ''), hook.secret);

    const again = await runCommand(['keys', 'retire'], environmentOf(service));
    assert.deepEqual(
      [again.status, again.stderr],
      [1, "latchkey: there's only one key, so there's nothing to retire.\n"],
    );
  });

  test('a service does not start with a key that was retired as compromised', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-retired-'));
    try {
      const environment = { LATCHKEY_DATA_DIR: folder, LATCHKEY_BASE_URL: `http://localhost:${await freePort()}` };
      const old = newKey();
      const both = { ...environment, LATCHKEY_KEYS: `${newKey()},${old}` };
      assert.equal((await runCommand(['group', 'create', 'Staff'], both)).status, 0);
      const retired = await runCommand(['keys', 'retire'], both);
      assert.equal(retired.status, 0, retired.stderr);
      assert.match(retired.stdout, /^Retired the old key\. Remove it from LATCHKEY_KEYS now\.\nRe-encrypted: 0\.\n$/);
      const { status, stderr } = await runCommand(['serve'], { ...environment, LATCHKEY_KEYS: old });
      assert.equal(status, 1);
      assert.match(stderr, /The newest key in LATCHKEY_KEYS was retired as compromised/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("keys from the environment aren't changed; the command says what to do instead", async () => {
    const environment = { LATCHKEY_DATA_DIR: service.dataDir, LATCHKEY_KEYS: newKey() };
    const result = await runCommand(['keys', 'rotate'], environment);
    assert.equal(result.status, 1);
    assert.match(result.stderr, /Add a new one at the beginning, and restart/);
    const steps = await runCommand(['keys', 'rotate', '--compromised'], environment);
    assert.equal(steps.status, 1);
    assert.match(
      steps.stderr,
      /nothing was changed\. To replace them:\n {2}1\. [\s\S]* 2\. [\s\S]*keys retire[\s\S]* 4\. /,
    );
  });
});
