// Invalid requests get a clear response, change nothing, and are never an internal error.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { formIn, Person } from '../harness/person.ts';
import { exchangeParameters, obtainCode, postForm } from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let client: TestClient;
let user: TestUser;
let right: Record<string, string>;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
  user = await service.newUser();
  const { code, verifier } = await obtainCode(service, client, user);
  right = exchangeParameters(client, code, verifier);
});
after(async () => {
  await service.stop();
});

async function post(contentType: string | undefined, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'Content-Type': contentType };
  // A typed array, because fetch sets a content type for a string.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return fetch(`${service.url}/oauth/token`, { method: 'POST', headers, body: bytes });
}

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const encoded = (changes: Record<string, string> = {}) => new URLSearchParams({ ...right, ...changes }).toString();
const asJson = (changes: Record<string, unknown> = {}) => JSON.stringify({ ...right, ...changes });

const malformed: [string, string | undefined, () => string | Uint8Array<ArrayBuffer>][] = [
  ['a repeated parameter', form, () => `${encoded()}&code=x`],
  ['a repeated parameter with the same value', form, () => `${encoded()}&grant_type=authorization_code`],
  ['a repeated parameter with another spelling', form, () => `${encoded()}&c%6Fde=x`],
  ['a repeated unknown parameter', form, () => `${encoded()}&a=1&a=2`],
  ['no content type', undefined, () => encoded()],
  ['text/plain', 'text/plain', () => encoded()],
  ['multipart', 'multipart/form-data; boundary=x', () => '--x--'],
  ['XML', 'application/xml', () => '<x/>'],
  ['a content type that is invalid', 'x', () => encoded()],
  ['another charset', `${form}; charset=iso-8859-1`, () => encoded()],
  ['an empty body', form, () => ''],
  ['an empty JSON body', json, () => ''],
  ['JSON that is invalid', json, () => '{"grant_type":'],
  ['a JSON array', json, () => '[]'],
  ['a JSON string', json, () => '"x"'],
  ['JSON null', json, () => 'null'],
  ['a JSON member that is an array', json, () => asJson({ code: [right.code] })],
  ['a JSON member that is an object', json, () => asJson({ code: { toString: 'x' } })],
  ['a JSON member that is true', json, () => asJson({ client_secret: true })],
  ['a JSON member that is a number', json, () => asJson({ code: 1 })],
  ['a JSON member that is null', json, () => asJson({ code: null })],
  ['__proto__ in JSON', json, () => `{"__proto__": {"grant_type": "authorization_code"}, ${asJson().slice(1)}`],
  ['a repeated JSON member', json, () => `{"code": "x", ${asJson().slice(1)}`],
  ['a repeated JSON member, escaped', json, () => `{"cod\\u0065": "x", ${asJson().slice(1)}`],
  ['NUL in JSON', json, () => asJson({ code: 'a\0b' })],
  ['a lone surrogate in JSON', json, () => asJson({ code: 'X' }).replace('"X"', '"\\ud800"')],
  ['deeply nested JSON', json, () => `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['NUL in a form', form, () => encoded({ code: 'a\0b' })],
  ['a line break in a form', form, () => encoded({ client_id: 'a\r\nb' })],
  ['invalid UTF-8 in percent encoding', form, () => `${encoded()}&x=%ff%fe`],
  ['a broken percent encoding', form, () => `${encoded()}&x=%zz`],
  ['invalid UTF-8 bytes', form, () => new Uint8Array([...new TextEncoder().encode(encoded()), 0xff, 0xfe])],
];

for (const [name, type, body] of malformed) {
  test(`${name} is refused as OAUTH_INVALID_REQUEST`, async () => {
    const response = await post(type, body());
    assert.equal(response.status, 400);
    const answer = (await response.json()) as Record<string, string>;
    assert.equal(answer.error, 'invalid_request');
    assert.equal(answer.error_code, 'OAUTH_INVALID_REQUEST');
    assert.ok((answer.error_description ?? '').length > 10);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });
}

test('after all of these, the code still works', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  right = exchangeParameters(client, code, verifier);
  for (const [, type, body] of malformed) await post(type, body());
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
});

test('a body over 16 KB is refused with 413, and one just below is accepted', async () => {
  for (const path of ['/oauth/token', '/oauth/revoke', '/sign-in', '/account/apps']) {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': form },
      body: `x=${'a'.repeat(16 * 1024)}`,
    });
    assert.equal(response.status, 413, path);
  }
  assert.equal((await post(form, `x=${'a'.repeat(16 * 1024 - 2)}`)).status, 400);
});

test('a chunked body over the limit is refused too', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (let chunk = 0; chunk < 20; chunk++) controller.enqueue(new Uint8Array(1024).fill(97));
      controller.close();
    },
  });
  const init = { method: 'POST', headers: { 'Content-Type': form }, body, duplex: 'half' } as RequestInit;
  const response = await fetch(`${service.url}/oauth/token`, init);
  assert.equal(response.status, 413);
});

const methods: [string, string, string][] = [
  ['/oauth/token', 'POST, OPTIONS', 'GET'],
  ['/oauth/token', 'POST, OPTIONS', 'PUT'],
  ['/oauth/revoke', 'POST, OPTIONS', 'GET'],
  ['/oauth/userinfo', 'GET, POST, OPTIONS', 'PUT'],
  ['/oauth/userinfo', 'GET, POST, OPTIONS', 'HEAD'],
  ['/oauth/jwks.json', 'GET, HEAD, OPTIONS', 'POST'],
  ['/.well-known/openid-configuration', 'GET, HEAD, OPTIONS', 'DELETE'],
  ['/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS', 'POST'],
  ['/.well-known/passkey-endpoints', 'GET, HEAD, OPTIONS', 'POST'],
  ['/.well-known/change-password', 'GET, HEAD', 'POST'],
  ['/oauth-authorize', 'GET, POST', 'PUT'],
  ['/oauth-authorize', 'GET, POST', 'HEAD'],
  ['/oauth-authorize.php', 'GET, HEAD, POST', 'PUT'],
  ['/oauth/logout', 'GET, POST', 'HEAD'],
  ['/oauth/logout/confirm', 'POST', 'GET'],
  ['/oauth-authorize/decision', 'POST', 'GET'],
  ['/sign-in', 'GET, HEAD, POST', 'PUT'],
  ['/sign-out', 'GET, HEAD, POST', 'PUT'],
  ['/language', 'POST', 'GET'],
  ['/account/apps', 'GET, HEAD, POST', 'PATCH'],
];

for (const [path, allow, method] of methods) {
  test(`${method} ${path} is answered 405 with Allow: ${allow}`, async () => {
    const response = await fetch(service.url + path, { method });
    assert.equal(response.status, 405);
    assert.deepEqual(new Set(response.headers.get('allow')?.split(', ')), new Set(allow.split(', ')));
  });
}

test('discovery has every standard field that applies', async () => {
  const response = await fetch(`${service.url}/.well-known/openid-configuration`, { redirect: 'error' });
  const document = (await response.json()) as Record<string, unknown>;
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(document.issuer, service.url);
  assert.equal(document.authorization_endpoint, `${service.url}/oauth-authorize.php`);
  assert.equal(document.request_uri_parameter_supported, false);
  assert.deepEqual(document.id_token_signing_alg_values_supported, ['HS256']);
  assert.equal(document.end_session_endpoint, `${service.url}/oauth/logout`);
  for (const name of [
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'end_session_endpoint',
    'jwks_uri',
  ]) {
    assert.notEqual((await fetch(document[name] as string)).status, 404, name);
  }
});

test('the metadata of RFC 8414 is the same document', async () => {
  const documents = ['openid-configuration', 'oauth-authorization-server'].map(async (name) => {
    const response = await fetch(`${service.url}/.well-known/${name}`, { redirect: 'error' });
    assert.equal(response.status, 200);
    return [await response.text(), response.headers.get('content-type'), response.headers.get('cache-control')];
  });
  const [openid, oauth] = await Promise.all(documents);
  assert.deepEqual(oauth, openid);
});

test('password managers find the page for a new password, and the one for passkeys', async () => {
  const password = await fetch(`${service.url}/.well-known/change-password`, { redirect: 'manual' });
  assert.equal(password.status, 302);
  assert.equal(password.headers.get('location'), '/account/security');
  const passkeys = await fetch(`${service.url}/.well-known/passkey-endpoints`);
  assert.match(passkeys.headers.get('content-type') ?? '', /^application\/json/);
  const page = `${service.url}/account/security`;
  assert.deepEqual(await passkeys.json(), { enroll: page, manage: page });
});

test('the key set is always {"keys": []}', async () => {
  const response = await fetch(`${service.url}/oauth/jwks.json`);
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '{"keys": []}');
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
});

test('machine endpoints allow any origin, on success and error, but never credentials', async () => {
  const headers = { Origin: 'https://app.example' };
  const methodsOf = new Map([
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    ['/oauth/userinfo', 'GET, POST'],
  ]);
  for (const [path, method] of [
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    ['/oauth/userinfo', 'GET'],
    ['/oauth/jwks.json', 'GET'],
    ['/.well-known/openid-configuration', 'GET'],
    ['/oauth/token', 'PUT'],
  ] as const) {
    const response = await fetch(service.url + path, { method, headers });
    assert.equal(response.headers.get('access-control-allow-origin'), '*', `${method} ${path}`);
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
    const preflight = await fetch(service.url + path, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    const allowed = preflight.headers.get('access-control-allow-methods');
    assert.equal(allowed, methodsOf.get(path) ?? 'GET', path);
  }
  const page = await fetch(`${service.url}/sign-in`, { headers });
  assert.equal(page.headers.get('access-control-allow-origin'), null);
});

test("unknown paths get a 404 page, and unusual ones don't cause a 5xx", async () => {
  for (const path of [
    '/nothing',
    '/%ff',
    '/%zz',
    '/..%2f..%2fetc/passwd',
    '/logos/x/y',
    '/constructor',
    '/__proto__',
    '/:a(',
    '/*x',
    '/logos/:(',
  ]) {
    const response = await fetch(service.url + path);
    assert.ok(response.status === 404 || response.status === 400, `${path}: ${response.status}`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  }
});

/** The response to raw bytes on a connection; undefined when it is closed without one. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('malformed HTTP gets 4xx or no response', async () => {
  for (const bytes of [
    'GET /oauth-authorize?x=\x80\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n',
    'FOO / HTTP/1.1\r\nHost: x\r\n\r\n',
    'PROPFIND /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'GET //evil.example/%2e%2e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET http://evil.example/sign-in HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  ]) {
    const answer = await sendRaw(bytes);
    assert.match(answer, /^(HTTP\/1\.1 [234]|$)/, bytes.slice(0, 60));
  }
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
});

test('a form with a content type but no body gets a response', async () => {
  for (const request of ['POST /sign-in', 'POST /account', 'DELETE /account']) {
    const answer = await sendRaw(`${request} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 [34]/, request);
  }
});

test('the API uses its envelope even if a request is too large', async () => {
  const response = await fetch(`${service.url}/api/me`, { method: 'POST', body: 'x'.repeat(20_000) });
  assert.equal(response.status, 413);
  assert.equal(((await response.json()) as { success: boolean }).success, false);
});

test('an email address of many combining marks is refused without delaying others', async () => {
  const person = new Person(service);
  const signIn = await formIn(await person.visit('/sign-in'));
  const email = `a${'\u0301'.repeat(3500)}${'\u0323'.repeat(3500)}`;
  const fields = new URLSearchParams(signIn.fields);
  const body = `${fields}&password=wrong-password&email=${email}`;
  const headers = { 'Content-Type': form };
  const attempts = Array.from({ length: 9 }, () => person.request('/sign-in', { method: 'POST', headers, body }));
  const started = process.threadCpuUsage();
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  // Of CPU, in microseconds: on a busy machine, everything takes its time.
  assert.ok(process.threadCpuUsage(started).user < 1_000_000);
  for (const response of await Promise.all(attempts)) assert.equal(response.status, 400);
});

test("input that isn't HTTP isn't logged", async () => {
  await sendRaw('GET / HTTP/1.1\r\nX: misplaced-secret\0\r\n\r\n');
  assert.equal(service.log().includes('misplaced-secret'), false);
});

test('no client input makes the service log an error', () => {
  assert.equal(service.log().includes('a request failed'), false);
});
