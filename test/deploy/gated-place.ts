// The set-up of docs/gate.md with the configuration in it: a proxy, the gate as its own process, Latchkey, and what stands
// behind. The two hosts of the guide are localhost and handbook.localhost, which browsers resolve by themselves.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import type { Browser, Page } from 'playwright-core';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { wordsOf } from '../clients/guide-program.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { outputMatching, root, runCommand, startCommand } from '../harness/command.ts';
import { fencesIn } from '../harness/documents.ts';
import { type GuardedApplication, startFastCgi, startGuardedApplication } from '../harness/guarded-application.ts';
import { freePort, requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { ask, type ProxyProgram, type Reply, RunningProxy } from './behind-a-proxy.ts';

/** What a configuration of the guide is changed for in a test. */
export interface GatedPlace {
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly gatePort: number;
  readonly applicationPort: number;
}

export interface GatedProxy extends Pick<ProxyProgram, 'name' | 'skip'> {
  /** Writes its files, and returns its command. */
  prepare(place: GatedPlace): ReturnType<ProxyProgram['prepare']>;
  authority(place: { readonly folder: string }): string;
}

/** The file of this name in the guide. */
export function guideFile(name: string): string {
  const guide = readFileSync(join(root, 'docs/gate.md'), 'utf8');
  const found = fencesIn(guide).filter(({ info }) => info.endsWith(` file=${name}`));
  assert.equal(found.length, 1, `${name} in docs/gate.md`);
  return `${found[0]?.body}\n`;
}

/** The text with other ports, names and paths. Each of them must occur in it. */
export function changed(text: string, changes: readonly (readonly [from: RegExp, to: string])[]): string {
  return changes.reduce((before, [from, to]) => {
    assert.match(before, from);
    return before.replace(from, () => to);
  }, text);
}

export function writeIn(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const networks = { LATCHKEY_WEBHOOK_NETWORKS: '127.0.0.1, ::1' };

/** Seconds of the gate's file, short enough to wait for. */
export const recheckSeconds = 1;
export const graceSeconds = 2;

export interface Gated {
  readonly origin: string;
  /** The second host, with files only. */
  readonly handbook: string;
  readonly service: TestService;
  readonly application: GuardedApplication;
  readonly proxy: RunningProxy;
  /** The client ID of the first host. */
  readonly wiki: string;
  gateLog(): string;
  /** A request through the proxy, exactly as it's written. */
  ask(path: string, options?: RequestOptions, body?: string): Promise<Reply>;
  newAdmin(): Promise<TestUser>;
  newPage(): Promise<Page>;
  /** From the application through Latchkey, and back to where the person wanted to go. */
  signIn(page: Page, user: TestUser, url?: string): Promise<void>;
  /** Someone who is signed in to the application, and the cookie that says so. */
  signedIn(user: TestUser, url?: string): Promise<{ page: Page; cookie: string }>;
  stopGate(): Promise<void>;
  stop(): Promise<void>;
}

export async function startGated(program: GatedProxy): Promise<Gated> {
  const browser = await sharedBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-gated-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return { ...(await started(program, browser, folder, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function started(
  program: GatedProxy,
  browser: Browser,
  folder: string,
  ends: (() => unknown)[],
): Promise<Omit<Gated, 'stop'>> {
  const [httpsPort, gatePort, applicationPort] = [await freePort(), await freePort(), await freePort()];
  const hosts = { wiki: `localhost:${httpsPort}`, handbook: `handbook.localhost:${httpsPort}` };
  // The gate is another process, with the time of day.
  const clock = { now: () => Date.now(), advance: () => {} };
  const service = await startTestService(networks, { clock });
  ends.push(() => service.stop().catch(() => {}));
  const admins = await createGroup(service.running.services, { name: 'Admins' }, requester);
  assert.ok(admins.kind === 'done');
  const wiki = await register(service, folder, hosts.wiki, true);
  const handbook = await register(service, folder, hosts.handbook, false);
  const text = changed(guideFile('gate.json'), [
    [/"issuer": "[^"]*",/, `"issuer": "${service.url}", "listen": "127.0.0.1:${gatePort}",`],
    [/\{/, `{ "recheck_seconds": ${recheckSeconds}, "grace_seconds": ${graceSeconds},`],
    [/\/var\/lib\/latchkey-gate(?=")/, join(folder, 'data')],
    [/\/var\/lib\/latchkey-gate\/key/, join(folder, 'data/key')],
    [/"client_id": "…"/, `"client_id": "${wiki}"`],
    [/"client_id": "…"/, `"client_id": "${handbook}"`],
    [/wiki\.example/g, hosts.wiki],
    [/handbook\.example/g, hosts.handbook],
  ]);
  const file = writeIn(folder, 'gate.json', text);
  const checked = await runCommand(['gate', 'check-config', file], {});
  assert.equal(checked.status, 0, checked.stderr);
  const gate = startCommand(['gate', 'serve', '--config', file], {});
  ends.push(() => ended(gate));
  let log = '';
  for (const stream of [gate.stdout, gate.stderr]) {
    stream?.on('data', (chunk) => {
      log += chunk;
    });
  }
  await outputMatching(gate, /The gate is running at/);
  const application = await startGuardedApplication(applicationPort);
  ends.push(() => application.stop());
  const fastCgi = await startFastCgi(join(folder, 'php.sock'));
  ends.push(() => new Promise((resolve) => fastCgi.close(resolve)));
  writeIn(folder, 'handbook/index.html', '<!doctype html><title>Handbook</title><h1>The handbook</h1>');
  writeIn(folder, 'handbook/chapter.txt', 'Chapter one.');
  writeIn(folder, 'handbook/empty/page.php', '');
  const prepare = (place: Parameters<ProxyProgram['prepare']>[0]) =>
    program.prepare({ ...place, gatePort, applicationPort, folder: linked(folder, place.folder) });
  const proxy = await RunningProxy.start({ ...program, prepare }, gatePort, httpsPort);
  ends.push(() => proxy.stop());
  setDefaultCACertificates([program.authority(proxy.place)]);
  const origin = `https://${hosts.wiki}`;

  const newPage = async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    ends.push(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return page;
  };
  const signIn = async (page: Page, user: TestUser, url = `${origin}/`) => {
    await page.goto(url);
    await page.waitForURL(`${service.url}/**`);
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', user.password);
    await page.click('button[type=submit]');
    // People agree once.
    const consent = page.locator('button[value=approve]');
    await until(
      async () => page.url() === url || (await consent.count()) > 0,
      () => `${url}, and not ${page.url()}`,
    );
    if (page.url() !== url) await consent.click();
    await page.waitForURL(url);
  };
  return {
    origin,
    handbook: `https://${hosts.handbook}`,
    service,
    application,
    proxy,
    wiki,
    newPage,
    signIn,
    gateLog: () => log,
    ask(path, { headers = {}, ...options } = {}, body = '') {
      const to = { host: '127.0.0.1', port: httpsPort, path, servername: 'localhost', agent: false } as const;
      const given = Array.isArray(headers)
        ? [...(headers.includes('Host') ? [] : ['Host', hosts.wiki]), ...headers]
        : { Host: hosts.wiki, ...headers };
      return ask(origin, { ...to, rejectUnauthorized: false, ...options, headers: given as OutgoingHttpHeaders }, body);
    },
    async newAdmin() {
      const user = await service.newUser();
      await changeMembers(service.running.services, admins.group.id, { add: [{ id: user.id }] }, requester);
      return user;
    },
    async signedIn(user, url) {
      const page = await newPage();
      await signIn(page, user, url);
      const found = await page.context().cookies(url ?? origin);
      const session = found.find(({ name }) => name === '__Host-latchkey_gate');
      assert.ok(session?.secure && session.httpOnly && session.sameSite === 'Lax');
      return { page, cookie: `${session.name}=${session.value}` };
    },
    stopGate: () => ended(gate),
  };
}

/** Registers a host with the command of the guide, and puts its secret where the printed block says. */
async function register(service: TestService, folder: string, host: string, backchannel: boolean): Promise<string> {
  const guide = readFileSync(join(root, 'docs/gate.md'), 'utf8');
  const [, command = ''] = /^\.\/latchkey (client create (?:.*\\\n)*.*)$/m.exec(guide) ?? [];
  const words = wordsOf(command).map((word) => word.replace('wiki.example', host));
  const at = words.indexOf('--backchannel-logout-uri');
  assert.ok(at > 0);
  if (!backchannel) words.splice(at, 2);
  const environment = { LATCHKEY_DATA_DIR: service.dataDir, LATCHKEY_BASE_URL: service.url, ...networks };
  const { status, stdout, stderr } = await runCommand([...words, '--json'], environment);
  assert.equal(status, 0, stderr);
  const { client_id, client_secret, guide: printed } = JSON.parse(stdout);
  const block = JSON.parse(printed.files[0].content);
  assert.deepEqual([block.host, block.client_id], [host, client_id]);
  writeFileSync(join(folder, block.client_secret.file), client_secret, { mode: 0o600 });
  return client_id;
}

/** The files that the proxy serves are in another folder than its own. */
function linked(from: string, to: string): string {
  symlinkSync(join(from, 'handbook'), join(to, 'handbook'));
  symlinkSync(join(from, 'php.sock'), join(to, 'php.sock'));
  return to;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}
