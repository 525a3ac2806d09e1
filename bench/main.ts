// npm run bench: compares Latchkey with a bare server and its peers in one run. Server and load generator run on separate
// cores. Rounds are interleaved, so that whatever else the machine does affects all servers alike, and each figure is
// the median of its rounds. BENCH_ROUNDS and BENCH_SECONDS make it longer or shorter.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../test/harness/command.ts';
import { chart } from './chart.ts';
import { type Measured, startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { startBetterAuth, startOidcProvider } from './peers.ts';
import type { Server } from './server-process.ts';
import { responseSizes, startBare, startLatchkey } from './servers.ts';
import { printTable, short } from './table.ts';
import type { Work } from './work.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const measureMs = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
/** The whole flow with as many as a busy application keeps open. */
const connections: Record<Work, number> = { userinfo: 32, refresh: 32, flow: 16 };

const works: Record<Work, string> = {
  userinfo: 'userinfo',
  refresh: 'refresh (access and ID token)',
  flow: 'authorize, exchange, userinfo',
};

const servers: Server[] = [];
const generator = startLoadGenerator();
try {
  const embedded = await startLatchkey('SQLite');
  servers.push(await startBare(await responseSizes(await embedded.target())));
  servers.push(await startOidcProvider('memory'), await startOidcProvider('PostgreSQL'), await startBetterAuth());
  servers.push(embedded, await startLatchkey('PostgreSQL'));

  const figures = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++) {
    for (const work of Object.keys(works) as Work[]) {
      for (const server of servers) {
        if (work === 'flow' && server.name === 'node:http') continue;
        const target = await server.target();
        const job = { target, work, connections: connections[work], warmUpMs: round === 0 ? 2000 : 500, measureMs };
        const result = await generator.measure(job, server.processes);
        const key = `${work} ${server.name}`;
        figures.set(key, [...(figures.get(key) ?? []), result]);
        process.stderr.write(`\rround ${round + 1} of ${rounds}: ${key}`.padEnd(70));
      }
    }
  }
  process.stderr.write(`\r${' '.repeat(72)}\r`);
  report(figures);
} finally {
  generator.stop();
  for (const server of servers) await server.stop();
}

function report(figures: ReadonlyMap<string, readonly Measured[]>): void {
  const rows = (Object.keys(works) as Work[]).flatMap((work) => {
    const of = (name: string) => figures.get(`${work} ${name}`) ?? [];
    const speed = (name: string) => median(of(name).map((figure) => figure.perSecond));
    return servers
      .filter((server) => of(server.name).length > 0)
      .map((server) => ({
        work,
        server: server.name,
        perSecond: Math.round(speed(server.name)),
        ofCeiling: work === 'flow' ? null : round2(speed(server.name) / speed('node:http')),
        ofPeer: round2(speed(server.name) / speed('oidc-provider, memory')),
        cpuMicroseconds: round1(median(of(server.name).map((figure) => figure.cpu[0] ?? Number.NaN))),
        databaseMicroseconds:
          of(server.name)[0]?.cpu[1] === undefined
            ? null
            : round1(median(of(server.name).map((figure) => figure.cpu[1] ?? Number.NaN))),
        p50ms: round2(median(of(server.name).map((figure) => figure.p50))),
        p99ms: round2(median(of(server.name).map((figure) => figure.p99))),
        p999ms: round2(median(of(server.name).map((figure) => figure.p999))),
        errors: of(server.name).reduce((sum, figure) => sum + figure.errors, 0),
      }));
  });

  printTable(
    [
      'work',
      'server',
      'requests/s',
      'of the ceiling',
      '× oidc-provider in memory',
      'CPU µs',
      'database µs',
      'p50 ms',
      'p99 ms',
      'p99.9 ms',
      'errors',
    ],
    rows.map((row) => [
      works[row.work],
      row.server,
      short(row.perSecond),
      row.ofCeiling ?? '',
      row.ofPeer,
      short(row.cpuMicroseconds),
      row.databaseMicroseconds === null ? '' : short(row.databaseMicroseconds),
      short(row.p50ms),
      short(row.p99ms),
      short(row.p999ms),
      row.errors,
    ]),
  );

  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  const results = { machine, rounds, seconds: measureMs / 1000, connections, rows };
  writeFileSync(join(root, 'bench/results.json'), `${JSON.stringify(results, null, 2)}\n`);
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  const groups = (Object.keys(works) as Work[]).map((work) => ({
    title: `${works[work]}, per second`,
    bars: rows
      .filter((row) => row.work === work)
      .map((row) => ({ label: row.server, value: row.perSecond, ours: row.server.startsWith('Latchkey') })),
  }));
  writeFileSync(join(root, 'docs/images/performance.svg'), chart(groups));
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
