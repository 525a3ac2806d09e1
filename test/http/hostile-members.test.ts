// One hostile value in a request that is valid otherwise, so that it gets as far as it can: text that a database can't hold, and URLs
// that can't be parsed. Whatever the operation of the API or the OAuth endpoint, it's never a fault of the service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Api, examples, type Input, type SignedInCaller, withSession } from '../harness/api.ts';
import { allowLoopbackUpstreams } from '../harness/discovery.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { formIn, Person } from '../harness/person.ts';
import { authorizePath, exchangeParameters, newVerifier, obtainTokens, postForm } from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

const unparsable = ['notaurl', 'https://', 'https://a:99999/', 'https://a;b/', 'https://%zz/', '//', '%'];
const unusable = ['\0', '\ud800'];
const hostile = ['a\0b', 'http://[', ...unusable, ...unparsable];

let service: TestService;
let client: TestClient;
let administrator: TestUser;
let caller: SignedInCaller;
let api: Api;

before(async () => {
  service = await startTestService({ ...allowLoopbackUpstreams, LATCHKEY_SIGN_UP: 'open' });
  client = await service.newClient({ postLogoutRedirectUris: ['http://localhost:9999/'] });
  administrator = await service.newUser({ admin: true });
  caller = await withSession(service, administrator);
  api = await Api.of(service);
});
after(() => service.stop());

/** What an operation's example becomes with a hostile value in each place, one at a time. */
function variants(id: string, input: Input): [place: string, input: Input][] {
  const { parameters = [], requestBody } = described(id);
  const schema = requestBody?.content?.['application/json']?.schema;
  const members = Object.keys(schema?.properties ?? {});
  const queries = parameters.filter((each) => each.in === 'query').map((each) => each.name);
  const body = typeof input.body === 'object' ? input.body : {};
  return firstUntilRelease(hostile).flatMap((value) => [
    ...Object.keys(input.params ?? {}).map((name): [string, Input] => [
      name,
      { ...input, params: { ...input.params, [name]: value } },
    ]),
    ...queries.map((name): [string, Input] => [name, { ...input, query: { ...input.query, [name]: value } }]),
    ...members.flatMap((name) =>
      [value, [value], { [value]: value }].map((given): [string, Input] => [
        `${name}: ${JSON.stringify(given)}`,
        { ...input, body: { ...body, [name]: given } },
      ]),
    ),
  ]);
}

function described(id: string) {
  const found = Object.values(api.document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  assert.ok(found, id);
  return found;
}

releaseTest('in the path, the query and the body of every operation of the API', async () => {
  let sent = 0;
  for (const { id, method, path } of api.operations.values()) {
    const victim = await service.newUser();
    const input = (await examples[id]?.(service, victim)) ?? {};
    for (const [place, changed] of variants(id, input)) {
      const at = path.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent((changed.params?.[name] ?? '').toWellFormed()),
      );
      const query = changed.query === undefined ? '' : `?${new URLSearchParams(changed.query)}`;
      const { status, message } = await api.send(method, at + query, caller, changed);
      assert.ok(status < 500 || status === 502, `${id} ${place}: ${status} ${message}`);
      sent++;
    }
  }
  assert.ok(sent > 300, `${sent} requests`);
});

test('in every parameter of the OAuth endpoints', async () => {
  const person = new Person(service);
  const { tokens } = await obtainTokens(service, client, administrator);
  const token = tokens.refresh_token ?? '';
  const secrets = { client_id: client.id, client_secret: client.secret };
  const logout = {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: 'http://localhost:9999/',
    state: 's',
  };
  for (const value of firstUntilRelease(hostile, 2)) {
    const requests = new URL(
      authorizePath(client, newVerifier(), { nonce: 'n', login_hint: 'a@example.test' }),
      service.url,
    );
    for (const name of [
      ...requests.searchParams.keys(),
      'prompt',
      'max_age',
      'acr_values',
      'ui_locales',
      'request_uri',
    ]) {
      const changed = new URL(requests);
      changed.searchParams.set(name, value.toWellFormed());
      const { status } = await person.request(changed.pathname + changed.search);
      assert.ok(status < 500, `authorize ${name}=${JSON.stringify(value)}: ${status}`);
    }
    for (const name of [...Object.keys(logout), 'client_id', 'logout_hint']) {
      const query = new URLSearchParams({ ...logout, [name]: value });
      const { status } = await person.request(`/oauth/logout?${query}`);
      assert.ok(status < 500, `logout ${name}=${JSON.stringify(value)}: ${status}`);
    }
    const posts: [string, Record<string, string>][] = [
      ['/oauth/token', { ...exchangeParameters(client, 'lkc_none', newVerifier()) }],
      ['/oauth/token', { ...secrets, grant_type: 'refresh_token', refresh_token: token, scope: 'openid' }],
      ['/oauth/revoke', { ...secrets, token: 'lkr_none', token_type_hint: 'refresh_token' }],
    ];
    for (const [path, fields] of posts) {
      for (const name of Object.keys(fields)) {
        const { status } = await postForm(service, path, { ...fields, [name]: value });
        assert.ok(status < 500, `${path} ${name}=${JSON.stringify(value)}: ${status}`);
      }
    }
  }
});

test('in claims of a token that nobody has signed', async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const value of firstUntilRelease(hostile, 2)) {
    for (const name of ['iss', 'aud', 'sub', 'sid', 'client_id', 'jti']) {
      for (const alg of ['HS256', 'none', value]) {
        const claims = { iss: service.url, aud: client.id, sub: administrator.id, exp: 4e9, [name]: value };
        const token = `${part({ alg, typ: 'JWT' })}.${part(claims)}.${part('signature')}`;
        const headers = { Authorization: `Bearer ${token}` };
        const statuses = await Promise.all([
          fetch(`${service.url}/oauth/userinfo`, { headers }),
          fetch(`${service.url}/api/people`, { headers }),
          fetch(`${service.url}/oauth/logout?id_token_hint=${token}`),
          fetch(`${service.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token }) }),
        ]);
        for (const { url, status } of statuses) assert.ok(status < 500, `${url} ${name}: ${status}`);
      }
    }
  }
});

releaseTest('in headers and cookies that say where a request comes from', async () => {
  const names = ['Host', 'Origin', 'Referer', 'Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host'];
  const others = [
    'User-Agent',
    'Accept-Language',
    'X-Request-Id',
    'traceparent',
    'If-None-Match',
    'Range',
    'Sec-Fetch-Site',
  ];
  const cookies = [...new Person(service).cookies.keys(), 'latchkey_session', 'latchkey_device', 'latchkey_language'];
  for (const value of [...unparsable, '\x80\xff', '%00', '%ff', '"', '[']) {
    const headers = [...names.slice(1), ...others].map((name) => ({ [name]: value }));
    for (const each of [...headers, ...cookies.map((name) => ({ Cookie: `${name}=${value}` }))]) {
      for (const path of ['/sign-in', '/account', '/api/people', '/docs', '/.well-known/openid-configuration']) {
        const { status } = await fetch(service.url + path, { headers: each, redirect: 'manual' });
        assert.ok(status < 500, `${path} ${JSON.stringify(each)}: ${status}`);
      }
      const body = new URLSearchParams({ email: 'a@example.test', password: 'wrong' });
      const { status } = await fetch(`${service.url}/sign-in`, {
        method: 'POST',
        headers: each,
        body,
        redirect: 'manual',
      });
      assert.ok(status < 500, `POST ${JSON.stringify(each)}: ${status}`);
    }
  }
});

test('in the form that registers a redirect URI of an event', async () => {
  const person = new Person(service);
  await person.signIn(administrator);
  const form = await formIn(await person.visit(`/admin/applications/${client.id}`), '/sign-out');
  for (const uri of firstUntilRelease(unparsable)) {
    for (const path of ['redirect-uris', 'post-logout-redirect-uris']) {
      const action = `/admin/applications/${client.id}/${path}`;
      const asked = await person.submit({ ...form, action }, { uri });
      assert.ok(asked.status < 500, `${action} ${uri}: ${asked.status}`);
      const { status } = await person.submit({ ...form, action }, { uri, sure: 'yes' });
      assert.equal(status, 400, `${action} ${uri}`);
    }
  }
});

test('none of these is a fault of the service', () => {
  const faults = service
    .log()
    .split('\n')
    .filter((line) => line.includes('a request failed'));
  assert.deepEqual(faults, []);
});
