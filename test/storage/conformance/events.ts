// Events and their actors, how they are found, and totals by the hour and by the day.

import assert from 'node:assert/strict';
import { DAY, HOUR } from '../../../src/protocol/durations.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import { eventKinds } from '../../../src/protocol/events/kinds.ts';
import { firstIdAt } from '../../../src/protocol/identifiers.ts';
import type { EventFilter } from '../../../src/storage/storage.ts';
import { anEvent, atOnce, eventsInOrder, longText, nothingIsOver, type Rule, start, storedUser } from '../records.ts';

export function eventRules(rule: Rule): void {
  journalRules(rule);
  actorRules(rule);
  filterRules(rule);
  totalRules(rule);
}

function journalRules(rule: Rule): void {
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
    assert.deepEqual(await storage.findEvents({}, 10, 'oldest'), [full, bare]);
  });

  rule('an event whose count grows is updated, not duplicated', async (storage) => {
    const growing = anEvent({ kind: 'events_suppressed', detail: { kind: 'signed_in', count: 1 } });
    const grown = { ...growing, detail: { kind: 'signed_in', count: 2 } };
    await storage.replaceEvents([growing]);
    await storage.replaceEvents([grown]);
    assert.deepEqual(await storage.findEvents({}, 10, 'oldest'), [grown]);
  });

  rule('events are listed oldest first, in whatever order they were written', async (storage) => {
    const events = eventsInOrder(5);
    await storage.appendEvents(events.slice(3));
    await storage.appendEvents(events.slice(0, 3).reverse());
    assert.deepEqual(await storage.findEvents({}, 10, 'oldest'), events);
  });

  rule('with a limit, the newest or the oldest events are listed', async (storage) => {
    const events = eventsInOrder(5);
    await storage.appendEvents(events);
    assert.deepEqual(await storage.findEvents({}, 2), events.slice(3).reverse());
    assert.deepEqual(await storage.findEvents({}, 5), events.toReversed());
    assert.deepEqual(await storage.findEvents({}, 2, 'oldest'), events.slice(0, 2));
  });

  rule('listing from an event includes it, and listing before one excludes it', async (storage) => {
    const events = eventsInOrder(5);
    await storage.appendEvents(events);
    const [, second, , , last] = events.map(({ id }) => id);
    assert.deepEqual(await storage.findEvents({ fromId: second }, 10, 'oldest'), events.slice(1));
    assert.deepEqual(await storage.findEvents({ fromId: second }, 2), events.slice(3).reverse());
    assert.deepEqual(await storage.findEvents({ fromId: second }, 2, 'oldest'), events.slice(1, 3));
    assert.deepEqual(await storage.findEvents({ fromId: last }, 10), events.slice(4));
    assert.deepEqual(await storage.findEvents({ fromId: second, beforeId: last }, 10, 'oldest'), events.slice(1, 4));
    assert.deepEqual(await storage.findEvents({ fromId: last, beforeId: last }, 10), []);
  });

  rule('an event that was written before is left as it is, and those appended with it are written', async (storage) => {
    const [taken, ...fresh] = eventsInOrder(4);
    assert.ok(taken);
    await storage.appendEvents([taken]);
    await storage.appendEvents([...fresh, { ...taken, address: '203.0.113.9' }]);
    assert.deepEqual(await storage.findEvents({}, 10, 'oldest'), [taken, ...fresh]);
  });

  rule('a thousand events, or none, can be appended together', async (storage) => {
    const events = eventsInOrder(1000);
    await storage.appendEvents([]);
    await storage.appendEvents(events);
    assert.deepEqual(await storage.findEvents({}, 2000, 'oldest'), events);
  });
}

const actors = [
  { kind: 'administrator', id: 'admin-1' },
  { kind: 'api_key', id: 'key_1' },
] as const;

function actorRules(rule: Rule): void {
  rule('an event is read back with its actor, or without one', async (storage) => {
    const events = [
      anEvent({ detail: { name: 'App' } }),
      ...actors.map((actor) => anEvent({ actor, detail: { name: 'App' } })),
      ...actors.map((actor) => anEvent({ actor })),
    ];
    await storage.appendEvents(events);
    assert.deepEqual(await storage.findEvents({}, 10, 'oldest'), events);
    assert.deepEqual(await storage.findEvents({}, 10), events.toReversed());
  });

  rule(
    "deleting a user clears their events' IP addresses, and the details unless someone else acted",
    async (storage) => {
      const [user, other] = [await storedUser(storage), await storedUser(storage)];
      const detail = { name: 'App' };
      const own = anEvent({ userId: user.id, detail });
      const others = actors.map((actor) => anEvent({ userId: user.id, actor, detail }));
      // Of somebody who was restored since: who sees the events before it depends on the roles.
      const deletions = (['account_deleted', 'user_deleted'] as const).map((kind) =>
        anEvent({ userId: user.id, kind, detail: { roles: ['administrator'] } }),
      );
      const bystanders = anEvent({ userId: other.id, detail });
      await storage.appendEvents([own, ...others, ...deletions, bystanders]);
      await storage.deleteUser(user.id, anEvent());
      assert.deepEqual(await storage.findEvents({ fromId: own.id }, 6, 'oldest'), [
        { ...own, address: '', detail: {} },
        ...others.map((event) => ({ ...event, address: '' })),
        ...deletions.map((event) => ({ ...event, address: '' })),
        bystanders,
      ]);
    },
  );
}

function filterRules(rule: Rule): void {
  /** Every combination of user, client, kind and request. */
  const events = Array.from({ length: 54 }, (_, index) => {
    const userId = ['a', 'b', undefined][index % 3];
    const clientId = ['a', 'b', undefined][Math.floor(index / 3) % 3];
    return anEvent({
      at: start + DAY + index,
      kind: eventKinds[Math.floor(index / 9) % 2] ?? 'signed_in',
      requestId: Math.floor(index / 18) % 2 ? 'a' : 'b',
      ...(userId === undefined ? {} : { userId }),
      ...(clientId === undefined ? {} : { clientId }),
      ...(index % 5 === 0 ? {} : { actor: { kind: 'api_key', id: index % 5 === 1 ? 'b' : 'a' } as const }),
      ...(index % 4 === 0 ? {} : { traceId: index % 4 === 1 ? 'b' : 'a' }),
    });
  });
  const filter: Required<Omit<EventFilter, 'visible'>> = {
    userId: 'a',
    clientId: 'a',
    kind: 'signed_in',
    kinds: ['sign_in_failed', 'settings_changed'],
    requestId: 'a',
    traceId: 'a',
    actorId: 'a',
    fromId: events[5]?.id ?? '',
    beforeId: events[50]?.id ?? '',
  };
  const names = Object.keys(filter) as (keyof typeof filter)[];
  const lets = (chosen: EventFilter, event: EventRecord) =>
    (chosen.userId === undefined || event.userId === chosen.userId) &&
    (chosen.clientId === undefined || event.clientId === chosen.clientId) &&
    (chosen.kind === undefined || event.kind === chosen.kind) &&
    (chosen.kinds === undefined || chosen.kinds.includes(event.kind)) &&
    (chosen.requestId === undefined || event.requestId === chosen.requestId) &&
    (chosen.traceId === undefined || event.traceId === chosen.traceId) &&
    (chosen.actorId === undefined || event.actor?.id === chosen.actorId) &&
    (chosen.fromId === undefined || event.id >= chosen.fromId) &&
    (chosen.beforeId === undefined || event.id < chosen.beforeId);

  rule("a user's own events are listed newest first, in pages", async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const own = Array.from({ length: 5 }, (_, index) =>
      anEvent({ at: start + DAY + index, kind: 'signed_in', userId: user.id, detail: { method: 'password' } }),
    );
    await storage.appendEvents([...own, anEvent({ at: start + 2 * DAY, userId: other.id }), anEvent()]);
    const newestFirst = own.toReversed();
    assert.deepEqual(await storage.findEvents({ userId: user.id }, 100), newestFirst);
    assert.deepEqual(await storage.findEvents({ userId: user.id }, 2), newestFirst.slice(0, 2));
    assert.deepEqual(
      await storage.findEvents({ userId: user.id, beforeId: newestFirst[1]?.id }, 2),
      newestFirst.slice(2, 4),
    );
    assert.deepEqual(await storage.findEvents({ userId: user.id, beforeId: '' }, 100), []);
    assert.deepEqual(await storage.findEvents({ userId: 'nobody' }, 100), []);
  });

  rule('events are found by any combination of filters, newest first, in pages', async (storage) => {
    await storage.appendEvents(events);
    for (let choice = 0; choice < 2 ** names.length; choice++) {
      const chosen = names.filter((_, place) => choice & (1 << place));
      const some: EventFilter = Object.fromEntries(chosen.map((name) => [name, filter[name]]));
      const expected = events.filter((event) => lets(some, event)).reverse();
      assert.deepEqual(await storage.findEvents(some, 100), expected, chosen.join(', '));
      assert.deepEqual(await storage.findEvents(some, 2), expected.slice(0, 2));
      const second = { ...some, beforeId: expected[1]?.id ?? '' };
      assert.deepEqual(await storage.findEvents(second, 2), expected.slice(2, 4));
    }
  });

  rule(
    'whoever sees events of some kinds sees those of people without a role, and those of applications',
    async (storage) => {
      const [nobody, helper, administrator] = [
        await storedUser(storage),
        await storedUser(storage, { roles: 'people' }),
        await storedUser(storage, { adminSince: start }),
      ];
      const about = (user: { readonly id: string }, kind: EventRecord['kind'] = 'signed_in') =>
        anEvent({ at: start + DAY, kind, userId: user.id });
      const application = anEvent({ at: start + DAY, kind: 'client_updated', clientId: 'app' });
      const own = about(nobody);
      const gone = about({ id: 'gone' });
      const written = [
        own,
        gone,
        about(nobody, 'api_key_ended'),
        about(helper),
        about(administrator),
        application,
        anEvent({ at: start + DAY, kind: 'client_updated' }),
        anEvent({ at: start + DAY, kind: 'signed_in' }),
        anEvent({ at: start + DAY, kind: 'settings_changed' }),
      ];
      await storage.appendEvents(written);
      const seen = async (given: EventFilter) =>
        (await storage.findEvents({ fromId: firstIdAt(start + DAY), ...given }, 50)).map(({ id }) => id).sort();
      const ofPeople = ['signed_in'] as const;
      const ofApplications = ['client_updated'] as const;
      const ids = (...events: EventRecord[]) => events.map(({ id }) => id).sort();
      assert.deepEqual(await seen({ visible: { ofPeople, ofApplications: [] } }), ids(own, gone));
      assert.deepEqual(await seen({ visible: { ofPeople: [], ofApplications } }), ids(application));
      assert.deepEqual(await seen({ visible: { ofPeople, ofApplications } }), ids(own, gone, application));
      assert.deepEqual(await seen({ visible: { ofPeople: [], ofApplications: [] } }), []);
      const visible = { ofPeople, ofApplications };
      assert.deepEqual(await seen({ visible, userId: administrator.id }), []);
      assert.deepEqual(await seen({ visible, kind: 'signed_in' }), ids(own, gone));
      assert.deepEqual(await seen({ visible, clientId: 'app' }), ids(application));
    },
  );

  rule('events of someone deleted with a role stay out of sight once they are back without it', async (storage) => {
    const user = await storedUser(storage, { roles: 'people' });
    const about = (at: number, kind: EventRecord['kind'] = 'signed_in') => anEvent({ at, kind, userId: user.id });
    const [earlier, later] = [about(start + DAY), about(start + 4 * DAY)];
    await storage.appendEvents([earlier]);
    const deletion = { ...about(start + 2 * DAY, 'user_deleted'), detail: { roles: ['people'] } };
    assert.equal(await storage.deleteUser(user.id, deletion), true);
    const returned = [{ oldId: 'old', user: { ...user, roles: null } }];
    assert.equal(await storage.importUsers('csv', returned, start + 3 * DAY, anEvent(), { restoresIds: true }), true);
    await storage.appendEvents([later]);
    const visible = { ofPeople: ['signed_in', 'user_deleted'], ofApplications: [] } as const;
    assert.deepEqual(await storage.findEvents({ visible, userId: user.id }, 10), [later]);
  });

  rule('filters without matches find no events', async (storage) => {
    await storage.appendEvents(events);
    for (const name of ['userId', 'clientId', 'requestId'] as const) {
      for (const value of ['', 'c', 'A', 'a ', '%']) {
        assert.deepEqual(await storage.findEvents({ [name]: value }, 10), [], `${name} "${value}"`);
        assert.deepEqual(await storage.findEvents({ ...filter, [name]: value }, 10), []);
      }
    }
    assert.deepEqual(await storage.findEvents({ kind: 'data_downloaded' }, 10), []);
    assert.deepEqual(await storage.findEvents({ fromId: filter.beforeId, beforeId: filter.fromId }, 10), []);
  });
}

function totalRules(rule: Rule): void {
  const hour = Math.floor(start / HOUR) * HOUR;
  const today = Math.floor(start / DAY) * DAY;
  const total = (more: number, overrides: { hour?: number; clientId?: string; kind?: 'sign_in' | 'failure' } = {}) => ({
    hour,
    kind: 'sign_in' as const,
    clientId: 'a',
    total: more,
    ...overrides,
  });

  rule('totals add up, by the hour and by client', async (storage) => {
    await storage.addTotals([]);
    assert.deepEqual([await storage.sumTotalsByHour(0), await storage.sumTotalsByClient(0)], [[], []]);
    await storage.addTotals([
      total(1),
      total(2, { clientId: 'b' }),
      total(4, { clientId: '' }),
      total(8, { kind: 'failure' }),
    ]);
    await storage.addTotals([total(16), total(32, { hour: hour + HOUR }), total(64), total(128)]);
    assert.deepEqual(await storage.sumTotalsByHour(0), [
      { hour, kind: 'failure', total: 8 },
      { hour, kind: 'sign_in', total: 1 + 2 + 4 + 16 + 64 + 128 },
      { hour: hour + HOUR, kind: 'sign_in', total: 32 },
    ]);
    assert.deepEqual(await storage.sumTotalsByClient(0), [
      { clientId: 'a', kind: 'failure', total: 8 },
      { clientId: 'a', kind: 'sign_in', total: 1 + 16 + 32 + 64 + 128 },
      { clientId: 'b', kind: 'sign_in', total: 2 },
    ]);
  });

  rule("totals are listed from a given hour, and a client's from a given day", async (storage) => {
    const yesterday = today - DAY;
    const hours = [yesterday, yesterday + 23 * HOUR, today, today + HOUR];
    for (const [index, each] of hours.entries()) await storage.addTotals([total(2 ** index, { hour: each })]);
    const byHour = async (since: number) => (await storage.sumTotalsByHour(since)).map((each) => each.total);
    const byClient = async (since: number) => (await storage.sumTotalsByClient(since)).map((each) => each.total);
    assert.deepEqual(await byHour(yesterday), [1, 2, 4, 8]);
    assert.deepEqual(await byHour(yesterday + 1), [2, 4, 8]);
    assert.deepEqual(await byHour(today), [4, 8]);
    assert.deepEqual(await byHour(today + HOUR + 1), []);
    assert.deepEqual(await byClient(yesterday), [15]);
    assert.deepEqual(await byClient(today - 1), [15]);
    assert.deepEqual(await byClient(today), [12]);
    assert.deepEqual(await byClient(today + 20 * HOUR), [12]);
    assert.deepEqual(await byClient(today + DAY), []);
  });

  rule('totals added concurrently are all counted', async (storage) => {
    const some = ['a', 'b', 'c', 'd', ''].flatMap((clientId) => [
      total(1, { clientId }),
      total(2, { clientId, kind: 'failure', hour: hour + HOUR }),
    ]);
    const calls = Array.from({ length: atOnce }, (_, index) => (index % 2 ? some : some.toReversed()));
    await Promise.all(calls.map((each) => storage.addTotals(each)));
    assert.deepEqual(await storage.sumTotalsByHour(0), [
      { hour, kind: 'sign_in', total: 5 * atOnce },
      { hour: hour + HOUR, kind: 'failure', total: 10 * atOnce },
    ]);
    assert.equal((await storage.sumTotalsByClient(0)).length, 8);
  });

  rule('the sweep removes old totals in batches', async (storage) => {
    const hours = Array.from({ length: 5 }, (_, index) => today + index * HOUR);
    await storage.addTotals(hours.map((each) => total(1, { hour: each, clientId: '' })));
    assert.equal(await storage.sweep(nothingIsOver({ totalsBefore: today }), 100), 0);
    const limits = nothingIsOver({ totalsBefore: today + 3 * HOUR });
    const counts = [await storage.sweep(limits, 2), await storage.sweep(limits, 2), await storage.sweep(limits, 2)];
    assert.deepEqual(counts, [2, 1, 0]);
    assert.deepEqual(
      (await storage.sumTotalsByHour(0)).map((each) => each.hour),
      hours.slice(3),
    );
  });
}
