import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSettings, readTyped, sessionLimits, settingNames } from '../../src/protocol/settings.ts';

const initial = { second_factor: 'optional', session_hours: 24, kept_session_days: 30, kept_session_idle_days: 14 };
const read = (stored: Record<string, string>) => readSettings(new Map(Object.entries(stored)));

test('what was never set has its initial value', () => {
  assert.deepEqual(read({}), initial);
  assert.deepEqual(read({ session_hours: '8' }), { ...initial, session_hours: 8 });
  assert.deepEqual(read({ second_factor: '"everyone"' }), { ...initial, second_factor: 'everyone' });
});

describe('a stored value that is not understood does not count', () => {
  for (const stored of [
    { second_factor: 'everyone' },
    { second_factor: '"nobody"' },
    { second_factor: '["everyone"]' },
    { session_hours: '"8"' },
    { session_hours: '0' },
    { session_hours: '721' },
    { session_hours: '1.5' },
    { session_hours: '' },
    { of_a_later_version: '1' },
    { constructor: '1' },
  ] as Record<string, string>[]) {
    test(JSON.stringify(stored), () => assert.deepEqual(read(stored), initial));
  }
});

describe('a value as people type it', () => {
  for (const [name, text, value] of [
    ['second_factor', 'administrators', 'administrators'],
    ['second_factor', 'Everyone', undefined],
    ['second_factor', '', undefined],
    ['session_hours', '8', 8],
    ['session_hours', '08', 8],
    ['session_hours', '8h', undefined],
    ['session_hours', '', undefined],
    ['session_hours', '-1', undefined],
    ['session_hours', '1e1', undefined],
    ['session_hours', '99999999999', undefined],
    ['kept_session_days', '365', 365],
    ['kept_session_days', '366', undefined],
  ] as const) {
    test(`${name} ${JSON.stringify(text)}`, () => assert.equal(readTyped(name, text), value));
  }
});

test('session lengths are in milliseconds', () => {
  const HOUR = 3_600_000;
  assert.deepEqual(sessionLimits(read({})), { brief: 24 * HOUR, kept: 720 * HOUR, keptIdle: 336 * HOUR });
});

test('every setting is named as it is stored', () => {
  assert.deepEqual([...settingNames], Object.keys(initial));
});
