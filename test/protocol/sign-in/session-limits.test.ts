import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionIsLive, sessionLimits } from '../../../src/protocol/sign-in/session-limits.ts';

const start = 1_800_000_000_000;
const DAY = 24 * 3_600_000;

const cases = [
  { name: 'a session is live at once', lastSeenAt: start, now: start, expected: true },
  {
    name: 'a session is live in the last millisecond of 3 idle days',
    lastSeenAt: start,
    now: start + 3 * DAY - 1,
    expected: true,
  },
  { name: 'a session ends after 3 idle days', lastSeenAt: start, now: start + 3 * DAY, expected: false },
  {
    name: 'a session that is used stays live beyond 3 days',
    lastSeenAt: start + 20 * DAY,
    now: start + 22 * DAY,
    expected: true,
  },
  {
    name: 'a session in use is live in the last millisecond of 30 days',
    lastSeenAt: start + 30 * DAY - 1,
    now: start + 30 * DAY - 1,
    expected: true,
  },
  {
    name: 'a session ends after 30 days however much it is used',
    lastSeenAt: start + 30 * DAY,
    now: start + 30 * DAY,
    expected: false,
  },
];
for (const c of cases) {
  test(c.name, () => assert.equal(sessionIsLive({ createdAt: start, lastSeenAt: c.lastSeenAt }, c.now), c.expected));
}

test('writing "last seen" at most every so often does not end a session that is in use', () => {
  assert.ok(sessionLimits.touchEvery > 0);
  assert.ok(sessionLimits.touchEvery < sessionLimits.idle / 100);
});
