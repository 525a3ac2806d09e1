// Token buckets: what they allow, and that their number is bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBuckets } from '../../src/operations/in-memory/token-buckets.ts';

function newBuckets(limit = 100) {
  const clock = { at: Date.UTC(2026, 0, 15), now: () => clock.at };
  return { clock, buckets: new TokenBuckets(clock, { burst: 10, perSecond: 2 }, limit) };
}

test('a refusal says how long to wait', () => {
  const { clock, buckets } = newBuckets();
  for (let taken = 0; taken < 10; taken++) assert.equal(buckets.take('a'), 0);
  assert.equal(buckets.take('a'), 500);
  clock.at += 499;
  assert.equal(buckets.take('a'), 1);
  clock.at += 1;
  assert.equal(buckets.take('a'), 0);
});

test('a bucket that is full again is forgotten', () => {
  const { clock, buckets } = newBuckets();
  for (const name of ['a', 'b', 'c']) buckets.take(name);
  clock.at += 5000;
  buckets.take('d');
  assert.deepEqual([buckets.size, buckets.has('a'), buckets.has('d')], [1, false, true]);
});

test('beyond the limit, the least recently used bucket is dropped', () => {
  const { buckets } = newBuckets(3);
  for (const name of ['a', 'b', 'c', 'a', 'd']) buckets.take(name);
  assert.deepEqual([buckets.size, buckets.has('a'), buckets.has('b')], [3, true, false]);
});

test('setting the clock back refills nothing', () => {
  const { clock, buckets } = newBuckets();
  for (let taken = 0; taken < 10; taken++) buckets.take('a');
  clock.at -= 3_600_000;
  assert.equal(buckets.take('a'), 500);
});
