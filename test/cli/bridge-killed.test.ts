// Two bridges on one file, and Latchkey, killed in turn while people sign in: what was acknowledged stays, and no code works twice.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type BridgeAnswer, BridgeVisitor, exchange, revoke, type TestBridge, userinfo } from '../harness/bridge.ts';
import { outputMatching, runCommand, startCommand } from '../harness/command.ts';
import { newVerifier } from '../harness/relying-party.ts';
import { populate, Served } from '../harness/served.ts';
import { freePort, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const people = 4;
const kills = 6;

/** One of the processes, as an application sees it. */
class BridgeProcess {
  readonly bridge: TestBridge;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  constructor(config: string, port: number, shared: Pick<TestBridge, 'config' | 'application'>) {
    this.bridge = { ...shared, url: `http://127.0.0.1:${port}` } as TestBridge;
    this.#args = ['bridge', 'serve', '--config', config, '--listen', `127.0.0.1:${port}`];
  }

  async start(): Promise<void> {
    const child = startCommand([...this.#args], {});
    this.#child = child;
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    await outputMatching(child, /The bridge is running at/);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

interface Acknowledged {
  readonly code: string;
  readonly verifier: string;
  readonly accessToken: string;
  /** A revocation that nobody acknowledged may have happened or not. */
  revocation: 'none' | 'asked' | 'acknowledged';
}

let folder: string;
let latchkey: Served;
let users: readonly TestUser[];
let processes: readonly [BridgeProcess, BridgeProcess];
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-bridge-killed-'));
  latchkey = await Served.at({ LATCHKEY_DATA_DIR: join(folder, 'latchkey') });
  users = (await populate(latchkey.environment, people)).users;
  const ports = [await freePort(), await freePort()] as const;
  const baseUrl = `http://127.0.0.1:${ports[0]}`;
  const create = ['client', 'create', '--name', 'Vault', '--redirect-uri', `${baseUrl}/callback`, '--json'];
  const { stdout, stderr } = await runCommand(create, latchkey.environment);
  assert.notEqual(stdout, '', stderr);
  const { client_id: clientId = '', client_secret: secret = '' } = JSON.parse(stdout) as Record<string, string>;
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 });
  const file = join(folder, 'bridge.json');
  const redirectUri = 'http://localhost:9999/callback';
  const section = { client_id: clientId, client_secret: { file: 'secret' }, redirect_uris: [redirectUri] };
  const places = { data_dir: 'bridge', key_file: 'key' };
  const applications = [{ ...section, signing: 'ES256' }];
  writeFileSync(file, JSON.stringify({ base_url: baseUrl, issuer: latchkey.url, ...places, applications }));
  const shared = {
    config: { baseUrl },
    application: { clientId, clientSecret: { secrets: [secret] } },
  } as unknown as TestBridge;
  processes = [new BridgeProcess(file, ports[0], shared), new BridgeProcess(file, ports[1], shared)];
  await latchkey.start();
  for (const each of processes) await each.start();
});
after(async () => {
  for (const each of processes ?? []) await each.end('SIGTERM');
  await latchkey?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const grants: Acknowledged[] = [];
/** What no fault excuses. */
const wrong: string[] = [];

/** Whether a request may fail like this while something is away. */
function isExcused(what: string, answer: BridgeAnswer | undefined): boolean {
  const isRight = answer === undefined || answer.status === 503;
  if (!isRight) wrong.push(`${what}: ${answer.status} ${answer.text}`);
  return isRight;
}

/** One person who signs in over and over, by one process and the other. */
async function signInUntil(ended: () => boolean, visitor: BridgeVisitor, user: TestUser): Promise<void> {
  const [{ bridge: first }, { bridge: second }] = processes;
  while (!ended()) {
    const verifier = newVerifier();
    const by = grants.length % 2 === 0 ? first : second;
    visitor.bridge = by;
    // Whatever is away breaks off the trip, and people begin again.
    const back = await visitor.authorize(user, verifier).catch(() => undefined);
    const code = back?.searchParams.get('code') ?? undefined;
    const error = back?.searchParams.get('error') ?? 'temporarily_unavailable';
    if (code === undefined && error !== 'temporarily_unavailable') wrong.push(`authorize: ${error}`);
    if (code === undefined) {
      await pause(50);
      continue;
    }
    const answers = await Promise.all(
      [first, second].map((each) => exchange(each, code, verifier).catch(() => undefined)),
    );
    const [granted, ...more] = answers.filter((answer) => answer?.status === 200);
    if (more.length > 0) wrong.push('a code worked twice at the same moment');
    if (granted === undefined) {
      // The one that has used it up may have died before it could say so.
      for (const answer of answers) if (answer?.body.error !== 'invalid_grant') isExcused('exchange', answer);
      continue;
    }
    const grant: Acknowledged = { code, verifier, accessToken: granted.body.access_token, revocation: 'none' };
    grants.push(grant);
    if (grants.length % 3 !== 0) continue;
    grant.revocation = 'asked';
    const revoked = await revoke(second, granted.body.refresh_token).catch(() => undefined);
    if (revoked?.status === 200) grant.revocation = 'acknowledged';
    else isExcused('revoke', revoked);
  }
}

/** What has been forgotten of the last grants. */
async function forgotten(since: number): Promise<string[]> {
  const lost: string[] = [];
  const [{ bridge: first }, { bridge: second }] = processes;
  for (const each of [first, second]) {
    // After an outage, Latchkey isn't asked again for a second.
    const isBack = async () => (await fetch(`${each.url}/readyz`)).status === 200;
    await until(isBack, 'Latchkey is asked again', 30);
  }
  for (const { accessToken, code, verifier, revocation } of grants.slice(since)) {
    const { status } = await userinfo(second, accessToken);
    const expected = revocation === 'none' ? 200 : 401;
    if (revocation !== 'asked' && status !== expected) lost.push(`userinfo ${status} instead of ${expected}`);
    const replayed = await exchange(first, code, verifier);
    if (replayed.body.error !== 'invalid_grant') lost.push(`a code again: ${replayed.status} ${replayed.text}`);
  }
  return lost;
}

test('killed under load, bridges and Latchkey keep what was acknowledged, and no code works twice', async () => {
  const visitors = users.map((user) => [new BridgeVisitor(processes[0].bridge, latchkey.service), user] as const);
  const victims = [processes[0], latchkey, processes[1]] as const;
  const lost: string[] = [];
  for (const [visitor, user] of visitors) await visitor.authorize(user, newVerifier());
  for (let count = 0; count < kills; count++) {
    const before = grants.length;
    const victim = victims[count % victims.length] ?? latchkey;
    let hasEnded = false;
    const load = Promise.all(visitors.map(([visitor, user]) => signInUntil(() => hasEnded, visitor, user)));
    await Promise.race([load, until(() => grants.length > before + 3, 'the bridge takes the load', 60)]);
    // A random moment of the load.
    await pause(30 + Math.random() * 120);
    await victim.end('SIGKILL');
    await pause(100);
    hasEnded = true;
    await load;
    await victim.start();
    lost.push(...(await forgotten(before)));
  }
  assert.deepEqual([lost, wrong], [[], []]);
  assert.ok(grants.some(({ revocation }) => revocation === 'acknowledged'));
  const database = new DatabaseSync(join(folder, 'bridge/bridge.db'), { readOnly: true });
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  assert.equal(check?.integrity_check, 'ok');
});
