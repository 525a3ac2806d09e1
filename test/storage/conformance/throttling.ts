// Counts of failed attempts.

import assert from 'node:assert/strict';
import { failuresAt as at, type Rule } from '../records.ts';

export function throttlingRules(rule: Rule): void {
  rule('counters start at zero', async (storage) => {
    assert.deepEqual(await storage.countFailures(['account', 'network'], 0), []);
  });

  rule('a failure is counted on each of its counters, and the counts are returned', async (storage) => {
    const expected = [
      { key: 'account', failures: 1, firstBucket: 100 },
      { key: 'network', failures: 1, firstBucket: 100 },
    ];
    assert.deepEqual(byKey(await storage.addFailures(at(100, ['account', 'network']), 86)), expected);
    assert.deepEqual(byKey(await storage.countFailures(['network', 'account', 'unknown'], 86)), expected);
    assert.deepEqual(await storage.addFailures(at(100, ['network']), 86), [
      { key: 'network', failures: 2, firstBucket: 100 },
    ]);
    assert.deepEqual(await storage.countFailures(['account'], 86), [{ key: 'account', failures: 1, firstBucket: 100 }]);
  });

  rule('concurrent failures are all counted, and no two get the same count', async (storage) => {
    const calls = Array.from({ length: 50 }, (_, index) =>
      storage.addFailures(at(100, ['shared', `own ${index}`]), 86),
    );
    const seen = (await Promise.all(calls)).map((counts) => counts.find(({ key }) => key === 'shared')?.failures ?? 0);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    assert.deepEqual(await storage.countFailures(['shared'], 86), [{ key: 'shared', failures: 50, firstBucket: 100 }]);
  });

  rule('failures are summed from the given bucket on, and the first bucket is returned', async (storage) => {
    for (const bucket of [90, 95, 95, 97]) await storage.addFailures(at(bucket, ['account']), 0);
    const since = (bucket: number) => storage.countFailures(['account'], bucket);
    assert.deepEqual(await since(90), [{ key: 'account', failures: 4, firstBucket: 90 }]);
    assert.deepEqual(await since(91), [{ key: 'account', failures: 3, firstBucket: 95 }]);
    assert.deepEqual(await since(95), [{ key: 'account', failures: 3, firstBucket: 95 }]);
    assert.deepEqual(await since(97), [{ key: 'account', failures: 1, firstBucket: 97 }]);
    assert.deepEqual(await since(98), []);
    assert.deepEqual(await storage.addFailures(at(99, ['account']), 96), [
      { key: 'account', failures: 2, firstBucket: 97 },
    ]);
  });

  rule("a failure that's taken back doesn't count", async (storage) => {
    await storage.addFailures(at(100, ['account', 'network']), 86);
    await storage.addFailures(at(101, ['account', 'network']), 86);
    await storage.takeBackFailures(at(100, ['account']));
    assert.deepEqual(byKey(await storage.countFailures(['account', 'network'], 86)), [
      { key: 'account', failures: 1, firstBucket: 101 },
      { key: 'network', failures: 2, firstBucket: 100 },
    ]);
    await storage.takeBackFailures(at(101, ['account', 'network']));
    assert.deepEqual(await storage.countFailures(['account'], 86), []);
  });

  rule('failures in turn stop counting one a minute, also those that were counted concurrently', async (storage) => {
    const next = [{ counter: 'changes', bucket: 'next' }] as const;
    const calls = Array.from({ length: 20 }, () => storage.addFailures(next, 100));
    const seen = (await Promise.all(calls)).map(([count]) => count?.failures ?? 0);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    for (const [since, failures] of [
      [100, 20],
      [101, 19],
      [110, 10],
      [119, 1],
    ] as const) {
      const expected = [{ key: 'changes', failures, firstBucket: since }];
      assert.deepEqual(await storage.countFailures(['changes'], since), expected);
    }
    assert.deepEqual(await storage.countFailures(['changes'], 120), []);
    assert.deepEqual(await storage.addFailures(next, 110), [{ key: 'changes', failures: 11, firstBucket: 110 }]);
    await storage.takeBackFailures(next);
    assert.deepEqual(await storage.countFailures(['changes'], 110), [
      { key: 'changes', failures: 10, firstBucket: 110 },
    ]);
    assert.deepEqual(await storage.addFailures(next, 300), [{ key: 'changes', failures: 1, firstBucket: 300 }]);
  });

  rule('taking back more than was counted leaves zero', async (storage) => {
    await storage.takeBackFailures(at(100, ['account']));
    await storage.addFailures(at(100, ['account']), 86);
    for (let time = 0; time < 3; time++) await storage.takeBackFailures(at(100, ['account']));
    assert.deepEqual(await storage.addFailures(at(100, ['account']), 86), [
      { key: 'account', failures: 1, firstBucket: 100 },
    ]);
  });
}

function byKey<Count extends { key: string }>(counts: readonly Count[]): Count[] {
  return [...counts].sort((a, b) => (a.key < b.key ? -1 : 1));
}
