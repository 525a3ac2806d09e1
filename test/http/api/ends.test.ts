// Access that ends by itself, by the API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Api, type KeyCaller, newKey } from '../../harness/api.ts';
import { obtainTokens, userinfo } from '../../harness/relying-party.ts';
import { startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { sweep } from '../../harness/sweep.ts';

const DAY = 24 * 60 * 60;

let service: TestService;
let api: Api;
let key: KeyCaller;
let admin: TestUser;

before(async () => {
  service = await startTestService();
  admin = await service.newUser({ admin: true });
  key = await newKey(service, 'administrator');
  api = await Api.of(service);
});
after(() => service.stop());

const at = (milliseconds: number) => new Date(service.clock.now() + milliseconds).toISOString();
const inDays = (days: number) => at(days * DAY * 1000);
const update = (user: TestUser, body: object) => api.call('updatePerson', key, { params: { id: user.id }, body });
const newGroup = async (name: string) => (await api.call('createGroup', key, { body: { name } })).data.id;

describe('a person', () => {
  test('is created with an end, which changes and is taken back', async () => {
    const end = inDays(30);
    const made = await api.call('createPerson', key, {
      body: { email: 'ends@example.test', name: 'Ends', password: 'correct horse battery', expires_at: end },
    });
    assert.deepEqual([made.status, made.data.expires_at], [201, end], made.message);
    const params = { id: made.data.id };
    const change = async (expires_at: string | null) =>
      (await api.call('updatePerson', key, { params, body: { expires_at } })).data.expires_at;
    assert.equal(await change('2099-01-31'), '2099-01-31T23:59:59.999Z');
    assert.equal(await change('2099-01-31T17:00+02:00'), '2099-01-31T15:00:00.000Z');
    assert.equal(await change('30d'), end);
    assert.equal((await api.call('getPerson', key, { params })).data.expires_at, end);
    assert.equal((await api.call('updatePerson', key, { params, body: { name: 'Other' } })).data.expires_at, end);
    assert.equal(await change(null), null);
    const [event] = (await service.events('user_edited')).filter(({ detail }) => detail?.expires_at === end);
    assert.deepEqual(event?.detail?.changed, ['expires_at']);
  });

  for (const expires_at of [
    '',
    'never',
    'tomorrow',
    '2027-02-30',
    '10000-01-01',
    '+275760-09-13',
    '30 d',
    '-1d',
    '999999d',
  ]) {
    test(`${JSON.stringify(expires_at)} is no end`, async () => {
      const user = await service.newUser();
      const { status, message } = await update(user, { expires_at });
      assert.equal(status, 400);
      assert.match(message, /^The end must be a time such as /);
    });
  }

  test('an end must lie ahead, if only by a millisecond', async () => {
    const user = await service.newUser();
    for (const past of [at(0), at(-1), '0d', '1970-01-01']) {
      const refused = await update(user, { expires_at: past });
      assert.deepEqual([refused.status, refused.message], [400, 'The end must be in the future.'], past);
    }
    assert.equal((await update(user, { expires_at: at(1) })).status, 200);
    for (const wrong of [12, true, {}, ['30d']]) {
      assert.equal((await update(user, { expires_at: wrong })).status, 400);
    }
  });

  test('nothing changes if any part of a change is refused', async () => {
    const [user, other] = [await service.newUser(), await service.newUser()];
    const stored = await everythingIn(service);
    assert.equal((await update(user, { name: 'Changed', expires_at: 'soon' })).status, 400);
    assert.equal((await update(user, { expires_at: '30d', email: other.email })).status, 409);
    assert.equal((await update(admin, { name: 'Changed', expires_at: '30d' })).status, 409);
    await assertNothingChanged(service, stored);
  });

  test('access that has ended begins again with a new end, before and after it was written', async () => {
    const client = await service.newClient();
    for (const isWritten of [false, true]) {
      const user = await service.newUser();
      const { tokens } = await obtainTokens(service, client, user);
      await update(user, { expires_at: at(1000) });
      service.clock.advance(2);
      if (isWritten) await sweep(service, `test ${user.id}`);
      assert.equal((await userinfo(service, tokens.access_token)).status, 401);
      const reason = `${user.email} no longer has access, because it has ended. Set a new end, or none, first.`;
      for (const operation of ['enablePerson', 'sendPasswordReset', 'makeRecoveryLink']) {
        const { status, message } = await api.call(operation, key, { params: { id: user.id } });
        assert.deepEqual([status, message], [409, reason], operation);
      }
      const again = await update(user, { expires_at: '30d' });
      assert.deepEqual([again.status, again.data.disabled_at], [200, null], again.message);
      assert.equal((await userinfo(service, tokens.access_token)).status, 401, 'no token comes back');
      const fresh = await obtainTokens(service, client, user);
      assert.equal((await userinfo(service, fresh.tokens.access_token)).status, 200);
      assert.equal((await service.events('user_expired')).filter(({ userId }) => userId === user.id).length, 1);
    }
  });

  test('the last administrator gets no end, whoever asks and however often at once', async () => {
    const refused = await update(admin, { expires_at: '30d' });
    assert.equal(refused.status, 409);
    assert.match(refused.message, /is the last administrator\. Make someone else an administrator first\.$/);
    const other = await service.newUser({ admin: true });
    const both = await Promise.all([admin, other].map((user) => update(user, { expires_at: '30d' })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    // Someone with an end isn't left as the only one either.
    const [lasting, ending] = both[0]?.status === 409 ? [admin, other] : [other, admin];
    for (const operation of ['disablePerson', 'deletePerson', 'removeAdministrator']) {
      assert.equal((await api.call(operation, key, { params: { id: lasting.id } })).status, 409, operation);
    }
    assert.equal((await update(ending, { expires_at: null })).status, 200);
  });

  test('a change of the end needs proof in a session, and admin permission for an administrator', async () => {
    const writing = await newKey(service, 'write');
    const other = await service.newUser({ admin: true });
    const call = (id: string) => api.call('updatePerson', writing, { params: { id }, body: { expires_at: '30d' } });
    assert.equal((await call(other.id)).status, 403);
    assert.equal((await call((await service.newUser()).id)).status, 200);
  });

  test('people whose access ends in the next 30 days are listed by their end', async () => {
    const users: TestUser[] = [];
    for (const days of [29, 31, 2, 30, 1]) {
      const user = await service.newUser();
      await update(user, { expires_at: inDays(days) });
      users.push(user);
    }
    const disabled = await service.newUser();
    await update(disabled, { expires_at: inDays(3) });
    await api.call('disablePerson', key, { params: { id: disabled.id } });
    const known = new Set([...users, disabled].map(({ id }) => id));
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { ending: 'yes', limit: '2', ...(cursor && { cursor }) };
      const { data } = await api.call('listUsers', key, { query });
      found.push(...data.items.map(({ id }) => id));
      cursor = data.next_cursor;
    } while (cursor);
    const order = [4, 2, 0, 3].map((index) => users[index]?.id);
    assert.deepEqual(
      found.filter((id) => known.has(id)),
      order,
    );
    for (const query of [
      { ending: 'yes', expires_within: '7d' },
      { ending: 'yes', pending: 'yes' },
      { ending: 'soon' },
    ]) {
      assert.equal((await api.call('listUsers', key, { query })).status, 400, JSON.stringify(query));
    }
  });
});

describe('a group', () => {
  test('has members with and without an end; adding them again sets it, or takes it away', async () => {
    const [ada, bob] = [await service.newUser(), await service.newUser()];
    const params = { id: await newGroup('Ends') };
    const add = (people: string[], expires_at?: string | null) =>
      api.call('addToGroup', key, { params, body: { people, ...(expires_at !== undefined && { expires_at }) } });
    const ends = async (query = {}) => {
      const { data } = await api.call('listGroupMembers', key, { params, query });
      return Object.fromEntries(data.items.map((item) => [item.email, item.membership_expires_at]));
    };
    const end = inDays(20);
    assert.equal((await add([ada.email, bob.email], end)).status, 200);
    assert.deepEqual(await ends(), { [ada.email]: end, [bob.email]: end });
    await add([bob.email]);
    assert.deepEqual(await ends(), { [ada.email]: end, [bob.email]: null });
    assert.deepEqual(await ends({ ending: 'yes' }), { [ada.email]: end });
    await add([ada.email], '2099-01-31');
    assert.deepEqual(await ends({ ending: 'yes' }), {});
    await add([ada.email], null);
    assert.deepEqual(await ends(), { [ada.email]: null, [bob.email]: null });
    const events = (await service.events('group_member_added')).filter(({ userId }) => userId === ada.id);
    assert.deepEqual(
      events.map(({ detail }) => detail?.expires_at),
      [end, '2099-01-31T23:59:59.999Z', undefined],
    );
    assert.equal((await add([ada.email], at(0))).status, 400);
    const remove = { params, body: { people: [ada.email], expires_at: '30d' } };
    assert.equal((await api.call('removeFromGroup', key, remove)).status, 400, 'removing has no end');
  });
});

describe('the list of an application', () => {
  test('has people and groups with and without an end', async () => {
    const [client, ada, bob] = [await service.newClient(), await service.newUser(), await service.newUser()];
    await newGroup('Listed');
    const params = { client_id: client.id };
    const end = inDays(10);
    const body = { people: [ada.email], groups: ['Listed'], expires_at: '10d' };
    const allowed = await api.call('allowAccess', key, { params, body });
    assert.deepEqual(allowed.data.allowed_until, { people: { [ada.email]: end }, groups: { Listed: end } });
    const later = inDays(20);
    const until = { people: { [bob.email.toUpperCase()]: later } };
    const set = (allowed_until: object, lists?: object) =>
      api.call('setAccess', key, { params, body: { allowed_until, ...(lists && { allowed: lists }) } });
    const replaced = await set(until, { people: [ada.email, bob.id] });
    assert.deepEqual(replaced.data.allowed_until, { people: { [bob.email]: later }, groups: { Listed: end } });
    const untouched = await api.call('setAccess', key, { params, body: { allowed: { people: [bob.email] } } });
    assert.deepEqual(untouched.data.allowed_until.people, { [bob.email]: later }, 'left out, it stays');
    assert.deepEqual((await set({ groups: {} })).data.allowed_until, { people: { [bob.email]: later }, groups: {} });
    const again = await api.call('allowAccess', key, { params, body: { people: [bob.email] } });
    assert.deepEqual(again.data.allowed_until, { people: {}, groups: {} });
    assert.deepEqual((await api.call('getAccess', key, { params })).data, again.data);
  });

  test('an end for someone who is not listed, or two for one, is refused by name', async () => {
    const [client, ada, bob] = [await service.newClient(), await service.newUser(), await service.newUser()];
    const params = { client_id: client.id };
    await api.call('allowAccess', key, { params, body: { people: [ada.email] } });
    const stored = await everythingIn(service);
    for (const [people, problem] of [
      [{ [bob.email]: '30d' }, `names "${bob.email}", which isn't in the list`],
      [{ 'nobody@example.test': '30d' }, `names "nobody@example.test", which isn't in the list`],
      [JSON.parse('{"__proto__": "30d"}'), 'names "__proto__", which isn\'t in the list'],
      [{ constructor: '30d' }, 'names "constructor", which isn\'t in the list'],
      [{ [ada.email]: '30d', [ada.email.toUpperCase()]: '40d' }, 'which it has named before'],
      [{ [ada.email]: '30d', [ada.id]: '30d' }, 'which it has named before'],
      [{ [ada.email]: '1999-01-31' }, 'but the end must be in the future'],
      [{ [ada.email]: 'soon' }, 'but the end must be a time such as'],
    ] as const) {
      const refused = await api.call('setAccess', key, { params, body: { allowed_until: { people } } });
      assert.equal(refused.status, 400, JSON.stringify(people));
      assert.ok(refused.message.includes(problem), refused.message);
    }
    const empty = { params, body: { allowed: { people: [] }, allowed_until: { people: { [ada.email]: '30d' } } } };
    assert.equal((await api.call('setAccess', key, empty)).status, 400, 'the list is the one that is given');
    await assertNothingChanged(service, stored);
    assert.equal(({} as Record<string, unknown>)['30d'], undefined);
  });
});

test('an import takes an end, and refuses whoever has none that can be read', async () => {
  const people = [
    { email: 'a-import@example.test', expires_at: '2099-01-31' },
    { email: 'b-import@example.test', expires_at: '1999-01-31' },
    { email: 'c-import@example.test', expires_at: 17 },
    { email: 'd-import@example.test', expires_at: '' },
    { email: 'e-import@example.test', expires_at: 'never' },
  ];
  const { data } = await api.call('importPeople', key, { body: { from: 'csv', people } });
  assert.deepEqual(
    (data as unknown as { results: { result: string }[] }).results.map(({ result }) => result),
    ['imported', 'refused', 'refused', 'imported', 'refused'],
  );
  const found = await service.running.services.storage.findUserByEmail('a-import@example.test');
  assert.equal(found?.expiresAt, Date.parse('2099-01-31T23:59:59.999Z'));
});
