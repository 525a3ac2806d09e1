// Compares one process of the service with two, round by round, and prints what each did.

import { type Measured, startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import type { Server } from './server-process.ts';
import { printTable, short } from './table.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const measureMs = Number(process.env.BENCH_SECONDS ?? 3) * 1000;

export async function compareSizes(unit: string, one: Server, two: Server): Promise<void> {
  const generator = startLoadGenerator({ everyCore: true });
  try {
    const rows: (string | number)[][] = [];
    for (const work of ['userinfo', 'refresh', 'flow'] as const) {
      const job = { work, connections: 32, warmUpMs: 500, measureMs };
      const sizes = [one, two].map((server) => ({ server, measured: [] as Measured[] }));
      for (let round = 0; round < rounds; round++) {
        for (const { server, measured } of sizes) {
          measured.push(await generator.measure({ ...job, target: await server.target() }, server.processes));
        }
      }
      const speeds = sizes.map(({ measured }) => median(measured.map(({ perSecond }) => perSecond)));
      for (const [index, { measured }] of sizes.entries()) {
        const middle = (figure: (each: Measured) => number) => median(measured.map(figure));
        rows.push([
          work,
          index + 1,
          short(speeds[index] ?? 0),
          short((speeds[index] ?? 0) / (speeds[0] ?? 1)),
          short(middle(({ cpu }) => cpu[0] ?? 0)),
          measured[0]?.cpu[1] === undefined ? '' : short(middle(({ cpu }) => cpu[1] ?? 0)),
          short(middle(({ p50 }) => p50)),
          short(middle(({ p99 }) => p99)),
          measured.reduce((sum, { errors }) => sum + errors, 0),
        ]);
      }
    }
    printTable(['work', unit, 'requests/s', '× one', 'CPU µs', 'database µs', 'p50 ms', 'p99 ms', 'errors'], rows);
  } finally {
    generator.stop();
    await one.stop();
    await two.stop();
  }
}
