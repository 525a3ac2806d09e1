// node bench/rising-load.ts: how long answers take as the load rises, on both engines. It finds the most that a server answers
// when each connection waits for its answer, and then sends shares of that at random times, however long the answers take.
// BENCH_SECONDS makes it longer or shorter.

import { startLoadGenerator } from './load.ts';
import type { Server } from './server-process.ts';
import { startLatchkey } from './servers.ts';
import { printTable, short } from './table.ts';

const measureMs = Number(process.env.BENCH_SECONDS ?? 10) * 1000;
const shares = [0.1, 0.25, 0.5, 0.75, 0.9];
const connections = { userinfo: 32, refresh: 32, flow: 16 };
/** More than are needed unless a server falls behind. Whatever then waits for one is timed all the same. */
const mostConnections = 1000;

const servers: Server[] = [];
const generator = startLoadGenerator();
try {
  servers.push(await startLatchkey('SQLite'), await startLatchkey('PostgreSQL'));
  const rows: (string | number)[][] = [];
  for (const work of ['userinfo', 'refresh', 'flow'] as const) {
    for (const server of servers) {
      const job = { work, target: await server.target(), warmUpMs: 1000, measureMs };
      const most = await generator.measure({ ...job, connections: connections[work] });
      for (const share of shares) {
        const perSecond = most.perSecond * share;
        const figures = await generator.measure({ ...job, connections: mostConnections, perSecond });
        rows.push([
          work,
          server.name,
          `${share * 100} %`,
          short(perSecond),
          short(figures.perSecond),
          short(figures.p50),
          short(figures.p99),
          short(figures.p999),
          figures.errors,
        ]);
      }
      process.stderr.write(`${work} on ${server.name} done\n`);
    }
  }
  printTable(['work', 'server', 'load', 'asked/s', 'answered/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'errors'], rows);
} finally {
  generator.stop();
  for (const server of servers) await server.stop();
}
