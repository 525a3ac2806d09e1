// Text that a database can't hold or compare, such as a zero byte, in every input that reaches a query. No engine makes it
// a fault of the service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Api, type DescribedOperation } from '../harness/api.ts';
import { newUpstream } from '../harness/discovery.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { Person } from '../harness/person.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { newWebhook } from '../harness/webhooks.ts';

const controls = ['%00', 'a%00b', '%1b%5b2J', '%7f', '%c2%9b', '%c2%85'];
const invalidUtf8 = ['%ff', '%ed%a0%80'];
const refusedEverywhere = [...firstUntilRelease(controls), ...firstUntilRelease(invalidUtf8)];
const hostile = [...refusedEverywhere, '%f4%8f%bf%bf'];

let service: TestService;
let client: TestClient;
let administrator: TestUser;
let admin: Person;

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  client = await service.newClient();
  administrator = await service.newUser({ admin: true });
  admin = new Person(service);
  await admin.signIn(administrator);
});
after(() => service.stop());

const queries: [string, string[]][] = [
  ['/admin/events', ['person', 'application', 'reference', 'kind', 'since', 'until', 'cursor']],
  ['/admin/people', ['search', 'cursor', 'done']],
  ['/admin/applications', ['search', 'cursor', 'done']],
  ['/admin/keys', ['done']],
  ['/admin/scim-tokens', ['done']],
  ['/admin/providers', ['done']],
  ['/admin/webhooks', ['done']],
  ['/admin/webhooks/new', ['application']],
  ['/admin/settings', ['done']],
  ['/account/activity', ['before', 'cursor']],
  ['/account/apps', ['done']],
  ['/account/security', ['done']],
  ['/sign-in', ['to']],
  ['/sign-in/verify', ['to']],
  ['/sign-up/finish', ['link']],
  ['/reset-password/new', ['link']],
  ['/account/email/confirm', ['link']],
];

for (const [path, names] of queries) {
  test(`${path} refuses hostile text in its query as a bad request`, async () => {
    for (const name of names) {
      for (const value of hostile) {
        const { status } = await admin.request(`${path}?${name}=${value}`);
        assert.ok(status < 500, `${name}=${value}: ${status}`);
        if (refusedEverywhere.includes(value)) assert.equal(status, 400, `${name}=${value}`);
      }
      assert.equal((await admin.request(`${path}?${name}%00=x`)).status, 400, name);
    }
  });
}

test("hostile text in a path doesn't cause a 5xx", async () => {
  for (const value of hostile) {
    for (const path of [
      '/admin/providers/X',
      '/admin/providers/X/delete',
      '/api/upstreams/X',
      '/admin/people/X',
      '/admin/applications/X',
      '/admin/applications/X/secrets',
      '/logos/X/X',
      '/pictures/X/X',
      '/docs/X',
      '/docs/clients/X',
      '/assets/X',
      '/api/people/X',
      '/api/applications/X',
      '/X',
    ]) {
      const { status } = await admin.request(path.replaceAll('X', value));
      assert.ok(status >= 400 && status < 500, `${path} ${value}: ${status}`);
    }
  }
});

test('every operation of the API refuses hostile text in its path, query and body', async () => {
  const api = await Api.of(service);
  const me = (await (await admin.request('/api/me')).json()) as { data: { csrf_token: string } };
  const token = me.data.csrf_token;
  for (const { method, path, parameters = [], requestBody } of described(api)) {
    const names = parameters.filter((each) => each.in === 'query').map((each) => each.name);
    const members = Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {});
    const headers = { 'X-CSRF-Token': token, 'Content-Type': 'application/json' };
    const call = (url: string, body: string | null) =>
      admin.request(url, { method, headers, body: method === 'GET' || method === 'DELETE' ? null : body });
    // Every kind of them is read by the same code; each place refuses one.
    for (const value of firstUntilRelease(hostile)) {
      const at = path.replace(/\{\w+\}/g, path.includes('/people/') ? administrator.id : client.id);
      const answers = [
        ...(path.includes('{') ? [await call(path.replace(/\{\w+\}/g, value), '{}')] : []),
        ...(await Promise.all(names.map((name) => call(`${at}?${name}=${value}`, '{}')))),
      ];
      for (const { status } of answers) assert.ok(status < 500, `${method} ${path} ${value}: ${status}`);
    }
    for (const text of firstUntilRelease(['\\u0000', 'a\\u0000b', '\\ud800'])) {
      for (const member of members) {
        const { status } = await call(path.replace(/\{\w+\}/g, 'x'), `{"${member}":"${text}"}`);
        assert.ok(status >= 400 && status < 500, `${method} ${path} ${member}: ${status}`);
      }
    }
  }
});

test('a forged cursor is no fault of the service, in any list', async () => {
  const api = await Api.of(service);
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const texts = firstUntilRelease(['\0', 'a\0b', '1e300 x', '99999999999999999999 x', '1 a\0', '\u0085']);
  const places = texts.map((text) => Buffer.from(text).toString('hex'));
  const noText = firstUntilRelease(['ff', 'c000', '999999999999999']);
  const cursors = [...places, ...noText].flatMap((place) => [forged(place, 'a', 0), forged(place, 'a', 1, 'before')]);
  const group = (await admin.request('/api/groups', await change({ name: 'Forgers' }))).status;
  assert.equal(group, 201);
  const { webhook } = await newWebhook(service);
  const ids: Record<string, string> = { group_id: 'forgers', webhook_id: webhook.id, client_id: client.id };
  const lists = described(api)
    .filter(({ method, parameters = [] }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'))
    .map(({ path }) => path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? administrator.id));
  assert.ok(lists.length >= 7, lists.join(' '));
  const pages = [
    '/account',
    '/account/activity',
    '/admin/people',
    '/admin/people/invitations',
    '/admin/applications',
    `/admin/applications/${client.id}/access`,
    '/admin/groups',
    '/admin/groups/forgers',
    '/admin/events',
    `/admin/webhooks/${webhook.id}`,
  ];
  for (const path of [...lists, ...pages]) {
    for (const cursor of cursors) {
      const queries = [`cursor=${cursor}`, `cursor=${cursor}&sort=name`, `cursor=${cursor}&search=a+b`];
      for (const query of cursor === cursors[0] ? queries : firstUntilRelease(queries)) {
        const { status } = await admin.request(`${path}?${query}`);
        assert.ok(status < 500, `${path}?${query}: ${status}`);
      }
    }
  }
});

/** With the session's token. */
async function change(body: object): Promise<RequestInit> {
  const { data } = (await (await admin.request('/api/me')).json()) as { data: { csrf_token: string } };
  const headers = { 'X-CSRF-Token': data.csrf_token, 'Content-Type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

test('every form refuses hostile text in its fields', async () => {
  const { webhook } = await newWebhook(service);
  await newUpstream(service);
  const pages = [
    '/account',
    '/account/profile',
    '/account/security',
    '/account/email',
    '/account/sessions',
    '/account/apps',
    '/account/data',
    '/account/delete',
    '/admin/people',
    '/admin/applications/new',
    '/admin/keys',
    '/admin/scim-tokens',
    '/admin/settings',
    '/admin/providers/new?for=other',
    '/admin/providers/github',
    '/admin/providers/github/delete',
    '/admin/webhooks/new',
    `/admin/webhooks/${webhook.id}`,
    `/admin/webhooks/${webhook.id}/settings`,
    ...['', '/settings', '/access', '/claims', '/secrets', '/webhook', '/danger'].map(
      (tab) => `/admin/applications/${client.id}${tab}`,
    ),
    `/admin/people/${administrator.id}`,
  ];
  let sent = 0;
  for (const path of pages) {
    const page = await (await admin.visit(path)).text();
    for (const { action, fields } of formsOn(page)) {
      for (const name of Object.keys(fields)) {
        const body = new URLSearchParams({ ...fields, [name]: 'a\0b' });
        const { status } = await admin.request(action, { method: 'POST', body, headers: { Origin: service.url } });
        assert.ok(status >= 400 && status < 500, `${action} ${name}: ${status}`);
        sent++;
      }
    }
  }
  assert.ok(sent > 30, `${sent} fields`);
});

test('sign-in, passkey and application forms treat hostile text as invalid input', async () => {
  const stranger = new Person(service);
  const page = await (await stranger.visit(authorizePath(client, newVerifier()))).text();
  for (const { action, fields } of formsOn(page)) {
    for (const name of Object.keys(fields)) {
      const body = new URLSearchParams({ ...fields, [name]: 'a\0b' });
      const { status } = await stranger.request(action, { method: 'POST', body });
      assert.ok(status >= 400 && status < 500, `${action} ${name}: ${status}`);
    }
  }
  const options = await stranger.request('/sign-in/passkey/options', { method: 'POST', body: new URLSearchParams() });
  const { challenge } = (await options.json()) as { challenge: string };
  const [ticket] = formsOn(page).flatMap(({ action, fields }) => (action === '/sign-in' ? [fields] : []));
  for (const answer of ['{"id":"\\u0000"}', '{"id":"a","response":{"userHandle":"\\u0000"}}', '\\u0000']) {
    const body = new URLSearchParams({ ...ticket, challenge, answer });
    const { status } = await stranger.request('/sign-in/passkey', { method: 'POST', body });
    assert.ok(status >= 400 && status < 500, `${answer}: ${status}`);
  }
  for (const parameter of ['client_id', 'redirect_uri', 'nonce', 'state', 'scope', 'login_hint']) {
    for (const value of hostile) {
      const path = authorizePath(client, newVerifier(), { [parameter]: undefined });
      const { status } = await stranger.request(`${path}&${parameter}=${value}`);
      assert.ok(status < 500, `${parameter}=${value}: ${status}`);
    }
  }
});

test('hostile text as a cookie, key or token authenticates nobody', async () => {
  const values = ['\x80\x9b', 'lks_%00', '"\xff"', 'lkk_\x01'.replace('\x01', '%01')];
  for (const value of values) {
    const cookie = { Cookie: `latchkey_session=${value}; latchkey_device=${value}; latchkey_browser=${value}` };
    assert.equal((await fetch(`${service.url}/account`, { headers: cookie, redirect: 'manual' })).status, 302);
    const authorization = { Authorization: `Bearer ${value}` };
    assert.equal((await fetch(`${service.url}/api/people`, { headers: authorization })).status, 401);
    assert.equal((await fetch(`${service.url}/oauth/userinfo`, { headers: authorization })).status, 401);
  }
});

test('none of these is a 5xx', () => {
  assert.equal(service.log().includes('a request failed'), false);
});

interface Described extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

function described(api: Api): Described[] {
  return Object.entries(api.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Every form that is sent as text, with its fields, hidden or not. */
function formsOn(page: string): { action: string; fields: Record<string, string> }[] {
  return [...page.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, attributes = '', content = '']) => {
    const action = /\saction="([^"]*)"/.exec(attributes)?.[1];
    if (action === undefined || !attributes.includes('post') || attributes.includes('multipart')) return [];
    const inputs = [...content.matchAll(/<(?:input|textarea|select|button)[^>]*\sname="([^"]*)"[^>]*>/g)];
    const values = inputs.map(([tag, name = '']) => [name, /\svalue="([^"]*)"/.exec(tag)?.[1] ?? '']);
    return [{ action, fields: Object.fromEntries(values) }];
  });
}
