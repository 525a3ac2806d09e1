// Which instances run, by the store's own clock.

import assert from 'node:assert/strict';
import type { InstanceFacts } from '../../../src/protocol/instances.ts';
import type { Rule } from '../records.ts';

const facts: InstanceFacts = {
  id: 'host-1',
  version: '1.0.0',
  baseUrl: 'https://id.example',
  keyIds: ['key2', 'key1'],
  eventsDays: 365,
  breachesDigest: null,
  clockOffset: null,
};

export function instanceRules(rule: Rule): void {
  rule('the store tells the time', async (storage) => {
    const before = Date.now();
    const now = await storage.now();
    // On another core, the time may be read a moment earlier.
    assert.ok(before - 100 <= now && now <= Date.now() + 100, `${now - before}`);
  });

  rule('an instance is listed until it is forgotten, with what it last said', async (storage) => {
    await storage.noteInstance(facts, 0);
    await storage.noteInstance({ ...facts, id: 'host-2', breachesDigest: 'abc' }, 5000);
    const [second, first] = await storage.listInstances();
    assert.deepEqual([first?.id, second?.id], ['host-1', 'host-2'], 'the longest-running one comes first');
    const { startedAt = 0, lastSeenAt = 0, silence = -1, ...said } = first ?? {};
    assert.deepEqual(said, facts);
    assert.equal(startedAt, lastSeenAt);
    assert.ok(Math.abs(lastSeenAt - Date.now()) < 60_000, 'milliseconds since 1970');
    assert.ok(silence >= 0 && silence < 60_000);
    assert.equal((second?.lastSeenAt ?? 0) - (second?.startedAt ?? 0), 5000);

    await storage.noteInstance(
      { ...facts, keyIds: ['key3', 'key2'], breachesDigest: 'def', clockOffset: -300_000 },
      10_000,
    );
    const again = (await storage.listInstances()).find(({ id }) => id === facts.id);
    assert.deepEqual([again?.keyIds, again?.breachesDigest, again?.startedAt], [['key3', 'key2'], 'def', startedAt]);
    assert.equal(again?.clockOffset, -300_000);
    assert.ok((again?.lastSeenAt ?? 0) >= lastSeenAt);

    await storage.forgetInstance('host-1');
    assert.deepEqual(
      (await storage.listInstances()).map(({ id }) => id),
      ['host-2'],
    );
  });
}
