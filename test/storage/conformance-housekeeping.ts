// Counters of failed sign-ins, the record of events, and the sweep of what is over.

import assert from 'node:assert/strict';
import type { EventRecord } from '../../src/protocol/event.ts';
import { lifetimes } from '../../src/protocol/oauth/grant.ts';
import { type Storage, StorageConflict } from '../../src/storage/storage.ts';
import {
  activeGrant,
  aDigest,
  aGrant,
  anEvent,
  DAY,
  issuedGrant,
  longText,
  nothingIsOver,
  type Rule,
  start,
  storedClient,
  storedSession,
  storedUser,
  storedWorld,
  tokenLives,
} from './records.ts';

export function housekeepingRules(rule: Rule): void {
  rule('a lease has one holder until it expires', async (storage) => {
    assert.equal(await storage.takeLease('work', 'one', 100, 200), true);
    assert.equal(await storage.takeLease('work', 'two', 150, 250), false);
    assert.equal(await storage.takeLease('other work', 'two', 150, 250), true);
    assert.equal(await storage.takeLease('work', 'one', 150, 300), true, 'its holder renews it');
    assert.equal(await storage.takeLease('work', 'two', 299, 400), false);
    assert.equal(await storage.takeLease('work', 'two', 300, 400), true);
    assert.equal(await storage.takeLease('work', 'one', 301, 400), false);
  });

  rule('of many who take a lease at once one gets it', async (storage) => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => storage.takeLease('work', `holder ${index}`, 100, 200)),
    );
    assert.equal(taken.filter(Boolean).length, 1);
  });

  failureRules(rule);
  eventRules(rule);
  sweepRules(rule);

  rule('a store that can be read answers', async (storage) => {
    await storage.ping();
  });

  rule('a store that has been written to is closed once, however often it is asked', async (storage) => {
    await storedUser(storage);
    await Promise.all([storage.close(), storage.close()]);
    await storage.close();
    await assert.rejects(storage.ping());
  });
}

function failureRules(rule: Rule): void {
  rule('nothing is counted before the first failure', async (storage) => {
    assert.deepEqual(await storage.countFailures(['account', 'network'], 0), []);
  });

  rule('a failure is counted on each of its counters and told at once', async (storage) => {
    const expected = [
      { key: 'account', failures: 1, firstBucket: 100 },
      { key: 'network', failures: 1, firstBucket: 100 },
    ];
    assert.deepEqual(byKey(await storage.addFailures(['account', 'network'], 100, 86)), expected);
    assert.deepEqual(byKey(await storage.countFailures(['network', 'account', 'unknown'], 86)), expected);
    assert.deepEqual(await storage.addFailures(['network'], 100, 86), [
      { key: 'network', failures: 2, firstBucket: 100 },
    ]);
    assert.deepEqual(await storage.countFailures(['account'], 86), [{ key: 'account', failures: 1, firstBucket: 100 }]);
  });

  rule('failures at the same time are all counted, and no two see the same count', async (storage) => {
    const calls = Array.from({ length: 50 }, (_, index) => storage.addFailures(['shared', `own ${index}`], 100, 86));
    const seen = (await Promise.all(calls)).map((counts) => counts.find(({ key }) => key === 'shared')?.failures ?? 0);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    assert.deepEqual(await storage.countFailures(['shared'], 86), [{ key: 'shared', failures: 50, firstBucket: 100 }]);
  });

  rule('failures are summed from the bucket that is asked for on, and the first of them is told', async (storage) => {
    for (const bucket of [90, 95, 95, 97]) await storage.addFailures(['account'], bucket, 0);
    const since = (bucket: number) => storage.countFailures(['account'], bucket);
    assert.deepEqual(await since(90), [{ key: 'account', failures: 4, firstBucket: 90 }]);
    assert.deepEqual(await since(91), [{ key: 'account', failures: 3, firstBucket: 95 }]);
    assert.deepEqual(await since(95), [{ key: 'account', failures: 3, firstBucket: 95 }]);
    assert.deepEqual(await since(97), [{ key: 'account', failures: 1, firstBucket: 97 }]);
    assert.deepEqual(await since(98), []);
    assert.deepEqual(await storage.addFailures(['account'], 99, 96), [
      { key: 'account', failures: 2, firstBucket: 97 },
    ]);
  });

  rule('a failure that is taken back does not count', async (storage) => {
    await storage.addFailures(['account', 'network'], 100, 86);
    await storage.addFailures(['account', 'network'], 101, 86);
    await storage.takeBackFailures(['account'], 100);
    assert.deepEqual(byKey(await storage.countFailures(['account', 'network'], 86)), [
      { key: 'account', failures: 1, firstBucket: 101 },
      { key: 'network', failures: 2, firstBucket: 100 },
    ]);
    await storage.takeBackFailures(['account', 'network'], 101);
    assert.deepEqual(await storage.countFailures(['account'], 86), []);
  });

  rule('more than was counted is not taken back', async (storage) => {
    await storage.takeBackFailures(['account'], 100);
    await storage.addFailures(['account'], 100, 86);
    for (let time = 0; time < 3; time++) await storage.takeBackFailures(['account'], 100);
    assert.deepEqual(await storage.addFailures(['account'], 100, 86), [
      { key: 'account', failures: 1, firstBucket: 100 },
    ]);
  });
}

function eventRules(rule: Rule): void {
  rule('an event is read back as it was written', async (storage) => {
    const full = anEvent({
      kind: 'exchange_refused',
      userId: 'user-1',
      clientId: 'client-1',
      address: '2001:db8::1',
      requestId: 'req-é',
      detail: {
        reason: 'Ω "quoted" \\ 👩🏽‍🚀',
        count: 42,
        share: 0.5,
        reasons: ['expired', 'ended'],
        none: [],
        text: longText,
      },
    });
    const bare = anEvent({ kind: 'events_suppressed' });
    await storage.appendEvents([full, bare]);
    assert.deepEqual(await storage.listEvents('', 10), [full, bare]);
  });

  rule('events are listed oldest first, whatever the order in which they were written', async (storage) => {
    const events = inOrder(5);
    await storage.appendEvents(events.slice(3));
    await storage.appendEvents(events.slice(0, 3).reverse());
    assert.deepEqual(await storage.listEvents('', 10), events);
  });

  rule('when there are more events than asked for, the newest are listed', async (storage) => {
    const events = inOrder(5);
    await storage.appendEvents(events);
    assert.deepEqual(await storage.listEvents('', 2), events.slice(3));
    assert.deepEqual(await storage.listEvents('', 5), events);
  });

  rule('events after a given one are listed without it', async (storage) => {
    const events = inOrder(5);
    await storage.appendEvents(events);
    const after = (index: number, limit: number) => storage.listEvents(events[index]?.id ?? '', limit);
    assert.deepEqual(await after(1, 10), events.slice(2));
    assert.deepEqual(await after(1, 2), events.slice(3));
    assert.deepEqual(await after(4, 10), []);
  });

  rule('events that are appended together are all written or none', async (storage) => {
    const [taken, ...fresh] = inOrder(4);
    assert.ok(taken);
    await storage.appendEvents([taken]);
    await assert.rejects(storage.appendEvents([...fresh, taken]), StorageConflict);
    assert.deepEqual(await storage.listEvents('', 10), [taken]);
  });

  rule('a thousand events can be appended together, and none', async (storage) => {
    const events = inOrder(1000);
    await storage.appendEvents([]);
    await storage.appendEvents(events);
    assert.deepEqual(await storage.listEvents('', 2000), events);
  });
}

function sweepRules(rule: Rule): void {
  rule('the sweep leaves everything whose time is not over', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    await storage.revokeAccessToken('token', start + 900_000, anEvent());
    await storage.addFailures(['account'], 100, 86);
    const events = await storage.listEvents('', 100);

    const limits = { failuresBefore: 100, eventsBefore: events[0]?.id ?? '' };
    assert.equal(await storage.sweep(nothingIsOver(limits), 100), 0);
    assert.ok(await storage.findSession(session.digest));
    assert.ok((await storage.findClientAndGrant(client.id, issued.id))?.grant);
    assert.equal(await tokenLives(storage, active, 'another token'), true);
    assert.equal(await tokenLives(storage, active, 'token'), false);
    assert.equal((await storage.countFailures(['account'], 0)).length, 1);
    assert.deepEqual(await storage.listEvents('', 100), events);
    assert.deepEqual(await storage.listUsers(), [user]);
    assert.deepEqual(await storage.listClients(), [client]);
  });

  rule('a grant is swept when its afterlife is over: unexchanged, exchanged or ended', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const unexchanged = await issuedGrant(storage, user, client);
    const exchanged = await activeGrant(storage, user, client, { deleteAfter: start + 40 * DAY });
    const ended = await activeGrant(storage, user, client, { deleteAfter: start + 40 * DAY });
    await storage.endGrant(ended.id, start + 5 * DAY, anEvent());
    const moments = [
      { grant: unexchanged, over: unexchanged.codeExpiresAt + lifetimes.unusedCodeAfterlife },
      { grant: ended, over: start + 5 * DAY + lifetimes.afterlife },
      { grant: exchanged, over: start + 40 * DAY },
    ];
    for (const { grant, over } of moments) {
      const found = async () => (await storage.findClientAndGrant(client.id, grant.id))?.grant !== undefined;
      assert.equal(await storage.sweep(nothingIsOver({ now: over }), 100), 0);
      assert.equal(await found(), true);
      assert.equal(await storage.sweep(nothingIsOver({ now: over + 1 }), 100), 1);
      assert.equal(await found(), false);
    }
    assert.equal((await storage.listConnectedApps(user.id)).length, 1, 'a consent has no end of its own');
  });

  rule('a session, a counter, an event and a revoked token are swept when their time is over', async (storage) => {
    const user = await storedUser(storage);
    const old = await storedSession(storage, user, { lastSeenAt: start - 1 });
    const live = await storedSession(storage, user, { lastSeenAt: start });
    assert.equal(await storage.sweep(nothingIsOver(), 100), 1);
    assert.equal(await storage.findSession(old.digest), undefined);
    assert.ok(await storage.findSession(live.digest));

    await storage.addFailures(['account'], 99, 0);
    await storage.addFailures(['account'], 100, 0);
    assert.equal(await storage.sweep(nothingIsOver({ failuresBefore: 100 }), 100), 1);
    assert.deepEqual(await storage.countFailures(['account'], 0), [{ key: 'account', failures: 1, firstBucket: 100 }]);

    const before = await storage.listEvents('', 100);
    const [first, ...rest] = inOrder(3);
    await storage.appendEvents(first === undefined ? [] : [first, ...rest]);
    const swept = await storage.sweep(nothingIsOver({ eventsBefore: rest[0]?.id ?? '' }), 100);
    assert.equal(swept, before.length + 1);
    assert.deepEqual(await storage.listEvents('', 100), rest);

    await storage.revokeAccessToken('token', start, anEvent());
    assert.equal(await storage.sweep(nothingIsOver({ now: start }), 100), 0);
    assert.equal(await storage.sweep(nothingIsOver({ now: start + 1 }), 100), 1);
  });

  rule('the sweep goes in batches of at most the limit of each kind, until nothing is left', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    await issuedGrant(storage, user, client);
    for (let count = 0; count < 4; count++) await storage.issueCode(aGrant(user, client));
    for (let count = 0; count < 5; count++) {
      await storedSession(storage, user);
      await storage.addFailures(['account'], 100 + count, 0);
      await storage.revokeAccessToken(aDigest(), start, anEvent());
    }
    const kept = anEvent({ at: start + 2 * DAY });
    const events = (await storage.listEvents('', 1000)).length;
    await storage.appendEvents([kept]);

    const limits = {
      now: start + 90 * DAY,
      sessionsSeenBefore: start + DAY,
      failuresBefore: 105,
      eventsBefore: kept.id,
      devicesSeenBefore: 0,
      mailsBefore: 0,
      totalsBefore: 0,
    };
    const counts: number[] = [];
    while (counts.at(-1) !== 0) counts.push(await storage.sweep(limits, 2));
    const kinds = [5, 5, 5, 5, events];
    const expected = Array.from({ length: counts.length }, (_, round) =>
      kinds.reduce((sum, rows) => sum + Math.min(2, Math.max(0, rows - 2 * round)), 0),
    );
    assert.deepEqual(counts, expected);
    assert.deepEqual(await storage.listEvents('', 10), [kept]);
    assert.deepEqual(await storage.countFailures(['account'], 0), []);
  });

  rule('sweeps at the same time delete every row once', async (storage) => {
    const user = await storedUser(storage);
    for (let count = 0; count < 30; count++) await storedSession(storage, user);
    const sweeps = Array.from({ length: 10 }, () => sweepSessions(storage, 10));
    const swept = (await Promise.all(sweeps)).reduce((sum, count) => sum + count, 0);
    assert.equal(swept + (await sweepSessions(storage, 100)), 30);
  });
}

function sweepSessions(storage: Storage, limit: number): Promise<number> {
  return storage.sweep(nothingIsOver({ sessionsSeenBefore: start + 1 }), limit);
}

function inOrder(count: number): EventRecord[] {
  return Array.from({ length: count }, (_, index) => anEvent({ at: start + DAY + index, requestId: `req-${index}` }));
}

function byKey<Count extends { key: string }>(counts: readonly Count[]): Count[] {
  return [...counts].sort((a, b) => (a.key < b.key ? -1 : 1));
}
