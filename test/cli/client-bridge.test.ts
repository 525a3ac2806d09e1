// `latchkey client create --for bridge` and `client update --bridge`: the client is registered with the bridge's URIs, and the
// application's own go into the section that is printed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readBridgeConfig } from '../../src/bridge/config-file.ts';
import { runCommand } from '../harness/command.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-bridge-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const latchkey = (...args: string[]) =>
  runCommand(['client', ...args], { LATCHKEY_DATA_DIR: folder, LATCHKEY_BASE_URL: 'https://login.example' });
const create = (...args: string[]) => latchkey('create', '--name', 'Vault', ...args);
const json = async (ran: ReturnType<typeof latchkey>) => {
  const { status, stdout, stderr } = await ran;
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

const bridge = 'https://bridge.example';
const overBridge = ['--for', 'bridge', '--bridge', bridge];
const callback = 'https://vault.example/oidc/callback';
const redirecting = ['--redirect-uri', callback];
const atBridge = {
  redirect_uris: [`${bridge}/callback`],
  post_logout_redirect_uris: [`${bridge}/signed-out`],
  backchannel_logout_uri: `${bridge}/backchannel-logout`,
};

const registered = (client: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(atBridge).map((name) => [name, client[name]]));

/** The section as the bridge reads it. */
function read(section: object) {
  const file = {
    base_url: bridge,
    issuer: 'https://login.example',
    data_dir: 'data',
    key_file: 'key',
    applications: [section],
  };
  const readFile = (path: string) => {
    if (path.endsWith('.secret')) return 'the secret\n';
    throw Object.assign(new Error('there is nothing'), { code: 'ENOENT' });
  };
  const reading = readBridgeConfig(JSON.stringify(file), { folder, environment: {}, readFile, isExposed: () => false });
  assert.ok(reading.kind === 'read', JSON.stringify(reading));
  return reading.config.applications[0];
}

test('create registers the URIs of the bridge, and prints the section and the settings', async () => {
  const { status, stdout } = await create(
    ...overBridge,
    ...redirecting,
    '--redirect-uri=http://localhost:8250/oidc/callback',
    '--post-logout-redirect-uri=https://vault.example/out',
    '--backchannel-logout-uri=https://vault.example/logout',
    '--claim=groups=groups',
    '--claim-label=groups=Your groups',
  );
  assert.equal(status, 0);
  const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
  const [, secret = ''] = /client_secret +(\S+)/.exec(stdout) ?? [];
  assert.deepEqual(registered(await json(latchkey('show', id, '--json'))), atBridge);
  const [, section = ''] = /^Its section.*\n\n(\{[\s\S]*?^\})/m.exec(stdout) ?? [];
  const application = read(JSON.parse(section));
  assert.deepEqual(
    [application?.clientId, application?.redirectUris, application?.postLogoutRedirectUris],
    [id, [callback, 'http://localhost:8250/oidc/callback'], ['https://vault.example/out']],
  );
  assert.deepEqual(
    [application?.backchannelLogoutUri, application?.claims],
    ['https://vault.example/logout', ['email', 'email_verified', 'name', 'groups']],
  );
  assert.ok(stdout.includes(`${id}.secret`) && stdout.includes(`${bridge}/.well-known/openid-configuration`), stdout);
  assert.ok(
    stdout.endsWith(
      `OIDC_ISSUER=${bridge}\nOIDC_CLIENT_ID=${id}\nOIDC_CLIENT_SECRET=${secret}\nOIDC_REDIRECT_URI=${callback}\n\n`,
    ),
    stdout,
  );
});

test('update moves an application over the bridge, and another bridge needs its URIs again', async () => {
  const { client_id: id } = await json(create(...redirecting, '--scope', 'openid email', '--json'));
  const { status, stdout } = await latchkey('update', id, '--bridge', bridge);
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`latchkey client rotate-secret ${id}`));
  assert.doesNotMatch(stdout, /OIDC_CLIENT_SECRET/);
  const other = 'https://other.example';
  const { status: refused, stderr } = await latchkey('update', id, '--bridge', other);
  assert.equal(refused, 2);
  assert.match(stderr, /--redirect-uri is required: where people return to the application/);
  const client = await json(latchkey('show', id, '--json'));
  assert.deepEqual(registered(client), atBridge);
  const moved = await json(latchkey('update', id, '--bridge', other, ...redirecting, '--json'));
  assert.deepEqual([moved.redirect_uris, moved.bridge.issuer], [[`${other}/callback`], other]);
  assert.deepEqual(moved.bridge.section, {
    client_id: id,
    client_secret: { file: `${id}.secret` },
    redirect_uris: [callback],
    claims: ['email', 'email_verified'],
  });
});

test('what cannot work over the bridge is refused, and nothing is registered', async () => {
  const { client_id: app } = await json(create('--public', '--redirect-uri', 'https://app.example/cb', '--json'));
  const list = () => json(latchkey('list', '--json'));
  const before = await list();
  for (const [args, problem] of [
    [['create', '--name', 'Vault', ...redirecting, '--for', 'bridge'], '--for bridge needs --bridge with its base URL'],
    [['create', '--name', 'Vault', ...redirecting, '--bridge', bridge], '--bridge needs --for bridge'],
    [
      ['create', '--name', 'Vault', ...redirecting, ...overBridge, '--public'],
      'the bridge is only for applications with a secret',
    ],
    [
      ['create', '--name', 'Vault', ...redirecting, ...overBridge, '--output', join(folder, 'app')],
      "--output can't be combined with --for bridge",
    ],
    [
      ['create', '--name', 'Vault', ...redirecting, '--for', 'bridge', '--bridge', `${bridge}/`],
      '--bridge must be just an origin',
    ],
    [
      ['create', '--name', 'Vault', ...redirecting, '--for', 'bridge', '--bridge', 'https://login.example'],
      "--bridge is Latchkey's base URL",
    ],
    [
      ['create', '--name', 'Vault', '--redirect-uri', 'http://vault.example/cb', ...overBridge],
      '--redirect-uri "http://vault.example/cb" uses plain http',
    ],
    [['update', app, '--bridge', bridge], 'the bridge is only for applications with a secret'],
  ] as const) {
    const { status, stdout, stderr } = await latchkey(...args);
    assert.deepEqual([status, stdout], [2, ''], stderr);
    assert.ok(stderr.startsWith(`latchkey: ${problem}`), stderr);
  }
  assert.deepEqual(await list(), before);
});
