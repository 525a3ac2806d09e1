// "Last used" is written outside the request, at most once an hour, and not lost while the store is away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastUsedMarks } from '../../../src/operations/journal/last-used.ts';
import { DAY, HOUR } from '../../../src/protocol/durations.ts';
import { type GrantUse, type SecretUse, type Storage, StorageUnavailable } from '../../../src/storage/storage.ts';

const now = Date.UTC(2026, 0, 15, 12);
const grantUse = { grantId: 'g', userId: 'u', clientId: 'c', at: now };
const secretUse = { clientId: 'c', digest: 'd', at: now };

function newMarks(precisionOfGrants?: number) {
  const clock = { at: now, now: () => clock.at };
  const written: string[] = [];
  const failing = new Set<string>();
  const write = (kind: string, ids: readonly string[]) => {
    if (failing.has(kind)) throw new StorageUnavailable('away');
    written.push(...ids.map((id) => `${kind} ${id}`));
  };
  const storage: Partial<Storage> = {
    noteGrantUses: async (uses: readonly GrantUse[]) =>
      write(
        'grant',
        uses.map(({ grantId }) => grantId),
      ),
    noteSecretUses: async (uses: readonly SecretUse[]) =>
      write(
        'secret',
        uses.map(({ digest }) => digest),
      ),
    noteApiKeyUses: async (ids: readonly string[], at: number) => write(`key at ${at - now}`, ids),
    noteSessionsSeen: async (digests: readonly string[], at: number) => write(`session at ${at - now}`, digests),
  };
  const marks = new LastUsedMarks(storage as Storage, clock, precisionOfGrants);
  const flush = () => Promise.allSettled(marks.write());
  return { marks, clock, written, failing, flush };
}

test('repeated uses are written once', async () => {
  const { marks, written, flush } = newMarks();
  for (let time = 0; time < 3; time++) {
    marks.markGrant(grantUse, null);
    marks.markSecret(secretUse, null);
    marks.markApiKey('k', null);
    marks.markSession('s');
  }
  await flush();
  await flush();
  assert.deepEqual(written.sort(), ['grant g', 'key at 0 k', 'secret d', 'session at 0 s']);
});

for (const [age, isWritten] of [
  [HOUR - 1, false],
  [HOUR, true],
] as const) {
  test(`a use ${age} ms after the last one is ${isWritten ? '' : 'not '}written`, async () => {
    const { marks, written, flush } = newMarks();
    marks.markGrant(grantUse, now - age);
    marks.markSecret(secretUse, now - age);
    marks.markApiKey('k', now - age);
    await flush();
    assert.equal(written.length, isWritten ? 3 : 0);
  });
}

test('uses of grants are written as often as an operator wants, all else once an hour', async () => {
  const { marks, written, flush } = newMarks(DAY);
  marks.markGrant(grantUse, now - DAY + 1);
  marks.markGrant({ ...grantUse, grantId: 'older' }, now - DAY);
  marks.markSecret(secretUse, now - HOUR);
  marks.markApiKey('k', now - HOUR);
  marks.markNewGrant({ ...grantUse, userId: 'v', grantId: 'new' });
  await flush();
  marks.markNewGrant({ ...grantUse, userId: 'v', grantId: 'newer', at: now + DAY - 1 });
  await flush();
  assert.deepEqual(written, ['grant older', 'grant new', 'secret d', 'key at 0 k']);
});

test('of new grants for one user and client, one an hour is written', async () => {
  const { marks, written, flush } = newMarks();
  const use = (grantId: string, at: number, userId = 'u') => marks.markNewGrant({ ...grantUse, grantId, userId, at });
  use('first', now);
  await flush();
  use('second', now + HOUR - 1);
  use('of somebody else', now + HOUR - 1, 'v');
  use('third', now + HOUR);
  await flush();
  assert.deepEqual(written, ['grant first', 'grant of somebody else', 'grant third']);
});

test("a kind that can't be written stays marked and doesn't hold up the others", async () => {
  const { marks, written, failing, flush } = newMarks();
  failing.add('grant');
  marks.markGrant(grantUse, null);
  marks.markSecret(secretUse, null);
  const outcomes = await flush();
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1);
  assert.deepEqual(written, ['secret d']);
  failing.clear();
  await flush();
  assert.deepEqual(written, ['secret d', 'grant g']);
});

test('what is marked while its previous use is being written is written next', async () => {
  const { marks, written, flush } = newMarks();
  const markAll = (more: number) => {
    marks.markGrant({ ...grantUse, at: now + more }, null);
    marks.markSecret({ ...secretUse, at: now + more }, null);
  };
  markAll(0);
  const writing = flush();
  markAll(HOUR);
  await writing;
  await flush();
  assert.deepEqual(written.sort(), ['grant g', 'grant g', 'secret d', 'secret d']);
});
