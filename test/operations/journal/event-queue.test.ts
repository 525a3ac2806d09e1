// Events wait in order, survive a store that is away, and none of them blocks the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventQueue } from '../../../src/operations/journal/event-queue.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import { type Storage, StorageConflict, StorageUnavailable } from '../../../src/storage/storage.ts';

const requester = { address: '192.0.2.7', requestId: 'req-1' };

function newQueue() {
  const written: EventRecord[] = [];
  const store = { refuses: (_event: EventRecord): Error | undefined => undefined };
  const storage: Partial<Storage> = {
    async appendEvents(events: readonly EventRecord[]) {
      for (const event of events) {
        const error = store.refuses(event);
        if (error !== undefined) throw error;
      }
      written.push(...events);
    },
    async replaceEvents(events: readonly EventRecord[]) {
      for (const event of events) {
        const error = store.refuses(event);
        if (error !== undefined) throw error;
        const known = written.findIndex(({ id }) => id === event.id);
        written.splice(known < 0 ? written.length : known, 1, event);
      }
    },
  };
  const clock = { at: Date.UTC(2026, 0, 15, 12), now: () => clock.at };
  let ids = 0;
  const queue = new EventQueue(storage as Storage, clock, (facts, { address, requestId }) => {
    ids++;
    return { ...facts, id: String(ids), at: clock.at, address, requestId };
  });
  return { queue, written, store, clock };
}

test('events are written in the order in which they were added', async () => {
  const { queue, written } = newQueue();
  for (let count = 0; count < 1200; count++) queue.add({ kind: 'signed_in' }, requester);
  await queue.write();
  assert.deepEqual(
    written.map(({ id }) => Number(id)),
    Array.from({ length: 1200 }, (_, index) => index + 1),
  );
});

test('while the store is unavailable nothing is lost or written twice', async () => {
  const { queue, written, store } = newQueue();
  store.refuses = ({ id }) => (Number(id) > 500 ? new StorageUnavailable('away') : undefined);
  for (let count = 0; count < 600; count++) queue.add({ kind: 'signed_in' }, requester);
  await assert.rejects(queue.write(), StorageUnavailable);
  assert.equal(written.length, 500, 'the first batch');
  store.refuses = () => undefined;
  await queue.write();
  await queue.write();
  assert.equal(new Set(written.map(({ id }) => id)).size, 600);
  assert.equal(written.length, 600);
});

test('an event that the store rejects is counted, and those around it are written', async () => {
  const { queue, written, store } = newQueue();
  store.refuses = ({ id }) => (id === '2' ? new Error('a value that does not fit') : undefined);
  for (let count = 0; count < 3; count++) queue.add({ kind: 'signed_out' }, requester);
  await queue.write();
  assert.deepEqual(
    written.map(({ kind }) => kind),
    ['signed_out', 'signed_out', 'events_suppressed'],
  );
  assert.deepEqual(written.at(-1)?.detail, { kind: 'signed_out', count: 1 });
  assert.equal(written.at(-1)?.kind, 'events_suppressed');
});

test('an event that an earlier attempt has written is neither repeated nor counted', async () => {
  const { queue, written, store } = newQueue();
  store.refuses = ({ id }) => (id === '1' ? new StorageConflict('events.id') : undefined);
  queue.add({ kind: 'signed_in' }, requester);
  queue.add({ kind: 'signed_out' }, requester);
  await queue.write();
  await queue.write();
  assert.deepEqual(
    written.map(({ kind }) => kind),
    ['signed_out'],
  );
});

test('dropped and suppressed events are counted by kind', async () => {
  const { queue, written } = newQueue();
  for (let count = 0; count < 20_002; count++) queue.add({ kind: 'signed_in' }, requester);
  queue.suppress('sign_in_failed');
  await queue.write();
  assert.equal(written.filter(({ kind }) => kind === 'signed_in').length, 20_000);
  const counts = written.filter(({ kind }) => kind === 'events_suppressed');
  assert.deepEqual(
    counts.map(({ detail }) => detail),
    [
      { kind: 'signed_in', count: 2 },
      { kind: 'sign_in_failed', count: 1 },
    ],
  );
  assert.deepEqual([counts[0]?.address, counts[0]?.requestId], ['', ''], 'they come from no request');
});

test('a flood of one kind is one row an hour, whose count is updated once a minute', async () => {
  const { queue, written, clock } = newQueue();
  let writes = 0;
  const counts = () => written.map(({ detail }) => detail?.count);
  let seen = counts();
  // Two hours, written every half second as a service does.
  for (let second = 0; second < 2 * 60 * 60; second += 0.5) {
    queue.suppress('sign_in_failed');
    await queue.write();
    const now = counts();
    if (now.join() !== seen.join()) writes++;
    seen = now;
    clock.at += 500;
  }
  await queue.write(true);
  assert.deepEqual(counts(), [7200, 7200]);
  assert.ok(writes >= 119 && writes <= 123, `${writes} writes`);
  assert.deepEqual(new Set(written.map(({ detail }) => detail?.kind)), new Set(['sign_in_failed']));
});

test('counts survive hours without the store', async () => {
  const { queue, written, store, clock } = newQueue();
  store.refuses = () => new StorageUnavailable('away');
  for (let hour = 0; hour < 3; hour++) {
    for (let count = 0; count < 5; count++) queue.suppress('sign_in_failed');
    await assert.rejects(queue.write(), StorageUnavailable);
    clock.at += 60 * 60 * 1000;
  }
  store.refuses = () => undefined;
  await queue.write();
  await queue.write(true);
  assert.deepEqual(
    written.map(({ detail }) => detail?.count),
    [5, 5, 5],
  );
});

test('counts are written while the process exits', async () => {
  const { queue, written } = newQueue();
  queue.suppress('sign_in_failed');
  await queue.write();
  queue.suppress('sign_in_failed');
  await queue.write();
  assert.equal(written[0]?.detail?.count, 1, 'not within the minute');
  await queue.write(true);
  assert.equal(written[0]?.detail?.count, 2);
});
