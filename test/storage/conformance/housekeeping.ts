// Leases, and the sweep of what is past its time.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import { lifetimes } from '../../../src/protocol/oauth/grant.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  aDigest,
  aGrant,
  aLink,
  anEvent,
  aSession,
  eventsInOrder,
  failuresAt,
  issuedGrant,
  later,
  nothingIsOver,
  type Rule,
  start,
  storedClient,
  storedLink,
  storedSession,
  storedUser,
  storedWorld,
  tokenLives,
} from '../records.ts';
import { everythingOf, storedAccount } from './account.ts';

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

  rule('a lease that ends too far in the future came from a wrong clock and counts as expired', async (storage) => {
    assert.equal(await storage.takeLease('work', 'ahead', 10_000, 10_100), true);
    assert.equal(await storage.takeLease('work', 'two', 9901, 10_001), false, 'clocks differ a little');
    assert.equal(await storage.takeLease('work', 'two', 9899, 9999), true);
  });

  rule('of many concurrent requests for a lease one gets it', async (storage) => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => storage.takeLease('work', `holder ${index}`, 100, 200)),
    );
    assert.equal(taken.filter(Boolean).length, 1);
  });

  sweepRules(rule);
  accountSweepRules(rule);

  rule('a store is empty until it holds a user, a client or an email', async (storage) => {
    assert.equal(await storage.isEmpty(), true);
    await storage.appendEvents([anEvent()]);
    assert.equal(await storage.isEmpty(), true, 'no key protects an event');
    await storage.queueEmail({ id: 'mail', sealed: 'sealed', createdAt: 1 });
    assert.equal(await storage.isEmpty(), false);
    await storage.deleteEmail('mail');
    assert.equal(await storage.isEmpty(), true);
    const user = await storedUser(storage);
    assert.equal(await storage.isEmpty(), false);
    await storage.deleteUser(user.id, anEvent());
    await storedClient(storage);
    assert.equal(await storage.isEmpty(), false);
  });

  rule('a readable and writable store reports so, repeatedly', async (storage) => {
    await storage.ping();
    await storage.checkWritable();
    await Promise.all(Array.from({ length: 10 }, () => storage.checkWritable()));
    await storage.ping();
  });

  rule('a store can be closed several times', async (storage) => {
    await storedUser(storage);
    await Promise.all([storage.close(), storage.close()]);
    await storage.close();
    await assert.rejects(storage.ping());
  });
}

function sweepRules(rule: Rule): void {
  rule("the sweep keeps everything that hasn't expired", async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    await storage.revokeAccessToken('token', start + 900_000, anEvent());
    await storage.addFailures(failuresAt(100, ['account']), 86);
    const events = await storage.findEvents({}, 100, 'oldest');

    const limits = { failuresBefore: 100, eventsBefore: events[0]?.id ?? '' };
    assert.equal(await storage.sweep(nothingIsOver(limits), 100), 0);
    assert.ok(await storage.findSession(session.digest, start));
    assert.ok((await storage.findClientAndGrant(client.id, issued.id, start))?.grant);
    assert.equal(await tokenLives(storage, active, 'another token'), true);
    assert.equal(await tokenLives(storage, active, 'token'), false);
    assert.equal((await storage.countFailures(['account'], 0)).length, 1);
    assert.deepEqual(await storage.findEvents({}, 100, 'oldest'), events);
    assert.deepEqual(await storage.listUsers(), [user]);
    assert.deepEqual(await storage.listClients(), [client]);
  });

  rule('a grant is swept after its retention: unexchanged, exchanged or ended', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const unexchanged = await issuedGrant(storage, user, client);
    const exchanged = await activeGrant(storage, user, client, { deleteAfter: start + 40 * DAY });
    const ended = await activeGrant(storage, user, client, { deleteAfter: start + 40 * DAY });
    await storage.endGrant(ended.id, start + 5 * DAY, anEvent());
    const moments = [
      { grant: unexchanged, over: unexchanged.codeExpiresAt + lifetimes.unusedCodeRetention },
      { grant: ended, over: start + 5 * DAY + lifetimes.retention },
      { grant: exchanged, over: start + 40 * DAY },
    ];
    for (const { grant, over } of moments) {
      const found = async () => (await storage.findClientAndGrant(client.id, grant.id, start))?.grant !== undefined;
      assert.equal(await storage.sweep(nothingIsOver({ now: over }), 100), 0);
      assert.equal(await found(), true);
      assert.equal(await storage.sweep(nothingIsOver({ now: over + 1 }), 100), 1);
      assert.equal(await found(), false);
    }
    assert.equal((await storage.listConnectedApps(user.id)).length, 1, 'a consent has no end of its own');
  });

  rule('kept sessions and others are swept at their own ages', async (storage) => {
    const user = await storedUser(storage);
    const sessions = await Promise.all([true, false].map((kept) => storedSession(storage, user, { kept })));
    const left = async () =>
      Promise.all(sessions.map(async ({ digest }) => Boolean(await storage.findSession(digest, start))));
    await storage.sweep(nothingIsOver({ briefSessionsSeenBefore: start + 1 }), 100);
    assert.deepEqual(await left(), [true, false]);
    await storage.sweep(nothingIsOver({ keptSessionsSeenBefore: start + 1 }), 100);
    assert.deepEqual(await left(), [false, false]);
  });

  rule("sessions that aren't kept don't count as evidence of a wrong clock", async (storage) => {
    const user = await storedUser(storage);
    for (const kept of [true, false]) await storedSession(storage, user, { kept });
    const limits = nothingIsOver({ keptSessionsSeenBefore: start + 1, briefSessionsSeenBefore: start + 1 });
    assert.deepEqual(await storage.examineExpiring(limits), { examined: 1, due: 1 });
  });

  rule('sessions, counters, events and revoked tokens are swept when they expire', async (storage) => {
    const user = await storedUser(storage);
    const old = await storedSession(storage, user, { lastSeenAt: start - 1 });
    const live = await storedSession(storage, user, { lastSeenAt: start });
    assert.equal(await storage.sweep(nothingIsOver(), 100), 1);
    assert.equal(await storage.findSession(old.digest, start), undefined);
    assert.ok(await storage.findSession(live.digest, start));

    await storage.addFailures(failuresAt(99, ['account']), 0);
    await storage.addFailures(failuresAt(100, ['account']), 0);
    assert.equal(await storage.sweep(nothingIsOver({ failuresBefore: 100 }), 100), 1);
    assert.deepEqual(await storage.countFailures(['account'], 0), [{ key: 'account', failures: 1, firstBucket: 100 }]);

    const before = await storage.findEvents({}, 100, 'oldest');
    const [first, ...rest] = eventsInOrder(3);
    await storage.appendEvents(first === undefined ? [] : [first, ...rest]);
    const swept = await storage.sweep(nothingIsOver({ eventsBefore: rest[0]?.id ?? '' }), 100);
    assert.equal(swept, before.length + 1);
    assert.deepEqual(await storage.findEvents({}, 100, 'oldest'), rest);

    await storage.revokeAccessToken('token', start, anEvent());
    assert.equal(await storage.sweep(nothingIsOver({ now: start }), 100), 0);
    assert.equal(await storage.sweep(nothingIsOver({ now: start + 1 }), 100), 1);
  });

  rule('the sweep deletes in batches per kind until nothing is left', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    await issuedGrant(storage, user, client);
    for (let count = 0; count < 4; count++) await storage.issueCode(aGrant(user, client), start);
    for (let count = 0; count < 5; count++) {
      await storedSession(storage, user);
      await storage.addFailures(failuresAt(100 + count, ['account']), 0);
      await storage.revokeAccessToken(aDigest(), start, anEvent());
    }
    const kept = anEvent({ at: start + 2 * DAY });
    const events = (await storage.findEvents({}, 1000, 'oldest')).length;
    await storage.appendEvents([kept]);

    const limits = {
      now: start + 90 * DAY,
      keptSessionsSeenBefore: start + DAY,
      briefSessionsSeenBefore: 0,
      failuresBefore: 105,
      eventsBefore: kept.id,
      devicesSeenBefore: 0,
      mailsBefore: 0,
      signUpLinksBefore: 0,
      totalsBefore: 0,
      requestNotesBefore: 0,
      requestsBefore: 0,
      finishedDeliveries: 1000,
      settledAccessChange: 0,
    };
    const counts: number[] = [];
    while (counts.at(-1) !== 0) counts.push(await storage.sweep(limits, 2));
    const kinds = [5, 5, 5, 5, events];
    const expected = Array.from({ length: counts.length }, (_, round) =>
      kinds.reduce((sum, rows) => sum + Math.min(2, Math.max(0, rows - 2 * round)), 0),
    );
    assert.deepEqual(counts, expected);
    assert.deepEqual(await storage.findEvents({}, 10, 'oldest'), [kept]);
    assert.deepEqual(await storage.countFailures(['account'], 0), []);
  });

  rule('concurrent sweeps delete every row once', async (storage) => {
    const user = await storedUser(storage);
    for (let count = 0; count < 30; count++) await storedSession(storage, user);
    const sweeps = Array.from({ length: 10 }, () => sweepSessions(storage, 10));
    const swept = (await Promise.all(sweeps)).reduce((sum, count) => sum + count, 0);
    assert.equal(swept + (await sweepSessions(storage, 100)), 30);
  });
}

function accountSweepRules(rule: Rule): void {
  rule("the sweep keeps devices, links, tickets and emails that haven't expired", async (storage) => {
    const account = await storedAccount(storage);
    const before = await everythingOf(storage, account);
    const ticket = aDigest();
    await storage.consumeTicket(ticket, later);
    await storage.queueEmail({ id: 'mail', sealed: 'x', createdAt: start });
    const limits = { now: account.link.expiresAt, devicesSeenBefore: start, mailsBefore: start };
    assert.equal(await storage.sweep(nothingIsOver({ ...limits, now: later }), 100), 0);
    assert.equal(await storage.sweep(nothingIsOver(limits), 100), 1, 'the ticket');
    assert.deepEqual(await everythingOf(storage, account), before);
    assert.equal((await storage.listEmails(10)).length, 1);
  });

  rule(
    'the sweep removes expired links, spent tickets, old emails and old devices, and nothing else',
    async (storage) => {
      const account = await storedAccount(storage);
      const before = await everythingOf(storage, account);
      const fresh = { link: aLink({ expiresAt: start + DAY }), ticket: aDigest(), device: aDigest() };
      const old = { ticket: aDigest() };
      await storage.queueEmail({ id: 'new', sealed: 'x', createdAt: start }, fresh.link);
      await storage.consumeTicket(fresh.ticket, start + DAY);
      await storage.consumeTicket(old.ticket, later);
      await storage.queueEmail({ id: 'old', sealed: 'x', createdAt: start - 1 });
      const known = aSession(account.user, { createdAt: later });
      await storage.startSession({
        session: known,
        sessionGeneration: account.user.sessionGeneration,
        deviceDigest: fresh.device,
      });

      const limits = { now: account.link.expiresAt + 1, devicesSeenBefore: later, mailsBefore: start };
      assert.equal(await storage.sweep(nothingIsOver(limits), 100), 5, 'two links, a ticket, a mail and a device');
      const facts = { ...before.facts, knownDevice: undefined };
      const devices = [later];
      const sessions = [known, account.session].sort((a, b) => (a.digest < b.digest ? -1 : 1));
      const after = await everythingOf(storage, account);
      assert.deepEqual(after, { ...before, link: undefined, address: undefined, facts, devices, sessions });
      assert.ok(await storage.findLink(fresh.link.digest, 'sign_up', start));
      assert.equal(await storage.consumeTicket(fresh.ticket, start + DAY), false);
      assert.equal(await storage.consumeTicket(old.ticket, later), true, 'its ticket has expired');
      assert.deepEqual(
        (await storage.listEmails(10)).map(({ id }) => id),
        ['new'],
      );
      assert.equal((await storage.findSignInFacts(account.user.id, [fresh.device])).knownDevice, fresh.device);
    },
  );

  rule('links, tickets, emails and devices are swept in batches', async (storage) => {
    const user = await storedUser(storage);
    for (let count = 0; count < 5; count++) {
      await storedLink(storage);
      await storage.consumeTicket(aDigest(), later);
      await storage.queueEmail({ id: `mail ${count}`, sealed: 'x', createdAt: start });
      await storage.startSession({
        session: aSession(user),
        sessionGeneration: user.sessionGeneration,
        deviceDigest: aDigest(),
      });
    }
    const limits = nothingIsOver({ now: start + DAY, devicesSeenBefore: start + 1, mailsBefore: start + 1 });
    const counts: number[] = [];
    while (counts.at(-1) !== 0) counts.push(await storage.sweep(limits, 2));
    assert.deepEqual(counts, [8, 8, 4, 0]);
  });
}

function sweepSessions(storage: Storage, limit: number): Promise<number> {
  return storage.sweep(nothingIsOver({ keptSessionsSeenBefore: start + 1 }), limit);
}
