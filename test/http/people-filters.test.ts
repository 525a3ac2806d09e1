// Filters of people in the console and in the API, by one table, and totals of lists.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY } from '../../src/protocol/durations.ts';
import { Api, type KeyCaller, newKey, withBearer } from '../harness/api.ts';
import { alertOn, namesOn, visit } from '../harness/console.ts';
import { Person, readForm } from '../harness/person.ts';
import { newKeyWithRoles, newUserWithRoles } from '../harness/roles.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { anAuthenticator, anEvent, aUser, someDigests } from '../storage/records.ts';

let service: TestService;
let api: Api;
let key: KeyCaller;
let admin: Person;

before(async () => {
  service = await startTestService();
  const { storage, clock } = service.running.services;
  const root = await service.newUser({ admin: true, name: 'Root Same' });
  admin = new Person(service);
  await admin.signIn(root);
  const store = async (name: string, facts: Parameters<typeof aUser>[0] = {}) => {
    const user = aUser({ name: `${name} Same`, createdAt: clock.now(), ...facts });
    await storage.createUser(user, anEvent());
    return user;
  };
  const now = clock.now();
  await store('Audit', { roles: 'auditor' });
  await store('Disabled', { disabledAt: now });
  await store('Pending', { disabledAt: now, pendingSince: now });
  await store('Ends', { expiresAt: now + 6 * DAY });
  await store('Managed', { managedBy: 'okta & co', externalId: '1' });
  const safe = await store('Factor');
  await storage.enableAuthenticator(safe.id, anAuthenticator(), someDigests(), now, anEvent());
  key = await newKey(service);
  api = await Api.of(service);
});
after(() => service.stop());

const cases: readonly (readonly [query: Record<string, string>, names: readonly string[]])[] = [
  [{ role: 'any' }, ['Audit', 'Root']],
  [{ role: 'administrator' }, ['Root']],
  [{ role: 'auditor' }, ['Audit']],
  [{ role: 'people' }, []],
  [{ status: 'active' }, ['Audit', 'Ends', 'Factor', 'Managed', 'Root']],
  [{ status: 'disabled' }, ['Disabled']],
  [{ status: 'pending' }, ['Pending']],
  [{ second_factor: 'none' }, ['Audit', 'Disabled', 'Ends', 'Managed', 'Pending', 'Root']],
  [{ signed_in: 'never' }, ['Audit', 'Disabled', 'Ends', 'Factor', 'Managed', 'Pending']],
  [{ signed_in: '1d' }, ['Root']],
  [{ signed_in: '30d', role: 'auditor' }, []],
  [{ status: 'inactive' }, []],
  [{ inactive: '1d' }, []],
  [{ expires_within: '6d' }, ['Ends']],
  [{ expires_within: '5d' }, []],
  [{ ending: 'yes' }, ['Ends']],
  [{ managed_by: 'okta & co' }, ['Managed']],
  [{ managed_by: 'other' }, []],
  [{ role: 'any', second_factor: 'none', signed_in: 'never' }, ['Audit']],
  [{ second_factor: 'none', search: 'dis sa' }, ['Disabled']],
  [{ second_factor: 'none', search: 'factor' }, []],
  [{ status: 'active', sort: 'name', search: '' }, ['Audit', 'Ends', 'Factor', 'Managed', 'Root']],
];

describe('the same people are listed', () => {
  for (const [query, names] of cases) {
    const text = new URLSearchParams(query).toString();
    const expected = names.map((name) => `${name} Same`);
    test(text, async () => {
      const { data } = await api.call('listUsers', key, { query: { ...query, total: 'yes' } });
      assert.deepEqual(data.items.map(({ name }) => name).toSorted(), expected);
      const { total } = data as { readonly total?: object };
      assert.deepEqual(total, { count: names.length, more: false });
      const { status, page } = await visit(admin, `/admin/people?${text}`);
      assert.equal(status, 200, alertOn(page) ?? '');
      assert.deepEqual(namesOn(page).toSorted(), expected);
      if (names.length > 0)
        assert.match(page, new RegExp(`<p class="pager-alone">1–${names.length} of ${names.length}<`));
      else assert.match(page, /No people found\./);
      const lines = await (await admin.visit(`/admin/people.jsonl?${text}`)).text();
      const downloaded = lines.split('\n').filter(Boolean);
      assert.deepEqual(downloaded.map((line) => JSON.parse(line).name).toSorted(), expected);
    });
  }

  test('without being asked, the API counts nothing', async () => {
    const { data } = await api.call('listUsers', key, { query: { role: 'any' } });
    assert.equal('total' in data, false);
  });

  test('other lists are counted, too', async () => {
    for (const operation of ['listUsers', 'listClients', 'listGroups', 'listEvents']) {
      const { data } = await api.call(operation, key, { query: { total: 'yes', limit: '1' } });
      const { total } = data as { readonly total?: { count: number; more: boolean } };
      assert.equal(total?.more, false, operation);
      assert.ok((total?.count ?? -1) >= data.items.length, operation);
    }
  });
});

describe('what is no filter', () => {
  const refusals: readonly (readonly [query: Record<string, string>, problem: string])[] = [
    [{ role: 'root' }, '"role" must be one of: administrator, people, applications, auditor, any'],
    [{ status: 'waiting' }, '"status" must be one of: active, disabled, inactive, pending'],
    [{ second_factor: 'any' }, '"second_factor" must be one of: none'],
    [{ signed_in: 'yes' }, '"signed_in" must be never or a number of days from 1 to 3650, such as 30d'],
    [{ signed_in: '3651d' }, '"signed_in" must be never or a number of days from 1 to 3650, such as 30d'],
    [{ inactive: 'yes' }, '"inactive" must be a number of days from 1 to 3650, such as 30d'],
    [{ expires_within: '30' }, '"expires_within" must be a number of days from 1 to 3650, such as 30d'],
    [{ expires_within: '0d' }, '"expires_within" must be a number of days from 1 to 3650, such as 30d'],
    [{ managed_by: 'x'.repeat(101) }, '"managed_by" must have at most 100 characters'],
  ];
  for (const [query, problem] of refusals) {
    test(`${JSON.stringify(query).slice(0, 60)} is refused by both, and by downloads`, async () => {
      const answer = await api.call('listUsers', key, { query });
      assert.equal(answer.status, 400);
      assert.equal(answer.message.replace(/^The parameter /, ''), `${problem}.`);
      const text = new URLSearchParams(query).toString();
      for (const path of ['people', 'people.csv']) {
        const { status, page } = await visit(admin, `/admin/${path}?${text}`);
        assert.deepEqual([status, alertOn(page)?.replaceAll('&quot;', '"')], [400, `${problem}.`]);
      }
    });
  }

  test('pending=yes is a list of its own, and says what to use instead', async () => {
    const { status, message } = await api.call('listUsers', key, { query: { pending: 'yes', role: 'any' } });
    assert.deepEqual([status, message], [400, "pending and role can't be combined: use status=pending."]);
  });
});

describe('the page', () => {
  const chipsOn = (page: string) =>
    [...page.matchAll(/<a class="chip" href="([^"]*)"( aria-current="true")?>([^<]*)/g)].map(
      ([, href = '', current, label]) => [label, current !== undefined, href.replaceAll('&amp;', '&')] as const,
    );
  const path = '/admin/people?search=same&role=auditor&second_factor=none';

  test('has a chip for what is chosen, which removes it, and keeps the rest', async () => {
    const { page } = await visit(admin, path);
    const chips = new Map(chipsOn(page).map(([label, ...rest]) => [label, rest]));
    assert.deepEqual(chips.get('Role: Auditor'), [true, '/admin/people?search=same&second_factor=none']);
    assert.deepEqual(chips.get('No two-step'), [true, '/admin/people?search=same&role=auditor']);
    assert.deepEqual(chips.get('Disabled'), [
      false,
      '/admin/people?search=same&role=auditor&second_factor=none&status=disabled',
    ]);
    assert.deepEqual(chips.get('Managed by okta &amp; co'), [
      false,
      '/admin/people?search=same&role=auditor&second_factor=none&managed_by=okta+%26+co',
    ]);
    assert.equal(chips.has('Any role'), false);
    assert.ok(chips.has('Signed in, last 30 days'));
  });

  test('has a chip and a choice for days that are asked for', async () => {
    const { page } = await visit(admin, '/admin/people?signed_in=14d');
    const chips = new Map(chipsOn(page).map(([label, ...rest]) => [label, rest]));
    assert.deepEqual(chips.get('Signed in, last 14 days'), [true, '/admin/people']);
    assert.equal(chips.has('Never signed in'), false);
    assert.match(page, /<option value="14d" selected[^>]*>Signed in, last 14 days</);
  });

  test('keeps filters in the search, in other orders, in downloads and on the next page', async () => {
    const { page } = await visit(admin, path);
    const kept = { role: 'auditor', second_factor: 'none' };
    const search = readForm(page, '/admin/people', 'get')?.fields;
    assert.deepEqual({ role: search?.role, second_factor: search?.second_factor }, kept);
    assert.match(
      page,
      /href="\/admin\/people\.csv\?search=same&amp;sort=-created&amp;role=auditor&amp;second_factor=none"/,
    );
    const whole = (await visit(admin, '/admin/people?second_factor=none')).page;
    assert.match(whole, /href="\/admin\/people\?second_factor=none&amp;sort=name">/);
    const { storage } = service.running.services;
    const many = Array.from({ length: 60 }, (_, index) => aUser({ name: `Many ${index}` }));
    await storage.importUsers(
      'test',
      many.map((user) => ({ oldId: user.id, user })),
      0,
      anEvent(),
    );
    const first = (await visit(admin, '/admin/people?second_factor=none&sort=name')).page;
    assert.match(first, /<p>1–50 of 66<\/p>/);
    const next = /href="([^"]*)" rel="next"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = (await visit(admin, next)).page;
    assert.match(second, /<p>51–66 of 66<\/p>/);
    assert.equal(new Set([...namesOn(first), ...namesOn(second)]).size, 66);
  });

  test('whoever may read people may filter them, and nobody else', async () => {
    for (const [role, status] of [
      ['people', 200],
      ['auditor', 200],
      ['applications', 403],
    ] as const) {
      const reader = new Person(service);
      await reader.signIn(await newUserWithRoles(service, [role], 'Reader'));
      assert.equal((await visit(reader, '/admin/people?role=any&second_factor=none')).status, status);
      const withRole = withBearer(await newKeyWithRoles(service, [role]));
      assert.equal((await api.call('listUsers', withRole, { query: { role: 'any' } })).status, status);
    }
  });

  test('groups show the applications they open to those who may see applications', async () => {
    await api.call('createGroup', key, { body: { name: 'Counted' } });
    assert.match((await visit(admin, '/admin/groups')).page, /Members[\s\S]*>Applications</);
    const reader = new Person(service);
    await reader.signIn(await newUserWithRoles(service, ['people'], 'Reader'));
    const table = /<table[\s\S]*?<\/table>/.exec((await visit(reader, '/admin/groups')).page)?.[0] ?? '';
    assert.match(table, /Members/);
    assert.doesNotMatch(table, /Applications/);
  });
});
