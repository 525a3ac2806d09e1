// node bench/two-workers.ts: how much more two processes on one port do than one, with the service and the load
// generator on every core of the machine.

import { startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { startLatchkey } from './servers.ts';

const rounds = 5;

const one = await startLatchkey('SQLite', '', () => {}, { everyCore: true });
const two = await startLatchkey('SQLite', '', () => {}, { everyCore: true, environment: { LATCHKEY_WORKERS: '2' } });
const generator = startLoadGenerator({ everyCore: true });
try {
  const ratios: Record<string, number> = {};
  for (const work of ['userinfo', 'refresh', 'flow'] as const) {
    const job = { work, connections: 32, warmUpMs: 300, measureMs: 3000 };
    const measured: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const single = await generator.measure({ ...job, target: await one.target() });
      const double = await generator.measure({ ...job, target: await two.target() });
      measured.push(double.perSecond / single.perSecond);
    }
    ratios[work] = median(measured);
  }
  process.stdout.write(`${JSON.stringify(ratios, null, 2)}\n`);
} finally {
  generator.stop();
  await one.stop();
  await two.stop();
}
