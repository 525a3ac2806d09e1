import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../../../src/protocol/durations.ts';
import {
  logoutRetryAfter,
  logoutRetryDelays,
  retryAfter,
  retryDelays,
} from '../../../src/protocol/webhooks/schedule.ts';

test('a message is retried up to a tenth earlier or later than scheduled, and then no more', () => {
  for (const [schedule, delays] of [
    [retryAfter, retryDelays],
    [logoutRetryAfter, logoutRetryDelays],
  ] as const) {
    for (const [index, delay] of delays.entries()) {
      assert.deepEqual(
        [0, 0.5, 1].map((chance) => schedule(index + 1, chance)),
        [0.9, 1, 1.1].map((part) => Math.round(delay * part)),
      );
    }
    assert.equal(schedule(delays.length + 1, 0.5), undefined);
  }
});

test('logout tokens are retried for an hour, and webhooks for three days', () => {
  const total = (schedule: typeof retryAfter, chance: number) => {
    let sum = 0;
    for (let attempt = 1; ; attempt++) {
      const delay = schedule(attempt, chance);
      if (delay === undefined) return sum;
      sum += delay;
    }
  };
  assert.ok(total(logoutRetryAfter, 1) < HOUR);
  assert.ok(total(logoutRetryAfter, 0) > 0.75 * HOUR);
  assert.ok(Math.abs(total(retryAfter, 0.5) - 72 * HOUR) < HOUR);
});
