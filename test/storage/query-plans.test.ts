// What administrators read stays fast however much there is: on the embedded store each of these queries walks an index
// from where its page begins. The test asks the engine for its plan, because ten rows are fast with any plan.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AccessFilters } from '../../src/protocol/admin/access-filters.ts';
import type { PeopleFilters } from '../../src/protocol/admin/people-filters.ts';
import type { Driver, Value } from '../../src/storage/driver.ts';
import { readMigrations, sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { EventFilter, PagePosition, Storage, UserQuery } from '../../src/storage/storage.ts';
import { aClient, aGrant, anEvent, aUser, exchangeOf } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-plans-'));
const driver: Driver = openSqlite(join(folder, 'latchkey.db'));
let asked: { sql: string; params: readonly Value[] }[] = [];
let written: { sql: string; params: readonly Value[] }[] = [];
const storage = sqlStorage({
  ...driver,
  write(statements) {
    written.push(...statements);
    return driver.write(statements);
  },
  read(sql, params) {
    asked.push({ sql, params });
    return driver.read(sql, params);
  },
});

before(() => driver.migrate(readMigrations()));
after(async () => {
  await driver.close();
  rmSync(folder, { recursive: true });
});

/** The steps that the engine plans for each query of the call. */
async function planOf(call: (storage: Storage) => unknown): Promise<string[]> {
  asked = [];
  await call(storage);
  assert.notEqual(asked.length, 0);
  const plans = asked.map(({ sql, params }) => driver.read(`EXPLAIN QUERY PLAN ${sql}`, params));
  return (await Promise.all(plans)).flat().map(({ detail }) => String(detail));
}

function assertDirect(plan: readonly string[]): void {
  for (const step of plan) {
    assert.doesNotMatch(step, /^SCAN (?!CONSTANT)/);
    assert.doesNotMatch(step, /USE TEMP B-TREE FOR ORDER BY/);
  }
}

describe('lists of people and applications', () => {
  const limit = 50;
  const lists = { pageUsers: 'users_by_created_at', pageClients: 'clients_by_created_at' } as const;
  for (const [list, index] of Object.entries(lists) as [keyof typeof lists, string][]) {
    test(`${list}: the first page reads the end of the index`, async () => {
      const plan = await planOf((store) => store[list]({ words: [], after: undefined, limit }));
      const steps = plan.filter((step) => !/ USING INDEX \S+ \(user_id=\?\)$|SUBQUERY/.test(step));
      assert.match(steps.join('\n'), new RegExp(`^SCAN [uc] USING INDEX ${index}$`));
    });

    test(`${list}: a later page starts where the previous one ended`, async () => {
      const plan = await planOf((store) => store[list]({ words: [], after: ['5', 'x'], limit }));
      assertDirect(plan);
      assert.match(plan.join('\n'), new RegExp(`USING INDEX ${index} \\(\\(created_at,id\\)<`));
    });

    const orders = { created: '5', name: '616461', ...(list === 'pageUsers' && { last_sign_in: '5' }) };
    for (const [by, place] of Object.entries(orders)) {
      for (const direction of ['after', 'before'] as const) {
        test(`${list}: a page ${direction} a position, by ${by}, starts there in the index`, async () => {
          const order = { by: by as 'created', descending: true };
          const part = { after: undefined, [direction]: [place, 'x'] as PagePosition, limit };
          const plan = await planOf((store) => store[list]({ words: [], order, ...part }));
          assertDirect(plan);
          assert.match(plan[0] ?? '', /^SEARCH [ucw] USING ((COVERING )?INDEX \S+|PRIMARY KEY) \(.*[<>]\(\?,\?\)\)$/);
        });
      }
    }

    test(`${list}: further words are looked up per record that the first one finds`, async () => {
      const plan = await planOf((store) => store[list]({ words: ['a', 'b', 'c'], after: undefined, limit }));
      assertDirect(plan.filter((step) => !step.startsWith('SCAN counted')));
      const others = plan.filter((step) => /^SEARCH o /.test(step));
      assert.equal(others.length, 3, plan.join('; '));
      for (const step of others) assert.match(step, /search_words_by_ref \(ref=\?\)$/);
    });

    const position: PagePosition = [Buffer.from('ada').toString('hex'), 'x'];
    for (const [page, from] of Object.entries({ first: undefined, later: position })) {
      test(`${list}: the ${page} page of a search only reads matching words`, async () => {
        const plan = await planOf((store) => store[list]({ words: ['a'], after: from, limit }));
        assertDirect(plan);
        const words = plan.find((step) => step.startsWith('SEARCH w '));
        const begin = from === undefined ? 'word>?' : '(word,ref)>(?,?)';
        assert.ok(words?.includes(`(kind=? AND ${begin} AND word<?)`), plan.join('; '));
      });
    }
  }
});

test('people who are likely meant are looked up by their words, and no others are read', async () => {
  for (const match of ['exact', 'whole', 'beginning'] as const) {
    const plan = await planOf((store) => store.findUsersNamed(['ada', 'lovelace'], match, 5));
    assert.match(plan.join('\n'), /^SEARCH u USING INDEX sqlite_autoindex_users_1 \(id=\?\)$/m);
    assert.doesNotMatch(plan.join('\n'), /^SCAN [uwo] /m);
    assert.match(plan.join('\n'), /^SEARCH w USING .*\(kind=\? AND word>\? AND word<\?\)$/m);
  }
});

describe('filters of people', () => {
  const indexes: Record<string, readonly [index: string, by: PeopleFilters, order: UserQuery['order']]> = {
    'any role': ['users_with_role', { role: 'any' }, undefined],
    'a role': ['users_with_role', { role: 'auditor' }, undefined],
    active: ['users_active', { status: 'active' }, undefined],
    disabled: ['users_disabled', { status: 'disabled' }, undefined],
    inactive: ['users_inactive', { status: 'inactive' }, undefined],
    pending: ['users_pending', { status: 'pending' }, undefined],
    'no second factor': ['users_without_factor', { secondFactor: 'none' }, undefined],
    'never signed in': ['users_never_signed_in', { signedIn: 'never' }, undefined],
    'signed in lately': ['users_by_last_sign_in', { signedIn: 30 }, { by: 'last_sign_in', descending: true }],
    'not used lately': ['users_by_activity', { inactive: 90 }, { by: 'last_active', descending: false }],
    'ends soon': ['users_ending', { expiresWithin: 30 }, { by: 'expires', descending: false }],
    'a directory': ['users_managed', { managedBy: 'okta' }, undefined],
  };
  for (const [name, [index, by, order]] of Object.entries(indexes)) {
    for (const after of [undefined, ['5', 'x'] as const]) {
      test(`${name}: ${after ? 'a later' : 'the first'} page and its total walk ${index}, and no other index`, async () => {
        const query = { words: [], after, limit: 50, order, total: true, filter: { by, now: 1 } };
        const plan = await planOf((store) => store.pageUsers(query));
        const walks = plan.filter(
          (step) => /\b(u|users)\b/.test(step) && !/^(CO-ROUTINE|MATERIALIZE|SCAN) u$/.test(step),
        );
        assert.ok(walks.length >= 2, plan.join('; '));
        for (const step of walks)
          assert.match(step, new RegExp(`^(SCAN|SEARCH) u USING (COVERING )?INDEX ${index}\\b`));
        if (after !== undefined && name === 'not used lately') {
          assert.match(plan.join('; '), /SEARCH u USING INDEX users_by_activity \(<expr>>\? AND <expr><\?\)/);
        }
        // Those who wait are few, and sorted.
        if (name !== 'pending') assert.doesNotMatch(plan.join('; '), /USE TEMP B-TREE/);
      });
    }

    test(`${name}: with another filter, by name and with a search, few people are read from one index`, async () => {
      const others: PeopleFilters = name === 'active' ? { signedIn: 'never' } : { status: 'active' };
      for (const more of [{ order: { by: 'name', descending: false } as const }, { words: ['a'] }]) {
        const filter = { by: { ...others, ...by }, now: 1 };
        const plan = await planOf((store) =>
          store.pageUsers({ words: [], after: undefined, limit: 50, ...more, filter }),
        );
        for (const step of plan) assert.doesNotMatch(step, /^SCAN (w|o|search_words|users)\b/, plan.join('; '));
        const words = plan.filter((step) => /^SEARCH w /.test(step));
        assert.notEqual(words.length, 0);
        for (const step of words) assert.match(step, /search_words_by_ref \(ref=\?\)$/);
      }
    });
  }

  test('directories are read from one to the next', async () => {
    const plan = await planOf((store) => store.listDirectories(10));
    const steps = plan.filter((step) => /users|\bu\b/.test(step));
    assert.equal(steps.length, 2, plan.join('; '));
    for (const step of steps) assert.match(step, /^SEARCH (u|users) USING COVERING INDEX users_managed/);
  });

  test('what lists count about applications and groups comes from indexes', async () => {
    const part = { words: [], after: undefined, limit: 50, total: true };
    const plan = await planOf((store) => store.pageListedClients(part));
    const consents = plan.filter((step) => / k /.test(step));
    assert.equal(consents.length, 2, plan.join('; '));
    for (const step of consents)
      assert.match(
        step,
        /^SEARCH k USING COVERING INDEX consents_by_client \(client_id=\? AND client_generation=\?\)$/,
      );
    const groups = await planOf((store) => store.pageListedGroups(part));
    for (const step of groups) assert.doesNotMatch(step, /^SCAN (gm|ca|c)\b/, groups.join('; '));
  });
});

test('people who wait for approval are read and counted by an index of their own', async () => {
  const part = { after: ['5', 'x'] as const, limit: 50 };
  const calls: ((store: Storage) => unknown)[] = [
    (store) => store.pageWaiting({ ...part, after: undefined }),
    (store) => store.pageWaiting(part),
    (store) => store.countWaiting(),
    (store) => store.listOverdue(5, 50),
  ];
  for (const call of calls) {
    const plan = (await planOf(call)).join('\n');
    assert.match(plan, /(SCAN|SEARCH) (u|users) USING (COVERING )?INDEX users_pending/);
    assert.doesNotMatch(plan, /USE TEMP B-TREE/);
  }
});

test("a person's apps are read from an index and from the lists they're on", async () => {
  for (const [part, after] of [
    ['', undefined],
    ['', ['wiki', 'x']],
    ['wi', ['wiki', 'x']],
  ] as const) {
    const page = { part, after, limit: 60 };
    const plan = (await planOf((store) => store.pageClientsToLaunch('someone', page, 0))).join('\n');
    assert.doesNotMatch(plan, /SCAN (c|ca|gm|gr|o)\b/);
    if (part !== '') assert.match(plan, /SEARCH o USING (COVERING )?INDEX search_words_by_ref \(ref=\?/);
    assert.match(plan, /SEARCH c USING (COVERING )?INDEX clients_to_launch \(access=\?/);
    assert.match(plan, /SEARCH ca USING (COVERING )?INDEX client_access_by_subject/);
    assert.match(plan, /SEARCH gm USING (COVERING )?INDEX group_members_(by_user|lasting)/);
  }
});

describe('events', () => {
  const filter: Required<Omit<EventFilter, 'visible'>> = {
    requestId: 'r',
    traceId: 't',
    userId: 'u',
    clientId: 'c',
    kind: 'signed_in',
    kinds: ['signed_in'],
    actorId: 'k',
    fromId: '0',
    beforeId: '1',
  };
  const names = Object.keys(filter) as (keyof typeof filter)[];
  /** Every combination of filters, of which at least one narrows it down. */
  const choices = Array.from({ length: 2 ** names.length - 1 }, (_, choice) =>
    names.filter((_name, place) => (choice + 1) & (1 << place)),
  ).filter((chosen) => chosen.some((name) => name !== 'actorId' && name !== 'kinds'));
  /** The narrowest filter: a request has a few events, a user some, a client or a kind very many. */
  function walkFor(chosen: readonly (keyof EventFilter)[]): { index: string; columns: string[] } {
    if (chosen.includes('requestId')) return { index: 'events_by_request', columns: ['request_id'] };
    if (chosen.includes('traceId')) return { index: 'events_by_trace', columns: ['trace_id'] };
    if (chosen.includes('userId')) return { index: 'events_by_user', columns: ['user_id'] };
    const isOfKind = chosen.includes('kind');
    if (chosen.includes('clientId')) {
      return isOfKind
        ? { index: 'events_by_client_and_kind', columns: ['client_id', 'kind'] }
        : { index: 'events_by_client', columns: ['client_id'] };
    }
    return isOfKind
      ? { index: 'events_by_kind', columns: ['kind'] }
      : { index: 'sqlite_autoindex_events_1', columns: [] };
  }

  /** How the engine prints a bound of a range of an index. */
  function bound(columns: readonly string[], comparison: '<' | '>'): string[] {
    if (columns.length === 0) return [];
    const places = columns.map(() => '?').join(',');
    return columns.length === 1 ? [`${columns[0]}${comparison}?`] : [`(${columns.join(',')})${comparison}(${places})`];
  }

  for (const chosen of choices) {
    test(`events by ${chosen.join(', ')}`, async () => {
      const some = Object.fromEntries(chosen.map((name) => [name, filter[name]]));
      const { index, columns } = walkFor(chosen);
      const withId = (name: 'fromId' | 'beforeId') => (chosen.includes(name) ? [...columns, 'id'] : columns);
      const bounds = [...bound(withId('fromId'), '>'), ...bound(withId('beforeId'), '<')].join(' AND ');
      const plan = await planOf((store) => store.findEvents(some, 51));
      assert.deepEqual(plan, [`SEARCH e USING INDEX ${index} (${bounds})`]);
    });
  }

  test('events without a filter read the end of the index', async () => {
    const plan = await planOf((store) => store.findEvents({}, 51));
    assert.deepEqual(plan, ['SCAN e USING INDEX sqlite_autoindex_events_1']);
  });
});

describe('the sweep', () => {
  test('each deletion finds expired rows by an index and deletes by key', async () => {
    written = [];
    const limits = { now: 1, keptSessionsSeenBefore: 1, briefSessionsSeenBefore: 1, failuresBefore: 1 };
    const older = {
      devicesSeenBefore: 1,
      mailsBefore: 1,
      signUpLinksBefore: 1,
      totalsBefore: 1,
      requestNotesBefore: 1,
      requestsBefore: 1,
      finishedDeliveries: 1,
      eventsBefore: '0',
      settledAccessChange: 1,
    };
    await storage.sweep({ ...limits, ...older }, 500);
    assert.equal(written.length, 27);
    for (const { sql, params } of written) {
      const plan = await driver.read(`EXPLAIN QUERY PLAN ${sql}`, params);
      const steps = plan.map(({ detail }) => String(detail));
      // There are at most a thousand webhook endpoints, with two secrets each, and ten thousand links to sign up with.
      for (const step of steps)
        assert.doesNotMatch(step, /^SCAN (?!w[hs]\b|sign_up_links)/, `${sql}: ${steps.join('; ')}`);
    }
  });

  test('checking what would be deleted only reads the newest rows', async () => {
    const limits = { now: 1, keptSessionsSeenBefore: 1, briefSessionsSeenBefore: 1, failuresBefore: 1 };
    const older = {
      devicesSeenBefore: 1,
      mailsBefore: 1,
      signUpLinksBefore: 1,
      totalsBefore: 1,
      requestNotesBefore: 1,
      requestsBefore: 1,
      finishedDeliveries: 1,
      eventsBefore: '0',
      settledAccessChange: 1,
    };
    const plan = await planOf((store) => store.examineExpiring({ ...limits, ...older }));
    assert.equal(
      plan.some((step) => step.includes('TEMP B-TREE')),
      false,
      plan.join('; '),
    );
  });
});

describe('counts', () => {
  const counts: Record<string, (store: Storage) => unknown> = {
    countConnectedUsers: (store) => store.countConnectedUsers('c'),
    countAdministrators: (store) => store.countAdministrators(),
    sumTotalsByHour: (store) => store.sumTotalsByHour(5),
    sumTotalsByClient: (store) => store.sumTotalsByClient(5),
  };
  for (const [name, count] of Object.entries(counts)) {
    test(`${name} reads only what it counts`, async () =>
      assertDirect((await planOf(count)).filter((step) => step !== 'SCAN counted')));
  }

  test('countUsers reads indexes, of the active only those who were active', async () => {
    const plan = await planOf((store) => store.countUsers(5));
    const steps = plan.filter((step) => step.includes(' users '));
    assert.equal(steps.length, 4);
    assert.match(String(steps[0]), /^SCAN users USING COVERING INDEX/);
    assert.match(String(steps[1]), /^SEARCH users USING INDEX users_by_activity \(<expr>>\?\)/);
    assert.match(String(steps[2]), /^SCAN users USING COVERING INDEX users_never_signed_in/);
    assert.match(String(steps[3]), /^SCAN users USING COVERING INDEX users_without_factor/);
  });
});

test('emails are claimed and made due in the order of an index, and only those are read', async () => {
  written = [];
  await storage.claimEmails(1, 2, 10);
  await storage.hastenEmails(1, 10);
  const plans = written.map(({ sql, params }) => driver.read(`EXPLAIN QUERY PLAN ${sql}`, params));
  const byIndex = (comparison: string) => [
    'SEARCH mails USING INDEX sqlite_autoindex_mails_1 (id=?)',
    'LIST SUBQUERY 1',
    `SEARCH mails USING COVERING INDEX mails_by_next_attempt (next_attempt_at${comparison}?)`,
  ];
  assert.deepEqual(
    (await Promise.all(plans)).map((plan) => plan.map(({ detail }) => detail)),
    [byIndex('<'), byIndex('>')],
  );
});

describe('accounts that nobody uses', () => {
  const rule = { disableAfter: 3, notice: 1, since: 0 };
  const user = { id: 'u', activeAt: 1, end: null };
  const calls: Record<string, (store: Storage) => unknown> = {
    countInactive: (store) => store.countInactive(1),
    lookAtInactive: (store) => store.lookAtInactive(rule, 9, { activeAt: 1, id: 'u' }, 10),
    queueInactivityNotice: (store) => store.queueInactivityNotice(user, 9, []),
    listInactiveDue: (store) => store.listInactiveDue(rule, 9, 10),
    disableInactive: (store) => store.disableInactive('u', rule, 9, anEvent()),
    forgetInactivityNotice: (store) => store.forgetInactivityNotice('u', 9),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} looks at few people, and walks an index`, async () => {
      [asked, written] = [[], []];
      await call(storage);
      const statements = [...asked, ...written].filter(({ sql }) => /\b(FROM|UPDATE) users\b/.test(sql));
      assert.notEqual(statements.length, 0);
      for (const { sql, params } of statements) {
        const plan = (await driver.read(`EXPLAIN QUERY PLAN ${sql}`, params)).map(({ detail }) => String(detail));
        const steps = plan.filter((step) => /^(SEARCH|SCAN) (u|users)\b/.test(step));
        for (const step of steps.filter((each) => each !== 'SCAN u')) {
          assert.match(step, /^SEARCH (u|users) USING (COVERING )?INDEX (users_by_activity|users_told|sqlite_auto)/);
        }
        assert.doesNotMatch(plan.join('; '), /USE TEMP B-TREE/);
        if (name === 'lookAtInactive') assert.match(plan.join('; '), /\(<expr>>\? AND <expr><\?\)/);
      }
    });
  }
});

describe('who can use which client', () => {
  const subject = { people: [{ id: 'u', event: anEvent() }], groups: [{ id: 'g', event: anEvent() }] };
  const members = { add: subject.people, remove: subject.people };
  const span = { after: 0, until: 2 };
  const user = { id: 'u', name: 'U', email: 'u@example.test' };
  const marks = (['account', 'membership', 'person'] as const).map((kind) => {
    const of = { group: undefined, client: undefined, ...(kind !== 'account' && { group: { id: 'g', name: 'G' } }) };
    return { access: { kind, user, ...of, expiresAt: 2, notices: 0 }, notices: 1 };
  });
  const limited = aClient({ access: 'listed' });
  const open = aClient();
  const people = (by: AccessFilters) => ({
    words: [],
    after: undefined,
    limit: 50,
    total: true,
    filter: { by, now: 0 },
  });
  const calls: Record<string, (store: Storage) => unknown> = {
    findTokenHolder: (store) => store.findTokenHolder('g', 't', 0),
    findClientAndGrant: (store) => store.findClientAndGrant('c', 'g', 0),
    findClientAndRefreshable: (store) => store.findClientAndRefreshable('c', 'g', 0),
    findAuthorizationContext: (store) => store.findAuthorizationContext('c', 's', 0),
    findRememberedApproval: (store) => store.findRememberedApproval('c', 's', 0),
    issueCode: (store) => store.issueCode(aGrant(aUser(), aClient()), 0),
    consumeCode: (store) => store.consumeCode(exchangeOf(aGrant(aUser(), aClient()))),
    changeAccess: (store) => store.changeAccess('c', { allow: subject, disallow: subject }, 1),
    'a switch of access': (store) => store.updateClient(aClient(), { access: 'listed' }, 1, anEvent()),
    changeMembers: (store) => store.changeMembers('g', members, 1),
    deleteGroup: (store) => store.deleteGroup('g', 1, anEvent()),
    hasAccess: (store) => store.hasAccess('c', 'u', 0),
    countListedUsers: (store) => store.countListedUsers('c', 0, 10),
    protectGroup: (store) => store.protectGroup({ id: 'g', protectedSince: null }, true, 1, anEvent()),
    renameGroup: (store) => store.renameGroup({ id: 'g', name: 'a' }, 'b', 1, anEvent()),
    listClientsWithClaimsOf: (store) => store.listClientsWithClaimsOf('g'),
    listClientsOpenedBy: (store) => store.listClientsOpenedBy('g', 0),
    'pagePeopleWithAccess, of a list': (store) => store.pagePeopleWithAccess(limited, people({})),
    'pagePeopleWithAccess, of an open client': (store) => store.pagePeopleWithAccess(open, people({ unused: 90 })),
    'pagePeopleWithAccess, what ends soon': (store) =>
      store.pagePeopleWithAccess(limited, people({ expiresWithin: 30 })),
    'pagePeopleWithAccess, by a group': (store) => store.pagePeopleWithAccess(limited, people({ group: 'g' })),
    describeAccess: (store) => store.describeAccess(open, [{ ...user, createdAt: 0 }], 0),
    listAccessOf: (store) => store.listAccessOf({ id: 'u', createdAt: 0 }, 0),
    'pageMembers, with words': (store) => store.pageMembers('g', { words: ['ada'], after: undefined, limit: 50 }),
    findMembersAmong: (store) => store.findMembersAmong('g', ['u']),
    findAllowedAmong: (store) => store.findAllowedAmong('c', ['u']),
    listGroupsOf: (store) => store.listGroupsOf('u', 0),
    'pageMembers, what ends soon': (store) => store.pageMembers('g', { after: undefined, limit: 50 }, span),
    'pageAllowedUsers, what ends soon': (store) => store.pageAllowedUsers('c', { after: undefined, limit: 50 }, span),
    'pageUsers, what ends soon': (store) =>
      store.pageUsers({
        words: [],
        after: undefined,
        limit: 50,
        order: { by: 'expires', descending: false },
        filter: { by: { expiresWithin: 2 }, now: 0 },
      }),
    pageAccessRequests: (store) => store.pageAccessRequests({ after: ['', 'x'], limit: 50 }),
    'pageAccessRequests, that wait': (store) =>
      store.pageAccessRequests({ after: undefined, limit: 50 }, { status: 'open', askedAfter: 1 }),
    'pageAccessRequests, of a client': (store) =>
      store.pageAccessRequests({ after: undefined, limit: 50 }, { clientId: 'c', status: 'open' }),
    'pageAccessRequests, of a user': (store) =>
      store.pageAccessRequests({ after: undefined, limit: 50 }, { userId: 'u' }),
    findLatestRequest: (store) => store.findLatestRequest('u', 'c'),
    listRequestsOf: (store) => store.listRequestsOf('u'),
    listOverdueRequests: (store) => store.listOverdueRequests(1, 50),
    hasUntoldRequests: (store) => store.hasUntoldRequests(1),
    listPeopleToTell: (store) => store.listPeopleToTell(span, 1, '', 50),
    listEndingOf: (store) => store.listEndingOf('u', span),
    listEnding: (store) => store.listEnding(span, 50),
    queueEndNotice: (store) => store.queueEndNotice(marks, []),
    pageMembers: (store) => store.pageMembers('g', { after: undefined, limit: 50 }),
    'pageAllowedUsers, by name': (store) =>
      store.pageAllowedUsers('c', { order: { by: 'name', descending: false }, after: undefined, limit: 50 }),
    pageAllowedUsers: (store) => store.pageAllowedUsers('c', { after: undefined, limit: 50 }),
    findGroup: (store) => store.findGroup('g'),
    pageGroups: (store) => store.pageGroups({ after: undefined, limit: 50 }),
    'pageGroups, with words': (store) => store.pageGroups({ words: ['board'], after: undefined, limit: 50 }),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} uses indexes and scans no table`, async () => {
      [asked, written] = [[], []];
      await call(storage);
      const statements = [...asked, ...written];
      assert.notEqual(statements.length, 0);
      for (const { sql, params } of statements) {
        const plan = (await driver.read(`EXPLAIN QUERY PLAN ${sql}`, params)).map(({ detail }) => String(detail));
        // Whatever lasts has the same end, so an index by ends would be most of the table.
        for (const step of plan) assert.doesNotMatch(step, /_by_end/, plan.join('; '));
        // What a subquery of index look-ups returns is no table, nor are what ends (e), what is open (o), named IDs (j) and the messages of
        // webhooks (m, p). Of endpoints (wh) and of applications with claims there are few.
        const whole =
          /^SCAN (?!CONSTANT|counted|lost|kept|used|c(?:lients)? USING INDEX clients_with_claims|\(subquery|[emop]$|j VIRTUAL|wh\b)/;
        const made = plan.flatMap(
          (step) =>
            /^CO-ROUTINE (\w+)$/
              .exec(step)
              ?.slice(1)
              .map((name) => `SCAN ${name}`) ?? [],
        );
        for (const step of plan.filter((each) => !made.includes(each)))
          assert.doesNotMatch(step, whole, plan.join('; '));
      }
    });
  }
});

describe('groups of directories', () => {
  const group = {
    id: 'g',
    name: 'G',
    externalId: null,
    managedBy: 's',
    createdAt: 1,
    updatedAt: 1,
    protectedSince: null,
  };
  const changes = { add: [{ id: 'a', event: anEvent() }], remove: [{ id: 'b', event: anEvent() }] };
  const part = { limit: 50, offset: 0 };
  const others = { change: 1, after: 'a', limit: 50 };
  const lookUp = /\((group_id=\? AND user_id=\?|user_id=\? AND group_id=\?)/;
  /** The steps that read members: look-ups of those named, or of all from some ID on. */
  const calls: Record<string, readonly [call: (store: Storage) => unknown, members: RegExp]> = {
    findNamedMembers: [(store) => store.findNamedMembers('g', 's', ['a', 'b']), lookUp],
    findOtherWithRole: [(store) => store.findOtherWithRole('g', 's', ['a']), lookUp],
    listOtherMembers: [(store) => store.listOtherMembers('g', 's', ['a'], others), /\(group_id=\? AND user_id>\?\)$/],
    listScimMembers: [(store) => store.listScimMembers('g', 's', 'a', 50), /\(group_id=\? AND user_id>\?\)$/],
    changeScimGroup: [
      (store) => store.changeScimGroup(group, { name: 'H', externalId: 'x' }, changes, [anEvent()], 1),
      // Those who leave are found by the change that ended their membership, which nobody else has.
      /\(group_id=\? AND user_id=\?|\(user_id=\?|_by_end \(ended_by=\?\)|_ending \(expires_at/,
    ],
  };
  for (const [name, [call, members]] of Object.entries(calls)) {
    test(`${name} looks at the people it names, however many members there are`, async () => {
      [asked, written] = [[], []];
      await call(storage);
      const steps: string[] = [];
      for (const { sql, params } of [...asked, ...written]) {
        const plan = await driver.read(`EXPLAIN QUERY PLAN ${sql}`, params);
        steps.push(...plan.map(({ detail }) => String(detail)));
      }
      const ofMembers = steps.filter((step) => /\b(gm|group_members)\b/.test(step));
      assert.notEqual(ofMembers.length, 0);
      for (const step of ofMembers) assert.match(step, members);
      const whole =
        /^SCAN (?!CONSTANT|\d-ROW VALUES|lost|kept|j VIRTUAL|u USING (COVERING )?INDEX users_with_role|clients USING INDEX clients_with_claims|\(subquery|[emp]$|wh\b)/;
      for (const step of steps) assert.doesNotMatch(step, whole, steps.join('; '));
      assert.doesNotMatch(steps.join('; '), /USE TEMP B-TREE FOR ORDER BY|users_managed/);
    });
  }

  const filters = {
    id: { id: { eq: 'g' } },
    name: { name: { eq: 'g' } },
    externalId: { externalId: { eq: 'x' } },
    nothing: {},
  };
  for (const [name, filter] of Object.entries(filters)) {
    test(`a filter by ${name} is an index`, async () => {
      const plan = await planOf((store) => store.findScimGroups('s', filter, part));
      for (const step of plan) assert.doesNotMatch(step, /^SCAN (?!CONSTANT)/, plan.join('; '));
      if (name === 'nothing') assertDirect(plan);
    });
  }
});

describe('hashes of other services', () => {
  for (const question of ['hasForeignHashes', 'countForeignHashes'] as const) {
    test(`${question}: reads the partial index of imported hashes`, async () => {
      const plan = await planOf((store) => store[question]());
      assert.match(plan.join('\n'), /^(?:SCAN|SEARCH) users USING (?:COVERING )?INDEX users_with_foreign_hash$/);
    });
  }
});
