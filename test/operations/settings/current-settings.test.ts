// How old the settings may be that a process goes by, and how often it asks the store.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { CurrentSettings } from '../../../src/operations/in-memory/current-settings.ts';
import { StorageUnavailable } from '../../../src/storage/storage.ts';
import { movableClock, type TestClock } from '../../harness/service.ts';

let clock: TestClock;
let stored: string;
let reads: number;
let failure: Error | undefined;
let settings: CurrentSettings;

beforeEach(() => {
  clock = movableClock();
  stored = 'optional';
  reads = 0;
  failure = undefined;
  const listSettings = async () => {
    reads++;
    const value = JSON.stringify(stored);
    await Promise.resolve();
    if (failure !== undefined) throw failure;
    return [{ name: 'second_factor', value }];
  };
  settings = new CurrentSettings({ listSettings }, clock);
});

const policy = async () => (await settings.read()).second_factor;

test('settings are read at most every two seconds, so a change is seen after that', async () => {
  assert.equal(await policy(), 'optional');
  stored = 'everyone';
  clock.advance(1.9);
  assert.equal(await policy(), 'optional');
  assert.equal(reads, 1);
  clock.advance(0.1);
  assert.deepEqual(await Promise.all([policy(), policy(), policy()]), ['everyone', 'everyone', 'everyone']);
  assert.equal(reads, 2, 'those that wait share one read');
});

test("setting the clock back doesn't keep old settings", async () => {
  await policy();
  stored = 'everyone';
  clock.advance(-3600);
  assert.equal(await policy(), 'everyone');
});

test("while the store can't be read, the last settings apply, and it's retried every two seconds", async () => {
  stored = 'everyone';
  await policy();
  stored = 'optional';
  failure = new StorageUnavailable('away');
  clock.advance(3);
  assert.equal(await policy(), 'everyone');
  assert.equal(await policy(), 'everyone');
  assert.equal(reads, 2);
  failure = undefined;
  clock.advance(2);
  assert.equal(await policy(), 'optional');
});

test('settings that were never read are not guessed', async () => {
  failure = new StorageUnavailable('away');
  await assert.rejects(policy(), StorageUnavailable);
  failure = undefined;
  assert.equal(await policy(), 'optional');
});

test('a change is visible to the one who made it, even during a concurrent read', async () => {
  await policy();
  clock.advance(3);
  const before = policy();
  stored = 'everyone';
  assert.equal((await settings.readFresh()).second_factor, 'everyone');
  assert.equal(await before, 'optional');
  assert.equal(await policy(), 'everyone');
});
