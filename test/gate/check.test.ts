// What the gate answers a proxy, and how people get past it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateClient } from '../../src/operations/clients/clients.ts';
import { allGroups, claimOf, newGroup, setClaims } from '../harness/claims.ts';
import { GateVisitor, navigation, startTestGate, type TestGate } from '../harness/gate.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const identity = ['remote-user', 'remote-email', 'remote-name', 'remote-groups'];

describe('a check', () => {
  let service: TestService;
  let gate: TestGate;
  let user: TestUser;
  let visitor: GateVisitor;

  before(async () => {
    service = await startTestService();
    gate = await startTestGate(service, {
      application: {
        open: ['/healthz', '/assets/*'],
        programs: ['/api/*'],
        require: [{ paths: ['/admin/*'], claim: 'groups', values: ['Admins'] }],
      },
    });
    await setClaims(service, gate.client.id, [claimOf('groups', allGroups)]);
    user = await service.newUser({ name: 'Grace Hopper' });
    visitor = new GateVisitor(gate, service);
    await visitor.signIn(user);
  });
  after(async () => {
    await gate?.stop();
    await service?.stop();
  });

  const identityOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
    identity.map((name) => answer.headers[name]);

  test('a browser is sent to sign in, comes back to where it wanted to go, and passes with its identity', async () => {
    const stranger = new GateVisitor(gate, service);
    const first = await stranger.check('/page?a=b&c=d');
    assert.equal(first.status, 302);
    assert.equal(first.headers.location, 'https://wiki.example/gate/sign-in?to=%2Fpage%3Fa%3Db%26c%3Dd');
    assert.equal(await stranger.signIn(user, '/page?a=b&c=d'), 'https://wiki.example/page?a=b&c=d');
    const passed = await stranger.check('/page?a=b&c=d');
    assert.deepEqual([passed.status, passed.body], [200, '']);
    assert.deepEqual(identityOf(passed), [user.id, user.email, 'Grace Hopper', '']);
  });

  test('a check never sets a cookie, and no cache keeps its answer', async () => {
    for (const answer of [await visitor.check('/'), await gate.check('/', { headers: navigation })]) {
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
  });

  const html = { Accept: 'text/html,*/*' };
  for (const [name, method, uri, headers, status] of [
    ['a navigation', 'GET', '/', navigation, 302],
    ['HEAD of a navigation', 'HEAD', '/', navigation, 302],
    ['without Sec-Fetch-Mode, by Accept', 'GET', '/', html, 302],
    ['a script that asks for HTML', 'GET', '/', { ...html, 'Sec-Fetch-Mode': 'cors' }, 401],
    ['an image', 'GET', '/', { Accept: 'image/png,*/*', 'Sec-Fetch-Mode': 'no-cors' }, 401],
    ['a WebSocket', 'GET', '/', { 'Sec-Fetch-Mode': 'websocket', Connection: 'Upgrade', Upgrade: 'websocket' }, 401],
    ['a program', 'GET', '/', { Accept: '*/*' }, 401],
    ['no Accept at all', 'GET', '/', {}, 401],
    ['a form', 'POST', '/', navigation, 401],
    ['a method of WebDAV', 'VERSION-CONTROL', '/', navigation, 401],
    ['a path for programs', 'GET', '/api/v1', navigation, 401],
    ['OPTIONS', 'OPTIONS', '/', html, 401],
    ['OPTIONS of an open path', 'OPTIONS', '/assets/x', {}, 200],
    ['an open path', 'GET', '/healthz', {}, 200],
    ['a form for an open path', 'POST', '/healthz', {}, 200],
    ['an open path that could mean another', 'GET', '/assets/../admin/', {}, 401],
  ] as const) {
    test(`without a session, ${name}: ${status}`, async () => {
      const answer = await gate.check(uri, { headers: { 'X-Forwarded-Method': method, ...headers } });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.location !== undefined, status === 302);
    });
  }

  test('with redirect=no, the URL is in a header, for browsers only', async () => {
    const location = 'https://wiki.example/gate/sign-in?to=%2Fpage';
    const { application } = gate;
    const forwarded = {
      'X-Forwarded-Host': application.host,
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Method': 'GET',
    };
    const ask = (headers: Record<string, string>) =>
      gate.ask('/gate/check?redirect=no', { headers: { ...forwarded, 'X-Forwarded-Uri': '/page', ...headers } });
    const browser = await ask(navigation);
    assert.deepEqual(
      [browser.status, browser.headers['x-gate-location'], browser.headers.location],
      [401, location, undefined],
    );
    const program = await ask({ Accept: 'application/json' });
    assert.deepEqual([program.status, program.headers['x-gate-location']], [401, undefined]);
  });

  test('every 200 has every identity header, empty where there is no value, on open paths too', async () => {
    const open = await gate.check('/healthz');
    assert.deepEqual([open.status, ...identityOf(open)], [200, '', '', '', '']);
    const known = await visitor.check('/assets/x.css');
    assert.deepEqual([known.status, ...identityOf(known)], [200, user.id, user.email, 'Grace Hopper', '']);
  });

  test('an email address that is not verified is not sent', async () => {
    const unverified = await service.newUser({ emailVerified: false });
    const other = new GateVisitor(gate, service);
    await other.signIn(unverified);
    assert.deepEqual(identityOf(await other.check('/')), [unverified.id, '', 'Grace Hopper', '']);
  });

  test('without the required claim there is a page that names the account and offers another', async () => {
    const refused = await visitor.check('/admin/users');
    assert.equal(refused.status, 403);
    assert.ok(refused.body.includes(user.email));
    assert.match(refused.body, /href="\/gate\/sign-in\?to=%2Fadmin%2Fusers&amp;account=other"/);
    const program = await visitor.check('/admin/users', { headers: { Accept: '*/*', 'Sec-Fetch-Mode': 'cors' } });
    assert.deepEqual([program.status, program.body], [403, '']);
  });

  test('another account can be chosen, and then the first session is over and its tokens are revoked', async () => {
    const admin = await service.newUser();
    await newGroup(service, 'Admins', admin);
    const browser = new GateVisitor(gate, service);
    await browser.signIn(user);
    const before = browser.session;
    const begun = await browser.open('/gate/sign-in?to=%2Fadmin%2Fusers&account=other');
    assert.equal(begun.status, 303);
    const url = new URL(begun.headers.location ?? '');
    assert.equal(url.searchParams.get('prompt'), 'select_account');
    const someoneElse = new GateVisitor(gate, service);
    for (const [name, value] of browser.cookies) someoneElse.cookies.set(name, value);
    url.searchParams.delete('prompt');
    const callback = await someoneElse.person.authorize(url.pathname + url.search, admin);
    assert.equal((await someoneElse.open(callback.href)).headers.location, 'https://wiki.example/admin/users');
    assert.notEqual(someoneElse.session, before);
    const passed = await someoneElse.check('/admin/users');
    assert.deepEqual([passed.status, passed.headers['remote-groups']], [200, 'Admins']);
    assert.equal((await browser.check('/')).status, 302);
    await until(async () => (await service.events('token_revoked')).length > 0, 'the tokens are revoked');
  });

  test('an unknown host is refused, with a page for browsers', async () => {
    const page = await gate.check('/', { headers: { ...navigation, 'X-Forwarded-Host': 'other.example' } });
    assert.equal(page.status, 403);
    assert.match(page.body, /other\.example/);
    const program = await gate.check('/healthz', { headers: { 'X-Forwarded-Host': 'other.example' } });
    assert.deepEqual([program.status, program.body], [403, '']);
    assert.ok(gate.lines.some(({ text }) => text.includes('other.example')));
  });

  test('plain http is refused, except on this machine', async () => {
    const insecure = { 'X-Forwarded-Proto': 'http' };
    assert.equal((await visitor.check('/', { headers: insecure })).status, 403);
    assert.equal((await gate.check('/healthz', { headers: insecure })).status, 403);
    assert.equal((await visitor.open('/gate/sign-in', { headers: insecure })).status, 403);
    const local = await startTestGate(service, { host: 'localhost:8470' });
    try {
      const answer = await local.check('/', { headers: { ...navigation, ...insecure } });
      assert.equal(answer.headers.location, 'http://localhost:8470/gate/sign-in?to=%2F');
      const begun = await local.ask('/gate/sign-in', {
        headers: { 'X-Forwarded-Host': 'localhost:8470', ...insecure },
      });
      assert.match(
        begun.headers['set-cookie']?.[0] ?? '',
        /^latchkey_gate_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    } finally {
      await local.stop();
    }
  });

  test('someone who is signed in and opens the sign-in page sees who they are, and is not sent around', async () => {
    const page = await visitor.open('/gate/sign-in?to=%2Fpage');
    assert.equal(page.status, 200);
    assert.ok(page.body.includes(user.email));
    assert.match(page.body, /href="\/page"/);
  });

  test('cancelling at Latchkey leads to a page that offers to try again', async () => {
    const browser = new GateVisitor(gate, service);
    const begun = await browser.open('/gate/sign-in?to=%2Fpage');
    const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: service.url });
    const page = await browser.open(`/gate/callback?${query}`);
    assert.equal(page.status, 403);
    assert.match(page.body, /href="\/gate\/sign-in\?to=%2Fpage"/);
    assert.equal(browser.session, undefined);
  });

  test('two sign-ins at once in one browser both finish, and so does a callback that is loaded again', async () => {
    const browser = new GateVisitor(gate, service);
    const [one, two] = [await browser.callbackFor(user, '/one'), await browser.callbackFor(user, '/two')];
    assert.equal((await browser.open(one.href)).headers.location, 'https://wiki.example/one');
    assert.equal((await browser.open(two.href)).headers.location, 'https://wiki.example/two');
    assert.equal((await browser.open(two.href)).headers.location, 'https://wiki.example/two');
    assert.equal((await browser.check('/')).status, 200);
  });

  test('an access list at Latchkey holds for what is behind the gate', async () => {
    const { services } = service.running;
    const listed = await startTestGate(service, { host: 'listed.example' });
    try {
      await updateClient(services, listed.client.id, { access: 'listed' }, requester);
      const browser = new GateVisitor(listed, service);
      const begun = await browser.open('/gate/sign-in');
      const { pathname, search } = new URL(begun.headers.location ?? '');
      await assert.rejects(browser.person.authorize(pathname + search, user), /consent form|redirect/);
    } finally {
      await listed.stop();
    }
  });

  test('healthz answers anyone, and other paths nobody', async () => {
    assert.deepEqual((await gate.ask('/gate/healthz', { localAddress: '127.0.0.2' })).body, 'ok\n');
    assert.equal((await visitor.open('/gate/')).status, 404);
    assert.equal((await visitor.open('/')).status, 404);
    assert.equal((await visitor.open('/gate/check', { method: 'POST' })).status, 404);
    assert.equal((await visitor.open('/gate/callback', { method: 'POST' })).status, 404);
  });
});
