// Hourly totals: everything is counted exactly once, during a flood and while the store is away.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Journal } from '../../../src/operations/journal/journal.ts';
import { HOUR } from '../../../src/protocol/durations.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import { eventKinds } from '../../../src/protocol/events/kinds.ts';
import { type Storage, StorageUnavailable } from '../../../src/storage/storage.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const requester = { address: '192.0.2.7', requestId: 'req-1' };

type Totals = Parameters<Storage['addTotals']>[0];

/** A journal over a fake store that records what is written and fails on demand. */
function newJournal() {
  const clock = { at: noon, now: () => clock.at };
  const kept = { events: [] as EventRecord[], totals: [] as Totals[number][] };
  const failing = { events: false, totals: false };
  let delay: Promise<void> | undefined;
  const storage: Partial<Storage> = {
    async appendEvents(events: typeof kept.events) {
      if (failing.events) throw new StorageUnavailable('away');
      kept.events.push(...events);
    },
    async replaceEvents(events: typeof kept.events) {
      for (const event of events) {
        const known = kept.events.findIndex(({ id }) => id === event.id);
        kept.events.splice(known < 0 ? kept.events.length : known, 1, event);
      }
    },
    async addTotals(totals: Totals) {
      await delay;
      if (failing.totals) throw new StorageUnavailable('away');
      kept.totals.push(...totals);
    },
  };
  const journal = new Journal(storage as Storage, clock, randomBytes);
  const holdWrites = () => {
    let release = () => {};
    delay = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { journal, clock, kept, failing, holdWrites };
}

test('events are counted by their kind and application, once for each', async () => {
  const { journal, kept } = newJournal();
  for (const kind of eventKinds) journal.note({ kind, clientId: 'a' }, requester);
  journal.noteRateLimited({ kind: 'sign_in_failed', clientId: 'b' }, requester);
  journal.noteRateLimited({ kind: 'sign_in_failed' }, requester);
  await journal.flush();
  const lines = kept.totals.map(({ kind, clientId, total }) => `${kind} ${clientId}: ${total}`);
  assert.deepEqual(lines.sort(), ['exchange a: 1', 'failure : 1', 'failure a: 8', 'failure b: 1', 'sign_in a: 1']);
});

test("what's too frequent for events is counted by the hour", async () => {
  const { journal, kept } = newJournal();
  journal.count('refresh', 'a');
  journal.count('refresh', 'a', 4);
  journal.count('userinfo');
  await journal.flush();
  assert.deepEqual(kept.totals, [
    { hour: noon, kind: 'refresh', clientId: 'a', total: 5 },
    { hour: noon, kind: 'userinfo', clientId: '', total: 1 },
  ]);
  assert.deepEqual(kept.events, []);
});

test('suppressed events are still counted', async () => {
  const { journal, kept } = newJournal();
  // From a hundred networks: one alone is held to less.
  for (let count = 0; count < 5000; count++) {
    const address = `192.0.2.${count % 100}`;
    journal.noteRateLimited({ kind: 'sign_in_failed', clientId: 'a' }, { ...requester, address });
  }
  await journal.flush();
  assert.deepEqual(kept.totals, [{ hour: noon, kind: 'failure', clientId: 'a', total: 5000 }]);
  assert.equal(kept.events.filter(({ kind }) => kind === 'sign_in_failed').length, 2000);
  assert.deepEqual(kept.events.at(-1)?.detail, { kind: 'sign_in_failed', count: 3000 });
});

test("one network has a small share, and anonymous events don't use up the share of others", async () => {
  const { journal, kept } = newJournal();
  const noise = { kind: 'authorization_refused' } as const;
  for (let count = 0; count < 5000; count++) journal.noteRateLimited(noise, requester);
  journal.noteRateLimited(noise, { ...requester, address: '198.51.100.7' });
  journal.noteRateLimited({ ...noise, clientId: 'a' }, requester);
  await journal.flush();
  const written = kept.events.filter(({ kind }) => kind === 'authorization_refused');
  assert.deepEqual([written.length, written.at(-2)?.address, written.at(-1)?.clientId], [202, '198.51.100.7', 'a']);
});

test('events dropped from a full queue are counted', async () => {
  const { journal, kept } = newJournal();
  for (let count = 0; count < 25_000; count++) journal.note({ kind: 'signed_in' }, requester);
  await journal.flush();
  assert.deepEqual(kept.totals, [{ hour: noon, kind: 'sign_in', clientId: '', total: 25_000 }]);
});

test('failed writes are repeated later, with newer counts', async () => {
  const { journal, kept, failing } = newJournal();
  failing.totals = true;
  journal.note({ kind: 'signed_in', clientId: 'a' }, requester);
  for (let time = 0; time < 3; time++) await assert.rejects(journal.flush(), StorageUnavailable);
  assert.equal(kept.events.length, 1, 'events are not held up by it');
  journal.note({ kind: 'signed_in', clientId: 'a' }, requester);
  journal.count('refresh', 'b');
  failing.totals = false;
  await journal.flush();
  await journal.flush();
  assert.deepEqual(kept.totals, [
    { hour: noon, kind: 'sign_in', clientId: 'a', total: 2 },
    { hour: noon, kind: 'refresh', clientId: 'b', total: 1 },
  ]);
});

test('totals are written while events cannot be, and once', async () => {
  const { journal, kept, failing } = newJournal();
  failing.events = true;
  journal.note({ kind: 'signed_in' }, requester);
  await assert.rejects(journal.flush(), StorageUnavailable);
  await assert.rejects(journal.flush(), StorageUnavailable);
  assert.deepEqual(kept.totals, [{ hour: noon, kind: 'sign_in', clientId: '', total: 1 }]);
});

for (const outcome of ['succeeds', 'fails'] as const) {
  test(`an event during a write that ${outcome} is counted once`, async () => {
    const { journal, kept, failing, holdWrites } = newJournal();
    const release = holdWrites();
    journal.count('refresh');
    const writing = journal.flush();
    journal.count('refresh', '', 10);
    failing.totals = outcome === 'fails';
    release();
    if (outcome === 'fails') await assert.rejects(writing);
    else await writing;
    failing.totals = false;
    await journal.flush();
    const written = kept.totals.map(({ total }) => total);
    assert.deepEqual(written, outcome === 'fails' ? [11] : [1, 10]);
  });
}

test('an hour begins with its first millisecond', async () => {
  const { journal, clock, kept } = newJournal();
  for (const at of [noon - 1, noon, noon + HOUR - 1, noon + HOUR]) {
    clock.at = at;
    journal.count('refresh');
    await journal.flush();
  }
  assert.deepEqual(
    kept.totals.map(({ hour }) => hour),
    [noon - HOUR, noon, noon, noon + HOUR],
  );
});

test("counts written after the hour has ended go to the next one and aren't lost", async () => {
  const { journal, clock, kept, failing } = newJournal();
  clock.at = noon - 1;
  journal.count('refresh');
  failing.totals = true;
  await assert.rejects(journal.flush(), StorageUnavailable);
  failing.totals = false;
  clock.at = noon;
  await journal.flush();
  assert.deepEqual(kept.totals, [{ hour: noon, kind: 'refresh', clientId: '', total: 1 }]);
});

test('nothing is written when nothing was counted', async () => {
  const { journal, kept, failing } = newJournal();
  failing.totals = true;
  await journal.flush();
  journal.note({ kind: 'signed_out' }, requester);
  await journal.flush();
  assert.equal(kept.events.length, 1);
  assert.deepEqual(kept.totals, []);
});
