// Requests of applications that are not what they seem: other spellings of parameters, URIs and headers, text with markup in
// it, and more of everything than anybody needs.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { readDescription } from '../../src/cli/apply/file.ts';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { signedIn } from '../harness/account.ts';
import { type KeyCaller, newKey } from '../harness/api.ts';
import { firstUntilRelease, isReleaseLane } from '../harness/lane.ts';
import type { Person } from '../harness/person.ts';
import { sendRaw } from '../harness/raw-request.ts';
import { authorizePath, challengeOf, newVerifier, obtainTokens, postForm } from '../harness/relying-party.ts';
import { requester, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { attack } from './attack.ts';

let service: TestService;
let client: TestClient;
let user: TestUser;
/** Signed in, and has approved the application: whatever is accepted leads to a code at once. */
let person: Person;
let key: KeyCaller;

before(async () => {
  service = await startTestService();
  client = await service.newClient({ redirectUris: ['https://app.example/cb'] });
  user = await service.newUser();
  ({ person } = await obtainTokens(service, client, user));
  key = await newKey(service, 'administrator');
});
after(() => service?.stop());

const locationOf = async (path: string, init: RequestInit = {}) =>
  (await person.request(path, init)).headers.get('location') ?? '';
const call = (method: string, path: string, body: object) =>
  fetch(service.url + path, {
    method,
    headers: { ...key.headers(method), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

attack(36, 'no code is issued without PKCE, and none exchanged without the verifier', async () => {
  const verifier = newVerifier();
  const challenge = challengeOf(verifier);
  const evasions: Record<string, string | undefined>[] = [
    { response_type: 'code ' },
    { response_type: 'CODE' },
    { response_type: 'code token' },
    { response_type: 'code id_token' },
    { response_type: 'token' },
    { response_type: 'none' },
    { response_type: undefined },
    { code_challenge_method: undefined },
    { code_challenge_method: 's256' },
    { code_challenge_method: 'plain' },
    { code_challenge_method: '' },
    { code_challenge: undefined },
    { code_challenge: '' },
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge: `${challenge}=` },
    { code_challenge: challenge.slice(1) },
  ];
  for (const changes of evasions) {
    const location = await locationOf(authorizePath(client, verifier, changes));
    assert.doesNotMatch(location, /[?&#](code|access_token|id_token)=/, JSON.stringify(changes));
  }
  const path = authorizePath(client, verifier);
  for (const repeated of [
    'code_challenge_method=plain',
    'code_challenge_method=S256',
    `code_challenge=${challenge}`,
    'response_type=code',
  ]) {
    assert.doesNotMatch(await locationOf(`${path}&${repeated}`), /[?&]code=/, repeated);
  }
  const code = new URL(await locationOf(path)).searchParams.get('code') ?? '';
  const right = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    client_id: client.id,
    client_secret: client.secret,
  };
  for (const given of [{}, { code_verifier: '' }, { code_verifier: challenge }, { code_verifier: `${verifier} ` }]) {
    assert.equal((await postForm(service, '/oauth/token', { ...right, ...given })).status, 400, JSON.stringify(given));
  }
  assert.equal((await postForm(service, '/oauth/token', { ...right, code_verifier: verifier })).status, 200);
});

attack(37, 'the browser is sent to a registered redirect URI, letter by letter, or nowhere', async () => {
  const uris = [
    'https://app.example@evil.example/cb',
    'https://app.example:443/cb',
    'https://APP.example/cb',
    'https://app.example./cb',
    'https://app.example.evil.example/cb',
    'https://evil.example/https://app.example/cb',
    'https://app.example/cb/',
    'https://app.example/cb/../x',
    'https://app.example/cb/..;/x',
    'https://app.example/cb%2e%2e/x',
    'https://app.example/%63b',
    'https://app.example/cb?',
    'https://app.example/cb#',
    'https://app.example/cb?x=y',
    'https:\\\\app.example\\cb',
    'https://app.example\\@evil.example/cb',
    'https://app.example/cb\t',
    'https://app.example/cb\n',
    ' https://app.example/cb',
    'HTTPS://app.example/cb',
    'http://app.example/cb',
    '//app.example/cb',
    '/cb',
    '',
    'javascript:alert(1)',
    'https://app.example/cb\u0000',
    'https://аpp.example/cb',
  ];
  for (const redirect_uri of uris) {
    for (const prompt of firstUntilRelease([undefined, 'none'])) {
      const path = authorizePath(client, newVerifier(), { redirect_uri, prompt });
      const response = await person.request(path);
      assert.deepEqual([response.status, response.headers.get('location')], [400, null], redirect_uri);
      assert.doesNotMatch(await response.text(), /href="(https?:\/\/(evil|app)|javascript)/i, redirect_uri);
    }
    const body = new URLSearchParams(authorizePath(client, newVerifier(), { redirect_uri }).split('?')[1]);
    const posted = await person.request('/oauth-authorize', { method: 'POST', body });
    assert.match(posted.headers.get('location') ?? '/', /^\/(?!\/)/, redirect_uri);
  }
  for (const twice of ['https://evil.example/', 'https://app.example/cb']) {
    for (const path of [
      authorizePath(client, newVerifier()),
      authorizePath(client, newVerifier(), { prompt: 'none' }),
    ]) {
      assert.equal(await locationOf(`${path}&redirect_uri=${encodeURIComponent(twice)}`), '');
    }
  }
});

attack(38, "a redirect URI can't have a parameter of the response already", async () => {
  for (const name of [
    'code',
    'state',
    'iss',
    'error',
    'error_description',
    'session_state',
    'c%6fde',
    '%73tate',
    'is%73',
  ]) {
    for (const uri of [`https://app.example/cb?${name}=x`, `https://app.example/cb?a=b&${name}`]) {
      const created = await call('POST', '/api/applications', { name: 'App', redirect_uris: [uri] });
      assert.equal(created.status, 400, uri);
      const changed = await call('PATCH', `/api/applications/${client.id}`, { redirect_uris: [uri] });
      assert.equal(changed.status, 400, uri);
    }
  }
  assert.ok(
    (await call('POST', '/api/applications', { name: 'App', redirect_uris: ['https://app.example/cb?codes=x'] })).ok,
  );
});

const scripts = [
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript:alert(1)',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'https:javascript:alert(1)',
  'javascript://app.example/%0aalert(1)',
];

attack(39, 'a URL that could run a script is refused wherever URLs are stored', async () => {
  for (const url of firstUntilRelease(scripts, 3)) {
    for (const member of ['client_uri', 'policy_uri', 'tos_uri', 'launch_url']) {
      const response = await call('PATCH', `/api/applications/${client.id}`, { [member]: url });
      assert.equal(response.status, 400, `${member} ${url}`);
    }
    for (const member of ['redirect_uris', 'post_logout_redirect_uris']) {
      const response = await call('PATCH', `/api/applications/${client.id}`, { [member]: [url] });
      assert.equal(response.status, 400, `${member} ${url}`);
    }
    for (const member of ['support_url', 'terms_url', 'privacy_url']) {
      assert.equal((await call('PATCH', '/api/settings', { [member]: url })).status, 400, `${member} ${url}`);
    }
    assert.equal((await call('POST', '/api/webhooks', { url })).status, 400, url);
    const people = [{ id: `p|${scripts.indexOf(url)}`, email: `p${scripts.indexOf(url)}@example.test`, picture: url }];
    await call('POST', '/api/people/import', { from: 'csv', people });
    const app = { client_id: 'app', name: 'App', redirect_uris: ['https://app.example/cb'] };
    for (const file of [
      ...['client_uri', 'policy_uri', 'tos_uri', 'launch_url'].map((member) => ({
        applications: [{ ...app, [member]: url }],
      })),
      { applications: [{ ...app, redirect_uris: [url] }] },
      { webhooks: [{ id: 'hook', url, types: null }] },
    ]) {
      const path = join(service.dataDir, 'apply.json');
      writeFileSync(path, JSON.stringify(file));
      await assert.rejects(readDescription(path, {}), /has problems/, JSON.stringify(file));
    }
  }
  const stored = JSON.stringify(await service.rowsOf(['users', 'clients', 'webhook_endpoints', 'settings']));
  assert.doesNotMatch(stored, /javascript|vbscript|text\/html|etc\/passwd/i);
});

const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{7*7}}`;

attack(40, 'no text from outside becomes markup', async () => {
  const admin = await signedIn(service, await service.newUser({ admin: true, name: markup }));
  const app = await service.newClient({ name: markup.slice(0, 90) });
  const shown = await service.newUser({ name: markup, email: 'x@example.test' });
  await call('POST', '/api/groups', { name: markup.slice(0, 60) });
  await changeSettings(service.running.services, { service_name: '<b>Latch</b>' }, requester);
  const query = encodeURIComponent(markup);
  const pages: [Person, string][] = [
    [person, authorizePath(app, newVerifier(), { state: markup, nonce: markup, login_hint: markup })],
    [person, `${authorizePath(client, newVerifier())}&state=${query}`],
    [person, authorizePath(client, newVerifier(), { client_id: markup })],
    [person, authorizePath(client, newVerifier(), { redirect_uri: markup })],
    [person, `/sign-in?password&to=${query}`],
    [person, `/sign-in/with/company/callback?error=${query}&error_description=${query}&state=${query}`],
    [person, `/oauth/logout?client_id=${query}&state=${query}&post_logout_redirect_uri=${query}`],
    [person, `/docs/search?q=${query}`],
    [person, `/docs?q=${query}`],
    [person, `/${query}`],
    [admin, '/account'],
    [admin, '/admin'],
    [admin, '/admin/people'],
    [admin, `/admin/people?search=${query}`],
    [admin, `/admin/people/${shown.id}`],
    [admin, '/admin/applications'],
    [admin, `/admin/applications?search=${query}`],
    [admin, `/admin/applications/${app.id}`],
    [admin, '/admin/groups'],
    [admin, '/admin/events'],
    [admin, `/admin/events?person=${query}`],
    [admin, '/dev/outbox'],
  ];
  await service.running.services.journal.flush();
  for (const [visitor, path] of pages) {
    const response = await visitor.visit(path);
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    assert.doesNotMatch(text, /<script>alert|<img src=x|<b>Latch/, path);
    if (type.startsWith('text/html')) {
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/, path);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|evil/, path);
    }
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path);
  }
  // What isn't HTML can't be taken for it.
  for (const path of ['/api/people', '/api/people.csv', '/api/people.jsonl', '/api/events.csv']) {
    const response = await fetch(service.url + path, { headers: key.headers('GET') });
    assert.doesNotMatch(response.headers.get('content-type') ?? '', /html/, path);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path);
  }
  await changeSettings(service.running.services, { service_name: '' }, requester);
});

attack(41, 'a request full of values costs no more than a few others', async () => {
  const many = (item: (index: number) => string, separator: string, length: number) => {
    let text = '';
    for (let index = 0; text.length < length; index++) text += item(index) + separator;
    return text.slice(0, length);
  };
  const bombs: [string, string, Record<string, string>?][] = [
    [
      'scope',
      `${authorizePath(client, newVerifier())}`.replace(
        /scope=[^&]*/,
        `scope=${many((index) => `s${index}`, '+', 7000)}`,
      ),
    ],
    ['ui_locales', `${authorizePath(client, newVerifier())}&ui_locales=${many(() => 'xx-yy', '+', 7000)}`],
    ['acr_values', `${authorizePath(client, newVerifier())}&acr_values=${many((index) => `${index}`, '+', 7000)}`],
    ['claims', `${authorizePath(client, newVerifier())}&claims=${'%7B%22a%22:'.repeat(600)}`],
    ['parameters', `${authorizePath(client, newVerifier())}&${many((index) => `p${index}=`, '&', 7000)}`],
    ['languages', '/sign-in', { 'Accept-Language': many((index) => `x${index};q=0.${index % 10}`, ',', 7000) }],
    ['cookies', '/sign-in', { Cookie: many((index) => `latchkey_session=${index}`, ';', 7000) }],
    ['user agent', '/sign-in', { 'User-Agent': '('.repeat(7000) }],
  ];
  const times = isReleaseLane ? 20 : 5;
  const cpuOf = async (path: string, headers: Record<string, string> = {}) => {
    const before = process.cpuUsage();
    for (let count = 0; count < times; count++) {
      const { status } = await fetch(service.url + path, { headers, redirect: 'manual' });
      assert.ok(status < 500, path);
    }
    const { user: spent } = process.cpuUsage(before);
    return spent / 1000 / times;
  };
  await cpuOf('/sign-in');
  for (const [name, path, headers] of bombs) {
    const milliseconds = await cpuOf(path, headers);
    assert.ok(milliseconds < 50, `${name}: ${milliseconds} ms of CPU for each request`);
  }
});

const statusOf = async (line: string, ...headers: string[]) => (await sendRaw(service, { line, headers })).status;

attack(42, 'an Authorization header that is not exactly one valid credential authenticates nobody', async () => {
  service.clock.advance(16 * 60);
  const { tokens } = await obtainTokens(service, client, user);
  const secret = (key.headers('GET').Authorization ?? '').slice('Bearer '.length);
  for (const [path, credential] of [
    ['/oauth/userinfo', tokens.access_token],
    ['/api/people', secret],
  ] as const) {
    const odd = [
      [`Authorization: Bearer\t${credential}`],
      [`Authorization: Bearer ${credential},Bearer ${credential}`],
      [`Authorization: Bearer ${credential} ${credential}`],
      [`Authorization: Bearer ${credential}`, `Authorization: Bearer x`].toReversed(),
      [`Authorization: Bearer`],
      [`Authorization: ${credential}`],
      [`Authorization: Token ${credential}`],
      [`Authorization: Basic ${Buffer.from(`x:${credential}`).toString('base64')}`],
      [`Authorization: Bearer "${credential}"`],
      [`Authorization: Bearer ${credential}\xe9`],
      [`Authorization: Bearer=${credential}`],
      [`Authorization: Bearer ${'x'.repeat(64 * 1024)}`],
      [`X-Authorization: Bearer ${credential}`],
      [`Cookie: Authorization=Bearer ${credential}`],
    ];
    assert.equal(
      await statusOf(`GET ${path}`, `Authorization: bearer  ${credential}`),
      200,
      'spaces and case are free',
    );
    for (const headers of odd) {
      const status = await statusOf(`GET ${path}`, ...headers);
      assert.ok([400, 401, 429, 431].includes(status), `${path} ${headers[0]?.slice(0, 40)}: ${status}`);
    }
    const inQuery = await fetch(`${service.url}${path}?access_token=${credential}`);
    assert.equal(inQuery.status, 401);
  }
  // A session beside an invalid key is no way in either.
  const admin = await signedIn(service, await service.newUser({ admin: true }));
  assert.ok(
    [401, 429].includes((await admin.request('/api/people', { headers: { Authorization: 'Bearer x' } })).status),
  );
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  assert.ok((await statusOf('POST /oauth/token', `Authorization: Basic ${basic}`, 'Content-Length: 0')) >= 400);
});

attack(
  43,
  'no origin is echoed, whatever client a request names, and no answer with a cookie is readable elsewhere',
  async () => {
    const { tokens } = await obtainTokens(service, client, user);
    for (const origin of firstUntilRelease(['https://app.example', 'https://evil.example', 'null'])) {
      const preflight = {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-csrf-token',
      };
      for (const path of [
        '/oauth/token',
        '/oauth/userinfo',
        '/api/me',
        '/api/people',
        '/account',
        '/sign-in',
        authorizePath(client, newVerifier()),
      ]) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const headers = { ...preflight, Authorization: `Bearer ${tokens.access_token}` };
          const body = method === 'POST' ? new URLSearchParams({ client_id: client.id }) : null;
          const response = await person.request(path, { method, headers, body });
          const allowed = response.headers.get('access-control-allow-origin');
          assert.ok(
            allowed === null || (allowed === '*' && path.startsWith('/oauth/')),
            `${method} ${path}: ${allowed}`,
          );
          assert.equal(response.headers.get('access-control-allow-credentials'), null, path);
        }
      }
    }
  },
);
