// People and groups that belong to a directory: what it owns is read-only for administrators, in the console and in the API.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { changeMembers, findGroup, groupDetails, updateGroup } from '../../../src/operations/groups/groups.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { createSignUpLink } from '../../../src/operations/users/sign-up-links.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import { Api, type KeyCaller, newKey } from '../../harness/api.ts';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
import { readForm } from '../../harness/person.ts';
import { newDirectory, type TestDirectory } from '../../harness/scim.ts';
import { requester } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, administrator, admin } = consoleOfSuite();
let directory: TestDirectory;
let api: Api;
let key: KeyCaller;

before(async () => {
  directory = await newDirectory(service);
  api = await Api.of(service);
  key = await newKey(service, 'administrator');
});

let made = 0;
const newManaged = () =>
  directory.create(`ada-${++made}@example.test`, { name: { givenName: 'Ada', familyName: 'Lovelace' } });

async function newManagedGroup(): Promise<string> {
  const { storage, journal, random } = service.running.services;
  const now = service.clock.now();
  const given = {
    id: newId(random),
    name: `Engineering ${++made}`,
    createdAt: now,
    updatedAt: now,
    managedBy: 'entra',
  };
  const event = journal.event({ kind: 'group_created', detail: { group: given.name } }, requester);
  await storage.createGroup(given, event);
  return given.id;
}

/** Posts what no form on any page offers. */
async function post(action: string, fields: Record<string, string>) {
  const token = readForm((await visit(admin, '/admin/keys')).page, '/admin/keys')?.fields.form_token ?? '';
  const response = await admin.submit({ action, fields: { form_token: token, ...fields }, buttons: [] }, {});
  return { status: response.status, page: await response.text() };
}

const found = async (id: string) => {
  const user = await service.running.services.storage.findUser(id);
  assert.ok(user);
  return user;
};

describe('a person of a directory', () => {
  test('is shown with it, in the console and in JSON; others with none', async () => {
    const id = await newManaged();
    const { page } = await visit(admin, `/admin/people/${id}`);
    assert.match(page, /Managed by entra<\/span>/);
    assert.match(page, /Names and the email address are changed in that directory\./);
    assert.match((await visit(admin, '/admin/people')).page, /data-label="Managed by">entra</);
    const own = await visit(admin, `/admin/people/${administrator.id}`);
    assert.equal(own.page.includes('Managed by'), false);
    const read = async (of: string) => (await api.call('getPerson', key, { params: { id: of } })).data;
    assert.equal((await read(id)).managed_by, 'entra');
    assert.equal((await read(administrator.id)).managed_by, null);
    const csv = await (await admin.request('/admin/people.csv')).text();
    assert.ok(csv.split('\r\n')[0]?.split(',').includes('managed_by'));
    assert.match(csv, /,entra,/);
  });

  test('has names and an email address that nobody else changes, whatever is sent', async () => {
    const id = await newManaged();
    const person = `/admin/people/${id}`;
    assert.equal((await visit(admin, person)).page.includes(`${person}/edit`), false);
    const edit = await visit(admin, `${person}/edit`);
    assert.match(edit.page, /managed by entra\. Change them in that directory\./);
    assert.match(edit.page, /<fieldset class="read-only" disabled>/);
    assert.equal(readForm(edit.page, `${person}/edit`), undefined);
    const before = await found(id);
    for (const [name, value] of [
      ['name', 'Mallory'],
      ['given_name', 'Mallory'],
      ['family_name', ''],
      ['email', 'mallory@example.test'],
    ] as const) {
      const { status, page } = await post(`${person}/edit`, { fields: name, [name]: value });
      assert.equal(status, 400, name);
      assert.match(alertOn(page) ?? '', /is managed by entra: change names and the email address in that directory\.$/);
      const refusal = await api.call('updatePerson', key, { params: { id }, body: { [name]: value || null } });
      assert.equal(refusal.status, 409, name);
    }
    assert.deepEqual(await found(id), before);
    assert.deepEqual(await mailsTo(service, before.email), []);
  });

  test('is changed in everything else: attributes, the end of access, roles', async () => {
    const id = await newManaged();
    const { services } = service.running;
    const ended = await send(admin, `/admin/people/${id}`, `/admin/people/${id}/end`, { expires_at: '30d' });
    assert.equal(noticeOn(ended.page), 'Changes saved.');
    assert.notEqual((await found(id)).expiresAt, null);
    // What stays as it is can be said.
    const { name } = await found(id);
    assert.equal((await api.call('updatePerson', key, { params: { id }, body: { name } })).status, 200);
    // The command line can step in.
    const outcome = await editUser(services, { id }, { name: 'Ada King' }, requester);
    assert.equal(outcome.kind, 'done');
  });

  test('is disabled, enabled and deleted, and the page says what the directory can do about it', async () => {
    const id = await newManaged();
    const person = `/admin/people/${id}`;
    for (const path of [`${person}/danger`, `${person}/disable`]) {
      assert.match((await visit(admin, path)).page, /Their directory \(entra\) can enable them, too\./);
    }
    assert.equal(noticeOn((await send(admin, person, `${person}/disable`)).page)?.startsWith('Person disabled.'), true);
    assert.notEqual((await found(id)).disabledAt, null);
    assert.match((await visit(admin, `${person}/danger`)).page, /Their directory \(entra\) can disable them again\./);
    assert.equal(noticeOn((await send(admin, person, `${person}/enable`)).page)?.startsWith('Person enabled.'), true);
    assert.equal((await found(id)).disabledAt, null);
    assert.match(
      (await visit(admin, `${person}/delete`)).page,
      /still in their directory \(entra\), it can create them again\./,
    );
    assert.equal(noticeOn((await send(admin, `${person}/delete`, `${person}/delete`)).page), 'Person deleted.');
  });

  test("with a role is an administrator's to change, because the directory can't", async () => {
    const id = await newManaged();
    const person = `/admin/people/${id}`;
    await send(admin, person, `${person}/roles`, { role_auditor: 'yes' });
    const { page } = await visit(admin, person);
    assert.match(page, /It can(&#39;|')t change people with a role\./);
    assert.equal((await visit(admin, `${person}/danger`)).page.includes('can enable them, too'), false);
    const { email } = await found(id);
    await send(admin, `${person}/edit`, `${person}/edit`, { name: 'Ada King', email });
    assert.equal((await found(id)).name, 'Ada King');
    assert.equal((await directory.patch(id, { op: 'replace', path: 'displayName', value: 'X' })).status, 403);
  });
});

describe('a group of a directory', () => {
  test('is shown with it, in the console and in JSON', async () => {
    const id = await newManagedGroup();
    const { page } = await visit(admin, `/admin/groups/${id}`);
    assert.match(page, /Managed by entra<\/span>/);
    assert.match(page, /The name and members of this group are managed by entra\. Change them in that directory\./);
    assert.match((await visit(admin, '/admin/groups')).page, /data-label="Managed by">entra</);
    const { data } = await api.call('getGroup', key, { params: { id } });
    assert.equal(data.managed_by, 'entra');
  });

  test('has a name and members that nobody else changes, by whichever way', async () => {
    const id = await newManagedGroup();
    const { services } = service.running;
    const group = `/admin/groups/${id}`;
    const [member, friend] = [await service.newUser(), await service.newUser()];
    const added = await changeMembers(services, id, { add: [{ id: member.id }] }, requester);
    assert.equal(added.kind, 'done', 'the command line can step in');
    const { page } = await visit(admin, `${group}?find=${friend.id}`);
    for (const action of ['add', 'remove', 'rename']) assert.equal(readForm(page, `${group}/${action}`), undefined);
    for (const [action, fields] of Object.entries({
      add: { person: friend.id },
      remove: { person: member.id },
      rename: { name: 'Mallory' },
    })) {
      const answer = await post(`${group}/${action}`, fields);
      assert.equal(answer.status, 400, action);
      assert.match(alertOn(answer.page) ?? '', /is managed by entra: change its name and members in that directory\.$/);
    }
    const body = { people: [friend.id] };
    assert.equal((await api.call('addToGroup', key, { params: { id }, body })).status, 409);
    assert.equal((await api.call('removeFromGroup', key, { params: { id }, body })).status, 409);
    assert.equal((await api.call('renameGroup', key, { params: { id }, body: { name: 'Mallory' } })).status, 409);
    const byAdmin = { ...requester, authority: { roles: ['administrator'] } } as const;
    const link = await createSignUpLink(services, { groups: [id] }, byAdmin);
    assert.match(link.kind === 'refused' ? link.problems[0].says : '', /is managed by entra/);
    const invite = await post('/admin/people/invite', { email: 'guest@example.test', groups: id });
    assert.match(alertOn(invite.page) ?? '', /is managed by entra/);
    const settings = await api.call('updateSettings', key, { body: { default_groups: [id] } });
    assert.equal(settings.status, 400);
    const details = await groupDetails(services, id);
    assert.ok(details.kind === 'done');
    assert.match(details.group.name, /^Engineering/);
    assert.deepEqual(
      details.members.items.map((each) => each.id),
      [member.id],
    );
  });

  test('is protected and deleted by administrators', async () => {
    const id = await newManagedGroup();
    const group = `/admin/groups/${id}`;
    await send(admin, group, `${group}/protect`, { protected: 'yes' });
    const { services } = service.running;
    const guarded = await findGroup(services, id);
    assert.ok(guarded.kind === 'done' && guarded.group.protectedSince !== null);
    assert.equal((await updateGroup(services, id, { protected: false }, requester)).kind, 'done');
    assert.match(
      (await visit(admin, `${group}/delete`)).page,
      /still in its directory \(entra\), that can create it again\./,
    );
    assert.equal(noticeOn((await send(admin, `${group}/delete`, `${group}/delete`)).page), 'Group deleted.');
  });
});
