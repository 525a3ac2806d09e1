// Who may use which application, by the API.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Api, type KeyCaller, newKey } from '../../harness/api.ts';
import { obtainTokens, userinfo } from '../../harness/relying-party.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';

let service: TestService;
let api: Api;
let key: KeyCaller;

before(async () => {
  service = await startTestService();
  key = await newKey(service);
  api = await Api.of(service);
});
after(() => service.stop());

const created = async (name: string) => (await api.call('createGroup', key, { body: { name } })).data.id;

test('an application is limited to people and groups, who keep their tokens, then to nobody', async () => {
  const [client, ada, bob] = [await service.newClient(), await service.newUser(), await service.newUser()];
  const params = { client_id: client.id };
  const group = await created('Design team');
  const added = await api.call('addToGroup', key, { params: { id: group }, body: { people: [bob.id] } });
  assert.equal(added.status, 200);
  const tokens = async (user: typeof ada) => (await obtainTokens(service, client, user)).tokens.access_token;
  const [first, second] = [await tokens(ada), await tokens(bob)];
  const status = async () => [(await userinfo(service, first)).status, (await userinfo(service, second)).status];

  const allowed = { people: [ada.email], groups: ['design TEAM'] };
  const listed = await api.call('setAccess', key, { params, body: { access: 'listed', allowed } });
  const expected = {
    client_id: client.id,
    access: 'listed',
    allowed: { people: [ada.email], groups: ['Design team'] },
    allowed_until: { people: {}, groups: {} },
  };
  assert.deepEqual(listed.data, expected);
  assert.deepEqual((await api.call('getAccess', key, { params })).data, expected);
  assert.equal((await api.call('getApplication', key, { params })).data.access, 'listed');
  assert.deepEqual(await status(), [200, 200]);

  await api.call('disallowAccess', key, { params, body: { people: [ada.id] } });
  assert.deepEqual(await status(), [401, 200]);
  await api.call('removeFromGroup', key, { params: { id: group }, body: { people: [bob.email] } });
  assert.deepEqual(await status(), [401, 401]);
  const again = await api.call('allowAccess', key, { params, body: { people: [ada.email, bob.email] } });
  assert.deepEqual(again.data.allowed.people, [ada.email, bob.email].sort());
  assert.deepEqual(await status(), [401, 401]);
  const emptied = await api.call('setAccess', key, { params, body: { allowed: { people: [], groups: [] } } });
  assert.deepEqual(emptied.data.allowed, { people: [], groups: [] });
  const opened = await api.call('updateApplication', key, { params, body: { access: 'everyone' } });
  assert.equal(opened.data.access, 'everyone');
});

test('a group is renamed, and the applications whose claims use it are named before it is deleted', async () => {
  const client = await service.newClient({ name: 'Grafana' });
  const id = await created('Ops');
  const renamed = await api.call('renameGroup', key, { params: { id }, body: { name: 'Operations' } });
  assert.deepEqual([renamed.status, renamed.data.id, renamed.data.name], [200, id, 'Operations']);
  await created('Taken');
  const taken = await api.call('renameGroup', key, { params: { id }, body: { name: 'taken' } });
  assert.equal(taken.status, 409);
  const [event, ...others] = await service.events('group_renamed');
  assert.deepEqual([event?.detail?.group, event?.detail?.before, others], ['Operations', 'Ops', []]);

  await useGroup(client.id, { id, name: 'Operations' });
  const params = { id };
  const refused = await api.call('deleteGroup', key, { params });
  assert.equal(refused.status, 409);
  assert.match(refused.message, /"Grafana"/);
  assert.equal((await api.call('getGroup', key, { params })).status, 200);
  assert.equal((await api.call('deleteGroup', key, { params, query: { force: 'true' } })).status, 200);
  assert.equal((await api.call('getGroup', key, { params })).status, 404);
});

/** Gives the client a claim that is made from the group. */
async function useGroup(clientId: string, group: { id: string; name: string }): Promise<void> {
  const { storage, clock, journal } = service.running.services;
  const client = await storage.findClient(clientId);
  assert.ok(client);
  const claims = [{ claim: 'admin', label: null, idToken: false, source: 'has-group', group } as const];
  const event = journal.event({ kind: 'client_updated', clientId }, requester);
  assert.equal(await storage.updateClient(client, { claims } as never, clock.now(), event), true);
}

test('naming an unknown person changes nothing, and the response names them', async () => {
  const [client, ada] = [await service.newClient(), await service.newUser()];
  const group = await created('Unknown');
  const params = { client_id: client.id };
  const people = [ada.email, 'nobody@example.test', 'zed'];
  const before = await everythingIn(service);
  for (const answer of [
    await api.call('allowAccess', key, { params, body: { people, groups: ['none'] } }),
    await api.call('setAccess', key, { params, body: { access: 'listed', allowed: { people, groups: ['none'] } } }),
  ]) {
    assert.equal(answer.status, 400);
    assert.match(answer.message, /no person "nobody@example.test"; there is no person "zed"; there is no group "none"/);
  }
  const added = await api.call('addToGroup', key, { params: { id: group }, body: { people } });
  assert.equal(added.status, 400);
  await assertNothingChanged(service, before);
});

test('a group has a member count, and its members are listed in pages', async () => {
  const id = await created('Paged');
  const people = [];
  for (let count = 0; count < 5; count++) people.push((await service.newUser()).id);
  await api.call('addToGroup', key, { params: { id }, body: { people } });
  assert.equal((await api.call('getGroup', key, { params: { id } })).data.people, 5);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: Record<string, string> = { limit: '2', ...(cursor && { cursor }) };
    const { data } = await api.call('listGroupMembers', key, { params: { id }, query });
    seen.push(...data.items.map((item) => item.id));
    cursor = data.next_cursor;
  }
  assert.deepEqual(seen, people.toSorted());
});

test('group names are unique in any case, and free again once the group is deleted', async () => {
  const id = await created('Sales');
  assert.equal((await api.call('createGroup', key, { body: { name: ' SALES ' } })).status, 409);
  assert.equal((await api.call('createGroup', key, { body: { name: ' ' } })).status, 400);
  assert.equal((await api.call('deleteGroup', key, { params: { id } })).status, 200);
  assert.equal((await api.call('getGroup', key, { params: { id } })).status, 404);
  assert.equal((await api.call('createGroup', key, { body: { name: 'sales' } })).status, 201);
});
