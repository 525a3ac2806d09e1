// When access ends, as people write it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../../src/protocol/durations.ts';
import { endIsPast, endRule, readEnd } from '../../src/protocol/ends.ts';
import { entryFields } from '../../src/protocol/resources/entry.ts';
import { readNew } from '../../src/protocol/resources/resource.ts';

const now = Date.parse('2027-01-15T12:00:00.000Z');

describe('an end', () => {
  for (const [text, end] of [
    ['2027-01-31', '2027-01-31T23:59:59.999Z'],
    ['2027-01-15', '2027-01-15T23:59:59.999Z'],
    [' 2027-01-31 ', '2027-01-31T23:59:59.999Z'],
    ['2028-02-29', '2028-02-29T23:59:59.999Z'],
    ['2027-01-31T17:00Z', '2027-01-31T17:00:00.000Z'],
    ['2027-01-31T17:00:01.5+02:00', '2027-01-31T15:00:01.500Z'],
    ['2027-01-31t17:00z', '2027-01-31T17:00:00.000Z'],
    ['30d', '2027-02-14T12:00:00.000Z'],
    ['1d', '2027-01-16T12:00:00.000Z'],
  ] as const) {
    test(text, () => assert.equal(readEnd(text, now), Date.parse(end)));
  }

  for (const text of ['2027-01-14', '2027-01-15T12:00Z', '2027-01-15T13:59+02:00', '0d', '1970-01-01']) {
    test(`${text} has passed`, () => assert.deepEqual(readEnd(text, now), { problem: endIsPast }));
  }

  // A time without a zone would mean another moment on each machine.
  for (const text of [
    '',
    'never',
    'tomorrow',
    '2027-02-30',
    '2027-13-01',
    '2027-01-31T17:00',
    '2027-01-31T25:00Z',
    '2027-01-31 17:00Z',
    '2027-1-31',
    '+012027-01-31',
    '-1d',
    '1.5d',
    '30 d',
    '999999d',
    '1800000000000',
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.deepEqual(readEnd(text, now), { problem: endRule }));
  }

  test('as a field is a text that becomes a time, or null', () => {
    const read = (expiresAt?: string | null, at?: number) => {
      const reading = readNew(entryFields, { expiresAt }, at);
      return reading.kind === 'whole' ? reading.values.expiresAt : reading.problems;
    };
    assert.deepEqual([read('1d', now), read(null, now), read(undefined, now)], [now + DAY, null, null]);
    assert.deepEqual(read('soon', now), [{ field: 'expires_at', subject: 'the end', says: endRule }]);
    const early = [{ field: 'expires_at', subject: 'the end', says: endIsPast }];
    for (const text of ['1d', '2099-01-31'])
      assert.deepEqual(read(text), early, 'without the time, every end is refused');
  });
});
