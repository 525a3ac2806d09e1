// latchkey bridge …, run as an operator runs it. What it has in common with the gate is tested there.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bridgeSchema } from '../../src/bridge/config-file.ts';
import { bridgeKeys, openBridgeDatabase } from '../../src/bridge/database.ts';
import { openKeyStore } from '../../src/bridge/key-store.ts';
import { readKeyFile } from '../../src/platform/key-file.ts';
import { finished, outputMatching, runCommand, startCommand } from '../harness/command.ts';
import { freePort } from '../harness/service.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-bridge-'));
  writeFileSync(join(folder, 'secret'), 'the-secret-of-vault\n', { mode: 0o600 });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const application = {
  client_id: 'vault',
  client_secret: { file: 'secret' },
  redirect_uris: ['https://vault.example/oidc/callback'],
};

/** Writes a file for the bridge and returns its path. */
function configFile(name: string, more: object = {}): string {
  const file = join(folder, name);
  const least = {
    base_url: 'https://bridge.example',
    issuer: 'https://login.example',
    data_dir: 'data',
    key_file: 'key',
  };
  writeFileSync(file, JSON.stringify({ ...least, applications: [application], ...more }));
  return file;
}

const bridge = (...args: string[]) => runCommand(['bridge', ...args], { WIKI_SECRET: 'of-the-wiki' });

test('check-config says what the bridge would do, and warns on standard error', async () => {
  const wiki = {
    client_id: 'wiki',
    client_secret: { file: 'secret' },
    application_secret: { env: 'WIKI_SECRET' },
    redirect_uris: ['https://wiki.example/a', 'https://wiki.example/b'],
    post_logout_redirect_uris: ['https://wiki.example/'],
    backchannel_logout_uri: 'https://wiki.example/logout',
    claims: ['groups'],
    signing: 'ES256',
  };
  const applications = [
    application,
    { ...wiki, pkce: 'optional' },
    { ...wiki, client_id: 'old', pkce: 'optional', nonce: 'optional' },
  ];
  const file = configFile('good.json', { applications, metrics: '127.0.0.1:9466' });
  const { status, stdout, stderr } = await bridge('check-config', file);
  assert.equal(status, 0);
  const [general, vault, second] = stdout.split('\n\n').slice(1);
  assert.equal(
    general,
    `issuer for applications  https://bridge.example
listens on               127.0.0.1:8465
metrics                  127.0.0.1:9466
trusted proxies          127.0.0.1, ::1
Latchkey                 https://login.example`,
  );
  assert.equal(
    vault,
    `vault
  redirect URI  https://vault.example/oidc/callback
  claims        email, email_verified, name
  PKCE          required
  signed with   RS256
  secret        the client's`,
  );
  assert.equal(
    second,
    `wiki
  redirect URI       https://wiki.example/a
  redirect URI       https://wiki.example/b
  after signing out  https://wiki.example/
  logout tokens      https://wiki.example/logout
  claims             groups
  PKCE               optional; without it, a nonce is required
  signed with        ES256
  secret             its own`,
  );
  assert.match(stdout, /^ {2}PKCE +optional, and so is a nonce$/m);
  assert.match(stderr, /^\nWarning: applications\[2\]\.nonce: with neither PKCE nor a nonce, .*\.\n$/);
});

test('every problem is printed at once, and the exit status is 1', async () => {
  const file = configFile('bad.json', { base_url: 'bridge', applications: [{ ...application, pkce: 'never' }] });
  for (const args of [
    ['check-config', file],
    ['serve', '--config', file],
    ['keys', 'list', '--config', file],
  ]) {
    const { status, stdout, stderr } = await bridge(...args);
    assert.deepEqual([status, stdout], [1, '']);
    assert.equal(
      stderr,
      `latchkey: ${file} has problems:
  - base_url: must be the bridge's own base URL, such as https://bridge.example.com
  - applications[0].pkce: must be "required" or "optional"
`,
    );
  }
});

test('schema prints the JSON Schema', async () => {
  assert.deepEqual(JSON.parse((await bridge('schema')).stdout), bridgeSchema);
});

test('keys are listed, and a new one is published before it signs', async () => {
  const file = configFile('keys.json', { applications: [{ ...application, signing: 'EdDSA' }] });
  const keys = (action: string, ...more: string[]) => bridge('keys', action, '--config', file, ...more);
  const list = async () => JSON.parse((await keys('list', '--json')).stdout);
  assert.match((await keys('list')).stdout, /^No keys yet\. The bridge creates them when it first starts\.$/m);
  assert.deepEqual([(await keys('rotate')).status, existsSync(join(folder, 'data'))], [1, false]);
  const database = openBridgeDatabase(join(folder, 'data'));
  const store = openKeyStore(database, bridgeKeys(readKeyFile(join(folder, 'key'))[0]), () => Date.now());
  await store.ensure(['EdDSA']);
  database.close();

  const [first] = await list();
  assert.deepEqual([first.algorithm, first.state, first.published_until], ['EdDSA', 'signing', null]);
  const { status, stdout } = await keys('rotate');
  assert.equal(status, 0);
  const [old, next] = await list();
  assert.ok(stdout.includes(`\n${next.kid} will sign from `), stdout);
  assert.deepEqual([old.kid, old.state, next.state], [first.kid, 'signing', 'next']);
  const hours = (Date.parse(next.signs_from) - Date.now()) / 3_600_000;
  assert.ok(hours > 0.9 && hours <= 1, String(hours));
  assert.equal((Date.parse(old.published_until) - Date.parse(next.signs_from)) / 86_400_000, 30);
  const { status: wrong, stderr } = await keys('delete');
  assert.deepEqual([wrong, stderr.split('.')[0]], [2, 'latchkey: the action is list or rotate']);
});

test('serve runs it, stops cleanly, and explains a port in use', async () => {
  const port = await freePort();
  const applications = [{ ...application, signing: 'ES256' }];
  const file = configFile('serve.json', { listen: `127.0.0.1:${port}`, data_dir: 'served', applications });
  const child = startCommand(['bridge', 'serve', '--config', file], {});
  const ended = finished(child);
  try {
    await outputMatching(child, /The bridge is running at/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
    for (const path of ['served/bridge.db', 'key'])
      assert.equal(statSync(join(folder, path)).mode & 0o777, 0o600, path);
    const second = await bridge('serve', '--config', file);
    assert.equal(second.status, 1);
    assert.match(
      second.stderr,
      /^latchkey: port \d+ on 127\.0\.0\.1 is in use, perhaps by another bridge\..* a second bridge on the same data_dir\.$/m,
    );
  } finally {
    child.kill();
  }
  const { status, stdout } = await ended;
  assert.equal(status, 0);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
    [`The bridge is running at http://127.0.0.1:${port}`, 'SIGTERM: finishing requests in flight'],
  );
});
