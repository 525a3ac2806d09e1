// Applications sign people out: every row of the table from the outside, and what a stranger can't do.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { rotateClientSecret, updateClient } from '../../../src/operations/clients/clients.ts';
import { deleteClient, revokeClient } from '../../../src/operations/clients/revoke-client.ts';
import { retireOlderKeys } from '../../../src/operations/housekeeping/retire-keys.ts';
import { rotateKeys } from '../../../src/platform/key-file.ts';
import { answerOf, Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainCode,
  postForm,
  refreshParameters,
  type TokenBody,
} from '../../harness/relying-party.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';

const bye = 'https://app.example/bye?from=latchkey';

const service = serviceOfSuite();
let client: TestClient;
let other: TestClient;
let ada: TestUser;
let bob: TestUser;
before(async () => {
  client = await service.newClient({ name: 'Photos', postLogoutRedirectUris: [bye] });
  other = await service.newClient({ postLogoutRedirectUris: ['https://other.example/'] });
  ada = await service.newUser({ name: 'Ada Lovelace' });
  bob = await service.newUser();
});

interface SignedIn {
  readonly person: Person;
  readonly tokens: TokenBody;
  readonly hint: string;
}

async function signedIn(user: TestUser, app = client, person = new Person(service)): Promise<SignedIn> {
  const { code, verifier } = await obtainCode(service, app, user, {}, person);
  const { body } = await postForm(service, '/oauth/token', exchangeParameters(app, code, verifier));
  return { person, tokens: body, hint: body.id_token };
}

const logoutPath = (parameters: Record<string, string>) => `/oauth/logout?${new URLSearchParams(parameters)}`;
const silently = async (person: Person, app = client) =>
  answerOf(await person.visit(authorizePath(app, newVerifier(), { prompt: 'none' }))).searchParams;
const isSignedIn = async (person: Person) => (await person.request('/account')).status === 200;

const cookieCleared = (response: Response) =>
  response.headers.getSetCookie().some((line) => /latchkey_session=;.*Max-Age=0/.test(line));

function questionOn(page: string) {
  assert.match(page, /<h1>Sign out of Latchkey\?<\/h1>/);
  const form = readForm(page, '/oauth/logout/confirm');
  assert.ok(form);
  return form;
}

describe('with a hint for the signed-in person', () => {
  test('the session ends, and the browser returns with the state', async () => {
    const { person, hint } = await signedIn(ada);
    const state = 'é &=#+ "x"';
    const parameters = { id_token_hint: hint, post_logout_redirect_uri: bye, state };
    const response = await person.request(logoutPath(parameters));
    assert.deepEqual([response.status, response.headers.get('cache-control')], [303, 'no-store']);
    const location = response.headers.get('location') ?? '';
    assert.ok(location.startsWith(`${bye}&state=`), location);
    assert.deepEqual([...new URL(location).searchParams.keys()], ['from', 'state']);
    assert.equal(new URL(location).searchParams.get('state'), state);
    assert.equal(cookieCleared(response), true);
    assert.equal((await silently(person)).get('error'), 'login_required');
    const [event] = (await service.events('signed_out')).slice(-1);
    assert.deepEqual([event?.userId, event?.clientId], [ada.id, client.id]);
  });

  test("the session's secret is invalid from then on, and no state is returned if none was sent", async () => {
    const { person, hint } = await signedIn(ada);
    const stolen = new Person(service);
    for (const [name, value] of person.cookies) stolen.cookies.set(name, value);
    const parameters = { id_token_hint: hint, client_id: client.id, post_logout_redirect_uri: bye };
    assert.equal((await person.request(logoutPath(parameters))).headers.get('location'), bye);
    assert.equal((await silently(stolen)).get('error'), 'login_required');
  });

  test('without a URI, the signed-out page is shown', async () => {
    const { person, hint } = await signedIn(ada);
    const response = await person.request(
      logoutPath({ id_token_hint: hint, state: 'x', ui_locales: 'de', other: '1' }),
    );
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<h1>Sie sind abgemeldet<\/h1>/);
    assert.equal(await isSignedIn(person), false);
  });

  test('the grant stays, so the application can keep refreshing', async () => {
    const { person, hint, tokens } = await signedIn(ada);
    await person.request(logoutPath({ id_token_hint: hint }));
    const { status } = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(status, 200);
  });

  test('the hint is accepted days later, after the grant ended, and after the secret was rotated', async () => {
    const { person, hint, tokens } = await signedIn(ada);
    const credentials = { client_id: client.id, client_secret: client.secret };
    await postForm(service, '/oauth/revoke', { token: tokens.refresh_token, ...credentials });
    service.clock.advance(3 * 60 * 60);
    await rotateClientSecret(service.running.services, client.id, requester);
    const response = await person.request(logoutPath({ id_token_hint: hint, post_logout_redirect_uri: bye }));
    assert.equal(response.headers.get('location'), bye);
  });

  test("a public client's hint is accepted, too", async () => {
    const app = await service.newClient({ isPublic: true, postLogoutRedirectUris: ['com.example.app:/bye'] });
    const { person, hint } = await signedIn(ada, app);
    const uri = 'com.example.app:/bye';
    const response = await person.request(logoutPath({ id_token_hint: hint, post_logout_redirect_uri: uri }));
    assert.equal(response.headers.get('location'), uri);
    assert.equal(await isSignedIn(person), false);
  });

  for (const [name, change, reason] of [
    ['an unregistered URI', { post_logout_redirect_uri: `${bye}/` }, /isn&#39;t registered for it/],
    ['a URI of another application', { post_logout_redirect_uri: 'https://other.example/' }, /isn&#39;t registered/],
    [
      'a redirect URI that is invalid for signing out',
      { post_logout_redirect_uri: 'http://localhost:9999/callback' },
      /./,
    ],
  ] as const) {
    test(`${name} isn't redirected to: the session ends, and a page says why`, async () => {
      const { person, hint } = await signedIn(ada);
      const response = await person.request(logoutPath({ id_token_hint: hint, ...change }));
      assert.equal(response.status, 200);
      const page = await response.text();
      assert.match(page, reason);
      assert.match(page, new RegExp(response.headers.get('x-request-id') ?? ''), 'with the reference of the event');
      assert.equal(await isSignedIn(person), false);
      const [event] = (await service.events('post_logout_redirect_refused')).slice(-1);
      assert.equal(event?.clientId, client.id);
      assert.deepEqual(event?.detail, {
        reason: 'post_logout_redirect_uri_mismatch',
        received: change.post_logout_redirect_uri,
        registered: [bye],
      });
    });
  }

  test("there's no redirect to a revoked or deleted client", async () => {
    const app = await service.newClient({ postLogoutRedirectUris: [bye] });
    const { services } = service.running;
    const person = new Person(service);
    const { hint } = await signedIn(ada, app, person);
    const path = logoutPath({ id_token_hint: hint, post_logout_redirect_uri: bye });
    for (const [stop, text] of [
      [() => revokeClient(services, app.id, requester), /An administrator has turned off sign-in/],
      [() => deleteClient(services, app.id, requester), /isn&#39;t registered with this service/],
    ] as const) {
      if (!(await isSignedIn(person))) await person.signIn(ada);
      await stop();
      const response = await person.request(path);
      assert.deepEqual([response.status, response.headers.get('location')], [200, null]);
      assert.match(await response.text(), text);
      assert.equal(await isSignedIn(person), false, 'they are signed out all the same');
      const confirmed = await new Person(service).request(path);
      assert.equal(confirmed.headers.get('location'), null, 'without a session, too');
    }
  });
});

describe('confirmation is asked for', () => {
  test("without a hint, showing the account; nothing happens until it's given", async () => {
    const { person } = await signedIn(ada);
    const response = await person.request(
      logoutPath({ client_id: client.id, post_logout_redirect_uri: bye, state: 's' }),
    );
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/app\.example;/);
    const page = await response.text();
    assert.match(page, /Ada Lovelace/);
    assert.match(page, /Photos asked to sign you out\./);
    const form = questionOn(page);
    assert.equal(await isSignedIn(person), true);
    const confirmed = await person.submit(form, {});
    assert.deepEqual([confirmed.status, confirmed.headers.get('location')], [303, `${bye}&state=s`]);
    assert.equal(await isSignedIn(person), false);
  });

  test('for a hint about another person', async () => {
    const { hint } = await signedIn(bob);
    const { person } = await signedIn(ada);
    const path = logoutPath({ id_token_hint: hint, post_logout_redirect_uri: bye });
    const page = await (await person.request(path)).text();
    assert.equal(await isSignedIn(person), true);
    assert.equal(page.includes(hint), false, 'the page does not repeat the hint');
    assert.equal((await person.submit(questionOn(page), {})).headers.get('location'), bye);
  });

  test('and without a URI, it ends at the signed-out page', async () => {
    const { person } = await signedIn(ada);
    const confirmed = await person.submit(questionOn(await (await person.request('/oauth/logout')).text()), {});
    assert.match(await confirmed.text(), /<h1>You&#39;re signed out<\/h1>/);
    assert.equal(await isSignedIn(person), false);
  });

  const doubts: [string, (hint: string) => Record<string, string>, string][] = [
    ['a hint that does not verify', (hint) => ({ id_token_hint: `${hint}x`, client_id: client.id }), 'hint_invalid'],
    ['a client_id that is not the aud', (hint) => ({ id_token_hint: hint, client_id: other.id }), 'client_mismatch'],
    ['nothing that says whose the URI is', () => ({}), 'client_missing'],
    ['an unknown client_id', () => ({ client_id: 'nobody' }), 'unknown_client'],
  ];
  for (const [name, parameters, reason] of doubts) {
    test(`for ${name}, and there's no redirect`, async () => {
      const { person, hint } = await signedIn(ada);
      const path = logoutPath({ ...parameters(hint), post_logout_redirect_uri: bye });
      const page = await (await person.request(path)).text();
      assert.equal(page.includes('Photos'), false);
      const confirmed = await person.submit(questionOn(page), {});
      assert.deepEqual([confirmed.status, confirmed.headers.get('location')], [200, null]);
      assert.match(await confirmed.text(), /To go back, open the application yourself/);
      const [event] = (await service.events('post_logout_redirect_refused')).slice(-1);
      assert.equal(event?.detail?.reason, reason);
      const [signedOut] = (await service.events('signed_out')).slice(-1);
      assert.deepEqual([signedOut?.userId, signedOut?.clientId], [ada.id, undefined]);
      assert.equal(await isSignedIn(person), false);
      const stranger = await new Person(service).request(path);
      assert.deepEqual([stranger.status, stranger.headers.get('location')], [200, null]);
    });
  }

  test('again if someone else has signed in meanwhile', async () => {
    const { person } = await signedIn(ada);
    const form = questionOn(await (await person.request('/oauth/logout')).text());
    person.cookies.delete('latchkey_session');
    await person.signIn(bob);
    const again = await person.submit(form, {});
    assert.match(await again.text(), new RegExp(bob.email));
    assert.equal(await isSignedIn(person), true);
  });

  test('and someone who signed out in another window is redirected all the same', async () => {
    const { person, hint } = await signedIn(ada);
    const path = logoutPath({ client_id: client.id, post_logout_redirect_uri: bye });
    const form = questionOn(await (await person.request(path)).text());
    await person.request(logoutPath({ id_token_hint: hint }));
    assert.equal((await person.submit(form, {})).headers.get('location'), bye);
  });

  test('and the URIs registered at that time apply', async () => {
    const app = await service.newClient({ postLogoutRedirectUris: [bye] });
    const { person } = await signedIn(ada, app);
    const path = logoutPath({ client_id: app.id, post_logout_redirect_uri: bye });
    const form = questionOn(await (await person.request(path)).text());
    await updateClient(service.running.services, app.id, { postLogoutRedirectUris: [] }, requester);
    assert.equal((await person.submit(form, {})).headers.get('location'), null);
  });

  test('and is only accepted from this browser and our own page', async () => {
    const { person } = await signedIn(ada);
    const form = questionOn(await (await person.request('/oauth/logout')).text());
    assert.equal((await person.submit(form, {}, { Origin: 'https://evil.example' })).status, 403);
    assert.equal((await person.submit(form, {}, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
    assert.equal((await person.submit({ ...form, fields: {} }, {})).status, 403);
    assert.equal((await person.submit(form, { request: `${form.fields.request}x` })).status, 403);
    const { person: stranger } = await signedIn(bob);
    assert.equal((await stranger.submit(form, {})).status, 403);
    assert.deepEqual([await isSignedIn(person), await isSignedIn(stranger)], [true, true]);
  });
});

describe('without a session', () => {
  for (const [name, parameters] of [
    ['the hint', (hint: string) => ({ id_token_hint: hint })],
    ['client_id', () => ({ client_id: client.id })],
  ] as const) {
    test(`the browser goes straight to a URI registered for ${name}, and no cookie changes`, async () => {
      const { hint } = await signedIn(ada);
      const path = logoutPath({ ...parameters(hint), post_logout_redirect_uri: bye, state: 'x' });
      const response = await new Person(service).request(path);
      assert.deepEqual([response.status, response.headers.get('location')], [303, `${bye}&state=x`]);
      assert.deepEqual(response.headers.getSetCookie(), []);
    });
  }

  test('everything that would need confirmation shows the signed-out page', async () => {
    for (const query of ['', '?client_id=nobody', '?id_token_hint=x', '?state=x']) {
      const response = await new Person(service).request(`/oauth/logout${query}`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /<h1>You&#39;re signed out<\/h1>/);
    }
  });
});

describe('an invalid hint ends no session', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const altered = (hint: string, changes: object, header?: object) => {
    const [head = '', , signature = ''] = hint.split('.');
    return `${header ? encode(header) : head}.${encode({ ...decodeJwt(hint), ...changes })}.${signature}`;
  };
  const cases: Record<string, (signed: SignedIn) => string> = {
    'an access token': ({ tokens }) => tokens.access_token,
    'a refresh token': ({ tokens }) => tokens.refresh_token,
    'alg: none': ({ hint }) => altered(hint, {}, { alg: 'none', typ: 'JWT' }),
    'another header': ({ hint }) => altered(hint, {}, { alg: 'HS256', typ: 'JWT', kid: '1' }),
    'another issuer': ({ hint }) => altered(hint, { iss: 'https://other.example' }),
    'another client': ({ hint }) => altered(hint, { aud: other.id }),
    'another person': ({ hint }) => altered(hint, { sub: bob.id }),
    'another sid': ({ hint }) => altered(hint, { sid: 'x' }),
  };
  for (const [name, tokenOf] of Object.entries(cases)) {
    test(name, async () => {
      const signed = await signedIn(ada);
      const path = logoutPath({ id_token_hint: tokenOf(signed), post_logout_redirect_uri: bye });
      questionOn(await (await signed.person.request(path)).text());
      assert.equal(await isSignedIn(signed.person), true);
      assert.equal((await new Person(service).request(path)).headers.get('location'), null);
    });
  }
});

describe('the request', () => {
  test('a repeated or malformed parameter gets a 400 page and signs nobody out, by GET or POST', async () => {
    const { person, hint } = await signedIn(ada);
    const right = `id_token_hint=${hint}&client_id=${client.id}`;
    for (const extra of ['&client_id=x', `&id_token_hint=${hint}`, '&state=a&state=b', '&state=%', '&state=a%00b']) {
      const response = await person.request(`/oauth/logout?${right}${extra}`);
      assert.equal(response.status, 400, extra);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const posted = await person.request('/oauth/logout', { method: 'POST', body: right + extra, headers });
      assert.equal(posted.status, 400, extra);
    }
    assert.equal(await isSignedIn(person), true);
  });

  test('a POST from any site is redirected to a GET with the same parameters', async () => {
    const { person, hint } = await signedIn(ada);
    const body = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: bye, state: 'é &"#' });
    const headers = { Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' };
    const posted = await person.request('/oauth/logout', { method: 'POST', body, headers });
    assert.deepEqual([posted.status, posted.headers.get('location')], [303, `/oauth/logout?${body}`]);
    assert.equal(await isSignedIn(person), true, 'the POST itself changes nothing');
    const response = await person.request(posted.headers.get('location') ?? '');
    assert.equal(new URL(response.headers.get('location') ?? '').searchParams.get('state'), 'é &"#');
  });

  test("a POST that isn't a form, or is too large, gets a page", async () => {
    const post = (body: string, type: string) =>
      new Person(service).request('/oauth/logout', { method: 'POST', body, headers: { 'Content-Type': type } });
    assert.equal((await post('{}', 'application/json')).status, 400);
    assert.equal((await post('a=b', 'text/plain')).status, 400);
    assert.equal((await post(`state=${'x'.repeat(9000)}`, 'application/x-www-form-urlencoded')).status, 414);
    assert.equal((await post(`state=${'x'.repeat(17_000)}`, 'application/x-www-form-urlencoded')).status, 413);
    const raw = await post('state=a b"é#<x>&x', 'application/x-www-form-urlencoded');
    assert.equal(raw.headers.get('location'), '/oauth/logout?state=a%20b%22%C3%A9%23%3Cx%3E&x');
    const empty = await new Person(service).request('/oauth/logout', { method: 'POST' });
    assert.deepEqual([empty.status, empty.headers.get('location')], [303, '/oauth/logout']);
  });

  test('other methods are refused, and HEAD ends nothing', async () => {
    const { person, hint } = await signedIn(ada);
    for (const method of ['HEAD', 'PUT', 'DELETE']) {
      const response = await person.request(logoutPath({ id_token_hint: hint }), { method });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, POST'], method);
    }
    assert.equal(await isSignedIn(person), true);
  });

  test('a request just below the URL limit survives the confirmation', async () => {
    const { person } = await signedIn(ada);
    const start = logoutPath({ client_id: client.id, post_logout_redirect_uri: bye, state: '' });
    const state = '!~(*'.repeat(2000).slice(0, 8190 - start.length);
    const page = await (await person.request(start + state)).text();
    const location = (await person.submit(questionOn(page), {})).headers.get('location') ?? '';
    assert.equal(new URL(location).searchParams.get('state'), state);
  });
});

test('a grant has one sid, which refreshing does not change', async () => {
  const fresh = await service.newClient();
  const { tokens } = await signedIn(ada, fresh);
  const { sid } = decodeJwt(tokens.id_token);
  assert.equal(typeof sid, 'string');
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(fresh, tokens.refresh_token));
  assert.equal(decodeJwt(refreshed.body.id_token).sid, sid);
  assert.notEqual(decodeJwt((await signedIn(ada, fresh)).hint).sid, sid);
});

test("hints aren't in events or logs", async () => {
  const { person, hint } = await signedIn(ada);
  await person.request(logoutPath({ id_token_hint: hint, client_id: 'nobody', post_logout_redirect_uri: 'x' }));
  await person.request(logoutPath({ id_token_hint: hint, post_logout_redirect_uri: 'x' }));
  await person.request(authorizePath(client, newVerifier(), { id_token_hint: hint }));
  const written = JSON.stringify(await service.events()) + service.log();
  const { sid } = decodeJwt(hint);
  for (const secret of [hint, hint.split('.')[1] ?? '', hint.split('.')[2] ?? '', String(sid).split('.')[1] ?? '']) {
    assert.equal(written.includes(secret), false);
  }
});

describe('a hint in an authorization request', () => {
  test('about the signed-in person changes nothing', async () => {
    const { person, hint } = await signedIn(ada);
    const path = authorizePath(client, newVerifier(), { id_token_hint: hint, prompt: 'none' });
    assert.ok(answerOf(await person.visit(path)).searchParams.get('code'));
  });

  test('about someone else is login_required with prompt=none, and otherwise shows the sign-in page', async () => {
    const { hint } = await signedIn(bob);
    const { person } = await signedIn(ada);
    const silent = authorizePath(client, newVerifier(), { id_token_hint: hint, prompt: 'none' });
    assert.equal(answerOf(await person.visit(silent)).searchParams.get('error'), 'login_required');
    const path = authorizePath(client, newVerifier(), { id_token_hint: hint });
    const answer = await person.authorize(path, bob);
    assert.ok(answer.searchParams.get('code'), 'signing in as them is what was asked for');
    const wrong = await person.authorize(
      authorizePath(client, newVerifier(), { id_token_hint: (await signedIn(ada)).hint }),
      bob,
    );
    assert.equal(wrong.searchParams.get('error'), 'login_required', 'signing in as somebody else again is not');
  });

  test('that is invalid is ignored, and a repeated one is invalid_request', async () => {
    const { person, hint } = await signedIn(ada);
    const path = authorizePath(client, newVerifier(), { id_token_hint: `${hint}x`, prompt: 'none' });
    assert.ok(answerOf(await person.visit(path)).searchParams.get('code'));
    const repeated = answerOf(await person.visit(`${path}&id_token_hint=x`));
    assert.equal(repeated.searchParams.get('error'), 'invalid_request');
  });
});

test('an authorization request can be posted, on both paths', async () => {
  const { person } = await signedIn(ada);
  const query = authorizePath(client, newVerifier(), { prompt: 'none', state: 'é &' }).split('?')[1] ?? '';
  const headers = { Origin: 'https://app.example', 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const path of ['/oauth-authorize.php', '/oauth-authorize']) {
    const posted = await person.request(path, { method: 'POST', body: query, headers });
    assert.deepEqual([posted.status, posted.headers.get('location')], [303, `/oauth-authorize?${query}`], path);
    const answer = answerOf(await person.visit(posted.headers.get('location') ?? ''));
    assert.ok(answer.searchParams.get('code'));
    assert.equal(answer.searchParams.get('state'), 'é &');
    assert.equal((await person.request(path, { method: 'POST', body: '{}' })).status, 400);
  }
});

describe('after the keys of the service are rotated', () => {
  test('a hint is accepted until its key is retired as compromised', async () => {
    const { services } = service.running;
    const person = new Person(service);
    const { hint } = await signedIn(ada, other, person);
    const publicClient = await service.newClient({ isPublic: true });
    const appPerson = await signedIn(bob, publicClient);
    const before = services.keys.signingId;
    rotateKeys(join(service.dataDir, 'keys'));
    await until(() => services.keys.signingId !== before, 'the new key is in use');
    service.clock.advance(24 * 60 * 60);
    assert.notEqual(decodeJwt((await signedIn(bob, other)).hint).sid, decodeJwt(hint).sid);
    const stranger = await new Person(service).request(
      logoutPath({ id_token_hint: hint, post_logout_redirect_uri: 'https://other.example/' }),
    );
    assert.equal(stranger.headers.get('location'), 'https://other.example/');
    const browser = await signedIn(ada, other);
    await browser.person.request(logoutPath({ id_token_hint: hint }));
    assert.equal(await isSignedIn(browser.person), false, 'it also ends a session that has begun since');
    const ended = await appPerson.person.request(logoutPath({ id_token_hint: appPerson.hint }));
    assert.equal(ended.status, 200);
    assert.match(await ended.text(), /You&#39;re signed out/);

    await retireOlderKeys(services, requester);
    await until(async () => {
      const path = logoutPath({ id_token_hint: hint, post_logout_redirect_uri: 'https://other.example/' });
      return (await new Person(service).request(path)).status === 200;
    }, 'the old key is retired');
    await person.signIn(ada);
    questionOn(await (await person.request(logoutPath({ id_token_hint: hint }))).text());
    const { hint: fresh } = await signedIn(ada, other, person);
    assert.match(await (await person.request(logoutPath({ id_token_hint: fresh }))).text(), /You&#39;re signed out/);
  });
});
