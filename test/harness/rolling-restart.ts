// Two instances on one database behind HAProxy, as deploy/haproxy.cfg sets it up, restarted one after the other while
// requests keep coming. Counts what gets lost.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { writeCertificate } from './certificate.ts';
import { outputMatching, root, startCommand } from './command.ts';
import { sharedPostgres } from './postgres.ts';
import { obtainTokens, refreshParameters } from './relying-party.ts';
import { populate } from './served.ts';
import { freePort, type TestClient, type TestService, type TestUser } from './service.ts';
import { until } from './until.ts';

export const haproxy = '/usr/sbin/haproxy';

export interface HaproxyPlace {
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Where the two instances listen, on 127.0.0.1. */
  readonly servicePorts: readonly [number, number];
}

/** Writes the documented configuration with a certificate, ports and a log of the test's own, and returns its path. */
export function configureHaproxy({ folder, httpPort, httpsPort, servicePorts }: HaproxyPlace): string {
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  writeCertificate(files);
  const bundle = join(folder, 'bundle.pem');
  writeFileSync(bundle, readFileSync(files.certificate, 'utf8') + readFileSync(files.key, 'utf8'));
  let text = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');
  for (const [from, to] of [
    ['log /dev/log local0', 'log stdout format raw local0'],
    // Only root may become another user, who could not read the files here.
    ['    user haproxy\n    group haproxy\n', ''],
    // Needs no more files than a process may open anywhere.
    ['maxconn 4000', 'maxconn 250'],
    ['bind :80', `bind 127.0.0.1:${httpPort}`],
    ['bind :443', `bind 127.0.0.1:${httpsPort}`],
    ['/etc/haproxy/certs/login.example.com.pem', bundle],
    ['https://login.example.com code', 'https://localhost code'],
    ['10.0.0.1:8455', `127.0.0.1:${servicePorts[0]}`],
    ['10.0.0.2:8455', `127.0.0.1:${servicePorts[1]}`],
  ] as const) {
    if (!text.includes(from)) throw new Error(`deploy/haproxy.cfg no longer says ${from}`);
    text = text.replace(from, to);
  }
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  return file;
}

export interface RollingRestart {
  readonly requests: number;
  /** What went wrong with each request that didn't get its response. */
  readonly lost: readonly string[];
  readonly seconds: number;
}

/** Sends at least so many requests, and goes on until both instances have been replaced. */
export async function rollingRestart(requests: number): Promise<RollingRestart> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-rolling-'));
  const children: ChildProcess[] = [];
  try {
    const servicePorts = [await freePort(), await freePort()] as const;
    const httpsPort = await freePort();
    const url = `https://localhost:${httpsPort}`;
    const environment = {
      DATABASE_URL: await (await sharedPostgres()).newDatabase(),
      LATCHKEY_BASE_URL: url,
      LATCHKEY_DATA_DIR: folder,
      LATCHKEY_KEYS_FILE: join(folder, 'keys'),
      LATCHKEY_TRUST_PROXY: '127.0.0.1',
      // Enough for the checks of the documented configuration.
      LATCHKEY_DRAIN_SECONDS: '2',
    };
    const startInstance = async (port: number) => {
      const child = startCommand(['serve'], { ...environment, LATCHKEY_PORT: String(port) });
      children.push(child);
      await outputMatching(child, /Latchkey is running at/);
      return child;
    };
    const { client, users } = await populate(environment);
    const instances = await Promise.all(servicePorts.map(startInstance));
    const file = configureHaproxy({ folder, httpPort: await freePort(), httpsPort, servicePorts });
    const proxy = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(proxy);
    const states = watchStates(proxy);
    const certificate = readFileSync(join(folder, 'certificate.pem'), 'utf8');
    setDefaultCACertificates([certificate]);
    await until(
      async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200,
      'the proxy answers',
    );
    const { tokens } = await obtainTokens({ url } as TestService, client, users[0] as TestUser);

    const started = performance.now();
    let restarted = false;
    const load = sendAll(url, certificate, client, tokens, (sent) => sent < requests || !restarted);
    for (const [index, port] of servicePorts.entries()) {
      const name = index === 0 ? 'one' : 'two';
      const old = instances[index] as ChildProcess;
      const ended = new Promise((resolve) => old.once('exit', resolve));
      old.kill('SIGTERM');
      await ended;
      await startInstance(port);
      // The next is only restarted when this one gets requests again.
      await until(() => states.get(name) === 'UP', `HAProxy uses instance ${name} again`);
    }
    restarted = true;
    return { ...(await load), seconds: (performance.now() - started) / 1000 };
  } finally {
    await Promise.all(children.map(end));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What HAProxy says about its servers, by their names. */
function watchStates(proxy: ChildProcess): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  let output = '';
  const take = (chunk: unknown) => {
    output += chunk;
    for (const [, name = '', state = ''] of output.matchAll(/Server latchkey\/(\w+) is (UP|DOWN)/g)) {
      states.set(name, state);
    }
  };
  proxy.stdout?.on('data', take);
  proxy.stderr?.on('data', take);
  return states;
}

const connections = 12;

/** Sends requests of all kinds over kept connections, each as soon as the one before it is answered. */
async function sendAll(
  url: string,
  certificate: string,
  client: TestClient,
  tokens: { access_token: string; refresh_token: string },
  goOn: (sent: number) => boolean,
): Promise<Omit<RollingRestart, 'seconds'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: certificate });
  const refresh = new URLSearchParams(refreshParameters(client, tokens.refresh_token)).toString();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const bearer = { Authorization: `Bearer ${tokens.access_token}` };
  const kinds: [string, RequestOptions, string?][] = [
    ['/.well-known/openid-configuration', {}],
    ['/oauth/userinfo', { headers: bearer }],
    ['/oauth/token', { method: 'POST', headers: form }, refresh],
    ['/sign-in', {}],
  ];
  const lost: string[] = [];
  let sent = 0;
  const sender = async () => {
    while (goOn(sent)) {
      const [path, options, body = ''] = kinds[sent++ % kinds.length] as (typeof kinds)[number];
      const outcome = await statusOf(url + path, { ...options, agent }, body);
      if (outcome !== '200') lost.push(`${path}: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  agent.destroy();
  return { requests: sent, lost };
}

function statusOf(url: string, options: RequestOptions, body: string): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(url, options, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error) => resolve(error.message));
    });
    outgoing.on('error', (error) => resolve(error.message)).end(body);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
