// The API and its own document: every operation is called, and every response is what the document says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { png } from '../../harness/account.ts';
import {
  type Answer,
  Api,
  anonymous,
  type Data,
  examples,
  type KeyCaller,
  newKey,
  type SignedInCaller,
  withBearer,
  withSession,
} from '../../harness/api.ts';
import { root } from '../../harness/command.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../../harness/relying-party.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let api: Api;
let admin: SignedInCaller;
let key: KeyCaller;

before(async () => {
  service = await startTestService();
  // Messages stay as they are instead of being delivered meanwhile.
  await service.running.services.webhooks.close();
  admin = await withSession(service, await service.newUser({ admin: true, name: 'Ada Lovelace' }));
  key = await newKey(service, 'administrator');
  api = await Api.of(service);
});
after(() => service.stop());

describe('the document', () => {
  test('is public, and has a title and version', async () => {
    const response = await fetch(`${service.url}/api/openapi.json`);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    const { openapi, info, servers, components } = api.document;
    assert.equal(openapi, '3.1.0');
    assert.match(info.version, /^\d+\.\d+\.\d+(-dev(\+[0-9a-f]{7})?)?$/);
    assert.deepEqual(servers, [{ url: service.url }]);
    assert.deepEqual(Object.keys(components.securitySchemes), ['key', 'session', 'csrf']);
    assert.equal(components.securitySchemes.session?.name, 'latchkey_session');
  });

  test('lists the parameters of every path and every possible response', () => {
    for (const [path, methods] of Object.entries(api.document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const [method, { parameters, responses }] of Object.entries(methods)) {
        const required = parameters.filter((each) => each.in === 'path' && each.required).map(({ name }) => name);
        assert.deepEqual(required, inPath, `${method} ${path}`);
        const codes = Object.keys(responses);
        assert.ok(codes.includes('200') !== codes.includes('201'), `${method} ${path}`);
        for (const code of ['400', '401', '403', '404', '409', 'default']) assert.ok(codes.includes(code), path);
      }
    }
  });

  test('has no dangling references', () => {
    const references = [...JSON.stringify(api.document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(references.length > 50);
    for (const path of references) {
      let found: unknown = api.document;
      for (const name of path.split('/')) found = (found as Record<string, unknown>)[name];
      assert.ok(found, path);
    }
  });
});

describe('every operation', () => {
  test('responds as documented, on success and failure', async () => {
    for (const { id, path, method } of api.operations.values()) {
      const example = examples[id];
      assert.ok(example, `${id} has an example`);
      const input = await example(service, admin.user);
      assert.equal((await api.call(id, admin, { ...input, query: { nothing: 'x' } })).status, 400, id);
      const answer = await api.call(id, admin, input);
      const expected = Object.keys(api.operations.get(id)?.responses ?? {})[0];
      assert.equal(String(answer.status), expected, `${id}: ${answer.message}`);
      if (!path.includes('{')) continue;
      const nobody = Object.fromEntries(Object.keys(input.params ?? {}).map((name) => [name, 'a'.repeat(26)]));
      const session = { id: 'a'.repeat(43) };
      const unknown = await api.call(id, admin, { ...input, params: id === 'endMySession' ? session : nobody });
      assert.equal(unknown.status, 404, `${method} ${path}: ${unknown.message}`);
      const wrong = Object.fromEntries(Object.keys(input.params ?? {}).map((name) => [name, 'NOT AN ID']));
      assert.equal((await api.call(id, admin, { ...input, params: wrong })).status, 400, id);
    }
  });

  test('was called', () => {
    assert.deepEqual([...api.succeeded].sort(), [...api.operations.keys()].sort());
  });

  test('returns 405 for other methods, with the allowed ones', async () => {
    for (const { path } of api.operations.values()) {
      const answer = await api.send('OPTIONS', path.replace(/\{\w+\}/g, 'a'), anonymous);
      assert.equal(answer.status, 405, path);
      const methods = Object.keys(api.document.paths[path] ?? {}).map((method) => method.toUpperCase());
      for (const method of methods) assert.ok(answer.headers.get('allow')?.split(', ').includes(method), path);
    }
    assert.equal((await api.send('DELETE', '/api/openapi.json', anonymous)).status, 405);
    const head = await fetch(`${service.url}/api/me`, { method: 'HEAD', headers: admin.headers('GET') });
    assert.equal(head.status, 200);
  });
});

test('an unknown path is 401 without credentials and 404 with them', async () => {
  for (const path of ['/api', '/api/', '/api/nothing', '/api/keys/a/b', '/api/people/a/b/c', '/api/me/']) {
    assert.equal((await api.send('GET', path, anonymous)).status, 401, path);
    assert.equal((await api.send('GET', path, withBearer('nothing'))).status, 401, path);
    assert.equal((await api.send('POST', path, admin)).status, 404, path);
    const { status, message } = await api.send('GET', path, key);
    assert.deepEqual([status, message], [404, 'There is nothing at this URL.'], path);
  }
  assert.equal((await api.send('GET', `/api/people/${'a'.repeat(801)}`, key)).status, 404);
});

describe('lists', () => {
  test('pages list every application once, newest first', async () => {
    const made: string[] = [];
    for (let count = 0; count < 12; count++) {
      service.clock.advance(1);
      made.push((await service.newClient({ name: `Paged ${count}` })).id);
    }
    const seen = await pages('listClients', { limit: '5' });
    assert.deepEqual(
      seen
        .slice(0, 12)
        .map(({ client_id }) => client_id)
        .sort(),
      made.toSorted(),
    );
    const times = seen.map(({ created_at }) => created_at);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.equal(new Set(seen.map(({ client_id }) => client_id)).size, seen.length);
    assert.equal(seen.length, (await service.rows('clients')).length);
    const found = await pages('listClients', { search: 'paged', limit: '5' });
    assert.deepEqual(found.map(({ client_id }) => client_id).sort(), made.toSorted());
  });

  test('pages list every person once, even while others are added', async () => {
    for (let count = 0; count < 4; count++) await service.newUser({ name: 'Zebra Crossing' });
    const before = (await service.rows('users')).map(({ id }) => id);
    const seen = await pages('listUsers', { limit: '3' }, () => {
      service.clock.advance(1);
      return service.newUser();
    });
    assert.deepEqual(seen.map(({ id }) => id).sort(), before.sort());
    assert.equal((await pages('listUsers', { search: 'zebra', limit: '1' })).length, 4);
    assert.equal((await pages('listUsers', { search: 'crossing' })).length, 4);
  });

  test('pages list every event once', async () => {
    const all = (await service.events('client_created')).map(({ id }) => id);
    const seen = await pages('listEvents', { kind: 'client_created', limit: '7' });
    assert.deepEqual(
      seen.map(({ id }) => id),
      all.toReversed(),
    );
  });

  test('people are found by email address, name and ID', async () => {
    const person = await service.newUser({ email: 'findme@example.test', name: 'Quentin Quark' });
    for (const search of ['FindMe@', 'quark', 'Quentin Q', person.id]) {
      const { data } = await api.call('listUsers', key, { query: { search } });
      assert.deepEqual(
        data.items.map(({ id }) => id),
        [person.id],
        search,
      );
    }
    assert.deepEqual((await api.call('listUsers', key, { query: { search: 'nobody-like-that' } })).data.items, []);
  });

  test('events are found by person, application, reference and time', async () => {
    const person = await service.newUser();
    const client = await service.newClient();
    service.clock.advance(10);
    const before = new Date(service.clock.now()).toISOString();
    const { headers } = await api.call('revokeApplication', key, { params: { client_id: client.id } });
    await api.call('disablePerson', key, { params: { id: person.id } });
    const kinds = async (query: Record<string, string>) =>
      (await pages('listEvents', query)).map(({ kind }) => kind).reverse();
    assert.deepEqual(await kinds({ application: client.id }), ['client_created', 'client_revoked']);
    assert.deepEqual(await kinds({ person: person.email }), ['user_created', 'user_disabled']);
    assert.deepEqual(await kinds({ person: person.id, since: before }), ['user_disabled']);
    assert.deepEqual(await kinds({ person: person.id, until: before }), ['user_created']);
    assert.deepEqual(await kinds({ reference: headers.get('x-request-id') ?? '' }), ['client_revoked']);
    const { data } = await api.call('listEvents', key, { query: { application: client.id, limit: '1' } });
    const { id, at, ...event } = data.items[0] ?? assert.fail('no event');
    assert.deepEqual(event, {
      kind: 'client_revoked',
      person: null,
      application: client.id,
      address: event.address,
      request_id: headers.get('x-request-id'),
      trace_id: null,
      detail: { by: `api_key ${key.id}` },
      explanation: null,
    });
    const failed = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' }),
    });
    const reference = failed.headers.get('x-request-id') ?? '';
    const [refusal] = (await api.call('listEvents', key, { query: { reference } })).data.items;
    assert.match(refusal?.explanation ?? '', /^No application has this client ID\. Requested client ID: nobody\.$/);
  });

  async function pages(id: string, query: Record<string, string>, between?: () => Promise<unknown>): Promise<Data[]> {
    const items: Data[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data }: Answer = await api.call(id, key, { query: { ...query, ...(cursor !== '' && { cursor }) } });
      assert.ok(data.items.length <= Number(query.limit ?? 50));
      items.push(...data.items);
      cursor = data.next_cursor;
      await between?.();
    }
    return items;
  }
});

describe('applications', () => {
  const create = (body: object) => api.call('createApplication', key, { body });
  const redirect_uris = ['https://app.example/cb'];

  test("a secret is shown when it's created and never again", async () => {
    const made = await create({ name: 'Shop', redirect_uris, scopes: ['email', 'openid'] });
    assert.equal(made.status, 201);
    const { client_id, client_secret, ...rest } = made.data;
    assert.match(client_secret, /^lk_secret_/);
    assert.deepEqual(rest.scopes, ['openid', 'email']);
    const params = { client_id };
    const rotated = await api.call('rotateApplicationSecret', key, { params });
    assert.equal(rotated.data.secrets.length, 2);
    assert.notEqual(rotated.data.client_secret, client_secret);
    const read = await api.call('getApplication', key, { params });
    assert.deepEqual(
      { ...read.data, updated_at: '' },
      {
        ...rest,
        client_id,
        secrets: rotated.data.secrets,
        people: 0,
        owners: { people: [], groups: [] },
        updated_at: '',
      },
    );
    const listed = await api.call('listClients', key, { query: { search: client_id } });
    for (const secret of [client_secret, rotated.data.client_secret]) {
      assert.equal(JSON.stringify([read, listed]).includes(secret), false);
    }
    assert.equal((await api.call('retireApplicationSecret', key, { params })).data.secrets.length, 1);
    assert.equal((await api.call('retireApplicationSecret', key, { params })).status, 409);
  });

  test('post-logout redirect URIs are set, replaced and removed', async () => {
    const uris = ['https://app.example/bye'];
    const { data } = await create({ name: 'Shop', redirect_uris, post_logout_redirect_uris: uris });
    assert.deepEqual(data.post_logout_redirect_uris, uris);
    const change = (post_logout_redirect_uris: unknown) =>
      api.call('updateApplication', key, {
        params: { client_id: data.client_id },
        body: { post_logout_redirect_uris },
      });
    assert.equal((await change(['http://app.example/'])).status, 400);
    assert.equal((await change('https://app.example/')).status, 400);
    assert.deepEqual((await change([])).data.post_logout_redirect_uris, []);
    assert.deepEqual((await create({ name: 'Shop', redirect_uris })).data.post_logout_redirect_uris, []);
  });

  test('a public one has no secret until it becomes confidential', async () => {
    const { data } = await create({ name: 'Phone', redirect_uris, public: true });
    const params = { client_id: data.client_id };
    assert.equal(data.client_secret, null);
    assert.equal((await api.call('rotateApplicationSecret', key, { params })).status, 409);
    const renamed = await api.call('updateApplication', key, { params, body: { name: 'Telephone' } });
    assert.deepEqual([renamed.data.name, renamed.data.client_secret], ['Telephone', null]);
    const changed = await api.call('updateApplication', key, { params, body: { public: false } });
    assert.match(changed.data.client_secret, /^lk_secret_/);
    assert.equal(changed.data.public, false);
  });

  test('revoking stops its tokens, and the response says how many people had consented', async () => {
    const client = await service.newClient();
    const params = { client_id: client.id };
    const { tokens } = await obtainTokens(service, client, await service.newUser());
    assert.equal((await api.call('getApplication', key, { params })).data.people, 1);
    assert.notEqual((await api.call('revokeApplication', key, { params })).data.revoked_at, null);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const again = await api.call('revokeApplication', key, { params });
    assert.deepEqual([again.status, again.message], [409, `${client.id} is revoked already.`]);
    assert.equal((await api.call('restoreApplication', key, { params })).data.revoked_at, null);
    const refresh = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refresh.status, 400);
  });

  test('a logo is an image of at most 512 KB', async () => {
    const client = await service.newClient();
    const set = (type: string, bytes: Uint8Array<ArrayBuffer>) =>
      api.call('setApplicationLogo', key, { params: { client_id: client.id }, raw: { type, bytes } });
    assert.equal((await set('image/png', png)).data.logo, true);
    assert.equal(
      (await set('text/html', png)).message,
      'The Content-Type must be image/png or image/jpeg or image/webp.',
    );
    assert.equal((await set('image/png', Buffer.from('<svg>'))).status, 400);
    assert.equal((await set('image/png', Buffer.concat([png, Buffer.alloc(512 * 1024 - png.length)]))).status, 200);
    const large = await set('image/png', Buffer.concat([png, Buffer.alloc(512 * 1024)]));
    assert.deepEqual([large.status, large.message], [413, 'The picture is larger than 512 KB.']);
    const raw = { type: 'image/png', bytes: Buffer.alloc(600 * 1024) };
    const stranger = await api.call('setApplicationLogo', anonymous, { params: { client_id: client.id }, raw });
    assert.equal(stranger.status, 401, 'strangers are refused before anything of it is read');
    const { data } = await api.call('removeApplicationLogo', key, { params: { client_id: client.id } });
    assert.equal(data.logo, false);
  });
});

describe('people', () => {
  test('details include counts of sessions, applications and second factors, and no secret', async () => {
    const user = await service.newUser();
    const client = await service.newClient({ name: 'Diary' });
    const session = await withSession(service, user);
    await obtainTokens(service, client, user, { scope: 'openid email' });
    const params = { id: user.id };
    const { data } = await api.call('getPerson', key, { params });
    assert.deepEqual([data.sessions, data.applications], [2, 1]);
    assert.deepEqual(data.second_factors, { authenticator: false, passkeys: 0, recovery_codes: 0 });
    const apps = await api.call('listPersonApplications', key, { params });
    assert.deepEqual([apps.data.items[0]?.name, apps.data.items[0]?.scopes], ['Diary', ['openid', 'email']]);
    const sessions = await api.call('listPersonSessions', key, { params });
    const digests = (await service.rows('sessions')).map(({ digest }) => String(digest));
    for (const digest of digests) assert.equal(JSON.stringify(sessions).includes(digest), false);
    assert.equal((await api.call('endPersonSessions', key, { params })).status, 200);
    assert.equal((await api.call('getMe', session)).status, 401);
    assert.deepEqual((await api.call('listPersonSessions', key, { params })).data.items, []);
  });

  test('disabling takes effect at once, and is a conflict if already disabled', async () => {
    const user = await service.newUser();
    const session = await withSession(service, user);
    const params = { id: user.id };
    assert.notEqual((await api.call('disablePerson', admin, { params })).data.disabled_at, null);
    assert.equal((await api.call('getMe', session)).status, 401);
    for (const id of ['disablePerson', 'sendPasswordReset', 'makeRecoveryLink', 'removeSecondFactors']) {
      const answer = await api.call(id, admin, { params });
      assert.equal(answer.status, 409, id);
      assert.ok(answer.message.startsWith(`${user.email} `), answer.message);
    }
  });

  test('the last administrator stays one', async () => {
    const alone = await startTestService();
    try {
      const last = await withSession(alone, await alone.newUser({ admin: true }));
      const other = await alone.newUser();
      const there = await Api.of(alone);
      const params = { id: last.user.id };
      const attempts = ['disablePerson', 'deletePerson', 'removeAdministrator'];
      for (const id of attempts) {
        const answer = await there.call(id, last, { params });
        assert.equal(answer.status, 409);
        assert.match(answer.message, /is the last administrator\. Make someone else an administrator first\.$/);
      }
      assert.equal((await there.call('makeAdministrator', last, { params: { id: other.id } })).data.admin, true);
      assert.equal((await there.call('removeAdministrator', last, { params })).status, 200);
      assert.equal((await there.call('listUsers', last)).status, 403, 'the next request knows');
    } finally {
      await alone.stop();
    }
  });

  test('an invitation is emailed, and refused for someone who has an account', async () => {
    const body = { email: 'newcomer@example.test', name: 'New Comer' };
    const invited = await api.call('inviteUser', key, { body });
    assert.deepEqual([invited.status, invited.data.email, invited.data.url], [201, body.email, null]);
    const taken = await api.call('inviteUser', key, { body: { email: admin.user.email.toUpperCase() } });
    assert.equal(taken.status, 409);
    assert.equal((await api.call('inviteUser', key, { body: { email: 'not an address' } })).status, 400);
  });

  test('without a mail server, links are returned', async () => {
    const silent = await startTestService({ LATCHKEY_BASE_URL: 'https://id.example' });
    try {
      const there = await Api.of(silent);
      const its = await newKey(silent);
      assert.equal(there.document.components.securitySchemes.session?.name, '__Host-latchkey_session');
      const { data } = await there.call('inviteUser', its, { body: { email: 'ada@example.test' } });
      assert.match(data.url, /^https:\/\/id\.example\/invitation\?link=lkl_/);
      const params = { id: (await silent.newUser()).id };
      assert.equal((await there.call('sendPasswordReset', its, { params })).status, 409);
      const link = await there.call('makeRecoveryLink', its, { params });
      assert.match(link.data.url, /^https:\/\/id\.example\/recover\?link=lkl_/);
    } finally {
      await silent.stop();
    }
  });
});

describe('their own data', () => {
  test('a profile changes only in the given fields', async () => {
    const me = await withSession(service, await service.newUser());
    const changed = await api.call('updateProfile', me, { body: { family_name: null, locale: 'pt-br' } });
    const names = { name: 'Grace Hopper', given_name: 'Grace', family_name: null, preferred_username: null };
    const expected = { ...names, locale: 'pt-BR' };
    assert.deepEqual(changed.data, expected);
    for (const body of [{ locale: 'nowhere' }, { name: ' ' }, { name: null }, {}, { email: 'other@example.test' }]) {
      assert.equal((await api.call('updateProfile', me, { body })).status, 400, JSON.stringify(body));
    }
    assert.deepEqual((await api.call('getProfile', me)).data, expected);
  });

  test('/api/me returns who is signed in', async () => {
    const { data } = await api.call('getMe', admin);
    const { id, email } = admin.user;
    const csrf_token = admin.csrfToken;
    const names = { name: 'Ada Lovelace', preferred_username: null };
    assert.deepEqual(data, { id, email, ...names, administrator: true, roles: ['administrator'], csrf_token });
  });

  test('removing an application ends its tokens', async () => {
    const user = await service.newUser();
    const client = await service.newClient();
    const { tokens } = await obtainTokens(service, client, user);
    const me = await withSession(service, user);
    const { data } = await api.call('listMyApplications', me);
    assert.equal(data.items[0]?.client_id, client.id);
    assert.equal((await api.call('removeMyApplication', me, { params: { client_id: client.id } })).status, 200);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  });

  test('ending other sessions keeps this one', async () => {
    const user = await service.newUser();
    const [me, other, third] = [
      await withSession(service, user),
      await withSession(service, user),
      await withSession(service, user),
    ];
    const { items } = (await api.call('listMySessions', me)).data;
    assert.deepEqual(
      items.map(({ current }) => current),
      [true, false, false],
    );
    const stranger = await withSession(service, await service.newUser());
    const params = { id: items[1]?.id ?? '' };
    assert.equal((await api.call('endMySession', stranger, { params })).status, 404);
    assert.equal((await api.call('endMySession', me, { params })).status, 200);
    assert.equal((await api.call('endMyOtherSessions', me)).data.ended, 1);
    assert.equal((await api.call('getMe', other)).status, 401);
    assert.equal((await api.call('getMe', third)).status, 401);
    assert.equal((await api.call('getMe', me)).status, 200);
  });
});

test('events name the administrator or key that made a change', async () => {
  const client = await service.newClient();
  const params = { client_id: client.id };
  await api.call('updateApplication', admin, { params, body: { name: 'By hand' } });
  await api.call('updateApplication', key, { params, body: { name: 'By a program' } });
  const user = await service.newUser();
  await api.call('makeAdministrator', admin, { params: { id: user.id } });
  await api.call('updateProfile', admin, { body: { given_name: 'Ada' } });
  const updates = (await service.events('client_updated')).filter(({ clientId }) => clientId === client.id);
  const by = updates.map(({ detail }) => detail?.by);
  assert.deepEqual(by, [`administrator ${admin.user.id}`, `api_key ${key.id}`]);
  assert.equal((await service.events('user_made_administrator')).at(-1)?.detail?.by, by[0]);
  const own = (await service.events('profile_changed')).filter(({ userId }) => userId === admin.user.id);
  assert.equal(own.at(-1)?.detail?.by, undefined);
});

test('the overview has the expected counts', async () => {
  const { data } = await api.call('getOverview', key);
  assert.deepEqual([data.day.sign_ins.length, data.month.sign_ins.length, data.day.step_seconds], [24, 30, 3600]);
  assert.ok(data.day.sign_ins.reduce((sum, each) => sum + each, 0) > 0);
  assert.deepEqual(
    data.warnings.map(({ kind }) => kind),
    ['outbox', 'plain_http'],
  );
});

test('none of these is logged as an error, and no key is logged', () => {
  assert.equal(service.log().includes('a request failed'), false);
  assert.equal(service.log().includes('lk_api_'), false);
});

test('docs/api.md lists exactly the endpoints of the OpenAPI document', async () => {
  const document = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const [, table = ''] = /## Endpoints\n([\s\S]*?)\n## /.exec(text) ?? [];
  const named = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, cell = ''] = line.split('|');
      const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '');
      return [first, ...others.map((path) => (path.startsWith('/api') ? path : first.replace(/\/[^/]+$/, path)))];
    });
  assert.ok(named.length > 15);
  for (const path of named) assert.ok(path in document.paths, path);
});
