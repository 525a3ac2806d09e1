// Naming the owners of an application in the API and the console, finding applications by their owner, and what owners can't do with
// anything but their session.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { type GivenOwners, setOwners } from '../../../src/operations/clients/owners.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { Api, newKey, withBearer, withSession } from '../../harness/api.ts';
import { namesOn, visit } from '../../harness/console.ts';
import { readForm } from '../../harness/person.ts';
import { proofAsked, proofFormOn } from '../../harness/proof.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const { service, administrator, admin, signInAgain } = consoleOfSuite();
const services = () => service.running.services;
let api: Api;
before(async () => {
  api = await Api.of(service);
});

async function own(clientId: string, owners: GivenOwners) {
  assert.equal((await setOwners(services(), clientId, owners, requester)).kind, 'done');
}
const ownersOf = async (clientId: string) => (await services().storage.listOwners(clientId)).people.map(({ id }) => id);

describe('who owns an application is changed with recent proof of identity alone', () => {
  for (const [what, owners] of [
    ['people', (id: string) => ({ people: [id] })],
    ['nobody', () => ({ people: [], groups: [] })],
    ['nothing', () => ({})],
  ] as const) {
    test(`in the API: ${what}`, async () => {
      const [client, first, next] = [await service.newClient(), await service.newUser(), await service.newUser()];
      await own(client.id, { people: [first.id] });
      const caller = await withSession(service, administrator);
      const input = { params: { client_id: client.id }, body: { owners: owners(next.id), name: 'Renamed' } };
      service.clock.advance(16 * MINUTE);
      const asked = await api.call('updateApplication', caller, input);
      assert.deepEqual([asked.status, asked.data], [403, { error_code: 'PROOF_REQUIRED' }]);
      assert.deepEqual(await ownersOf(client.id), [first.id]);
      assert.equal((await services().storage.findClient(client.id))?.name, client.record.name);
      const proven = await withSession(service, administrator);
      assert.equal((await api.call('updateApplication', proven, input)).status, 200);
      assert.deepEqual(await ownersOf(client.id), what === 'people' ? [next.id] : what === 'nobody' ? [] : [first.id]);
    });
  }

  test('in the console', async () => {
    const [client, next] = [await service.newClient(), await service.newUser()];
    await signInAgain();
    const action = `/admin/applications/${client.id}/owners`;
    const form = readForm((await visit(admin, `/admin/applications/${client.id}/access`)).page, action);
    assert.ok(form);
    service.clock.advance(16 * MINUTE);
    const values = { people: next.email, groups: '' };
    const proof = await proofAsked(await admin.submit(form, values));
    assert.deepEqual(await ownersOf(client.id), []);
    await proofAsked(await admin.submit(proof, { password: 'wrong' }), 400);
    assert.deepEqual(await ownersOf(client.id), []);
    const done = await (await admin.submit(proof, { password: administrator.password })).text();
    assert.equal(proofFormOn(done), undefined);
    assert.deepEqual(await ownersOf(client.id), [next.id]);
  });
});

describe('a list of applications by owner', () => {
  let olga: TestUser;
  let gone: TestUser;
  const expected: readonly [owner: (user: TestUser) => string, search: string, names: readonly string[]][] = [
    [({ id }) => id, '', ['Zebra one', 'Zebra two', 'Yak one']],
    [({ email }) => email, '', ['Zebra one', 'Zebra two', 'Yak one']],
    [({ email }) => email.toUpperCase(), 'zebra', ['Zebra one', 'Zebra two']],
    [({ id }) => ` ${id} `, 'yak', ['Yak one']],
    [({ id }) => id, 'nothing', []],
    [() => 'none', 'zebra', ['Zebra three', 'Zebra four']],
    [() => 'none', 'yak', []],
  ];

  before(async () => {
    [olga, gone] = [await service.newUser({ name: 'Olga Owner' }), await service.newUser()];
    for (const [name, owner] of [
      ['Zebra one', olga],
      ['Zebra two', olga],
      ['Zebra three', undefined],
      ['Zebra four', gone],
      ['Yak one', olga],
    ] as const) {
      const client = await service.newClient({ name });
      if (owner !== undefined) await own(client.id, { people: [owner.id] });
    }
    await disableUser(services(), { id: gone.id }, requester);
    await signInAgain();
  });

  for (const [owner, search, names] of expected) {
    test(`${owner({ id: 'ID', email: 'email' } as TestUser)}, searching for "${search}"`, async () => {
      const key = await newKey(service, 'read');
      const query = { owner: owner(olga), ...(search !== '' && { search }) };
      const { data, status } = await api.call('listClients', key, { query: { ...query, total: 'yes' } });
      assert.equal(status, 200);
      assert.deepEqual(data.items.map(({ name }) => name).toSorted(), names.toSorted());
      assert.deepEqual(data.total, { count: names.length, more: false });
      const { page } = await visit(admin, `/admin/applications?${new URLSearchParams(query)}`);
      assert.deepEqual(namesOn(page).toSorted(), names.toSorted());
    });
  }

  test('goes on with its cursor, each once', async () => {
    const key = await newKey(service, 'read');
    const found: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 5; pages++) {
      const query = { owner: olga.id, limit: '1', ...(cursor !== '' && { cursor }) };
      const { data } = await api.call('listClients', key, { query });
      found.push(...data.items.map(({ name }) => name));
      cursor = data.next_cursor;
    }
    assert.deepEqual(found.toSorted(), ['Yak one', 'Zebra one', 'Zebra two']);
  });

  test('of someone who is unknown is refused', async () => {
    const key = await newKey(service, 'read');
    assert.equal((await api.call('listClients', key, { query: { owner: 'nobody@example.test' } })).status, 400);
  });
});

test("an owner's API key has nothing of what they own", async () => {
  const [client, user, friend] = [
    await service.newClient({ access: 'listed' }),
    await service.newUser({ admin: true }),
    await service.newUser(),
  ];
  await own(client.id, { people: [user.id] });
  await changeAllowed(services(), client.id, 'allow', { people: [friend.id], groups: [] }, requester);
  const by = { ...requester, actor: { kind: 'administrator', id: user.id } } as const;
  const made = await createApiKey(services(), { name: 'Mine', roles: ['people'] }, by);
  assert.ok(made.kind === 'done');
  const key = withBearer(made.secret);
  const params = { client_id: client.id };
  assert.equal((await api.call('listMyOwnedApplications', key)).status, 403);
  for (const [operation, input] of [
    ['listPeopleWithAccess', { params }],
    ['listApplicationEvents', { params }],
    ['getAccess', { params }],
    ['allowAccess', { params, body: { people: [friend.id] } }],
    ['disallowAccess', { params, body: { people: [friend.id] } }],
  ] as const) {
    assert.equal((await api.call(operation, key, input)).status, 403, operation);
  }
  assert.equal(await services().storage.hasAccess(client.id, friend.id, service.clock.now()), true);
});

test('an owner without a role creates no API keys', async () => {
  const [client, user] = [await service.newClient(), await service.newUser()];
  await own(client.id, { people: [user.id] });
  const caller = await withSession(service, user);
  assert.equal((await api.call('listMyOwnedApplications', caller)).status, 200);
  assert.equal(
    (await api.call('createApiKey', caller, { body: { name: 'Mine', roles: ['applications'] } })).status,
    403,
  );
  assert.equal(
    (
      await api.call('updateApplication', caller, {
        params: { client_id: client.id },
        body: { owners: { people: [] } },
      })
    ).status,
    403,
  );
});
