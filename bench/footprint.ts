// node bench/footprint.ts [FOLDER]: what the service and its commands cost before anyone uses them, and what stays in memory
// afterwards; with FOLDER, next to another checkout, in turns. measureFootprint() is the same for one checkout.
//   --rounds N     3 by default; each has one service that is used, and several starts, of which the fastest counts

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { languageTags } from '../src/protocol/languages.ts';
import { cleanEnvironment, root } from '../test/harness/command.ts';
import { readForm } from '../test/harness/person.ts';
import { obtainTokens } from '../test/harness/relying-party.ts';
import { freePort, type TestService } from '../test/harness/service.ts';
import { residentOf } from './cpu.ts';
import { Connection, getRequest } from './http-client.ts';
import { median } from './median.ts';
import { cookieHeader } from './server-process.ts';
import { populateIn } from './servers.ts';
import { printTable, short } from './table.ts';
import { stepOf, type Target } from './work.ts';

export interface Footprint {
  /** Resident megabytes (millions of bytes), and each after what is counted before it. */
  readonly idleMb: number;
  readonly flowsMb: number;
  readonly signInsMb: number;
  readonly docsMb: number;
  /** From the start of the process to its first response, and its CPU until then, with a warm compile cache. */
  readonly startMs: number;
  readonly startCpuMs: number;
  readonly helpMs: number;
  readonly clientListMs: number;
}

const flows = 2000;
const signIns = 100;
/** Who go through the flows: so few that signing them in isn't much. */
const people = 4;
const starts = 5;
const ticksPerSecond = 100;

const rows: Readonly<Record<keyof Footprint, string>> = {
  idleMb: 'resident MB, idle',
  flowsMb: `resident MB, after ${flows} flows`,
  signInsMb: `resident MB, and ${signIns} sign-ins`,
  docsMb: 'resident MB, and all docs pages and languages',
  startMs: 'start to first response, ms',
  startCpuMs: 'CPU of the start, ms',
  helpMs: 'latchkey --help, ms',
  clientListMs: 'latchkey client list, ms',
};

/** Takes about half a minute. Times are the shortest of several: everything that makes them longer is the rest of the machine. */
export async function measureFootprint(checkout: string = root): Promise<Footprint> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-footprint-'));
  try {
    const port = await freePort();
    const environment = {
      LATCHKEY_BASE_URL: `http://localhost:${port}`,
      LATCHKEY_DATA_DIR: folder,
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
      LATCHKEY_TRUST_PROXY: '127.0.0.1,::1',
    };
    const { client, users } = await populateIn(checkout, environment, people);
    const start = () => startService(checkout, environment, port);
    // The first one compiles.
    await (await start()).stop();
    const started: Started[] = [];
    for (let number = 0; number < starts; number++) {
      const service = await start();
      started.push(service);
      await service.stop();
    }
    const command = async (...args: string[]) => {
      const times: number[] = [];
      for (let number = 0; number <= starts; number++) times.push(await timeCommand(checkout, args, environment));
      return Math.min(...times.slice(1));
    };
    const helpMs = await command('--help');
    const clientListMs = await command('client', 'list');

    const { stop, residentMb } = await start();
    try {
      const service = { url: environment.LATCHKEY_BASE_URL } as TestService;
      const idleMb = await residentMb();
      const grants = await Promise.all(users.map((user) => obtainTokens(service, client, user)));
      await goThroughFlows({
        ports: [port],
        paths: { authorize: '/oauth-authorize', token: '/oauth/token', userinfo: '/oauth/userinfo' },
        client,
        accessTokens: [],
        refreshTokens: [],
        cookies: grants.map(({ person }) => cookieHeader(person)),
      });
      const flowsMb = await residentMb();
      await signIn(service.url, users);
      const signInsMb = await residentMb();
      await readEverything(port);
      const docsMb = await residentMb();
      return {
        idleMb,
        flowsMb,
        signInsMb,
        docsMb,
        startMs: Math.min(...started.map(({ readyAfterMs }) => readyAfterMs)),
        startCpuMs: median(started.map(({ cpuMs }) => cpuMs)),
        helpMs,
        clientListMs,
      };
    } finally {
      await stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Started {
  readonly readyAfterMs: number;
  readonly cpuMs: number;
  /** After a pause, so that what is about to be freed is freed. */
  residentMb(): Promise<number>;
  stop(): Promise<void>;
}

async function startService(checkout: string, environment: Record<string, string>, port: number): Promise<Started> {
  const begun = performance.now();
  const child = spawn(join(checkout, 'latchkey'), ['serve'], { env: cleanEnvironment(environment), stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pid = child.pid ?? 0;
  while (child.exitCode === null && (await statusAt(port, '/readyz')) !== 200) await pause(5);
  const readyAfterMs = performance.now() - begun;
  if (child.exitCode !== null) throw new Error(`${checkout}/latchkey serve ended with ${child.exitCode}`);
  return {
    readyAfterMs,
    cpuMs: cpuOf(pid),
    async residentMb() {
      await pause(3000);
      return residentOf([pid]);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
    },
  };
}

/** Milliseconds of all threads, also of those that have ended. */
function cpuOf(pid: number): number {
  // The name of the program, in parentheses, may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Undefined while nothing listens there. A connection of its own is cheaper than fetch, which would compete with the start. */
async function statusAt(port: number, path: string): Promise<number | undefined> {
  const connection = new Connection(port);
  try {
    return (await connection.request(getRequest(path))).status;
  } catch {
    return undefined;
  } finally {
    connection.close();
  }
}

async function timeCommand(checkout: string, args: readonly string[], environment: Record<string, string>) {
  const begun = performance.now();
  const child = spawn(join(checkout, 'latchkey'), args, { env: cleanEnvironment(environment), stdio: 'ignore' });
  const status = await new Promise((resolve) => child.once('exit', resolve));
  if (status !== 0) throw new Error(`${checkout}/latchkey ${args.join(' ')} ended with ${status}`);
  return performance.now() - begun;
}

async function goThroughFlows(target: Target): Promise<void> {
  let left = flows;
  const connections = Array.from({ length: 16 }, async (_, number) => {
    const connection = new Connection(target.ports[0] ?? 0);
    const flow = stepOf('flow', target, connection, number);
    while (left-- > 0) if (!(await flow())) throw new Error('a flow failed');
    connection.close();
  });
  await Promise.all(connections);
}

/** Ten at a time, each from an IP address of its own: so many sign-ins from one would be throttled. */
async function signIn(url: string, users: readonly { readonly email: string; readonly password: string }[]) {
  let next = 0;
  const devices = Array.from({ length: 10 }, async () => {
    for (let number = next++; number < signIns; number = next++) {
      const { email = '', password = '' } = users[number % users.length] ?? {};
      const headers = { 'X-Forwarded-For': `192.0.2.${number}` };
      const page = await fetch(`${url}/sign-in`, { headers });
      const cookie = page.headers.getSetCookie().map((line) => line.split(';')[0]);
      const fields = readForm(await page.text(), '/sign-in')?.fields;
      const answer = await fetch(`${url}/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, email, password }),
        redirect: 'manual',
        headers: { ...headers, Cookie: cookie.join('; ') },
      });
      await answer.arrayBuffer();
      if (answer.status >= 400) throw new Error(`a sign-in was answered with ${answer.status}`);
    }
  });
  await Promise.all(devices);
}

/** Every page that the documentation links to, a search in it, and the sign-in page in every language. */
async function readEverything(port: number): Promise<void> {
  const connection = new Connection(port);
  const pages = new Set(['/docs']);
  for (const page of pages) {
    const { body } = await connection.request(getRequest(page));
    for (const [, path = ''] of body.matchAll(/ href="(\/docs[^"#?]*)/g)) if (!/\.\w+$/.test(path)) pages.add(path);
  }
  if (pages.size < 100) throw new Error(`only ${pages.size} documents were found`);
  await connection.request(getRequest('/docs/search?q=refresh+token'));
  for (const language of languageTags) {
    await connection.request(getRequest('/sign-in', { 'Accept-Language': language }));
  }
  connection.close();
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '3' } },
  });
  const checkouts = [root, ...positionals];
  const measured = checkouts.map((): Footprint[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, checkout] of checkouts.entries()) measured[index]?.push(await measureFootprint(checkout));
  }
  const names = Object.keys(rows) as (keyof Footprint)[];
  printTable(
    ['', 'here', ...positionals, ...positionals.map((folder) => `share of ${folder}`)],
    names.map((name) => {
      const figures = measured.map((rounds) => rounds.map((round) => round[name]));
      const [here = [], ...others] = figures;
      const shares = others.map((other) => median(here.map((value, round) => value / (other[round] ?? Number.NaN))));
      return [
        rows[name],
        ...figures.map((values) => short(median(values))),
        ...shares.map((share) => share.toFixed(2)),
      ];
    }),
  );
}
