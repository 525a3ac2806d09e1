// GET /oauth-authorize: validation, sign-in, consent, and the answer to the application.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { answerOf, formIn, Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
} from '../../harness/relying-party.ts';
import type { TestClient, TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let client: TestClient;
let user: TestUser;

before(async () => {
  client = await service.newClient();
  user = await service.newUser();
});

for (const query of [
  '',
  '?',
  '?a=b+c',
  '?a=b%20c',
  '?a=b%2Bc&a=b%2bc',
  '?state=1&state=2&state',
  '?a=%zz&%ff=%00',
  '?a=\'"<>|{}^`\\',
  '?x=1?y=2#',
]) {
  test(`the .php path redirects with 301 and the query ${JSON.stringify(query)} unchanged`, async () => {
    const { request } = await import('node:http');
    const { port } = new URL(service.url);
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const path = `/oauth-authorize.php${query}`;
      request({ host: '127.0.0.1', port, path }, resolve).on('error', reject).end();
    });
    response.resume();
    assert.equal(response.statusCode, 301);
    assert.equal(response.headers.location, `/oauth-authorize${query}`);
  });
}

test('a person without a session signs in, approves, and the application gets code, state and iss', async () => {
  const person = new Person(service);
  const path = authorizePath(client, newVerifier(), { state: 'a b+c&d=é/"' });
  const signIn = await person.visit(path.replace('/oauth-authorize?', '/oauth-authorize.php?'));
  assert.equal(signIn.status, 200);
  const consent = await person.submit(await formIn(signIn, '/sign-in'), { email: user.email, password: user.password });
  const form = await formIn(consent, '/oauth-authorize/decision');
  assert.deepEqual(form.buttons, [
    { name: 'account', value: 'other' },
    { name: 'decision', value: 'approve' },
    { name: 'decision', value: 'cancel' },
  ]);
  const answer = await person.submit(form, { decision: 'approve' });
  assert.equal(answer.status, 303);
  const location = new URL(answer.headers.get('location') ?? '');
  assert.equal(location.origin + location.pathname, client.redirectUri);
  assert.deepEqual([...location.searchParams.keys()], ['code', 'state', 'iss']);
  assert.equal(location.searchParams.get('state'), 'a b+c&d=é/"');
  assert.equal(location.searchParams.get('iss'), service.url);
});

test('canceling returns access_denied with the state and no code', async () => {
  const app = await service.newClient();
  const person = new Person(service);
  await person.signIn(user);
  const form = await formIn(await person.visit(authorizePath(app, newVerifier())), '/oauth-authorize/decision');
  const answer = await person.submit(form, { decision: 'cancel' });
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  assert.deepEqual(Object.fromEntries(searchParams), { error: 'access_denied', state: 'state-1', iss: service.url });
  assert.equal((await service.events('authorization_denied')).at(-1)?.userId, user.id);
});

test('consent is remembered, and asked for again when the scopes grow', async () => {
  const app = await service.newClient();
  const person = new Person(service);
  await person.authorize(authorizePath(app, newVerifier(), { scope: 'openid' }), user);
  const again = await person.visit(authorizePath(app, newVerifier(), { scope: 'openid' }));
  assert.equal(again.status, 302);
  assert.ok(new URL(again.headers.get('location') ?? '').searchParams.get('code'));
  const more = await person.visit(authorizePath(app, newVerifier(), { scope: 'openid email' }));
  assert.equal(more.status, 200);
  assert.ok(readForm(await more.text(), '/oauth-authorize/decision'));
});

test('a public client on loopback or with a private-use scheme needs consent every time', async () => {
  for (const uri of ['http://localhost:9999/callback', 'https://localhost/callback', 'com.example.app:/callback']) {
    const app = await service.newClient({ isPublic: true, redirectUris: [uri] });
    const person = new Person(service);
    await person.authorize(authorizePath(app, newVerifier()), user);
    assert.equal((await person.visit(authorizePath(app, newVerifier()))).status, 200, uri);
    const silent = await person.visit(authorizePath(app, newVerifier(), { prompt: 'none' }));
    assert.equal(answerOf(silent).searchParams.get('error'), 'consent_required', uri);
  }
});

test('consent for a public client on https is remembered, so a page can renew silently', async () => {
  const app = await service.newClient({ isPublic: true, redirectUris: ['https://spa.example/callback'] });
  const person = new Person(service);
  await person.authorize(authorizePath(app, newVerifier(), { scope: 'openid' }), user);
  const silent = (scope: string) => person.visit(authorizePath(app, newVerifier(), { scope, prompt: 'none' }));
  assert.ok(answerOf(await silent('openid')).searchParams.get('code'));
  assert.equal(answerOf(await silent('openid email')).searchParams.get('error'), 'consent_required');
});

test("unknown scopes next to a known one are ignored; the response lists what was granted, the event what wasn't", async () => {
  const { tokens } = await obtainTokens(service, client, user, { scope: 'openid offline_access email groups' });
  assert.equal(tokens.scope, 'openid email');
  const [approved] = (await service.events('approved')).slice(-1);
  assert.deepEqual(approved?.detail?.ignored_scopes, ['offline_access', 'groups']);
});

test('an omitted scope means the scopes that the client is registered for', async () => {
  const app = await service.newClient({ scopes: ['openid', 'email'] });
  const { tokens } = await obtainTokens(service, app, user, { scope: undefined });
  assert.equal(tokens.scope, 'openid email');
});

test('no state is returned if none was sent', async () => {
  const person = new Person(service);
  for (const state of [undefined, '']) {
    const answer = await person.authorize(authorizePath(client, newVerifier(), { state }), user);
    assert.equal(answer.searchParams.has('state'), false);
  }
});

test("the response is added to a redirect URI's own query", async () => {
  const app = await service.newClient({ redirectUris: ['http://localhost:9999/cb?tenant=a%20b'] });
  const answer = await new Person(service).authorize(authorizePath(app, newVerifier()), user);
  assert.match(answer.href, /^http:\/\/localhost:9999\/cb\?tenant=a%20b&code=/);
});

const pageFaults: { name: string; change: Record<string, string | undefined> }[] = [
  { name: 'an unknown client', change: { client_id: 'nobody' } },
  { name: 'a missing client', change: { client_id: undefined } },
  { name: 'a missing redirect URI', change: { redirect_uri: undefined } },
  { name: 'an unregistered redirect URI', change: { redirect_uri: 'https://evil.example/cb' } },
  { name: 'a redirect URI with a trailing slash', change: { redirect_uri: 'http://localhost:9999/callback/' } },
  { name: 'a redirect URI with another case', change: { redirect_uri: 'http://LOCALHOST:9999/callback' } },
  { name: 'a redirect URI with another port', change: { redirect_uri: 'http://localhost:9998/callback' } },
  { name: 'a redirect URI with a query added', change: { redirect_uri: 'http://localhost:9999/callback?x=1' } },
  { name: 'a redirect URI with an encoded letter', change: { redirect_uri: 'http://localhost:9999/c%61llback' } },
  { name: 'a redirect URI with a line break', change: { redirect_uri: 'http://localhost:9999/callback\r\nX: y' } },
];

for (const { name, change } of pageFaults) {
  test(`${name} gets a page and never a redirect`, async () => {
    const response = await new Person(service).request(authorizePath(client, newVerifier(), change));
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('location'), null);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(await response.text(), /Go back to the application/);
  });
}

test('a repeated client_id or redirect_uri gets a page', async () => {
  const path = authorizePath(client, newVerifier());
  for (const extra of [`&client_id=${client.id}`, `&redirect_uri=${encodeURIComponent(client.redirectUri)}`]) {
    const response = await new Person(service).request(path + extra);
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('location'), null);
  }
});

test('a redirect URI mismatch is recorded with the requested and registered URIs', async () => {
  const received = 'http://localhost:9999/callbac';
  const response = await new Person(service).request(authorizePath(client, newVerifier(), { redirect_uri: received }));
  const page = await response.text();
  const event = (await service.events('authorization_refused')).at(-1);
  assert.deepEqual(event?.detail, {
    reason: 'redirect_uri_mismatch',
    received,
    registered: [client.redirectUri],
  });
  assert.equal(event?.clientId, client.id);
  assert.ok(page.includes(event?.requestId ?? '?'), 'the page shows the reference');
  assert.equal(page.includes(received), false, 'and nothing that came from outside');
});

test('a repeated redirect URI and a misplaced secret are recorded without their values', async () => {
  const app = await service.newClient();
  await new Person(service).request(`${authorizePath(app, newVerifier())}&redirect_uri=x`);
  assert.equal((await service.events('authorization_refused')).at(-1)?.detail?.received, '(repeated)');
  await new Person(service).request(authorizePath({ ...app, id: app.secret }, newVerifier()));
  const event = (await service.events('authorization_refused')).at(-1);
  assert.equal(event?.detail?.requested_client, '(not of the form of a client id)');
});

test('HEAD issues no code', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  const before = (await service.events('approved')).length;
  assert.equal((await person.request(authorizePath(client, newVerifier()), { method: 'HEAD' })).status, 405);
  assert.equal((await service.events('approved')).length, before);
});

test('a revoked client gets a page', async () => {
  const app = await service.newClient();
  const { revokeClient } = await import('../../../src/operations/clients/revoke-client.ts');
  await revokeClient(service.running.services, app.id, { address: '', requestId: '' });
  const response = await new Person(service).request(authorizePath(app, newVerifier()));
  assert.equal(response.status, 400);
  assert.match(await response.text(), /is no longer available/);
});

const redirectFaults: { name: string; change: Record<string, string | undefined>; error: string }[] = [
  { name: 'no response type', change: { response_type: undefined }, error: 'invalid_request' },
  { name: 'response type token', change: { response_type: 'token' }, error: 'unsupported_response_type' },
  {
    name: 'response type code id_token',
    change: { response_type: 'code id_token' },
    error: 'unsupported_response_type',
  },
  { name: 'no challenge', change: { code_challenge: undefined }, error: 'invalid_request' },
  { name: 'a short challenge', change: { code_challenge: 'a'.repeat(42) }, error: 'invalid_request' },
  { name: 'a long challenge', change: { code_challenge: 'a'.repeat(44) }, error: 'invalid_request' },
  { name: 'a padded challenge', change: { code_challenge: `${'a'.repeat(42)}=` }, error: 'invalid_request' },
  { name: 'no challenge method', change: { code_challenge_method: undefined }, error: 'invalid_request' },
  { name: 'challenge method plain', change: { code_challenge_method: 'plain' }, error: 'invalid_request' },
  { name: 'nothing but unknown scopes', change: { scope: 'admin groups' }, error: 'invalid_scope' },
  { name: 'a malformed scope', change: { scope: 'openid "admin"' }, error: 'invalid_scope' },
  { name: 'an unknown prompt', change: { prompt: 'create' }, error: 'invalid_request' },
  { name: 'prompt none with another', change: { prompt: 'none login' }, error: 'invalid_request' },
  { name: 'a max_age that is not a number', change: { max_age: '-1' }, error: 'invalid_request' },
  { name: 'a request object', change: { request: 'x' }, error: 'request_not_supported' },
  { name: 'a request URI', change: { request_uri: 'https://x.example' }, error: 'request_uri_not_supported' },
  { name: 'a nonce of 1025 characters', change: { nonce: 'x'.repeat(1025) }, error: 'invalid_request' },
  { name: 'a nonce with NUL', change: { nonce: 'a\0b' }, error: 'invalid_request' },
  { name: 'a state with a line break', change: { state: 'a\r\nb' }, error: 'invalid_request' },
  { name: 'prompt none without a session', change: { prompt: 'none' }, error: 'login_required' },
];

for (const { name, change, error } of redirectFaults) {
  test(`${name} goes back to the application as ${error}, with state and iss`, async () => {
    const response = await new Person(service).request(authorizePath(client, newVerifier(), change));
    assert.equal(response.status, 302);
    const location = new URL(response.headers.get('location') ?? '');
    assert.equal(location.origin + location.pathname, client.redirectUri);
    assert.equal(location.searchParams.get('error'), error);
    assert.equal(location.searchParams.get('state'), change.state ?? 'state-1');
    assert.equal(location.searchParams.get('iss'), service.url);
    assert.equal(location.searchParams.has('code'), false);
  });
}

test('a repeated parameter goes back as invalid_request; a repeated state is not echoed', async () => {
  const path = authorizePath(client, newVerifier());
  for (const extra of ['&scope=openid', '&state=2', '&code_challenge_method=S256', '&nonce=']) {
    const response = await new Person(service).request(path + extra);
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    assert.equal(searchParams.get('error'), 'invalid_request');
    assert.equal(searchParams.has('state'), extra !== '&state=2');
  }
});

test("known scopes that aren't registered are refused", async () => {
  const app = await service.newClient({ scopes: ['openid'] });
  const response = await new Person(service).request(authorizePath(app, newVerifier(), { scope: 'openid email' }));
  assert.equal(new URL(response.headers.get('location') ?? '').searchParams.get('error'), 'invalid_scope');
});

test('unknown parameters are ignored', async () => {
  const path = authorizePath(client, newVerifier(), { display: 'popup', claims: '{}', whatever: '\0' });
  const answer = await new Person(service).authorize(path, user);
  assert.ok(answer.searchParams.get('code'));
});

test('prompt=none returns a code or an error at once', async () => {
  const app = await service.newClient();
  const person = new Person(service);
  await person.signIn(user);
  const silent = authorizePath(app, newVerifier(), { prompt: 'none' });
  const before = await person.visit(silent);
  assert.equal(new URL(before.headers.get('location') ?? '').searchParams.get('error'), 'consent_required');
  await person.authorize(authorizePath(app, newVerifier()), user);
  const after = await person.visit(silent);
  assert.ok(new URL(after.headers.get('location') ?? '').searchParams.get('code'));
});

test('prompt=login asks once, then continues, and asks again if the request is repeated', async () => {
  const person = new Person(service);
  const verifier = newVerifier();
  const first = await person.authorize(authorizePath(client, verifier), user);
  assert.ok(first.searchParams.get('code'));
  service.clock.advance(100);
  const path = authorizePath(client, verifier, { prompt: 'login' });
  for (let round = 0; round < 2; round++) {
    const asked = await formIn(await person.visit(path), '/sign-in');
    const answer = await person.submit(asked, { email: user.email, password: user.password });
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const exchanged = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
    const claims = decodeJwt(exchanged.body.id_token);
    assert.ok(Math.abs((claims.auth_time as number) - service.clock.now() / 1000) < 5, 'auth_time is new');
  }
});

test("a consent form that's too old leads to the sign-in that the request requires", async () => {
  const app = await service.newClient();
  const person = new Person(service);
  const path = authorizePath(app, newVerifier(), { prompt: 'login' });
  const signIn = await formIn(await person.visit(path), '/sign-in');
  const credentials = { email: user.email, password: user.password };
  const consent = await formIn(await person.submit(signIn, credentials), '/oauth-authorize/decision');
  service.clock.advance(601);
  const cancelled = await person.submit(consent, { decision: 'cancel' });
  assert.match(cancelled.headers.get('location') ?? '', /error=access_denied/, 'cancelling needs no sign-in');
  const late = await person.submit(consent, { decision: 'approve' });
  assert.equal(late.status, 200);
  const again = await formIn(late, '/sign-in');
  const fresh = await formIn(await person.submit(again, credentials), '/oauth-authorize/decision');
  assert.equal((await person.submit(fresh, { decision: 'approve' })).status, 303);
  const replay = await person.submit(fresh, { decision: 'approve' });
  assert.equal(replay.status, 200, 'the same form again asks to sign in again');
});

test('prompt=consent asks even if consent is remembered', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  const asked = await person.visit(authorizePath(client, newVerifier(), { prompt: 'consent' }));
  const answer = await person.submit(await formIn(asked, '/oauth-authorize/decision'), { decision: 'approve' });
  assert.ok(new URL(answer.headers.get('location') ?? '').searchParams.get('code'));
});

test('prompt=select_account offers the current account or another', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  const path = authorizePath(client, newVerifier(), { prompt: 'select_account' });
  const form = await formIn(await person.visit(path), '/oauth-authorize/account');
  const answer = await person.submit(form, { account: 'current' });
  assert.ok(new URL(answer.headers.get('location') ?? '').searchParams.get('code'));

  const again = await formIn(await person.visit(path), '/oauth-authorize/account');
  const signIn = await person.submit(again, { account: 'other' });
  const somebody = await service.newUser();
  const consent = await person.submit(await formIn(signIn, '/sign-in'), {
    email: somebody.email,
    password: somebody.password,
  });
  assert.match(await consent.text(), new RegExp(somebody.email));
});

test('max_age asks again when the sign-in is older, and only then', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  service.clock.advance(100);
  assert.equal((await person.visit(authorizePath(client, newVerifier(), { max_age: '200' }))).status, 302);
  const path = authorizePath(client, newVerifier(), { max_age: '50' });
  const form = await formIn(await person.visit(path), '/sign-in');
  const answer = await person.submit(form, { email: user.email, password: user.password });
  assert.ok(new URL(answer.headers.get('location') ?? '').searchParams.get('code'));
});

test('max_age=0 asks once per request', async () => {
  const person = new Person(service);
  await person.authorize(authorizePath(client, newVerifier()), user);
  service.clock.advance(2);
  const path = authorizePath(client, newVerifier(), { max_age: '0' });
  const form = await formIn(await person.visit(path), '/sign-in');
  service.clock.advance(3);
  const answer = await person.submit(form, { email: user.email, password: user.password });
  assert.ok(new URL(answer.headers.get('location') ?? '').searchParams.get('code'));
});

test('login_hint prefills the email address, escaped', async () => {
  const path = authorizePath(client, newVerifier(), { login_hint: '"><script>alert(1)</script>' });
  const page = await (await new Person(service).visit(path)).text();
  assert.ok(page.includes('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"'));
  assert.equal(page.includes('<script>'), false);
});

test('"Not you?" shows the sign-in page for the same request', async () => {
  const app = await service.newClient();
  const person = new Person(service);
  await person.signIn(user);
  const page = await (await person.visit(authorizePath(app, newVerifier()))).text();
  assert.match(page, /formaction="\/oauth-authorize\/account" name="account" value="other">Not you\?</);
  const form = readForm(page, '/oauth-authorize/decision');
  assert.ok(form);
  const signIn = await person.submit({ ...form, action: '/oauth-authorize/account' }, { account: 'other' });
  const somebody = await service.newUser();
  const consent = await person.submit(await formIn(signIn, '/sign-in'), {
    email: somebody.email,
    password: somebody.password,
  });
  const answer = await person.submit(await formIn(consent, '/oauth-authorize/decision'), { decision: 'approve' });
  assert.ok(new URL(answer.headers.get('location') ?? '').searchParams.get('code'));
});

test('a URL just below 8 KB survives sign-in and consent; one above is refused', async () => {
  const app = await service.newClient();
  const verifier = newVerifier();
  const bare = authorizePath(app, verifier, { state: 's' });
  for (const filler of ['x', '%26', '%C3%A9']) {
    const count = Math.floor((8192 - bare.length) / filler.length);
    const state = decodeURIComponent(filler.repeat(count));
    const path = `${authorizePath(app, verifier, { state: undefined })}&state=${filler.repeat(count)}`;
    assert.ok(path.length > 8180 && path.length <= 8192);
    const answer = await new Person(service).authorize(path, user);
    assert.equal(answer.searchParams.get('state'), state);
  }
  const long = await new Person(service).request(`${bare}${'x'.repeat(8193 - bare.length)}`);
  assert.equal(long.status, 414);
});

test('the consent page shows the application, redirect host, account and shared values', async () => {
  const app = await service.newClient({
    name: '<b>Ünïcode & Söhne</b>',
    redirectUris: ['https://app.example:8443/cb'],
  });
  const person = new Person(service);
  await person.signIn(user);
  const page = await (await person.visit(authorizePath(app, newVerifier()))).text();
  for (const text of [
    '&lt;b&gt;Ünïcode &amp; Söhne&lt;/b&gt;',
    'app.example:8443',
    'Grace Hopper',
    user.email,
    user.id,
    'Last updated',
    'Not you?',
  ]) {
    assert.ok(page.includes(text), text);
  }
  assert.equal(page.includes('<b>'), false);
  const onlyOpenid = await (await person.visit(authorizePath(app, newVerifier(), { scope: 'openid' }))).text();
  assert.equal(onlyOpenid.includes('First name'), false);
});

for (const [redirectUri, source] of [
  ['https://app.example/cb', 'https://app.example'],
  ['https://app.example:8443/cb', 'https://app.example:8443'],
  ['http://localhost:9999/cb', 'http://localhost:9999'],
  ['com.example.app:/cb', 'com.example.app:'],
] as const) {
  test(`sign-in and consent pages allow forms to redirect to ${source} only`, async () => {
    const app = await service.newClient({ redirectUris: [redirectUri], isPublic: redirectUri.startsWith('com.') });
    const person = new Person(service);
    const path = authorizePath(app, newVerifier());
    const signIn = await person.visit(path);
    assert.ok(signIn.headers.get('content-security-policy')?.includes(`form-action 'self' ${source};`));
    const form = await formIn(signIn, '/sign-in');
    const failed = await person.submit(form, { email: user.email, password: 'wrong password' });
    assert.ok(failed.headers.get('content-security-policy')?.includes(`form-action 'self' ${source};`));
    const consent = await person.submit(form, { email: user.email, password: user.password });
    assert.ok(consent.headers.get('content-security-policy')?.includes(`form-action 'self' ${source};`));
  });
}
