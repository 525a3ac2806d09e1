// Counts of failed attempts, by counter and by the minute in which they stop counting.

import type { FailureCount } from '../../protocol/sign-in/throttle-rules.ts';
import type { CountedFailure } from '../records.ts';
import type { Database } from './database.ts';
import { computed, type Query, select } from './query.ts';

interface CountRow {
  readonly counter: string;
  readonly failures: number;
  readonly first_bucket: number;
}

const addOne = `INSERT INTO sign_in_failures (counter, bucket, failures) VALUES ($1, $2, 1)
  ON CONFLICT (counter, bucket) DO UPDATE SET failures = sign_in_failures.failures + 1`;
/** Locks the counter until the end of the write: others who count on it or take back wait, and then see this one. */
const lockCounter = `INSERT INTO sign_in_failures (counter, bucket, failures) VALUES ($1, 0, 0)
  ON CONFLICT (counter, bucket) DO UPDATE SET failures = sign_in_failures.failures`;
const addNext = `INSERT INTO sign_in_failures (counter, bucket, failures)
  SELECT CAST($1 AS TEXT), COALESCE(MAX(bucket) + 1, CAST($2 AS BIGINT)), 1 FROM sign_in_failures
    WHERE counter = $1 AND bucket >= $2 AND failures > 0
  ON CONFLICT (counter, bucket) DO UPDATE SET failures = sign_in_failures.failures + 1`;
const takeLastBack = `UPDATE sign_in_failures SET failures = failures - 1 WHERE counter = $1
  AND bucket = (SELECT MAX(bucket) FROM sign_in_failures WHERE counter = $1 AND failures > 0)`;
const takeOneBack = `UPDATE sign_in_failures SET failures = failures - 1
  WHERE counter = $1 AND bucket = $2 AND failures > 0`;

/** Failed attempts, by counter and by the minute in which they stop counting. */
export function sqlThrottling(database: Database) {
  return {
    countFailures: (counters: readonly string[], sinceBucket: number) =>
      database.list(countsOf(counters.length), [sinceBucket, ...counters], toFailureCount),

    /** Counts one more failure on each counter and answers the new counts, other callers' failures included. */
    async addFailures(failures: readonly CountedFailure[], sinceBucket: number) {
      const additions = failures.flatMap(({ counter, bucket }) =>
        bucket === 'next'
          ? [
              { sql: lockCounter, params: [counter] },
              { sql: addNext, params: [counter, sinceBucket] },
            ]
          : [{ sql: addOne, params: [counter, bucket] }],
      );
      const counters = failures.map(({ counter }) => counter);
      const rows = await database.writeThenRead(additions, countsOf(counters.length), [sinceBucket, ...counters]);
      return rows.map(toFailureCount);
    },

    async takeBackFailures(failures: readonly CountedFailure[]) {
      const taken = failures.flatMap(({ counter, bucket }) =>
        bucket === 'next'
          ? [lockCounter, takeLastBack].map((sql) => ({ sql, params: [counter] }))
          : [{ sql: takeOneBack, params: [counter, bucket] }],
      );
      await database.write(taken);
    },
  };
}

/** Reads the counts of this many counters. Callers use a handful, so there are only a few distinct statements. */
function countsOf(counters: number): Query<CountRow> {
  const places = Array.from({ length: counters }, (_, index) => `$${index + 2}`).join(', ');
  return select(
    [computed<CountRow>('counter, CAST(SUM(failures) AS BIGINT) AS failures, MIN(bucket) AS first_bucket')],
    `FROM sign_in_failures WHERE bucket >= $1 AND failures > 0 AND counter IN (${places}) GROUP BY counter`,
  );
}

function toFailureCount(row: CountRow): FailureCount {
  return { key: row.counter, failures: row.failures, firstBucket: row.first_bucket };
}
