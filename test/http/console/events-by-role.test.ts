// Events and totals as each role sees them, in the console, in the API and in downloads.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { deleteUser } from '../../../src/operations/users/disable-user.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import { ownVersion } from '../../../src/platform/version.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';
import { Api, withBearer } from '../../harness/api.ts';
import { newWaiting } from '../../harness/approval.ts';
import { Person } from '../../harness/person.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newKeyWithRoles, newUserWithRoles } from '../../harness/roles.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let api: Api;
let ada: TestUser;
let helper: TestUser;
let administrator: TestUser;

/** What is only in the events about each of them. */
const marks = { ada: '192.0.2.1', helper: '192.0.2.2', administrator: '192.0.2.3', application: '192.0.2.4' };
const serviceMark = '192.0.2.5';
const everything = [...Object.values(marks), serviceMark];

/** What each role sees of them. */
const seen: readonly [roles: readonly Role[], marks: readonly string[]][] = [
  [['people'], [marks.ada]],
  [['applications'], [marks.application]],
  [
    ['people', 'applications'],
    [marks.ada, marks.application],
  ],
  [['auditor'], everything],
  [['people', 'auditor'], everything],
];

before(async () => {
  api = await Api.of(service);
  const { services } = service.running;
  ada = await service.newUser({ name: 'Ada Lovelace' });
  helper = await newUserWithRoles(service, ['people'], 'Helper');
  administrator = await newUserWithRoles(service, ['administrator'], 'Boss');
  const people = { ada, helper, administrator };
  for (const [name, user] of Object.entries(people)) {
    const address = marks[name as keyof typeof people];
    services.journal.note({ kind: 'profile_changed', userId: user.id }, { ...requester, address });
  }
  const client = await service.newClient();
  await updateClient(services, client.id, { name: 'Wiki' }, { ...requester, address: marks.application });
  services.journal.note({ kind: 'settings_changed' }, { ...requester, address: serviceMark });
  await services.journal.flush();
});

const marksIn = (text: string) => everything.filter((mark) => text.includes(mark));

for (const [roles, expected] of seen) {
  test(`events for ${roles.join(' and ')}`, async () => {
    const key = withBearer(await newKeyWithRoles(service, roles));
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, roles));
    const read = async (path: string) => (await person.request(path)).text();
    assert.deepEqual(
      marksIn(JSON.stringify((await api.call('listEvents', key, { query: { limit: '100' } })).data)),
      expected,
    );
    for (const path of ['/admin/events', '/admin/events?sort=at', '/admin/events.csv', '/admin/events.jsonl']) {
      assert.deepEqual(marksIn(await read(path)), expected, path);
    }
    // One by one, in pages of their own.
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '1', ...(cursor !== null && { cursor }) };
      const { data } = await api.call('listEvents', key, { query });
      paged.push(...marksIn(JSON.stringify(data.items)));
      cursor = data.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(paged.sort(), [...expected].sort());
    // Asking for what can't be seen finds nothing.
    for (const user of [ada, helper, administrator]) {
      const { data } = await api.call('listEvents', key, { query: { person: user.email, limit: '100' } });
      const allowed = marksIn(JSON.stringify(data.items)).every((mark) => expected.includes(mark));
      assert.ok(allowed, user.email);
      assert.equal(data.items.length > 0, expected === everything || (user === ada && expected.includes(marks.ada)));
    }
    const { data } = await api.call('listEvents', key, { query: { kind: 'settings_changed' } });
    assert.equal(data.items.length, expected === everything ? 1 : 0);
  });

  test(`the overview for ${roles.join(' and ')}`, async () => {
    const { data } = await api.call('getOverview', withBearer(await newKeyWithRoles(service, roles)));
    const all = expected === everything;
    assert.equal(data.day !== null, all);
    assert.equal(data.month !== null, all);
    assert.equal(data.people !== null, roles.includes('people') || all);
    assert.equal(data.warnings.length > 0, all);
  });
}

test('the name of an API key that did something is for those who see API keys', async () => {
  const { services } = service.running;
  const made = await createApiKey(services, { name: 'Backup job', permission: 'write' }, requester);
  assert.ok(made.kind === 'done');
  const actor = { kind: 'api_key', id: made.key.id } as const;
  services.journal.note({ kind: 'user_edited', userId: ada.id }, { ...requester, actor });
  for (const [roles, sees] of [
    [['people'], false],
    [['auditor'], true],
  ] as const) {
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, roles));
    const path = `/admin/events?person=${ada.id}&kind=user_edited`;
    assert.equal((await (await person.request(path)).text()).includes('Backup job'), sees, roles[0]);
  }
});

test('events of someone who had a role stay out of sight once they lost it or were deleted', async () => {
  const { services } = service.running;
  const key = withBearer(await newKeyWithRoles(service, ['people']));
  const find = async (id: string) => {
    const { data } = await api.call('listEvents', key, { query: { limit: '100' } });
    return (data.items as unknown as readonly { kind: string }[]).filter((each) => JSON.stringify(each).includes(id));
  };
  const note = async (id: string) => {
    services.journal.note({ kind: 'profile_changed', userId: id }, requester);
    await services.journal.flush();
    service.clock.advance(1);
  };
  for (const role of ['administrator', 'auditor'] as const) {
    const [former, deleted] = [await newUserWithRoles(service, [role]), await newUserWithRoles(service, [role])];
    for (const { id } of [former, deleted]) await note(id);
    await setRoles(services, { id: former.id }, [], requester);
    await deleteUser(services, { id: deleted.id }, requester);
    assert.deepEqual([await find(former.id), await find(deleted.id)], [[], []], role);
    service.clock.advance(1);
    await note(former.id);
    assert.deepEqual(
      (await find(former.id)).map(({ kind }) => kind),
      ['profile_changed'],
      role,
    );
  }
  const ordinary = await service.newUser();
  await note(ordinary.id);
  await deleteUser(services, { id: ordinary.id }, requester);
  assert.deepEqual(
    (await find(ordinary.id)).map(({ kind }) => kind).filter((kind) => kind !== 'user_created'),
    ['user_deleted', 'profile_changed'],
  );
});

test('where somebody with a role is signed in is for those who see their events', async () => {
  const key = withBearer(await newKeyWithRoles(service, ['people']));
  const auditor = withBearer(await newKeyWithRoles(service, ['auditor']));
  const person = new Person(service);
  await person.signIn(await newUserWithRoles(service, ['people']));
  for (const user of [ada, administrator]) {
    const there = new Person(service);
    await there.signIn(user);
    const params = { id: user.id };
    assert.equal((await api.call('listPersonSessions', key, { params })).status, user === ada ? 200 : 403, user.email);
    assert.equal((await api.call('listPersonSessions', auditor, { params })).status, 200);
    const page = await (await person.request(`/admin/people/${user.id}/security`)).text();
    assert.equal(/127\.0\.0\.1|::1/.test(page), user === ada, user.email);
  }
});

test('the page of somebody with a role has nothing to change for those who are not administrators', async () => {
  service.clock.advance(60 * 60);
  const person = new Person(service);
  await person.signIn(await newUserWithRoles(service, ['people']));
  for (const [user, changes] of [
    [ada, true],
    [helper, false],
    [administrator, false],
  ] as const) {
    for (const tab of ['', '/access', '/security', '/activity']) {
      const page = await (await person.request(`/admin/people/${user.id}${tab}`)).text();
      assert.equal(page.includes(`href="/admin/people/${user.id}/edit"`), changes, user.email);
      assert.equal(page.includes(`href="/admin/people/${user.id}/danger"`), changes, user.email);
      const hasForms = new RegExp(`action="/admin/people/${user.id}/`).test(page);
      if (hasForms) assert.ok(changes, user.email);
      if (tab === '/access') assert.equal(hasForms, changes, user.email);
    }
    for (const path of ['edit', 'delete', 'danger']) {
      const before = (await service.events('administration_refused')).length;
      const answer = await person.request(`/admin/people/${user.id}/${path}`);
      assert.equal(answer.status, changes ? 200 : 403, path);
      const events = (await service.events('administration_refused')).slice(before);
      assert.deepEqual(
        events.map(({ detail }) => detail?.right),
        changes ? [] : ['roles.change'],
      );
    }
  }
});

test('the overview has no application and nobody who waits, for those who see neither', async () => {
  await obtainTokens(service, await service.newClient(), await service.newUser());
  await newWaiting(service, { name: 'Waiting Person' });
  for (const [roles] of seen) {
    const { data } = await api.call('getOverview', withBearer(await newKeyWithRoles(service, roles)));
    const { applications = [] }: { applications?: readonly unknown[] } = data as object;
    assert.equal(applications.length > 0, roles.includes('applications') || roles.includes('auditor'), roles.join());
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, roles));
    const page = await (await person.request('/admin')).text();
    assert.ok(page.includes(`<p class="quiet">Version ${ownVersion()}</p>`));
    if (!roles.includes('auditor'))
      assert.equal(page.includes('Waiting Person'), roles.includes('people'), roles.join());
  }
});
