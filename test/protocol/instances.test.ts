import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareInstances,
  isLive,
  keysWaiting,
  type SeenInstance,
  type SharedFact,
} from '../../src/protocol/instances.ts';
import type { KeyRecord } from '../../src/protocol/key-retirement.ts';

const usual: SeenInstance = {
  id: 'a',
  version: '1.0.0',
  baseUrl: 'https://id.example',
  keyIds: ['k1'],
  eventsDays: 90,
  breachesDigest: null,
  clockOffset: 0,
  startedAt: 0,
  lastSeenAt: 0,
  silence: 0,
};
const records: KeyRecord[] = [
  { id: 'k1', firstUsedAt: 1, retiredAt: null },
  { id: 'k2', firstUsedAt: 2, retiredAt: null },
];
const instances = (...changes: Partial<SeenInstance>[]) =>
  changes.map((change, at) => ({ ...usual, id: `i${at}`, ...change }));

const cases: { name: string; found: SeenInstance[]; mismatch: (SharedFact | 'clock')[][] }[] = [
  { name: 'one instance agrees with itself', found: instances({}), mismatch: [[]] },
  { name: 'equal instances agree', found: instances({}, {}), mismatch: [[], []] },
  { name: 'versions may differ', found: instances({ version: '1.1.0' }, {}), mismatch: [[], []] },
  {
    name: 'of two that differ, nobody knows which one is right',
    found: instances({ baseUrl: 'https://other.example' }, { eventsDays: 30 }),
    mismatch: [
      ['base_url', 'events_days'],
      ['base_url', 'events_days'],
    ],
  },
  {
    name: 'of three, one differs from the others',
    found: instances({}, { breachesDigest: 'ab' }, {}),
    mismatch: [[], ['breached_passwords'], []],
  },
  { name: 'other keys', found: instances({}, { keyIds: ['k3'] }, {}), mismatch: [[], ['keys'], []] },
  {
    name: 'an older key',
    found: instances({ keyIds: ['k2', 'k1'] }, { keyIds: ['k2'] }, {}),
    mismatch: [[], [], ['keys']],
  },
  {
    name: 'the same keys in another order',
    found: instances({ keyIds: ['k2', 'k1'] }, { keyIds: ['k1', 'k2'] }),
    mismatch: [['keys'], ['keys']],
  },
  { name: 'a new key that is waiting', found: instances({ keyIds: ['k3', 'k1'] }, {}), mismatch: [[], []] },
  {
    name: 'old keys that one instance has left',
    found: instances({ keyIds: ['k2', 'k1'] }, { keyIds: ['k2'] }),
    mismatch: [[], []],
  },
  {
    name: 'a clock that is off, beside another setting',
    found: instances({}, { clockOffset: -5001, eventsDays: 30 }, { clockOffset: null }),
    mismatch: [[], ['events_days', 'clock'], []],
  },
  {
    name: 'with the clock of the store off, only that of an instance with another time',
    found: instances({ clockOffset: 300_000 }, { clockOffset: 300_000 }, {}),
    mismatch: [[], [], ['clock']],
  },
];

for (const { name, found, mismatch } of cases) {
  test(`mismatches: ${name}`, () => {
    assert.deepEqual(
      compareInstances(found, records).instances.map((instance) => instance.mismatch),
      mismatch,
    );
  });
}

test('a waiting key names the instances that lack it', () => {
  const found = instances({ keyIds: ['k4', 'k3', 'k1'] }, { keyIds: ['k3', 'k1'] }, {});
  assert.deepEqual(keysWaiting(found, records), [
    { keyId: 'k4', lacking: ['i1', 'i2'] },
    { keyId: 'k3', lacking: ['i2'] },
  ]);
  assert.deepEqual(keysWaiting(instances({ keyIds: ['k3', 'k1'] }), records), [], 'nobody lacks it');
});

for (const [silence, live] of [
  [0, true],
  [29_999, true],
  [30_000, false],
  [-500, true],
  [-3_600_000, false],
] as const) {
  test(`an instance that was last seen ${silence} ms ago is ${live ? 'live' : 'gone'}`, () => {
    assert.equal(isLive({ silence }), live);
  });
}
