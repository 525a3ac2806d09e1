// Signing in and out: sessions, cookies, forged forms, throttling, and what responses reveal.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { revokeClient } from '../../../src/operations/clients/revoke-client.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { requester, startTestService, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let client: TestClient;
let user: TestUser;

before(async () => {
  client = await service.newClient();
  user = await service.newUser();
});

const HOUR = 60 * 60;
const session = 'latchkey_session';

test('the session cookie is random, HttpOnly, SameSite=Lax, and kept only as a digest', async () => {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const body = new URLSearchParams({ ...form.fields, email: user.email, password: user.password });
  const response = await person.request('/sign-in', { method: 'POST', body });
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith(`${session}=`)) ?? '';
  assert.match(cookie, /^latchkey_session=lks_[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const secret = person.cookies.get(session) ?? '';
  assert.ok(await service.running.services.storage.findSession(digestOf(secret), service.clock.now()));
  assert.equal(await service.running.services.storage.findSession(secret, service.clock.now()), undefined);
});

test('on https, cookies have the __Host- prefix and Secure, and HSTS is sent', async () => {
  const port = new URL(service.url).port;
  const secure = await startTestService({
    LATCHKEY_BASE_URL: 'https://login.example',
    LATCHKEY_PORT: String(Number(port) + 1),
  });
  try {
    const response = await fetch(`http://localhost:${Number(port) + 1}/sign-in`);
    const [cookie = ''] = response.headers.getSetCookie();
    assert.match(cookie, /^__Host-latchkey_browser=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(response.headers.get('strict-transport-security') ?? '', /^max-age=\d{8,}/);
    const { email, password } = await secure.newUser();
    const signedIn = await fetch(`http://localhost:${Number(port) + 1}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie.split(';')[0] ?? '' },
      body: new URLSearchParams({ ...(await formIn(response)).fields, email, password }),
    });
    const [session = ''] = signedIn.headers.getSetCookie();
    assert.match(session, /^__Host-latchkey_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const discovery = await fetch(`http://localhost:${Number(port) + 1}/.well-known/openid-configuration`, {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' },
    });
    assert.equal(((await discovery.json()) as { issuer: string }).issuer, 'https://login.example');
  } finally {
    await secure.stop();
  }
});

test('signing in starts a new session and ends the previous one', async () => {
  const person = new Person(service);
  await person.signIn(user);
  const first = person.cookies.get(session) ?? '';
  const path = authorizePath(client, newVerifier(), { prompt: 'login' });
  await person.submit(await formIn(await person.visit(path), '/sign-in'), {
    email: user.email,
    password: user.password,
  });
  assert.notEqual(person.cookies.get(session), first);
  const thief = new Person(service);
  thief.cookies.set(session, first);
  assert.equal((await thief.request('/account/apps')).status, 302);
});

test("a session value planted before sign-in isn't used", async () => {
  const person = new Person(service);
  const planted = `lks_${'a'.repeat(43)}`;
  person.cookies.set(session, planted);
  await person.signIn(user);
  assert.notEqual(person.cookies.get(session), planted);
});

test('a kept session ends after fourteen idle days or thirty days in total', async () => {
  const idle = new Person(service);
  await idle.signIn(user, { keep: 'yes' });
  service.clock.advance(14 * 24 * HOUR - 1);
  assert.equal((await idle.request('/account/apps')).status, 200);
  await service.running.services.journal.flush();
  service.clock.advance(14 * 24 * HOUR);
  assert.equal((await idle.request('/account/apps')).status, 302);

  const busy = new Person(service);
  await busy.signIn(user, { keep: 'yes' });
  for (let day = 0; day < 29; day++) {
    service.clock.advance(24 * HOUR);
    assert.equal((await busy.request('/account/apps')).status, 200, `day ${day}`);
    await service.running.services.journal.flush();
  }
  service.clock.advance(24 * HOUR);
  assert.equal((await busy.request('/account/apps')).status, 302);
});

test('signing out ends the session on the server', async () => {
  const person = new Person(service);
  await person.signIn(user);
  const stolen = person.cookies.get(session) ?? '';
  const form = await formIn(await person.visit('/account/apps'), '/sign-out');
  const response = await person.submit(form, {});
  assert.match(await response.text(), /You&#39;re signed out/);
  assert.equal(person.cookies.has(session), false);
  const thief = new Person(service);
  thief.cookies.set(session, stolen);
  assert.equal((await thief.request('/account/apps')).status, 302);
});

test('opening /sign-out asks, and signs nobody out', async () => {
  const person = new Person(service);
  await person.signIn(user);
  for (const method of ['GET', 'HEAD']) await person.request('/sign-out', { method });
  const question = await person.visit('/sign-out');
  const page = await question.clone().text();
  assert.match(page, /<h1>Sign out of Latchkey\?<\/h1>/);
  assert.ok(page.includes(user.email));
  assert.match(page, /<a class="button" href="\/account">Stay signed in<\/a>/);
  assert.equal((await person.request('/account/apps')).status, 200);
  await person.submit(await formIn(question, '/sign-out'), {});
  assert.equal((await person.request('/account/apps')).status, 302);
  assert.match((await person.visit('/sign-out')).url, /\/signed-out$/, 'nothing to ask');
});

test('forms without a valid stamp are refused and change nothing', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  const stranger = new Person(service);
  await stranger.authorize(authorizePath(client, newVerifier()), await service.newUser());
  const foreign = await formIn(await stranger.visit('/account/apps'), '/account/apps');

  for (const token of [undefined, '', 'x', foreign.fields.form_token]) {
    for (const path of ['/account/apps', '/sign-out']) {
      const fields = { remove: client.id, ...(token === undefined ? {} : { form_token: token }) };
      const response = await person.submit({ action: path, fields, buttons: [] }, {});
      assert.equal(response.status, 403);
    }
  }
  assert.match(await (await person.visit('/account/apps')).text(), /Test app/);
});

test('a form from another site is refused', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  const form = await formIn(await person.visit('/account/apps'), '/account/apps');
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: service.url.replace(/:\d+$/, ':1') },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ] as Record<string, string>[]) {
    const response = await person.submit(form, { remove: client.id }, headers);
    assert.equal(response.status, 403, JSON.stringify(headers));
  }
  assert.match(await (await person.visit('/account/apps')).text(), /Test app/);
});

test('a pending authorization request belongs to the browser that started it', async () => {
  const attacker = new Person(service);
  const victim = new Person(service);
  const form = await formIn(await attacker.visit(authorizePath(client, newVerifier())), '/sign-in');
  await victim.visit('/sign-in');
  const response = await victim.submit(form, { email: user.email, password: user.password });
  assert.equal(response.status, 403);
  assert.equal(victim.cookies.has(session), false);
});

test('a consent form belongs to the session that it was shown to', async () => {
  const app = await service.newClient();
  const one = new Person(service);
  await one.signIn(user);
  const form = await formIn(await one.visit(authorizePath(app, newVerifier())), '/oauth-authorize/decision');
  const two = new Person(service);
  await two.signIn(await service.newUser());
  assert.equal((await two.submit(form, { decision: 'approve' })).status, 403);
  assert.equal((await new Person(service).submit(form, { decision: 'approve' })).status, 403);
  const tampered = { ...form.fields, request: `x${form.fields.request}` };
  assert.equal((await one.submit({ ...form, fields: tampered }, { decision: 'approve' })).status, 403);
  assert.equal((await one.submit(form, { decision: 'maybe' })).status, 400);
  assert.equal((await one.submit(form, { decision: 'approve' })).status, 303);
});

test("the account form's ticket isn't accepted as consent", async () => {
  const app = await service.newClient();
  const person = new Person(service);
  await person.signIn(user);
  const page = await (await person.visit(authorizePath(app, newVerifier(), { prompt: 'select_account' }))).text();
  const account = readForm(page, '/oauth-authorize/account');
  const forged = { action: '/oauth-authorize/decision', fields: account?.fields ?? {}, buttons: [] };
  assert.equal((await person.submit(forged, { decision: 'approve' })).status, 403);
});

test('the return URL is always on the service', async () => {
  for (const parameter of ['to', 'continue', 'return_to', 'next', 'redirect', 'url']) {
    for (const address of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/account/../x',
      '/accounts',
    ]) {
      const person = new Person(service);
      const form = await formIn(await person.visit(`/sign-in?${parameter}=${encodeURIComponent(address)}`));
      const body = new URLSearchParams({ ...form.fields, email: user.email, password: user.password });
      const response = await person.request('/sign-in', { method: 'POST', body });
      assert.equal(response.headers.get('location'), '/account');
    }
  }
});

test('a sign-in that races with a password change starts no session', async (t) => {
  const target = await service.newUser();
  const { passwords } = service.running.services;
  const passwordChanged = Promise.withResolvers<void>();
  const verify = passwords.verify.bind(passwords);
  t.mock.method(passwords, 'verify', async (...args: Parameters<typeof verify>) => {
    const matches = await verify(...args);
    await passwordChanged.promise;
    return matches;
  });
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const attempts = Array.from({ length: 6 }, () =>
    person.submit(form, { email: target.email, password: target.password }).then((response) => response.status),
  );
  await setPassword(service.running.services, target.email, 'another password entirely', requester);
  passwordChanged.resolve();
  await Promise.all(attempts);
  assert.equal((await person.request('/account/apps')).status, 302);
});

test('a password with a tab is invalid input, not an expired page', async () => {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const response = await person.submit(form, { email: user.email, password: 'a\tb' });
  assert.equal(response.status, 400);
});

test('a wrong password and an unknown address get the same response', async () => {
  const answers: string[] = [];
  for (const email of [user.email, 'nobody@example.test']) {
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'));
    const response = await person.submit(form, { email, password: 'wrong password' });
    assert.equal(response.status, 400);
    const page = (await response.text()).replace(email, 'EMAIL').replaceAll(/name="continue" value="[^"]*"/g, '');
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id', 'content-length'].includes(name),
    );
    answers.push(JSON.stringify([page, headers]));
  }
  assert.equal(answers[0], answers[1]);
  const reasons = (await service.events('sign_in_failed')).slice(-2).map((event) => event.detail?.reason);
  assert.deepEqual(reasons, ['wrong_password', 'unknown_person']);
});

test('an unknown address takes a password check, too', async (t) => {
  const { passwords } = service.running.services;
  const verify = t.mock.method(passwords, 'verify');
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  await person.submit(form, { email: 'still-nobody@example.test', password: 'wrong password' });
  assert.equal(verify.mock.callCount(), 1);

  const realCost = await startTestService({}, { realPasswordCost: true });
  try {
    const started = performance.now();
    await realCost.running.services.passwords.verify('x', undefined);
    assert.ok(performance.now() - started > 2, 'and it hashes');
  } finally {
    await realCost.stop();
  }
});

test('email addresses match regardless of case and surrounding whitespace', async () => {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const response = await person.submit(form, { email: ` ${user.email.toUpperCase()} `, password: user.password });
  assert.equal(response.status, 200);
});

test("nobody can sign in with someone else's ID or an empty form", async () => {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  assert.equal((await person.submit(form, { email: user.id, password: user.password })).status, 400);
  assert.equal((await person.submit(form, { email: '', password: '' })).status, 400);
  assert.equal((await person.submit(form, { email: user.email, password: 'x'.repeat(4000) })).status, 400);
});

async function failTimes(count: number, email: () => string): Promise<number[]> {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const statuses: number[] = [];
  for (let attempt = 0; attempt < count; attempt++) {
    statuses.push((await person.submit(form, { email: email(), password: 'wrong password' })).status);
  }
  return statuses;
}

test('after ten failures an account is blocked for this IP address for a while', async () => {
  service.clock.advance(HOUR);
  const target = await service.newUser();
  assert.deepEqual(await failTimes(10, () => target.email), Array(10).fill(400));
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const throttled = await person.submit(form, { email: target.email, password: target.password });
  assert.equal(throttled.status, 429);
  const retryAfter = Number(throttled.headers.get('retry-after'));
  assert.ok(retryAfter > 0 && retryAfter <= 900);
  assert.match(await throttled.text(), /Too many failed attempts/);
  assert.equal(
    (await failTimes(5, () => target.email.toUpperCase())).at(-1),
    429,
    'another spelling is the same account',
  );
  const neighbour = await service.newUser();
  assert.equal((await new Person(service).signIn(neighbour)).status, 200, 'other people sign in');
  service.clock.advance(retryAfter + 1);
  assert.equal((await new Person(service).signIn(target)).status, 200);
});

test("parallel attempts can't exceed the limit", async () => {
  service.clock.advance(HOUR);
  const target = await service.newUser();
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  const attempts = Array.from({ length: 30 }, () =>
    person.submit(form, { email: target.email, password: 'wrong password' }).then((response) => response.status),
  );
  const statuses = await Promise.all(attempts);
  assert.ok(statuses.filter((status) => status === 400).length <= 10);
  assert.equal((await person.submit(form, { email: target.email, password: target.password })).status, 429);
});

test('after a hundred failures an IP address is blocked for a while, for all accounts', async () => {
  service.clock.advance(HOUR);
  let number = 0;
  const statuses = await failTimes(101, () => `somebody${++number}@example.test`);
  assert.deepEqual(statuses.slice(0, 100), Array(100).fill(400));
  assert.equal(statuses[100], 429);
  service.clock.advance(HOUR);
});

test('a forged X-Forwarded-For is ignored', async () => {
  service.clock.advance(HOUR);
  const target = await service.newUser();
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'));
  let last = 0;
  for (let attempt = 0; attempt < 11; attempt++) {
    const headers = { 'X-Forwarded-For': `203.0.113.${attempt}` };
    last = (await person.submit(form, { email: target.email, password: 'wrong password' }, headers)).status;
  }
  assert.equal(last, 429);
  service.clock.advance(HOUR);
});

test('an account is blocked for a while after fifty failures from any IP addresses behind a trusted proxy', async () => {
  const proxied = await startTestService({ LATCHKEY_TRUST_PROXY: '127.0.0.1,::1' });
  try {
    const target = await proxied.newUser();
    const person = new Person(proxied);
    const form = await formIn(await person.visit('/sign-in'));
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 51; attempt++) {
      const headers = { 'X-Forwarded-For': `203.0.113.${attempt}` };
      statuses.push((await person.submit(form, { email: target.email, password: 'wrong password' }, headers)).status);
    }
    assert.deepEqual(statuses, [...Array(50).fill(400), 429]);
    assert.equal((await proxied.events('sign_in_failed')).at(7)?.address, '203.0.113.7');
  } finally {
    await proxied.stop();
  }
});

test('pages have security headers', async () => {
  const person = new Person(service);
  await person.signIn(user);
  for (const path of ['/sign-in', '/account/apps', '/signed-out', '/nowhere', authorizePath(client, newVerifier())]) {
    const response = await (path === '/sign-in' ? new Person(service) : person).request(path);
    const policy = response.headers.get('content-security-policy') ?? '';
    if (response.headers.get('location') === null) {
      for (const part of ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        assert.ok(policy.includes(part), `${path}: ${part}`);
      }
      assert.equal(policy.includes('unsafe'), false);
      // Only the service's own files, and only on pages that have one.
      const scripts = (await response.clone().text()).includes('<script');
      assert.equal(policy.includes("script-src 'self'; connect-src 'self'"), scripts);
      assert.equal(response.headers.get('x-frame-options'), 'DENY');
    }
    assert.equal(response.headers.get('cache-control'), 'no-store', path);
    assert.equal(response.headers.get('referrer-policy'), 'same-origin');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    assert.equal(
      /<script(?! src="\/assets\/(passkeys|passwords|times)\.[0-9a-f]{12}\.js" type="module"><\/script>)/.test(
        await response.text(),
      ),
      false,
    );
  }
});

test('the sign-in page for a request that can no longer be answered records no refusal', async () => {
  const app = await service.newClient({ name: 'Calendar' });
  const person = new Person(service);
  const page = await person.visit(authorizePath(app, newVerifier()));
  assert.match(await page.clone().text(), /Calendar/);
  const form = await formIn(page);
  await revokeClient(service.running.services, app.id, requester);
  const before = (await service.events('authorization_refused')).length;
  const again = await person.submit(form, { email: user.email, password: 'wrong' });
  assert.equal(again.status, 400);
  assert.doesNotMatch(await again.text(), /Calendar/);
  assert.equal((await person.submit({ ...form, action: '/sign-in/with/none' }, {})).status, 404);
  assert.equal((await service.events('authorization_refused')).length, before);
});
