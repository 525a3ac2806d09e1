// What the gate costs: checks that don't have to ask Latchkey, next to a bare server that gets the same requests.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../test/harness/command.ts';
import { forwarded, GateVisitor, gateOn } from '../test/harness/gate.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort, type TestUser } from '../test/harness/service.ts';
import { bareServer, type ControlledPair, measureRequests } from './cpu-per-request.ts';
import { getRequest } from './http-client.ts';
import type { ServerCost } from './results.ts';
import { type Server, startProcess, stopProcess, treeOf } from './server-process.ts';
import { startBare } from './servers.ts';
import { type Pair, twice, type Versions } from './versions.ts';
import type { Target } from './work.ts';

const host = 'wiki.example';
const people = 20;
const sessions = 100;
/** The bare server is started as ./latchkey starts the gate. */
const asTheGate = {
  NODE_OPTIONS: '--max-semi-space-size=2',
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

export interface GateCosts {
  /** Times the CPU of the bare server. */
  readonly cpu: ControlledPair;
  /** Resident megabytes beyond those of the bare server. */
  readonly memory: Pair;
  readonly servers: readonly ServerCost[];
}

/** Versions from before there was a gate are left out. */
export async function measureGate(versions: Versions, rounds: number): Promise<GateCosts> {
  const running: Server[] = [];
  try {
    for (const { name, checkout } of twice(versions)) {
      if (!existsSync(join(checkout, 'src/gate'))) continue;
      running.push(await startGate(checkout, name === 'now' ? 'Latchkey gate' : 'Latchkey gate before'));
    }
    const [gate] = running;
    if (gate === undefined) throw new Error('no version has a gate');
    const target = await gate.target();
    for (let copy = 0; copy < 2; copy++) {
      const bare = await startBare({ get: 0, post: 0 }, asTheGate);
      const ports = (await bare.target()).ports;
      const asked = { ...target, ports };
      running.unshift({ ...bare, works: ['check'], target: async () => asked });
    }
    const costs = await measureRequests(running, rounds);
    const ofBare = (name: string) => [name, bareServer] as const;
    return {
      cpu: costs.pair('check', ofBare('Latchkey gate'), ofBare('Latchkey gate before')),
      memory: {
        now: costs.memoryAbove('check', 'Latchkey gate', bareServer),
        before: costs.memoryAbove('check', 'Latchkey gate before', bareServer),
      },
      servers: costs.summary(running),
    };
  } finally {
    for (const server of running) await server.stop();
  }
}

/** A gate with people who have signed in through Latchkey. */
export async function startGate(
  checkout: string,
  name: string,
  environment: Record<string, string> = {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-gate-'));
  const latchkey = await Served.at({ LATCHKEY_DATA_DIR: join(folder, 'data') });
  const { users } = await populate(latchkey.environment, people);
  const file = await writeConfig(folder, latchkey);
  await latchkey.start();
  const port = await freePort();
  const args = ['gate', 'serve', '--config', file, '--listen', `127.0.0.1:${port}`];
  const program = join(checkout, 'latchkey');
  const start = (settings = {}) => startProcess(args, /The gate is running at/, { program, environment: settings });
  // The first one compiles.
  await stopProcess(await start());
  const child = await start(environment);
  const cookies = await signIn(port, latchkey, users);
  const target: Target = {
    ports: [port],
    paths: { authorize: '', token: '', userinfo: '' },
    client: { id: '', secret: '', redirectUri: '' },
    accessTokens: [],
    refreshTokens: [],
    cookies,
    checks: cookies.map((cookie) => getRequest('/gate/check', proxiedHeaders(cookie))),
  };
  return {
    name,
    works: ['check'],
    target: async () => target,
    processes: [treeOf(child)],
    pid: child.pid,
    async stop() {
      await stopProcess(child);
      await latchkey.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function writeConfig(folder: string, { url, environment }: Served): Promise<string> {
  const args = ['client', 'create', '--name', 'Wiki', '--redirect-uri', `https://${host}/gate/callback`, '--json'];
  const { stdout, stderr } = await runCommand(args, environment);
  if (stdout === '') throw new Error(stderr);
  const { client_id, client_secret = '' } = JSON.parse(stdout) as Record<string, string>;
  writeFileSync(join(folder, 'secret'), client_secret, { mode: 0o600 });
  const file = join(folder, 'gate.json');
  const config = {
    issuer: url,
    data_dir: 'gate',
    key_file: 'key',
    // Longer than it's measured.
    recheck_seconds: 300,
    applications: [
      {
        host,
        client_id,
        client_secret: { file: 'secret' },
        open: ['/healthz', '/assets/*'],
        programs: ['/api/*'],
        require: [{ paths: ['/admin/*'], claim: 'role', values: ['admin'] }],
      },
    ],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** The cookies of each session. Whoever is signed in to Latchkey needs no password for the next one. */
async function signIn(port: number, { service }: Served, users: readonly TestUser[]): Promise<string[]> {
  const cookies: string[] = [];
  for (const user of users) {
    const visitor = new GateVisitor(gateOn(port, host), service);
    for (let number = 0; number < sessions / people; number++) {
      // Another browser, as far as the gate can see.
      visitor.cookies.clear();
      await visitor.signIn(user);
      if (visitor.cookie !== undefined) cookies.push(visitor.cookie);
    }
  }
  return cookies;
}

/** What a proxy passes on from a browser, with what it adds. */
function proxiedHeaders(cookie: string): Record<string, string> {
  return {
    ...forwarded(host, '/pages/2026/quarterly-report?version=12'),
    'X-Forwarded-For': '192.0.2.17',
    Cookie: `theme=dark; wiki_session=6f1c0c1e8d2b4c54a3f3a0f5d2d9c7b1; ${cookie}`,
    'User-Agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'Accept-Language': 'en-US,en;q=0.9,de;q=0.8',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    Referer: `https://${host}/pages/2026`,
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-User': '?1',
    'Upgrade-Insecure-Requests': '1',
  };
}
