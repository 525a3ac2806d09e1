// node bench/two-workers.ts: how much more two processes on one port do than one, with the service and the load
// generator on every core of the machine.

import { type Measured, startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { startLatchkey } from './servers.ts';

const rounds = 5;

const one = await startLatchkey('SQLite', { everyCore: true });
const two = await startLatchkey('SQLite', { everyCore: true, environment: { LATCHKEY_WORKERS: '2' } });
const generator = startLoadGenerator({ everyCore: true });
try {
  process.stdout.write('work      workers  per second  CPU µs  p50 ms  p99 ms\n');
  for (const work of ['userinfo', 'refresh', 'flow'] as const) {
    const job = { work, connections: 32, warmUpMs: 300, measureMs: 3000 };
    const measured: Record<'1' | '2', Measured[]> = { 1: [], 2: [] };
    for (let round = 0; round < rounds; round++) {
      measured[1].push(await generator.measure({ ...job, target: await one.target() }, one.processes));
      measured[2].push(await generator.measure({ ...job, target: await two.target() }, two.processes));
    }
    for (const workers of ['1', '2'] as const) {
      const middle = (figure: (each: Measured) => number) =>
        median(measured[workers].map(figure)).toFixed(1).padStart(7);
      const figures = [
        middle((each) => each.perSecond),
        middle((each) => each.cpu[0] ?? 0),
        middle((each) => each.p50),
        middle((each) => each.p99),
      ];
      process.stdout.write(`${work.padEnd(10)}${workers.padStart(7)}  ${figures.join('  ')}\n`);
    }
  }
} finally {
  generator.stop();
  await one.stop();
  await two.stop();
}
