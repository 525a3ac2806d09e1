// People of directories and their neighbors: nobody becomes somebody else by what they choose, and nobody's account changes hands
// without a word.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { createScimToken } from '../../../src/operations/scim/scim-tokens.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { inviteUser } from '../../../src/operations/users/invitations.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import type { SettingsInput } from '../../../src/protocol/resources/settings.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import { Api, newKey, withBearer, withSession } from '../../harness/api.ts';
import { allGroups, claimOf, setClaims } from '../../harness/claims.ts';
import { Person, readForm } from '../../harness/person.ts';
import { newKeyWithRoles, newUserWithRoles } from '../../harness/roles.ts';
import { directoryWith, newDirectory, type TestDirectory } from '../../harness/scim.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const password = 'a phrase of my own';
const service = serviceOfSuite();
let api: Api;
let entra: TestDirectory;
let adopting: TestDirectory;
let count = 0;

before(async () => {
  api = await Api.of(service);
  await service.newUser({ admin: true });
  entra = await newDirectory(service);
  adopting = await newDirectory(service, { source: 'hr', adopts: true });
});
beforeEach(async () => {
  service.clock.advance(16 * 60);
  await set({ scim_user_name: 'email', scim_verified_domains: [] });
});

async function set(values: SettingsInput): Promise<void> {
  assert.equal((await changeSettings(service.running.services, values, requester)).kind, 'done');
}

const newEmail = (domain = 'corp.example') => `person-${++count}@${domain}`;
const userOf = async (id: string) => (await service.running.services.storage.findUser(id)) ?? assert.fail();

/** Someone of the directory with a password of their own. */
async function employee(): Promise<TestUser> {
  const email = newEmail();
  const id = await entra.create(email);
  assert.equal((await setPassword(service.running.services, { id }, password, requester)).kind, 'done');
  return { id, email, password, record: await userOf(id) } as TestUser;
}

describe('nobody of a directory', () => {
  for (const kind of ['email', 'username'] as const) {
    test(`chooses a username: ${kind}`, async () => {
      const user = await employee();
      await set({ scim_user_name: kind });
      const session = await withSession(service, user);
      const squat = await api.call('updateProfile', session, { body: { preferred_username: `boss${++count}` } });
      assert.equal(squat.status, 400);
      assert.match(squat.message, /username is managed by your organization/);
      assert.equal((await api.call('updateProfile', session, { body: { name: 'Own Name' } })).status, 200);
      assert.deepEqual([(await userOf(user.id)).preferredUsername, (await userOf(user.id)).name], [null, 'Own Name']);
    });
  }

  test('chooses one while the directory takes them over', async () => {
    const user = await service.newUser();
    const { storage, clock, journal } = service.running.services;
    const event = journal.event({ kind: 'profile_changed', userId: user.id }, requester);
    await set({ scim_verified_domains: ['example.test'] });
    await adopting.patch(user.id, { op: 'replace', path: 'externalId', value: `x${++count}` });
    const profile = { ...(await userOf(user.id)), preferredUsername: 'late' };
    assert.equal(await storage.changeProfile(user.id, profile, clock.now(), event), false);
  });

  test('has another email address than the directory says, and can still verify it', async () => {
    const user = await employee();
    const person = new Person(service);
    await person.signIn(user);
    const form = async () =>
      readForm(await (await person.visit('/account/email')).text(), '/account/email') ?? assert.fail();
    const refused = await person.submit(await form(), { email: newEmail() });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /Your organization manages this\./);
    assert.equal((await person.submit(await form(), { email: user.email })).status, 200);
    const path = await linkFor(service, user.email);
    const confirm = readForm(await (await person.visit(path)).text(), '/account/email/confirm') ?? assert.fail();
    assert.equal((await person.submit(confirm, {})).status, 200);
    assert.notEqual((await userOf(user.id)).emailVerifiedAt, null);
    const profile = await (await person.visit('/account/profile')).text();
    assert.doesNotMatch(profile, /href="\/account\/email"/);
    assert.match(profile, /Your organization manages this\./);
  });
});

describe('someone who could be taken over', () => {
  test('is found by the address, not by a username that anybody can choose', async () => {
    await set({ scim_user_name: 'username', scim_verified_domains: ['example.test'] });
    const username = `chosen${++count}`;
    const user = await service.newUser();
    const session = await withSession(service, user);
    assert.equal((await api.call('updateProfile', session, { body: { preferred_username: username } })).status, 200);
    assert.deepEqual(await adopting.find(`userName eq "${username}"`), []);
    assert.deepEqual(await adopting.find(`userName sw "${username}"`), []);
    assert.deepEqual(await adopting.find(`userName eq "${user.email}"`), [user.id]);
    assert.equal((await adopting.send('GET', `/Users/${user.id}`)).body.userName, user.email);
    await adopting.patch(user.id, { op: 'replace', path: 'externalId', value: username });
    assert.deepEqual(await adopting.find(`userName eq "${username}"`), [], 'nor afterwards');
    assert.equal((await userOf(user.id)).preferredUsername, null);
  });

  test('is told of another address, at both; someone whom the directory has created is not', async () => {
    await set({ scim_verified_domains: ['example.test'] });
    const user = await service.newUser();
    const email = newEmail('example.test');
    assert.equal((await adopting.patch(user.id, { op: 'replace', path: 'userName', value: email })).status, 204);
    for (const address of [user.email, email]) {
      assert.equal((await mailsTo(service, address)).length, 1, address);
    }
    const [first, second] = [newEmail('example.test'), newEmail('example.test')];
    const id = await entra.create(first);
    assert.equal((await entra.patch(id, { op: 'replace', path: 'userName', value: second })).status, 204);
    assert.deepEqual([...(await mailsTo(service, first)), ...(await mailsTo(service, second))], []);
  });
});

test("a token ends with its maker's admin access", async () => {
  const { services } = service.running;
  for (const end of ['roles', 'disable', 'delete', 'time'] as const) {
    const admin = await service.newUser({ admin: true });
    const maker = {
      ...requester,
      actor: { kind: 'administrator', id: admin.id },
      authority: { roles: ['administrator'] },
    } as const;
    const made = await createScimToken(services, { source: 'maker', name: 'Maker' }, maker);
    assert.ok(made.kind === 'done');
    const directory = directoryWith(service, made.secret);
    assert.equal((await directory.send('GET', '/Users')).status, 200);
    const key = await newKey(service, 'administrator');
    const params = { id: admin.id };
    if (end === 'roles') await setRoles(services, params, [], requester);
    if (end === 'disable') await api.call('disablePerson', key, { params });
    if (end === 'delete') await api.call('deletePerson', key, { params });
    if (end === 'time') {
      const expires = new Date(service.clock.now() + 5000).toISOString();
      assert.equal((await api.call('updatePerson', key, { params, body: { expires_at: expires } })).status, 200);
      service.clock.advance(6);
    }
    assert.equal((await directory.send('GET', '/Users')).status, 401, end);
    if (end === 'time') continue;
    const ended = (await service.events('scim_token_ended')).filter(({ detail }) => detail?.token === made.token.id);
    assert.equal(ended.length, 1, end);
    assert.deepEqual(
      (await service.rows('scim_tokens')).filter(({ source }) => source === 'maker'),
      [],
      end,
    );
  }
});

test('a token is made by an administrator only, also at the last moment', async () => {
  const former = await service.newUser();
  const actor = { kind: 'administrator', id: former.id } as const;
  const maker = { ...requester, actor, authority: { roles: ['administrator'] } } as const;
  const made = await createScimToken(service.running.services, { source: 'late', name: 'Late' }, maker);
  assert.equal(made.kind, 'refused');
  assert.deepEqual(
    (await service.rows('scim_tokens')).filter(({ source }) => source === 'late'),
    [],
  );
});

test('an invitation to a role is ended neither by a directory nor by somebody who may not', async () => {
  const { services } = service.running;
  const email = newEmail();
  assert.equal((await inviteUser(services, { email, name: '', roles: ['auditor'] }, requester)).kind, 'done');
  const [id, somebody] = [await entra.create(newEmail()), await service.newUser()];
  const spelled = email.toUpperCase();
  const value = { schemas: [urns.user], userName: spelled };
  for (const [method, path, body] of [
    ['POST', '/Users', value],
    ['PUT', `/Users/${id}`, value],
    [
      'PATCH',
      `/Users/${id}`,
      { schemas: [urns.patch], Operations: [{ op: 'replace', path: 'userName', value: spelled }] },
    ],
  ] as const) {
    const answer = await entra.send(method, path, body);
    assert.deepEqual([answer.status, answer.body.scimType], [409, 'uniqueness'], method);
  }
  const imported = { from: 'csv', people: [{ id: '7', email: spelled, name: 'Imported', email_verified: 'no' }] };
  for (const caller of [
    await withSession(service, await newUserWithRoles(service, ['people'])),
    withBearer(await newKeyWithRoles(service, ['people'])),
    await newKey(service),
  ]) {
    const params = { id: somebody.id };
    const created = await api.call('createPerson', caller, { body: { email: spelled, name: 'Helped' } });
    const edited = await api.call('updatePerson', caller, { params, body: { email: spelled } });
    const replaced = await api.call('inviteUser', caller, { body: { email: spelled } });
    const withdrawn = await api.call('withdrawInvitation', caller, { body: { email: spelled } });
    for (const answer of [created, edited, replaced, withdrawn]) {
      assert.equal(answer.status, 403);
      assert.match(answer.message, /is invited to a role: only an administrator can decide about that/);
    }
    for (const dry_run of [true, false]) {
      const { data } = await api.call('importPeople', caller, { body: { ...imported, dry_run } });
      assert.match(JSON.stringify(data), /"imported":0,.*"refused":1,.* is invited to a role/);
    }
  }
  assert.equal(await services.storage.findUserByEmail(email), undefined);
  assert.equal((await services.storage.findInvitation(email, service.clock.now()))?.roles.length, 1);
  // Those who may invite to a role end the invitation, as for any other address.
  const key = await newKey(service, 'administrator');
  const { data } = await api.call('importPeople', key, { body: imported });
  assert.match(JSON.stringify(data), /"imported":1,/);
  assert.equal(await services.storage.findInvitation(email, service.clock.now()), undefined);
});

test('a directory neither chooses nor changes a name of a group that an application gets', async () => {
  const client = await service.newClient();
  const [name, other] = [`Readers ${++count}`, `Writers ${++count}`];
  const [id, free] = [await entra.createGroup(name), await entra.createGroup(other)];
  const member = await entra.create(newEmail());
  const put = (group: string, displayName: string) =>
    entra.send('PUT', `/Groups/${group}`, { schemas: [urns.group], displayName, members: [{ value: member }] });
  const patch = (group: string, value: string) =>
    entra.send('PATCH', `/Groups/${group}`, {
      schemas: [urns.patch],
      Operations: [{ op: 'replace', path: 'displayName', value }],
    });
  const refusals = async () => (await service.events('administration_refused')).length;
  await setClaims(service, client.id, [claimOf('groups', { source: 'groups', groups: [{ id, name }] })]);
  const before = await refusals();
  assert.equal((await put(id, 'Admin')).status, 403);
  assert.equal((await patch(id, 'Admin')).status, 403);
  assert.equal(await refusals(), before + 2);
  assert.equal((await put(id, name)).status, 200, 'it keeps its name, and has other members');
  assert.equal((await put(free, `${other} again`)).status, 200, 'of another group, the application gets nothing');
  await setClaims(service, client.id, [claimOf('groups', allGroups)]);
  assert.equal((await entra.send('POST', '/Groups', { schemas: [urns.group], displayName: 'Admin' })).status, 403);
  assert.equal((await patch(free, 'Admin')).status, 403);
  assert.equal((await put(free, `${other} again`)).status, 200);
  await setClaims(service, client.id, []);
  assert.equal((await patch(free, 'Admin')).status, 204);
});

test('a group with someone who has a role is not deleted by its directory', async () => {
  const id = await entra.create(newEmail());
  const group = await entra.createGroup(`Board ${++count}`, { members: [{ value: id }] });
  await setRoles(service.running.services, { id }, ['auditor'], requester);
  const before = (await service.events('scim_refused')).length;
  assert.equal((await entra.send('DELETE', `/Groups/${group}`)).status, 403);
  assert.equal((await service.events('scim_refused')).length, before + 1);
  assert.equal((await entra.send('GET', `/Groups/${group}`)).status, 200);
});

describe('each member of a value is an operation', () => {
  const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`unknown${index}`, 1]));

  test('in a PATCH, however they are spread', async () => {
    const id = await entra.create(newEmail());
    assert.equal((await entra.patch(id, { op: 'add', value: many(1000) })).status, 204);
    assert.equal((await entra.patch(id, { op: 'add', value: many(1001) })).status, 413);
    assert.equal((await entra.patch(id, { op: 'add', value: many(600) }, { op: 'add', value: many(600) })).status, 413);
  });

  test('and in a POST', async () => {
    const body = { schemas: [urns.user], userName: newEmail(), ...many(1000) };
    assert.equal((await entra.send('POST', '/Users', body)).status, 413);
  });
});
