// Signs in over the bridge, with a browser, in a service, a bridge and a program as people run them.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** What a program is given. */
export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly bridge: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Paths {
  readonly signIn: string;
  readonly callback: string;
  /** Undefined for a program that never refreshes. */
  readonly refresh?: string;
  readonly signOut: string;
  readonly signedOut: string;
}

const usualPaths: Paths = {
  signIn: '/sign-in',
  callback: '/callback',
  refresh: '/refresh',
  signOut: '/sign-out',
  signedOut: '/signed-out',
};

export interface Attempt {
  readonly name: string;
  /** Below test/clients/compatibility. */
  readonly packages: 'libraries' | 'meshcentral';
  /** For the application's section. */
  readonly settings?: object;
  readonly paths?: Paths;
  /** What its page says about who is signed in. */
  readonly shows?: (user: TestUser) => readonly string[];
  /** Whether Latchkey asks before it signs people out: the program gives its tokens back first, or sends no ID token. */
  readonly asksToSignOut?: true;
  /** Seconds that it may take to start. */
  readonly patience?: number;
  /** What is run, in a folder of its own. */
  readonly command: (place: Place) => readonly [string, ...string[]];
}

interface Application extends Attempt {
  readonly client: TestClient;
  readonly origin: string;
  readonly port: number;
  readonly paths: Paths;
}

export function signInOverBridge(attempts: readonly Attempt[]): void {
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
    // Servers that drop root must still reach their files.
    chmodSync(folder, 0o755);
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const registered = await Promise.all(attempts.map((attempt) => register(attempt, url)));
    applications = new Map(registered.map((each) => [each.name, each]));
    const sections = registered.map(({ client, origin, settings, paths }) => {
      writeFileSync(join(folder, client.id), client.secret, { mode: 0o600 });
      return {
        client_id: client.id,
        client_secret: { file: client.id },
        redirect_uris: [origin + paths.callback],
        post_logout_redirect_uris: [origin + paths.signedOut],
        ...settings,
      };
    });
    const file = join(folder, 'bridge.json');
    const places = {
      base_url: url,
      issuer: service.url,
      listen: `localhost:${port}`,
      data_dir: 'data',
      key_file: 'key',
    };
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
    return { paths: usualPaths, ...attempt, client, port, origin: `http://localhost:${port}` };
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
      const { origin, paths, shows = () => ['Grace Hopper', user.email, user.id] } = application;
      try {
        await page.goto(origin + paths.signIn);
        await page.fill('input[name=email]', user.email);
        await page.fill('input[name=password]', user.password);
        await page.click('button[type=submit]');
        await page.click('button[value=cancel]');
        await page.waitForURL((url) => url.origin === origin);
        await assertStranger();

        await page.goto(origin + paths.signIn);
        await page.click('button[value=approve]');
        await page.waitForURL((url) => url.origin === origin);
        for (const expected of shows(user)) await page.waitForSelector(`text=${expected}`);
        if (paths.refresh !== undefined) {
          await page.goto(origin + paths.refresh);
          assert.ok((await shown()).includes(user.id), await shown());
        }

        await page.goto(origin + paths.signOut);
        if (application.asksToSignOut) await page.click('button:has-text("Sign out")');
        await page.waitForURL(origin + paths.signedOut);
        await page.goto(origin + (paths.refresh ?? '/'));
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

  async function start(application: Application) {
    const { name, client, origin, port, paths, packages, patience = 60, command } = application;
    const place = mkdtempSync(join(folder, 'program-'));
    chmodSync(place, 0o755);
    cpSync(join(here, 'tries/bridge'), place, { recursive: true });
    symlinkSync(join(here, packages, 'node_modules'), join(place, 'node_modules'));
    const given = { folder: place, port, bridge: bridge.url, clientId: client.id, clientSecret: client.secret };
    const [program, ...args] = command(given);
    const env = cleanEnvironment({
      ...{ OIDC_ISSUER: bridge.url, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
      ...{ OIDC_REDIRECT_URI: origin + paths.callback, PORT: String(port), APP_ROOT: place, APP_ENV: 'production' },
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
      const response = await fetch(origin + paths.signedOut, { redirect: 'manual' }).catch(() => undefined);
      await response?.body?.cancel();
      return response !== undefined;
    };
    await until(isUp, () => `${name} answers: ${output}`, patience);
    const log = join(place, 'error.log');
    return { output: () => output + (existsSync(log) ? readFileSync(log, 'utf8') : ''), stop: () => child.kill() };
  }
}
