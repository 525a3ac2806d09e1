// How long the costliest hash that is accepted takes on this machine, estimated from cheap ones.

import { type ForeignHash, hashLimits, shaDigests } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { MatchesForeign } from './foreign.ts';

/** A cheap hash, and how many times more expensive the most expensive one of its kind is. */
interface Sample {
  readonly hash: ForeignHash;
  readonly times: number;
}

const bytes = { salt: Buffer.alloc(16, 1), tag: Buffer.alloc(32) };
const runs = 5;
const iterations = 4000;
// Enough memory to not fit into the fastest caches, like the most expensive hash.
const [logN, r] = [12, 8];

const samples: readonly Sample[] = [
  {
    hash: { algorithm: 'bcrypt', text: `$2b$04$${'.'.repeat(53)}`, prehashed: false },
    times: 2 ** (hashLimits.bcryptCost - 4),
  },
  ...shaDigests.map((digest) => ({
    hash: { algorithm: 'pbkdf2', digest, iterations, ...bytes } as const,
    times: hashLimits.pbkdf2Iterations[digest] / iterations,
  })),
  {
    hash: { algorithm: 'scrypt', variant: 'standard', logN, r, p: 1, ...bytes },
    times: hashLimits.scryptWork / (2 ** logN * r),
  },
  ...[2 ** 12, 2 ** 15].map((memory) => ({
    hash: { algorithm: 'argon2id', memory, passes: 1, parallelism: 1, ...bytes } as const,
    times: hashLimits.argon2Work(memory) / memory,
  })),
];

/** In milliseconds, on an idle machine. The first run also warms up. */
export async function measureCostliest(matches: MatchesForeign): Promise<number> {
  let costliest = 0;
  for (const { hash, times } of samples) {
    let fastest = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs; run++) fastest = Math.min(fastest, await measure(matches, hash));
    costliest = Math.max(costliest, fastest * times);
  }
  return costliest;
}

/**
 * Elapsed time includes pauses for other processes, and CPU time includes this process's other threads. Both are too much,
 * so the smaller one is closer.
 */
async function measure(matches: MatchesForeign, hash: ForeignHash): Promise<number> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await matches('password', hash);
  const passed = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const used = (user + system) / 1000;
  // A system that counts in coarse steps may have counted nothing.
  return used > 0 ? Math.min(passed, used) : passed;
}
