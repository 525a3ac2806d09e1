// node bench/distant-database.ts: userinfo with 500 requests at a time and PostgreSQL a millisecond away, there and back, compared
// with a proxy that doesn't delay and with none. BENCH_ROUNDS and BENCH_SECONDS make it longer or shorter.

import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { freePort } from '../test/harness/service.ts';
import { type Measured, startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { file, type Server, startProcess, stopProcess } from './server-process.ts';
import { startLatchkey } from './servers.ts';
import { printTable, short } from './table.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const measureMs = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
const concurrent = 500;

interface Distance {
  readonly name: string;
  readonly server: Server;
  readonly roundTripMs: number;
  readonly closed: Measured[];
  readonly open: Measured[];
}

const proxies: ChildProcess[] = [];
const distances: Distance[] = [];
const generator = startLoadGenerator();
try {
  distances.push(await startAtDistance('no proxy', undefined));
  distances.push(await startAtDistance('no delay', 0));
  distances.push(await startAtDistance('0.5 ms each way', 0.5));
  const job = { work: 'userinfo', connections: concurrent, warmUpMs: 1000, measureMs } as const;
  for (let round = 0; round < rounds; round++) {
    for (const { server, closed } of distances) {
      closed.push(await generator.measure({ ...job, target: await server.target() }, server.processes));
    }
  }
  // With every connection busy at all times, what takes long is the queue. At half of that rate it is the database.
  const perSecond = Math.min(...distances.map(({ closed }) => middle(closed, (figures) => figures.perSecond))) / 2;
  for (let round = 0; round < rounds; round++) {
    for (const { server, open } of distances) {
      open.push(await generator.measure({ ...job, perSecond, target: await server.target() }, server.processes));
    }
  }
  printTable(
    [
      'PostgreSQL',
      'round trip ms',
      `requests/s, ${concurrent} at a time`,
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'database µs',
      `p50 ms at ${short(perSecond)}/s`,
      'p99 ms',
      'errors',
    ],
    distances.map(({ name, roundTripMs, closed, open }) => [
      name,
      short(roundTripMs),
      short(middle(closed, ({ perSecond }) => perSecond)),
      short(middle(closed, ({ p50 }) => p50)),
      short(middle(closed, ({ p99 }) => p99)),
      short(middle(closed, ({ cpu }) => cpu[0] ?? 0)),
      short(middle(closed, ({ cpu }) => cpu[1] ?? 0)),
      short(middle(open, ({ p50 }) => p50)),
      short(middle(open, ({ p99 }) => p99)),
      [...closed, ...open].reduce((sum, { errors }) => sum + errors, 0),
    ]),
  );
} finally {
  generator.stop();
  for (const { server } of distances) await server.stop();
  await Promise.all(proxies.map(stopProcess));
}

async function startAtDistance(name: string, delayMs: number | undefined): Promise<Distance> {
  let roundTripMs = Number.NaN;
  const server = await startLatchkey('PostgreSQL', {
    async databaseUrl(url) {
      const used = delayMs === undefined ? url : await startProxy(url, delayMs);
      roundTripMs = await roundTrip(used);
      return used;
    },
  });
  return { name, server, roundTripMs, closed: [], open: [] };
}

/** On any core, where PostgreSQL is as well. */
async function startProxy(url: string, delayMs: number): Promise<string> {
  const proxied = new URL(url);
  const port = String(await freePort());
  const args = [file('delaying-proxy.ts'), port, proxied.port, String(delayMs)];
  proxies.push(await startProcess(args, /ready/, { everyCore: true }));
  proxied.port = port;
  return proxied.href;
}

async function roundTrip(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const times: number[] = [];
  for (let query = 0; query < 300; query++) {
    const started = performance.now();
    await client.query('SELECT 1');
    times.push(performance.now() - started);
  }
  await client.end();
  return median(times);
}

function middle(all: readonly Measured[], figure: (figures: Measured) => number): number {
  return median(all.map(figure));
}
