// node bench/two-workers.ts: two processes on one port and one embedded store compared with one, with the service and the load
// generator on every core of the machine. BENCH_ROUNDS and BENCH_SECONDS make it longer or shorter.

import { compareSizes } from './compare-sizes.ts';
import { startLatchkey } from './servers.ts';

await compareSizes(
  'workers',
  await startLatchkey('SQLite', { everyCore: true }),
  await startLatchkey('SQLite', { everyCore: true, environment: { LATCHKEY_WORKERS: '2' } }),
);
