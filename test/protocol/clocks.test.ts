import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeClocks } from '../../src/protocol/clocks.ts';

/** By how many seconds each instance is ahead of the store, and what is expected of it. */
const cases: { name: string; offsets: (number | null)[]; off?: number[]; unready?: number[]; store?: number }[] = [
  { name: 'no instance', offsets: [] },
  { name: 'all are right', offsets: [0, -0.2, 0.3] },
  { name: 'five seconds are tolerated', offsets: [5, 0, -5] },
  { name: 'more than five seconds are a mismatch', offsets: [5.001, 0, 0], off: [5.001] },
  { name: 'behind is as wrong as ahead', offsets: [0, -5.001, 0], off: [-5.001] },
  { name: 'sixty seconds from the median are still ready', offsets: [60, 0, 0], off: [60] },
  { name: 'more are not', offsets: [60.001, 0, 0], off: [60.001], unready: [60.001] },
  { name: 'one of three is five minutes ahead', offsets: [0, 300, 0], off: [300], unready: [300] },
  { name: 'one of three is five minutes behind', offsets: [0, 0, -300], off: [-300], unready: [-300] },
  { name: 'one alone is off, and ready', offsets: [300], off: [300] },
  { name: 'of two, the one further from the store is not ready', offsets: [0, 300], off: [300], unready: [300] },
  { name: 'of two on the same side as well', offsets: [-200, -100], off: [-200, -100], unready: [-200] },
  { name: 'of two on opposite sides as well', offsets: [-50, 100], off: [-50, 100], unready: [100] },
  { name: 'of two that are equally far, one stays ready', offsets: [300, -300], off: [300, -300], unready: [300] },
  { name: 'two that differ by a minute are both ready', offsets: [0, 60], off: [60] },
  { name: 'two are right and two wrong', offsets: [300, 0, 300, 0], off: [300, 300], unready: [300, 300] },
  { name: 'all are off by the same amount', offsets: [300, 300, 300], store: -300 },
  { name: 'so are two', offsets: [-3600, -3598], store: 3598 },
  { name: 'the same amount is within five seconds', offsets: [300, 304, 330], store: -304, off: [330] },
  { name: 'further apart, they agree on nothing', offsets: [300, 306, 312], off: [300, 306, 312] },
  { name: 'most are, and one agrees with the store', offsets: [300, 300, 0], store: -300, off: [0] },
  { name: 'each is off by another amount', offsets: [100, 200, 400], off: [100, 200, 400], unready: [100, 400] },
  { name: 'half of them are no majority', offsets: [300, 300, 0, 100], off: [300, 300, 100], unready: [300, 300, 0] },
  { name: 'one that has not measured counts for nothing', offsets: [null, 300, null, 0], off: [300], unready: [300] },
  { name: 'nor does it name the store', offsets: [null, 300], off: [300] },
];

for (const { name, offsets, off = [], unready = [], store = 0 } of cases) {
  test(`clocks: ${name}`, () => {
    const judged = judgeClocks(offsets.map((offset) => offset && offset * 1000));
    const where = (is: (clock: (typeof judged.instances)[number]) => boolean) =>
      offsets.filter((_, place) => is(judged.instances[place] ?? assert.fail()));
    assert.deepEqual({ off: where(({ isOff }) => isOff), unready: where(({ ready }) => !ready) }, { off, unready });
    assert.equal(judged.storeAhead / 1000, store);
    assert.ok(offsets.length === 0 || judged.instances.some(({ ready }) => ready), 'one is ready');
  });
}

test('what an instance is ahead of is the store or, if that is wrong, most others', () => {
  const ahead = (...offsets: (number | null)[]) => judgeClocks(offsets).instances.map((clock) => clock.ahead);
  assert.deepEqual(ahead(300_000, 20, null), [300_000, 20, null]);
  assert.deepEqual(ahead(300_000, 300_000, 0, null), [0, 0, -300_000, null]);
});
