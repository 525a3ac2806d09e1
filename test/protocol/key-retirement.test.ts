import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forever, type KeyEnds, type KeyRecord, keyEnds, never } from '../../src/protocol/key-retirement.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const used = (id: string, firstUsedAt: number): KeyRecord => ({ id, firstUsedAt, retiredAt: null });
const retired = (id: string, firstUsedAt: number): KeyRecord => ({ id, firstUsedAt, retiredAt: firstUsedAt + 1 });
/** Replaced at that time, which is no reason to forget whom the application has signed in. */
const since = (time: number): KeyEnds => ({
  accessTokens: time + 15 * MINUTE,
  forms: time + 4 * HOUR,
  hints: Number.POSITIVE_INFINITY,
});

const cases: { name: string; ids: string[]; records: KeyRecord[]; ends: KeyEnds[] }[] = [
  { name: 'a single key verifies forever', ids: ['a'], records: [used('a', 100)], ends: [forever] },
  { name: 'so does one that the store does not know yet', ids: ['a'], records: [], ends: [forever] },
  {
    name: 'the first use of the newest key ends the old one, 15 minutes and 4 hours later',
    ids: ['b', 'a'],
    records: [used('a', 100), used('b', 500)],
    ends: [forever, since(500)],
  },
  {
    name: 'an old key without a record is ended by the one before it',
    ids: ['c', 'b', 'a'],
    records: [used('c', 900), used('b', 500)],
    ends: [forever, since(900), since(500)],
  },
  {
    name: 'a key in between that was never used ends nothing',
    ids: ['c', 'b', 'a'],
    records: [used('c', 900), used('a', 100)],
    ends: [forever, since(900), since(900)],
  },
  {
    name: 'an old key that moves to the front ends the others by its own first use',
    ids: ['a', 'b'],
    records: [used('a', 100), used('b', 500)],
    ends: [forever, since(100)],
  },
  {
    name: 'old keys verify nothing while the newest is not recorded',
    ids: ['b', 'a'],
    records: [used('a', 100)],
    ends: [forever, never],
  },
  {
    name: 'a key that was retired verifies nothing, and still ends older ones',
    ids: ['c', 'b', 'a'],
    records: [used('c', 900), retired('b', 500), used('a', 100)],
    ends: [forever, never, since(500)],
  },
  { name: 'a newest key that was retired verifies nothing', ids: ['a'], records: [retired('a', 100)], ends: [never] },
  {
    name: 'keys of others do not matter',
    ids: ['b', 'a'],
    records: [retired('x', 1), used('b', 500), used('y', 2)],
    ends: [forever, since(500)],
  },
];

for (const { name, ids, records, ends } of cases) test(name, () => assert.deepEqual(keyEnds(ids, records), ends));
