// When refused sign-ins are answered, with a stopwatch that only the test moves.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { RefusalDelay } from '../../../src/operations/in-memory/refusal-delay.ts';
import { StorageUnavailable } from '../../../src/storage/storage.ts';

const minute = 60_000;
/** 1400 milliseconds and half as much again, in steps of 250. */
const delay = 2250;

let exist: boolean | Error;
let asked: number;
let measured: number;
let time: number;
let clock: number;
let waited: number[];
let refusals: RefusalDelay;

beforeEach(() => {
  [exist, asked, measured, time, clock, waited] = [true, 0, 0, 0, 1_000_000, []];
  refusals = new RefusalDelay({
    storage: {
      async hasForeignHashes() {
        asked++;
        if (exist instanceof Error) throw exist;
        return exist;
      },
    },
    clock: { now: () => clock },
    stopwatch: {
      now: () => time,
      async wait(milliseconds) {
        waited.push(milliseconds);
        time += milliseconds;
      },
    },
    async costliestCheck() {
      measured++;
      return 1400;
    },
  });
});

/** After how many milliseconds a sign-in is refused whose check took so long. */
async function refusedAfter(check: number): Promise<number> {
  const started = time;
  const mayBeRefused = refusals.begin();
  time += check;
  await mayBeRefused();
  return time - started;
}

test('every refusal has the same delay, which is longer than the most expensive check', async () => {
  for (const check of [0, 1, 60, 1400, 2249, 2250]) assert.equal(await refusedAfter(check), delay);
});

test('a check that takes longer is delayed to the next multiple, and so are all others for a minute', async () => {
  assert.equal(await refusedAfter(2251), 2 * delay);
  assert.equal(await refusedAfter(60), 2 * delay);
  assert.equal(await refusedAfter(5000), 3 * delay);
  assert.equal(await refusedAfter(60), 3 * delay);
  time += minute;
  assert.equal(await refusedAfter(60), delay);
});

test("without imported hashes there's no delay", async () => {
  exist = false;
  assert.equal(await refusedAfter(60), 60);
  assert.deepEqual(waited, []);
});

test('the most expensive check is measured at startup if there are imported hashes', async () => {
  exist = false;
  await refusals.prepare();
  assert.equal(measured, 0);
  exist = true;
  clock += minute;
  await refusals.prepare();
  assert.equal(measured, 1);
});

test('whether there are any is checked every two seconds, whatever the clock says', async () => {
  exist = false;
  await refusedAfter(60);
  exist = true;
  clock += 1999;
  assert.equal(await refusedAfter(60), 60);
  clock += 1;
  assert.equal(await refusedAfter(60), delay);
  exist = false;
  clock -= minute;
  assert.equal(await refusedAfter(60), 60);
  assert.equal(asked, 3);
});

test('while the store is unavailable, the last known state applies', async () => {
  await refusedAfter(60);
  clock += minute;
  exist = new StorageUnavailable('gone');
  assert.equal(await refusedAfter(60), delay);
  exist = new Error('a fault');
  await assert.rejects(refusedAfter(60), /a fault/);
});
