// Who can use an application, and why, by the API: what the list shows, by which filters, to whom, and as a file.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';
import { isoTime } from '../../../src/protocol/iso-time.ts';
import { Api, type KeyCaller, newKey, withBearer, withSession } from '../../harness/api.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newKeyWithRoles, newUserWithRoles } from '../../harness/roles.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const DAY = 24 * 60 * 60;
const service = serviceOfSuite();
let api: Api;
let key: KeyCaller;

before(async () => {
  key = await newKey(service);
  api = await Api.of(service);
});

const nowIn = (days: number) => isoTime(service.clock.now() + days * DAY * 1000);

async function group(name: string, people: readonly TestUser[]): Promise<{ id: string; name: string }> {
  const { data } = await api.call('createGroup', key, { body: { name } });
  const body = { people: people.map(({ id }) => id) };
  assert.equal((await api.call('addToGroup', key, { params: { id: data.id }, body })).status, 200);
  return { id: data.id, name };
}

async function allow(client: TestClient, body: object): Promise<void> {
  const answer = await api.call('allowAccess', key, { params: { client_id: client.id }, body });
  assert.equal(answer.status, 200, answer.message);
}

async function listedClient(name = 'Grafana'): Promise<TestClient> {
  const client = await service.newClient({ name });
  await api.call('setAccess', key, { params: { client_id: client.id }, body: { access: 'listed' } });
  return client;
}

async function list(client: TestClient, query: Record<string, string> = {}) {
  const answer = await api.call('listPeopleWithAccess', key, { params: { client_id: client.id }, query });
  assert.equal(answer.status, 200, answer.message);
  return answer.data;
}

const emails = async (client: TestClient, query: Record<string, string> = {}) =>
  (await list(client, query)).items.map((item) => (item as unknown as { person: TestUser }).person.email).sort();

const check = (client: TestClient, person: string) =>
  api.call('checkAccess', key, { params: { client_id: client.id }, query: { person } });

test('everyone who can use an application is listed, with every reason, ends, and when they used it', async () => {
  const [client, ada, bob, cleo] = [
    await listedClient(),
    await service.newUser({ name: 'Ada North' }),
    await service.newUser({ name: 'Bob North' }),
    await service.newUser({ name: 'Cleo South' }),
  ];
  const began = nowIn(0);
  const engineering = await group('Engineering', [ada, bob]);
  await allow(client, { people: [ada.email], expires_at: '10d' });
  service.clock.advance(60);
  const later = nowIn(0);
  await allow(client, { groups: ['engineering'], expires_at: '40d' });
  await obtainTokens(service, client, bob);
  const direct = {
    kind: 'person',
    group: null,
    since: began,
    expires_at: isoTime(Date.parse(began) + 10 * DAY * 1000),
  };
  const byGroup = {
    kind: 'group',
    group: engineering,
    since: later,
    expires_at: isoTime(Date.parse(later) + 40 * DAY * 1000),
  };
  const shown = ({ id, email }: TestUser, name: string) => ({ id, name, email });
  const listed = await list(client, { sort: 'name', total: 'yes' });
  assert.deepEqual(listed, {
    items: [
      {
        person: shown(ada, 'Ada North'),
        reasons: [direct, byGroup],
        expires_at: byGroup.expires_at,
        connected_at: null,
        last_used_at: null,
      },
      {
        person: shown(bob, 'Bob North'),
        reasons: [byGroup],
        expires_at: byGroup.expires_at,
        connected_at: later,
        last_used_at: later,
      },
    ],
    next_cursor: null,
    previous_cursor: null,
    total: { count: 2, more: false },
  });
  assert.deepEqual((await check(client, ada.email)).data, { allowed: true, reasons: [direct, byGroup] });
  assert.deepEqual((await check(client, cleo.id)).data, { allowed: false, reasons: [] });
  const nobody = await check(client, 'nobody@example.test');
  assert.deepEqual(
    [nobody.status, nobody.message],
    [404, 'There is no person with the email address, username or ID "nobody@example.test".'],
  );

  assert.deepEqual(await emails(client, { search: 'nor bo' }), [bob.email]);
  assert.deepEqual(await emails(client, { reason: 'person' }), [ada.email]);
  assert.deepEqual(await emails(client, { reason: 'everyone' }), []);
  assert.deepEqual(await emails(client, { group: 'ENGINEERING', reason: 'person' }), [ada.email]);
  assert.deepEqual(await emails(client, { expires_within: '30d' }), [], 'the latest end counts');
  assert.deepEqual(await emails(client, { expires_within: '41d' }), [ada.email, bob.email].sort());
  const page = await list(client, { sort: 'name', limit: '1' });
  assert.deepEqual(await emails(client, { sort: 'name', limit: '1', cursor: page.next_cursor ?? '' }), [bob.email]);

  // Without the right account nobody can use it, whatever lets them in.
  await disableUser(service.running.services, bob.id, requester);
  assert.deepEqual(await emails(client), [ada.email]);
  assert.deepEqual((await check(client, bob.id)).data, { allowed: false, reasons: [byGroup] });
  service.clock.advance(11 * DAY);
  assert.deepEqual((await check(client, ada.id)).data, { allowed: true, reasons: [byGroup] });
  service.clock.advance(30 * DAY);
  assert.deepEqual(await emails(client), []);
  assert.deepEqual((await check(client, ada.id)).data, { allowed: false, reasons: [] });
});

test('of an application that everyone can use, those who have connected it are listed; nobody can use a revoked one', async () => {
  const [client, ada, bob] = [await service.newClient(), await service.newUser(), await service.newUser()];
  await obtainTokens(service, client, ada);
  await allow(client, { people: [ada.email, bob.email], expires_at: '5d' });
  const [item, ...others] = (await list(client)).items;
  assert.deepEqual(others, []);
  const reasons = (item as unknown as { reasons: { kind: string }[] }).reasons.map(({ kind }) => kind);
  assert.deepEqual([reasons, item?.expires_at], [['everyone', 'person'], null]);
  assert.deepEqual(await emails(client, { expires_within: '30d' }), []);
  assert.deepEqual(await emails(client, { reason: 'everyone' }), [ada.email]);
  assert.equal(((await check(client, bob.id)).data as unknown as { allowed: boolean }).allowed, true);
  await api.call('revokeApplication', key, { params: { client_id: client.id } });
  assert.deepEqual((await list(client, { total: 'yes' })).total, { count: 0, more: false });
  assert.equal(((await check(client, ada.id)).data as unknown as { allowed: boolean }).allowed, false);
});

test('who has had access for longer and has not used it since is found; using it is enough', async () => {
  const [client, never, once, fresh] = [
    await listedClient(),
    await service.newUser(),
    await service.newUser(),
    await service.newUser(),
  ];
  await allow(client, { people: [never.id, once.id] });
  await obtainTokens(service, client, once);
  service.clock.advance(90 * DAY);
  assert.deepEqual(await emails(client, { unused: '90d' }), []);
  service.clock.advance(1);
  await allow(client, { people: [fresh.id] });
  assert.deepEqual(await emails(client, { unused: '90d' }), [never.email, once.email].sort());
  await obtainTokens(service, client, once);
  await service.running.services.journal.flush();
  assert.deepEqual(await emails(client, { unused: '90d' }), [never.email]);
});

test('a filter that cannot be read is refused by its name', async () => {
  const client = await listedClient();
  for (const [query, message] of [
    [{ unused: 'long' }, /"unused" must be a number of days/],
    [{ expires_within: '0d' }, /"expires_within" must be a number of days/],
    [{ group: 'nothing' }, /There is no group "nothing"/],
    [{ reason: 'luck' }, /"reason" must be one of: everyone, person, group/],
  ] as const) {
    const answer = await api.call('listPeopleWithAccess', key, { params: { client_id: client.id }, query });
    assert.equal(answer.status, 400);
    assert.match(answer.message, message);
  }
  const unknown = await api.call('listPeopleWithAccess', key, { params: { client_id: 'nothing' } });
  assert.equal(unknown.status, 404);
});

test("a cursor and a filter of one application show nothing of another's people", async () => {
  const [one, other] = [await listedClient('One'), await listedClient('Other')];
  const people = [await service.newUser(), await service.newUser(), await service.newUser()];
  const outsiders = [await service.newUser(), await service.newUser()];
  const team = await group('Outsiders', outsiders);
  await allow(one, { people: people.map(({ id }) => id) });
  await allow(other, { people: outsiders.map(({ id }) => id), groups: [team.id] });
  for (const sort of ['name', '-created', 'last_sign_in']) {
    const { next_cursor: cursor } = await list(one, { sort, limit: '1' });
    const found = await emails(other, { sort, cursor: cursor ?? '' });
    assert.ok(found.every((email) => outsiders.some((each) => each.email === email)));
    assert.deepEqual((await list(one, { sort, limit: '1', group: team.id, cursor: cursor ?? '' })).items, []);
  }
  assert.deepEqual(await emails(one, { group: team.name }), []);
});

test('the list is a file whose cells are no formulas, and of which the download is recorded', async () => {
  const client = await listedClient();
  const mallory = await service.newUser({ name: '=HYPERLINK("https://evil.example") Mallory' });
  await group('Fine', [mallory]);
  const markup = await group('<b>; =1+1', [mallory]);
  await allow(client, { people: [mallory.id], groups: ['Fine', markup.id], expires_at: '9d' });
  const download = (format: string) =>
    api.call(`downloadPeopleWithAccess_${format}`, key, {
      params: { client_id: client.id },
      query: { search: 'mall' },
    });
  const lines = (await download('csv')).message.split('\r\n');
  assert.equal(lines[0], 'id,name,email,reasons,since,expires_at,connected_at,last_used_at');
  assert.equal(
    lines[1],
    [
      mallory.id,
      `"'=HYPERLINK(""https://evil.example"") Mallory"`,
      mallory.email,
      "person; group <b>; '=1+1; group Fine",
      nowIn(0),
      nowIn(9),
      '',
      '',
    ].join(','),
  );
  const [line = '', ...rest] = (await download('jsonl')).message.split('\n');
  assert.deepEqual([JSON.parse(line), rest], [(await list(client)).items[0], ['']]);
  const [event] = (await service.events('list_downloaded')).slice(-1);
  assert.deepEqual(
    [event?.clientId, event?.detail],
    [client.id, { list: 'access', format: 'jsonl', by: `api_key ${key.id}` }],
  );
});

describe('who sees who has access', () => {
  const paths = (id: string, person: string) => [
    `/api/applications/${id}/people`,
    `/api/applications/${id}/people.csv`,
    `/api/applications/${id}/people.jsonl`,
    `/api/applications/${id}/access/check?person=${person}`,
  ];
  const cases: readonly (readonly [roles: readonly Role[], sees: boolean])[] = [
    [['applications'], false],
    [['people'], false],
    [['people', 'applications'], true],
    [['auditor'], true],
    [['administrator'], true],
    [[], false],
  ];
  for (const [roles, sees] of cases) {
    test(`${roles.join(' and ') || 'nobody'}: ${sees ? 'yes' : 'no'}`, async () => {
      const [client, person] = [await listedClient(), await service.newUser({ name: 'Shown Only To Some' })];
      await allow(client, { people: [person.id] });
      const session = await withSession(service, await newUserWithRoles(service, roles));
      const callers = roles.length === 0 ? [session] : [session, withBearer(await newKeyWithRoles(service, roles))];
      for (const caller of callers) {
        for (const path of paths(client.id, person.id)) {
          const response = await fetch(service.url + path, { headers: caller.headers('GET') });
          const text = await response.text();
          assert.equal(response.status, sees ? 200 : 403, path);
          if (!sees) assert.doesNotMatch(text, /Shown Only/);
        }
      }
    });
  }
});

test('members of a group are searched, sorted and counted', async () => {
  const [ada, bob] = [await service.newUser({ name: 'Ada East' }), await service.newUser({ name: 'Bob East' })];
  const { id } = await group('Easterners', [bob, ada]);
  const read = async (query: Record<string, string>) => {
    const { data } = await api.call('listGroupMembers', key, { params: { id }, query });
    assert.ok(data.items.every((item) => (item as { membership_since?: string }).membership_since === nowIn(0)));
    return [data.items.map(({ name }) => name), data.total];
  };
  const count = (count: number) => ({ count, more: false });
  assert.deepEqual(await read({ sort: '-name', total: 'yes' }), [['Bob East', 'Ada East'], count(2)]);
  assert.deepEqual(await read({ search: 'ad', total: 'yes' }), [['Ada East'], count(1)]);
  assert.deepEqual(await read({ total: 'yes', limit: '1' }).then(([, total]) => total), count(2));
  assert.deepEqual(await read({ search: 'nobody' }), [[], undefined]);
});

test('members of a group are downloaded as the list has them, and nothing in it is a formula', async () => {
  const bob = await service.newUser({ name: 'Bob West' });
  const mallory = await service.newUser({ name: '=HYPERLINK("https://evil.example") West' });
  const { id, name } = await group('Westerners', [bob, mallory]);
  const ending = { people: [mallory.id], expires_at: '9d' };
  assert.equal((await api.call('addToGroup', key, { params: { id }, body: ending })).status, 200);
  const download = async (format: string, query: Record<string, string>) =>
    (await api.call(`downloadGroupMembers_${format}`, key, { params: { id }, query })).message;
  const [header = '', row = '', ...others] = (await download('csv', { ending: 'yes' })).trim().split('\r\n');
  assert.match(header, /^id,email,email_verified,name,.*,membership_since,membership_expires_at,/);
  assert.match(
    row,
    new RegExp(`^${mallory.id},${mallory.email},true,"'=HYPERLINK\\(""https://evil\\.example""\\) West",`),
  );
  assert.ok(row.includes(`,${nowIn(0)},${nowIn(9)},`), row);
  assert.deepEqual(others, []);
  const lines = (await download('jsonl', { sort: 'name' })).trim().split('\n');
  const { data } = await api.call('listGroupMembers', key, { params: { id }, query: { sort: 'name' } });
  assert.equal(data.items.length, 2);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    data.items,
  );
  const [event] = (await service.events('list_downloaded')).slice(-1);
  assert.deepEqual(event?.detail, { list: 'members', group: name, format: 'jsonl', by: `api_key ${key.id}` });
  const unknown = await api.call('downloadGroupMembers_csv', key, { params: { id: 'nothing' } });
  assert.equal(unknown.status, 404);
});
