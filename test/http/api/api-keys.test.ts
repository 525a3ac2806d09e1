// API keys by the API: for administrators who are signed in, with roles, and with what a revoked one has created.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApiKey, revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { deleteAttribute } from '../../../src/operations/attributes/attributes.ts';
import { deleteGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import { Api, type ApiCaller, newKey, type SignedInCaller, withSession } from '../../harness/api.ts';
import { send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';

interface Created {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string;
  readonly url: string | null;
}

let service: TestService;
let api: Api;
let boss: TestUser;
let session: SignedInCaller;

before(async () => {
  service = await startTestService();
  api = await Api.of(service);
  boss = await service.newUser({ admin: true });
  session = await withSession(service, boss);
});
after(() => service?.stop());

const dataOf = (answer: { readonly data: unknown }) => answer.data as never;

describe('a key with roles', () => {
  test('is one that reads to a version that knows no roles, and its creator is told what it can do', async () => {
    const body = { name: 'Helpdesk', roles: ['people', 'auditor'] };
    const made = await api.call('createApiKey', session, { body });
    assert.equal(made.status, 201, made.message);
    const { key, ...facts }: { key: string; id: string; roles: string[]; permission: string | null } = dataOf(made);
    assert.deepEqual([facts.permission, facts.roles.toSorted()], [null, ['auditor', 'people']]);
    const row = (await service.rows('api_keys')).find(({ id }) => id === facts.id);
    assert.deepEqual([row?.permission, row?.roles], ['read', 'auditor people']);
    const event = (await service.events('api_key_created')).at(-1);
    assert.deepEqual(event?.detail?.roles, ['people', 'auditor']);
    const listed: object[] = dataOf(await api.call('listApiKeys', session));
    assert.deepEqual(listed, [facts]);
    assert.equal(JSON.stringify(listed).includes(key), false);
    const text = JSON.stringify(await mailsTo(service, boss.email));
    assert.match(text, /It can manage people without a role, and groups that aren't protected\./);
    assert.match(text, /and change nothing\./);
  });

  for (const [body, problem] of [
    [{ name: 'Both', permission: 'read', roles: ['people'] }, 'An API key has roles or a permission, not both.'],
    [{ name: 'All', roles: ['administrator'] }, /roles/],
    [{ name: 'Unknown', roles: ['root'] }, /roles/],
  ] as const) {
    test(`is refused: ${JSON.stringify(body)}`, async () => {
      const before = await service.rows('api_keys');
      const refused = await api.call('createApiKey', session, { body });
      assert.equal(refused.status, 400);
      if (typeof problem === 'string') assert.equal(refused.message, problem);
      else assert.match(JSON.stringify(refused), problem);
      assert.deepEqual(await service.rows('api_keys'), before);
    });
  }

  test('is made in the console, with a permission or with roles', async () => {
    const admin = await signedIn();
    const form = { name: 'Console', permission: 'roles', roles_applications: 'yes' };
    await send(admin, '/admin/keys', '/admin/keys', form);
    const row = (await service.rows('api_keys')).find(({ name }) => name === 'Console');
    assert.deepEqual([row?.permission, row?.roles], ['read', 'applications']);
    assert.match(
      (await visit(admin, '/admin/keys')).page,
      /data-label="Permissions"><span class="off-phone">Applications</,
    );
    for (const [change, problem] of [
      [{ permission: 'write' }, /has roles or a permission, not both/],
      [{ permission: 'read' }, /has roles or a permission, not both/],
      [{ roles_applications: '' }, /<fieldset id="roles" tabindex="-1" autofocus.*Select at least one role\./s],
    ] as const) {
      const { status, page } = await send(admin, '/admin/keys', '/admin/keys', { ...form, name: 'Wrong', ...change });
      assert.equal(status, 400);
      assert.match(page, problem);
    }
    assert.equal(
      (await service.rows('api_keys')).some(({ name }) => name === 'Wrong'),
      false,
    );
  });
});

async function signedIn(): Promise<Person> {
  service.clock.advance(60);
  const admin = new Person(service);
  await admin.signIn(boss);
  return admin;
}

test('keys neither list nor create nor revoke keys', async () => {
  for (const permission of ['read', 'write', 'administrator']) {
    const key = await newKey(service, permission);
    const before = await service.rows('api_keys');
    const params = { id: String(before[0]?.id) };
    for (const [operation, input] of [
      ['listApiKeys', {}],
      ['createApiKey', { body: { name: 'More' } }],
      ['revokeApiKey', { params }],
    ] as const) {
      assert.equal((await api.call(operation, key, input)).status, 403, `${operation} with ${permission}`);
    }
    const ids = (await service.rows('api_keys')).map(({ id }) => id);
    assert.deepEqual(
      ids,
      before.map(({ id }) => id),
    );
  }
  const actor = { kind: 'api_key', id: 'a' } as const;
  const created = await createApiKey(service.running.services, { name: 'More' }, { ...requester, actor });
  assert.equal(created.kind === 'refused' && created.reason, 'forbidden');
});

/** A key that has created something of each kind. */
async function busyKey(): Promise<{ id: string; person: string; app: string; group: string }> {
  const key = await newKey(service, 'administrator');
  const by = async (operation: string, body: object) => {
    const answer = await api.call(operation, key, { body });
    assert.equal(answer.success, true, `${operation}: ${answer.message}`);
    return answer.data as unknown as Record<string, string>;
  };
  service.clock.advance(1);
  const number = service.clock.now();
  const person = await by('createPerson', { email: `made-${number}@example.test`, name: 'Made' });
  const group = await by('createGroup', { name: `Backdoor ${number}` });
  await updateGroup(service.running.services, group.id ?? '', { name: `Hidden ${number}` }, requester);
  await by('createGroup', { name: `Gone ${number}` });
  await deleteGroup(service.running.services, `Gone ${number}`, false, requester);
  const app = await by('createApplication', {
    name: `App ${number}`,
    redirect_uris: ['https://a.example/callback'],
  });
  await by('inviteUser', { email: `asked-${number}@example.test` });
  await by('createSignUpLink', {});
  await by('createAttribute', { name: `team_${number}`, label: 'Team', kind: 'text' });
  await by('createAttribute', { name: `gone_${number}`, label: 'Gone', kind: 'text' });
  await deleteAttribute(service.running.services, `gone_${number}`, requester);
  await by('importPeople', { from: 'csv', people: [{ id: `old-${number}`, email: `old-${number}@example.test` }] });
  return { id: key.id, person: person.id ?? '', app: app.client_id ?? '', group: group.id ?? '' };
}

describe('revoking a key lists what it created', () => {
  test('in the answer of the API', async () => {
    await busyKey();
    const { id, person, app, group } = await busyKey();
    const answer = await api.call('revokeApiKey', session, { params: { id } });
    assert.equal(answer.status, 200, answer.message);
    const { created }: { created: Created[] } = dataOf(answer);
    assert.deepEqual(
      created.map(({ kind }) => kind).toSorted(),
      ['application', 'attribute', 'attribute', 'group', 'group', 'import', 'invitation', 'person', 'sign_up_link'],
      'and nothing of another key',
    );
    const idOf = (kind: string) => created.filter((each) => each.kind === kind).map((each) => each.id);
    assert.deepEqual([idOf('person'), idOf('application')], [[person], [app]]);
    assert.deepEqual(idOf('group').toSorted(), [group, null].toSorted(), 'one is gone');
    const urls = created.map(({ url }) => url);
    for (const path of [`people/${person}`, `applications/${app}`, `groups/${group}`, 'people/invitations']) {
      assert.ok(urls.includes(`${service.url}/admin/${path}`), path);
    }
    assert.equal(urls.filter((url) => url === null).length, 2, 'what is gone has no page');
    assert.equal((await api.call('revokeApiKey', session, { params: { id } })).status, 404);
  });

  test('in the console, with links', async () => {
    const { id, person, app, group } = await busyKey();
    const admin = await signedIn();
    const { page } = await send(admin, '/admin/keys', '/admin/keys/end', { end: id });
    assert.match(page, /API key revoked/);
    for (const path of [`people/${person}`, `applications/${app}`, `groups/${group}`, 'people/sign-up-links']) {
      assert.match(page, new RegExp(`<a href="/admin/${path}">`), path);
      assert.equal((await admin.visit(`/admin/${path}`)).status, 200, path);
    }
    for (const path of ['people/invitations', 'people']) assert.match(page, new RegExp(`<a href="/admin/${path}">`));
  });

  test('up to a number of each kind, and says that there is more', async () => {
    const key = await newKey(service);
    const { storage, journal } = service.running.services;
    const by = { ...requester, actor: { kind: 'api_key', id: key.id } } as const;
    const events = Array.from({ length: 201 }, () =>
      journal.event({ kind: 'user_invited', detail: { email: 'a@example.test' } }, by),
    );
    await storage.appendEvents(events);
    const revoked = await revokeApiKey(service.running.services, key.id, requester);
    assert.ok(revoked.kind === 'done');
    assert.deepEqual([revoked.created.items.length, revoked.created.truncated], [200, true]);
  });
});

test('the overview warns of keys that can do everything, as long as they work', async () => {
  const fresh = await startTestService();
  try {
    const admin = new Person(fresh);
    await admin.signIn(await fresh.newUser({ admin: true }));
    const warns = async () => /API keys that can do everything/.test((await visit(admin, '/admin')).page);
    for (const permission of ['read', 'write']) await newKey(fresh, permission);
    assert.equal(await warns(), false);
    const input = { name: 'Terraform', permission: 'administrator', days: 1 };
    await createApiKey(fresh.running.services, input, requester);
    assert.match((await visit(admin, '/admin')).page, /: Terraform\. <a href="\/admin\/keys">/);
    // Keys don't get to know of keys.
    const kinds = async (caller: ApiCaller) =>
      (await freshApi.call('getOverview', caller)).data.warnings.map(({ kind }) => kind);
    const freshApi = await Api.of(fresh);
    const someone = await withSession(fresh, await fresh.newUser({ admin: true }));
    assert.equal((await kinds(someone)).includes('administrator_keys'), true);
    assert.equal((await kinds(await newKey(fresh))).includes('administrator_keys'), false);
    fresh.clock.advance(24 * 60 * 60 + 1);
    const again = new Person(fresh);
    await again.signIn(await fresh.newUser({ admin: true }));
    assert.doesNotMatch((await visit(again, '/admin')).page, /API keys that can do everything/);
  } finally {
    await fresh.stop();
  }
});
