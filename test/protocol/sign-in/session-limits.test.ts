import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR } from '../../../src/protocol/durations.ts';
import { readSettings, sessionLimits } from '../../../src/protocol/resources/settings.ts';
import { sessionIsLive, touchSessionEvery } from '../../../src/protocol/sign-in/session-limits.ts';

const initialLimits = sessionLimits(readSettings(new Map()));

const start = 1_800_000_000_000;

/** The age of the session, and how long before the end of it it was last used. */
const cases = [
  { kept: false, age: 0, idle: 0, live: true },
  { kept: false, age: 24 * HOUR - 1, idle: 24 * HOUR - 1, live: true },
  { kept: false, age: 24 * HOUR, idle: 0, live: false },
  { kept: true, age: 0, idle: 0, live: true },
  { kept: true, age: 14 * DAY - 1, idle: 14 * DAY - 1, live: true },
  { kept: true, age: 14 * DAY, idle: 14 * DAY, live: false },
  { kept: true, age: 29 * DAY, idle: 13 * DAY, live: true },
  { kept: true, age: 30 * DAY - 1, idle: 0, live: true },
  { kept: true, age: 30 * DAY, idle: 0, live: false },
];

describe('a session', () => {
  for (const { kept, age, idle, live } of cases) {
    const name = `${kept ? 'that is kept' : 'that ends with the browser'}, ${age} ms old and idle for ${idle}`;
    test(`${name}, is ${live ? 'valid' : 'expired'}`, () => {
      const session = { createdAt: start, lastSeenAt: start + age - idle, kept };
      assert.equal(sessionIsLive(session, initialLimits, start + age), live);
    });
  }

  test('does not expire while in use, although "last seen" is written rarely', () => {
    assert.ok(touchSessionEvery > 0);
    assert.ok(touchSessionEvery < initialLimits.keptIdle / 100);
  });
});
