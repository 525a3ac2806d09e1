// node bench/idle-connections.ts: what connections cost that have had one answer and are kept open: memory of the process after a
// garbage collection, and CPU. The bare server is beside it, to tell Latchkey's share from Node's.

import { readFileSync } from 'node:fs';
import { countCpu } from './cpu.ts';
import { Connection, getRequest } from './http-client.ts';
import { startLoadGenerator } from './load.ts';
import { file, type Server } from './server-process.ts';
import { responseSizes, startBare, startLatchkey } from './servers.ts';
import { printTable, short } from './table.ts';

const steps = [0, 2000, 4000];
const watchMs = Number(process.env.BENCH_SECONDS ?? 10) * 1000;

const environment = { NODE_OPTIONS: `--import=${file('collect-on-signal.js')}` };
const servers: Server[] = [];
const generator = startLoadGenerator();
try {
  const embedded = await startLatchkey('SQLite', { environment });
  servers.push(embedded, await startBare(await responseSizes(await embedded.target()), environment));
  const rows: (string | number)[][] = [];
  for (const server of servers) {
    const { ports, paths, accessTokens } = await server.target();
    // So that what grows with the first requests has grown.
    const job = { target: await server.target(), work: 'userinfo', connections: 32, warmUpMs: 0 } as const;
    await generator.measure({ ...job, measureMs: 3000 });
    const request = getRequest(paths.userinfo, { Authorization: `Bearer ${accessTokens[0]}` });
    const connections: Connection[] = [];
    let before: { count: number; residentKb: number } | undefined;
    for (const count of steps) {
      while (connections.length < count) {
        const added = Array.from({ length: 50 }, () => new Connection(ports[0] ?? 0));
        connections.push(...added);
        const answers = await Promise.all(added.map((connection) => connection.request(request)));
        if (answers.some(({ status }) => status !== 200)) throw new Error(`${server.name} refused a connection`);
      }
      const residentKb = await memoryInUse(server.pid ?? 0);
      const added = count - (before?.count ?? 0);
      const each = before === undefined ? '' : short((residentKb - before.residentKb) / added);
      before = { count, residentKb };
      const cpuMs = await cpuPerSecond(server);
      rows.push([server.name, count.toLocaleString('en'), short(residentKb / 1024), each, short(cpuMs)]);
    }
    for (const connection of connections) connection.close();
  }
  printTable(['server', 'idle connections', 'resident MB', 'KB per added connection', 'CPU ms per second'], rows);
} finally {
  generator.stop();
  for (const server of servers) await server.stop();
}

/** The smallest of several, each after a garbage collection: Node gives memory back little by little. */
async function memoryInUse(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let collection = 0; collection < 10; collection++) {
    process.kill(pid, 'SIGUSR2');
    await pause(200);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    least = Math.min(least, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]));
  }
  return least;
}

/** In milliseconds. */
async function cpuPerSecond({ processes }: Server): Promise<number> {
  const used = countCpu(() => processes[0]?.() ?? []);
  await pause(watchMs);
  return used() / watchMs;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
