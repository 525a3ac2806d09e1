// What docs/bridge.md says about libraries and software that can't use Latchkey directly, or only with settings: with their
// defaults, people sign in, cancel, refresh and sign out over the bridge.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sharedBrowser } from '../../harness/browser.ts';
import { cleanEnvironment, outputMatching, root, startCommand } from '../../harness/command.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback } from '../../harness/webhooks.ts';

const here = join(root, 'test/clients/compatibility');
const tries = join(here, 'tries/bridge');
const packages = join(here, 'libraries/node_modules');
const apache = '/usr/lib/apache2/modules';

interface Attempt {
  readonly name: string;
  /** For the application's section. */
  readonly settings?: object;
  /** What is run in a folder of its own. */
  readonly command: (folder: string) => readonly [string, ...string[]];
}

const node = (name: string, settings?: object): Attempt => ({
  name,
  ...(settings && { settings }),
  command: () => [process.execPath, `${name}.mjs`],
});
const withoutPkce = { pkce: 'optional' };

const attempts: readonly Attempt[] = [
  node('passport-openidconnect', withoutPkce),
  node('arctic'),
  node('jose-key-set', { ...withoutPkce, signing: 'EdDSA' }),
  {
    name: 'go-oidc',
    settings: withoutPkce,
    command: (folder) => {
      const env = cleanEnvironment({
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: join(tmpdir(), 'go-cache'),
      });
      execFileSync('/usr/bin/go', ['build', '-o', 'program', 'go-oidc.go'], { cwd: folder, env });
      return [join(folder, 'program')];
    },
  },
  {
    name: 'omniauth-openid-connect',
    settings: withoutPkce,
    command: () => ['/usr/bin/ruby', 'omniauth-openid-connect.rb'],
  },
  { name: 'authlib', settings: withoutPkce, command: () => ['/usr/bin/python3', 'authlib.py'] },
  { name: 'mod-auth-openidc', settings: withoutPkce, command: (folder) => apacheIn(folder) },
];

interface Application extends Attempt {
  readonly client: TestClient;
  readonly origin: string;
  readonly port: number;
}

let service: TestService;
let user: TestUser;
let browser: Browser;
let folder: string;
let bridge: { readonly url: string; readonly process: ChildProcess };
let applications: ReadonlyMap<string, Application>;

before(async () => {
  browser = await sharedBrowser();
  service = await startTestService(allowLoopback);
  user = await service.newUser();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-bridge-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const registered = await Promise.all(
    attempts.map(async (attempt) => [attempt.name, await register(attempt, url)] as const),
  );
  applications = new Map(registered);
  const sections = registered.map(([, { client, origin, settings }]) => {
    writeFileSync(join(folder, client.id), client.secret, { mode: 0o600 });
    return {
      client_id: client.id,
      client_secret: { file: client.id },
      redirect_uris: [`${origin}/callback`],
      post_logout_redirect_uris: [`${origin}/signed-out`],
      ...settings,
    };
  });
  const file = join(folder, 'bridge.json');
  const places = { base_url: url, issuer: service.url, listen: `localhost:${port}`, data_dir: 'data', key_file: 'key' };
  writeFileSync(file, JSON.stringify({ ...places, applications: sections }));
  const child = startCommand(['bridge', 'serve', '--config', file], {});
  await outputMatching(child, /The bridge is running at/);
  bridge = { url, process: child };
});
after(async () => {
  bridge?.process.kill();
  await service?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function register(attempt: Attempt, bridgeUrl: string): Promise<Application> {
  const port = await freePort();
  const client = await service.newClient({
    name: attempt.name,
    redirectUris: [`${bridgeUrl}/callback`],
    postLogoutRedirectUris: [`${bridgeUrl}/signed-out`],
    backchannelLogoutUri: `${bridgeUrl}/backchannel-logout`,
  });
  return { ...attempt, client, port, origin: `http://localhost:${port}` };
}

for (const { name } of attempts) {
  test(`${name} signs people in over the bridge, takes a refusal, refreshes and signs out`, async () => {
    const application = applications.get(name);
    assert.ok(application !== undefined);
    // The bridge has the machine's clock.
    service.clock.advance((Date.now() - service.clock.now()) / 1000);
    const program = await start(application);
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const shown = async () => page.innerText('body');
    const assertStranger = async () => {
      const text = await shown();
      for (const personal of ['Grace Hopper', user.email, user.id]) assert.ok(!text.includes(personal), text);
    };
    const { origin } = application;
    try {
      await page.goto(`${origin}/sign-in`);
      await page.fill('input[name=email]', user.email);
      await page.fill('input[name=password]', user.password);
      await page.click('button[type=submit]');
      await page.click('button[value=cancel]');
      await page.waitForURL((url) => url.origin === origin);
      await assertStranger();

      await page.goto(`${origin}/sign-in`);
      await page.click('button[value=approve]');
      await page.waitForURL((url) => url.origin === origin);
      const text = await shown();
      for (const expected of ['Grace Hopper', user.email, user.id]) assert.ok(text.includes(expected), text);

      await page.goto(`${origin}/refresh`);
      assert.ok((await shown()).includes(user.id), await shown());

      await page.goto(`${origin}/sign-out`);
      await page.waitForURL(`${origin}/signed-out`);
      assert.equal((await shown()).trim(), 'signed out');
      await page.goto(`${origin}/refresh`);
      await assertStranger();
      const signedOut = (await service.events('signed_out')).filter(
        ({ clientId }) => clientId === application.client.id,
      );
      assert.equal(signedOut.length, 1, 'signed out of Latchkey');
    } catch (error) {
      throw new Error(`${error}\nat ${page.url()}\n${await shown().catch(() => 'no page')}\n${program.output()}`, {
        cause: error,
      });
    } finally {
      await context.close();
      program.stop();
    }
  });
}

async function start({ name, client, origin, port, command }: Application) {
  const place = mkdtempSync(join(folder, 'program-'));
  // Servers that drop root must still reach their files.
  chmodSync(folder, 0o755);
  chmodSync(place, 0o755);
  cpSync(tries, place, { recursive: true });
  symlinkSync(packages, join(place, 'node_modules'));
  const [program, ...args] = command(place);
  const env = cleanEnvironment({
    ...{ OIDC_ISSUER: bridge.url, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    ...{ OIDC_REDIRECT_URI: `${origin}/callback`, PORT: String(port), APP_ROOT: place, APP_ENV: 'production' },
  });
  const child = spawn(program, args, { cwd: place, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`it has ended with ${child.exitCode}: ${output}`);
    const response = await fetch(`${origin}/signed-out`, { redirect: 'manual' }).catch(() => undefined);
    await response?.body?.cancel();
    return response !== undefined;
  };
  await until(isUp, () => `${name} answers: ${output}`, 40);
  return { output: () => output, stop: () => child.kill() };
}

/** What Debian's configuration puts around a site. */
function apacheIn(place: string): readonly [string, ...string[]] {
  const modules = [
    'mpm_event',
    'authn_core',
    'authz_core',
    'authz_user',
    'dir',
    'mime',
    'auth_openidc',
    'include',
    'rewrite',
  ];
  const claims = ['sub', 'email', 'name'].map((claim) => `<!--#echo var="OIDC_CLAIM_${claim}" -->`);
  writeFileSync(join(place, 'page.html'), claims.join('\n'));
  writeFileSync(join(place, 'out.html'), 'signed out');
  mkdirSync(join(place, 'run'));
  const settings = [
    ...[
      `ServerRoot "${place}"`,
      `DefaultRuntimeDir "${place}"`,
      `PidFile "${place}/apache.pid"`,
      'ServerName localhost',
    ],
    ...['ErrorLog /dev/stderr', 'LogLevel warn'],
    // Apache doesn't run as root.
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    ...modules.map((name) => `LoadModule ${name}_module ${apache}/mod_${name}.so`),
    ...['TypesConfig /dev/null', 'AddType text/html .html', 'Include mod-auth-openidc.conf'],
  ];
  writeFileSync(join(place, 'apache.conf'), settings.join('\n'));
  return ['/usr/sbin/apache2', '-f', join(place, 'apache.conf'), '-DFOREGROUND'];
}
