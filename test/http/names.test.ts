// A path names a group by its ID alone. Where a name or an ID can be given, the ID counts, so that nobody can put a decoy in
// front of a group by its name; and such a name isn't given any more.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { exportSection } from '../../src/operations/apply/apply-section.ts';
import { clientSection } from '../../src/operations/clients/client-section.ts';
import { groupSection } from '../../src/operations/groups/group-section.ts';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { urns } from '../../src/protocol/scim/urns.ts';
import type { Group } from '../../src/storage/storage.ts';
import { Api, type ApiCaller, newKey } from '../harness/api.ts';
import { applyEntries, resolvedEntries } from '../harness/apply-entries.ts';
import { runCommand } from '../harness/command.ts';
import { send, visit } from '../harness/console.ts';
import { newDirectory } from '../harness/scim.ts';
import { requester } from '../harness/service.ts';
import { consoleOfSuite } from '../harness/suite.ts';

const { service, admin } = consoleOfSuite();
const services = () => service.running.services;
let api: Api;
let caller: ApiCaller;
let guarded: Group;
let decoy: Group;

async function newGroup(name: string, isProtected = false): Promise<Group> {
  const made = await createGroup(services(), { name, protected: isProtected }, requester);
  assert.ok(made.kind === 'done');
  return made.group;
}

const membersOf = async ({ id }: Group) => {
  const page = await services().storage.pageMembers(id, { after: undefined, limit: 50 });
  return page.items.map((user) => user.id);
};

before(async () => {
  api = await Api.of(service);
  caller = await newKey(service, 'administrator');
  guarded = await newGroup('Board', true);
  decoy = await newGroup('Decoy');
  // As it was possible once.
  await service.execute(
    `UPDATE groups SET name = '${guarded.id}', name_key = '${guarded.id}' WHERE id = '${decoy.id}'`,
  );
});

describe("a group called like another group's ID", () => {
  test('is not met by a path, in the API or the console', async () => {
    const { id } = guarded;
    const shown = await api.call('getGroup', caller, { params: { id } });
    assert.equal(shown.data.name, 'Board');
    const [ada, grace] = [await service.newUser(), await service.newUser()];
    await api.call('addToGroup', caller, { params: { id }, body: { people: [ada.id] } });
    assert.deepEqual([await membersOf(guarded), await membersOf(decoy)], [[ada.id], []]);
    await send(admin, `/admin/groups/${id}?find=${grace.email}`, `/admin/groups/${id}/add`, { person: grace.id });
    assert.deepEqual([(await membersOf(guarded)).length, await membersOf(decoy)], [2, []]);
    await api.call('removeFromGroup', caller, { params: { id }, body: { people: [ada.id] } });
    assert.deepEqual(await membersOf(guarded), [grace.id]);
    const events = (await service.events('group_member_added')).map(({ detail }) => detail?.group);
    assert.deepEqual([...new Set(events)], ['Board']);
  });

  test('is not found by its name in a path', async () => {
    await newGroup('named');
    assert.equal((await api.call('getGroup', caller, { params: { id: 'named' } })).status, 404);
    for (const operation of ['renameGroup', 'addToGroup', 'deleteGroup', 'listGroupMembers']) {
      const body = { renameGroup: { name: 'x' }, addToGroup: { people: [] } }[operation];
      const { status } = await api.call(operation, caller, { params: { id: 'named' }, ...(body && { body }) });
      assert.equal(status, 404, operation);
    }
    for (const path of ['', '/delete']) assert.equal((await visit(admin, `/admin/groups/named${path}`)).status, 404);
  });

  test('is not meant where JSON names groups, but the one with the ID', async () => {
    const client = await service.newClient();
    const params = { client_id: client.id };
    await api.call('allowAccess', caller, { params, body: { groups: [guarded.id] } });
    const ids = async () => (await services().storage.listAllowedGroups(client.id)).map(({ id }) => id);
    assert.deepEqual(await ids(), [guarded.id]);
    await api.call('setAccess', caller, { params, body: { allowed: { groups: [guarded.id] } } });
    assert.deepEqual(await ids(), [guarded.id]);
    // A name alone is still a name.
    await api.call('setAccess', caller, { params, body: { allowed: { groups: ['board'] } } });
    assert.deepEqual(await ids(), [guarded.id]);
    await api.call('updateSettings', caller, { body: { default_groups: [guarded.id] } });
    assert.deepEqual((await services().settings.readFresh()).default_groups, [guarded.id]);
    await api.call('updateSettings', caller, { body: { default_groups: [decoy.id] } });
    assert.deepEqual((await services().settings.readFresh()).default_groups, [decoy.id]);
    // What is read can be sent back.
    const { data } = await api.call('getSettings', caller);
    await api.call('updateSettings', caller, { body: { default_groups: data.default_groups } });
    assert.deepEqual((await services().settings.readFresh()).default_groups, [decoy.id]);
    await api.call('updateSettings', caller, { body: { default_groups: [] } });
  });

  test('is not meant by a file, where its name is its name and its ID its ID', async () => {
    const client = await service.newClient();
    await api.call('allowAccess', caller, {
      params: { client_id: client.id },
      body: { groups: [decoy.id, guarded.id] },
    });
    const exported = (await exportSection(clientSection, services(), () => '')).find(
      ({ client_id }) => client_id === client.id,
    );
    assert.deepEqual(
      (exported as { allowed: { groups: string[] } }).allowed.groups.toSorted(),
      ['Board', decoy.id].toSorted(),
    );
    const entry = { client_id: client.id, name: 'Named', redirect_uris: [client.redirectUri] };
    const item = { ...entry, allowed: { groups: [guarded.id] } };
    const { resolved } = await resolvedEntries(services(), clientSection, [item]);
    assert.deepEqual(
      resolved[0]?.lists?.map(({ wanted }) => wanted),
      [undefined, ['Board']],
    );
    const user = await service.newUser();
    const setMembers = (...members: string[]) =>
      applyEntries(services(), groupSection, [{ name: guarded.id, members }], requester);
    await setMembers(user.email);
    assert.deepEqual(await membersOf(decoy), [user.id]);
    await setMembers();
    assert.deepEqual(await membersOf(decoy), []);
  });

  test('is not meant by a command', async () => {
    const run = (...args: string[]) => runCommand(['group', ...args], service.commandEnvironment);
    const user = await service.newUser();
    assert.equal((await run('add', guarded.id, user.email)).status, 0);
    assert.ok((await membersOf(guarded)).includes(user.id));
    assert.equal((await run('remove', 'Board', user.email)).status, 0);
    assert.equal((await membersOf(guarded)).includes(user.id), false);
  });

  test('is named on the pages of both, and in the list of what shares a name', async () => {
    for (const { id } of [guarded, decoy]) {
      const { page } = await visit(admin, `/admin/groups/${id}`);
      assert.ok(page.includes(`${guarded.id} is the ID of one group and the name of another.`));
    }
    const expected = { kind: 'group', text: guarded.id, idOf: guarded.id, nameOf: decoy.id };
    assert.deepEqual(await services().storage.listSharedNames(10), [expected]);
    const other = await newGroup('Nothing in common');
    assert.doesNotMatch((await visit(admin, `/admin/groups/${other.id}`)).page, /is the ID of one group/);
  });

  test("can't come about any more: API, console and a directory refuse the name", async () => {
    const name = guarded.id.toUpperCase();
    const other = await newGroup('Of another name');
    assert.equal((await api.call('createGroup', caller, { body: { name } })).status, 409);
    assert.equal((await api.call('renameGroup', caller, { params: { id: other.id }, body: { name } })).status, 409);
    const refused = await send(admin, '/admin/groups', '/admin/groups', { name });
    assert.match(refused.page, /There is already a group/);
    const directory = await newDirectory(service);
    const created = await directory.send('POST', '/Groups', { schemas: [urns.group], displayName: name });
    assert.deepEqual([created.status, created.body.scimType], [409, 'uniqueness']);
    const own = await directory.send('POST', '/Groups', { schemas: [urns.group], displayName: 'Of a directory' });
    const replaced = await directory.send('PUT', `/Groups/${own.body.id}`, {
      schemas: [urns.group],
      displayName: name,
    });
    assert.equal(replaced.status, 409);
    const described = { id: name, given: { name }, item: { name } };
    assert.equal((await groupSection.create(services(), described, requester)).kind, 'refused');
  });
});

describe('applications', () => {
  test("an ID counts before another application's name, which stays free", async () => {
    const client = await service.newClient();
    const other = await service.newClient({ name: client.id });
    const shown = await runCommand(['client', 'show', client.id, '--json'], service.commandEnvironment);
    assert.equal(JSON.parse(shown.stdout).client_id, client.id);
    const events = await api.call('listEvents', caller, { query: { application: client.id } });
    const found = JSON.stringify(events.data);
    assert.deepEqual([found.includes(client.id), found.includes(other.id)], [true, false]);
  });
});
