import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../src/protocol/durations.ts';
import {
  forever,
  type KeyEnds,
  type KeyRecord,
  keyEnds,
  keyToUse,
  never,
  signingPlace,
  waitingKeys,
} from '../../src/protocol/key-retirement.ts';

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
    name: 'while the newest key is waiting, the one that signs verifies like before',
    ids: ['c', 'b', 'a'],
    records: [used('a', 100), used('b', 500)],
    ends: [forever, forever, since(500)],
  },
  {
    name: 'old keys verify nothing while none is recorded',
    ids: ['b', 'a'],
    records: [],
    ends: [forever, never],
  },
  {
    name: 'a key that was retired while it waited verifies nothing',
    ids: ['b', 'a'],
    records: [used('a', 100), retired('b', 500)],
    ends: [never, forever],
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

/** The others are live instances with their keys; now is 1000. */
const uses: { name: string; ids: string[]; records: KeyRecord[]; signs: string; others?: string[][]; use?: string }[] =
  [
    { name: 'the only key signs, and is put to use', ids: ['a'], records: [], signs: 'a', use: 'a' },
    { name: 'a key in use is not put to use again', ids: ['a'], records: [used('a', 100)], signs: 'a' },
    {
      name: 'unless its first use was noted by a wrong clock',
      ids: ['a'],
      records: [used('a', 2000)],
      signs: 'a',
      use: 'a',
    },
    {
      name: 'a new key is put to use if nobody else runs',
      ids: ['b', 'a'],
      records: [used('a', 100)],
      signs: 'a',
      use: 'b',
    },
    {
      name: 'a new key waits for an instance that lacks it',
      ids: ['b', 'a'],
      records: [used('a', 100)],
      others: [['b', 'a'], ['a']],
      signs: 'a',
    },
    {
      name: 'a new key is put to use when every instance has it, wherever in its list',
      ids: ['b', 'a'],
      records: [used('a', 100)],
      others: [['b', 'a'], ['b'], ['a', 'b']],
      signs: 'a',
      use: 'b',
    },
    {
      name: 'of two new keys, the one that every instance has does not wait for the other',
      ids: ['c', 'b', 'a'],
      records: [used('a', 100)],
      others: [['b', 'a']],
      signs: 'a',
      use: 'b',
    },
    {
      name: 'the only key of an instance signs, but is not in use while another instance lacks it',
      ids: ['b'],
      records: [used('a', 100)],
      others: [['b', 'a'], ['a']],
      signs: 'b',
    },
    { name: 'a compromised key signs nothing', ids: ['b', 'a'], records: [retired('a', 100)], signs: 'b', use: 'b' },
    {
      name: 'a compromised new key is not put to use',
      ids: ['b', 'a'],
      records: [retired('b', 1), used('a', 1)],
      signs: 'a',
    },
    { name: 'a compromised key signs if there is no other', ids: ['a'], records: [retired('a', 100)], signs: 'a' },
    { name: 'keys after the one that signs stay unused', ids: ['b', 'a'], records: [used('b', 100)], signs: 'b' },
  ];

for (const { name, ids, records, signs, others = [], use } of uses) {
  test(name, () => {
    assert.deepEqual([ids[signingPlace(ids, records)], keyToUse(ids, records, others, 1000)], [signs, use]);
  });
}

test('the keys before the one that signs are waiting, unless they are compromised', () => {
  const records = [retired('b', 50), used('a', 100)];
  assert.deepEqual(waitingKeys(['d', 'c', 'b', 'a', 'x'], records), ['d', 'c']);
  assert.deepEqual(waitingKeys(['a'], records), []);
});
