// node bench/two-instances.ts: two instances on one PostgreSQL compared with one, with the services, the database and the load
// generator on every core of the machine. BENCH_ROUNDS and BENCH_SECONDS make it longer or shorter.

import { compareSizes } from './compare-sizes.ts';
import { startLatchkey } from './servers.ts';

await compareSizes(
  'instances',
  await startLatchkey('PostgreSQL', { everyCore: true }),
  await startLatchkey('PostgreSQL', { everyCore: true, instances: 2 }),
);
