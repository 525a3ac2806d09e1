// Sessions: somebody else's sign-in that a victim continues, signing out with a forged hint, what is left in a browser, and
// how a session ends.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import { currentSession, endOwnSession } from '../../src/operations/sessions/sessions.ts';
import { deleteUser, disableUser, enableUser, endSessions } from '../../src/operations/users/disable-user.ts';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { formatSid } from '../../src/protocol/oauth/id-token-hint.ts';
import { signedIn } from '../harness/account.ts';
import { withSession } from '../harness/api.ts';
import { formIn, Person, readForm } from '../harness/person.ts';
import { proofAsked } from '../harness/proof.ts';
import { authorizePath, decodeJwt, newVerifier, obtainTokens } from '../harness/relying-party.ts';
import { alignToStep, codeOf, isSignedIn, newOwner, reachSecondStep, tryCode } from '../harness/second-factors.ts';
import { requester, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';
import { attack } from './attack.ts';

const session = 'latchkey_session';
const bye = 'http://localhost:9999/bye';

let instances: TwoInstances;
let service: TestService;
let other: TestService;
let client: TestClient;

before(async () => {
  instances = await startTwoInstances();
  ({ one: service, two: other } = instances);
  client = await service.newClient({ postLogoutRedirectUris: [bye] });
});
after(() => instances?.stop());
beforeEach(() => {
  other.clock.advance((service.clock.now() - other.clock.now()) / 1000);
  for (const each of [service, other]) {
    each.clock.advance(16 * 60);
    alignToStep(each);
  }
});

attack(44, "nobody continues what somebody else has begun, and no other site's form arrives", async () => {
  const [attacker, victim] = [await service.newUser(), await service.newUser()];
  const path = authorizePath(client, newVerifier(), { state: 'of the attacker' });
  // A sign-in, prepared in the attacker's browser and completed in the victim's.
  const prepared = await formIn(await new Person(service).visit(path), '/sign-in');
  const browser = new Person(service);
  await browser.visit('/sign-in');
  const { email, password } = victim;
  assert.equal((await browser.submit(prepared, { email, password })).status, 403);
  assert.equal(browser.cookies.has(session), false);
  // A second step of the attacker's own account: the victim would end up signed in as the attacker.
  const owner = await newOwner(service);
  const step = await reachSecondStep(service, owner.user);
  await tryCode({ person: browser, form: step.form }, codeOf(service, owner));
  assert.equal(browser.cookies.has(session), false);
  // Consent and proof of the attacker's session in that of the victim.
  const theirs = await signedIn(service, attacker);
  const own = await signedIn(service, victim);
  const app = await service.newClient();
  const consent = await formIn(await theirs.visit(authorizePath(app, newVerifier())), '/oauth-authorize/decision');
  assert.equal((await own.submit(consent, { decision: 'approve' })).status, 403);
  for (const each of [service, other]) each.clock.advance(16 * 60);
  const held = await proofAsked(
    await theirs.submit(await formIn(await theirs.visit('/account/delete'), '/account/delete'), {}),
  );
  const { form_token = '' } = (await formIn(await own.visit('/account/delete'), '/account/delete')).fields;
  for (const fields of [held.fields, { ...held.fields, form_token }]) {
    assert.equal((await own.submit({ ...held, fields }, { password })).status, 403);
  }
  assert.ok(await isSignedIn(own));
  // Somewhere else to go afterwards.
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/oauth-authorize?client_id=x',
    '/sign-out',
  ]) {
    const visitor = new Person(service);
    const form = await formIn(await visitor.visit(`/sign-in?to=${encodeURIComponent(to)}`), '/sign-in');
    assert.equal(new URL((await visitor.submit(form, { email, password })).url).origin, service.url, to);
  }
  // A form on another site, with the victim's cookies.
  const deletion = await formIn(await own.visit('/account/delete'), '/account/delete');
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `${service.baseUrl}.evil.example` },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ];
  for (const headers of foreign) {
    assert.equal((await own.submit(deletion, {}, headers)).status, 403, JSON.stringify(headers));
  }
  // Cookies of a sibling's domain: on https, only those count that the browser gives to this host alone.
  const published = await startTestService({ LATCHKEY_BASE_URL: 'https://id.example.com' });
  try {
    const page = await fetch(`${published.url}/sign-in`);
    for (const line of page.headers.getSetCookie()) {
      assert.match(line, /^__Host-\w+=.*; Path=\/; HttpOnly; SameSite=Lax; Secure/);
      assert.doesNotMatch(line, /domain=/i);
    }
    const { email: known, password: secretWord } = await published.newUser();
    const visitor = new Person(published);
    await visitor.submit(
      await formIn(await visitor.visit('/sign-in'), '/sign-in'),
      { email: known, password: secretWord },
      {
        Origin: 'https://id.example.com',
      },
    );
    const secret = visitor.cookies.get(`__Host-${session}`) ?? assert.fail();
    for (const name of [session, `__host-${session}`, `__Secure-${session}`]) {
      const response = await fetch(`${published.url}/api/me`, { headers: { Cookie: `${name}=${secret}` } });
      assert.equal(response.status, 401, name);
    }
  } finally {
    await published.stop();
  }
});

attack(
  45,
  'a hint that is forged, foreign or about somebody gone signs nobody out and sends them nowhere',
  async () => {
    const user = await service.newUser();
    const { tokens, person } = await obtainTokens(service, client, user);
    const mine = await obtainTokens(service, client, await service.newUser());
    const app = await service.newClient({ postLogoutRedirectUris: ['http://localhost:9999/other'] });
    const [header = '', , signature = ''] = tokens.id_token.split('.');
    const claims = decodeJwt(tokens.id_token);
    const forged = (changes: Record<string, unknown>) =>
      [header, Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url'), signature].join('.');
    const [grantId = '', issuer] = [String(claims.sid).split('.')[0], String(claims.iss)];
    const gone = await service.newUser();
    const theirs = await obtainTokens(service, client, gone);
    await deleteUser(service.running.services, { id: gone.id }, requester);
    const hints: Record<string, string> = {
      'another audience': forged({ aud: app.id }),
      'a list of audiences': forged({ aud: [client.id, app.id] }),
      'the sid of another grant': forged({ sid: decodeJwt(mine.tokens.id_token).sid }),
      'a key that is retired': forged({
        sid: formatSid({ issuer, clientId: client.id, userId: user.id, grantId }, randomBytes(32)),
      }),
      'another person': forged({ sub: 'somebody-else' }),
      'another issuer': forged({ iss: 'https://evil.example' }),
      'no sid': forged({ sid: undefined }),
      'of somebody else': mine.tokens.id_token,
      'of a deleted person': theirs.tokens.id_token,
      'an access token': tokens.access_token,
      nothing: '',
      garbage: 'a.b.c',
    };
    for (const [name, id_token_hint] of Object.entries(hints)) {
      for (const more of [{}, { client_id: client.id }, { client_id: app.id }]) {
        const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: bye, state: 'x', ...more });
        const response = await person.request(`/oauth/logout?${query}`);
        assert.equal(response.headers.get('location'), null, `${name} ${JSON.stringify(more)}`);
      }
      assert.ok(await isSignedIn(person), name);
    }
    assert.match(
      (
        await person.request(
          `/oauth/logout?${new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: bye })}`,
        )
      ).headers.get('location') ?? '',
      /bye/,
    );
  },
);

attack(46, 'nothing of whoever was signed in before is left for the next person in the browser', async () => {
  const first = await newOwner(service);
  const browser = new Person(service);
  const step = await reachSecondStep(service, first.user, browser);
  await browser.submit(step.form, { code: codeOf(service, first), trust: 'yes' });
  await browser.authorize(authorizePath(client, newVerifier()), first.user);
  const copies = new Map(browser.cookies);
  await browser.submit(await formIn(await browser.visit('/account'), '/sign-out'), {});
  const about = [first.user.email, first.user.id, 'Grace', copies.get(session) ?? ''];
  const pages = [
    '/sign-in',
    '/account',
    '/signed-out',
    '/sign-up',
    '/reset-password',
    authorizePath(client, newVerifier()),
    authorizePath(client, newVerifier(), { prompt: 'select_account' }),
  ];
  for (const path of pages) {
    const page = await (await browser.visit(path)).text();
    for (const text of about) assert.ok(!page.includes(text), path);
  }
  assert.equal(browser.cookies.has(session), false);
  const second = await newOwner(service);
  await reachSecondStep(service, second.user, browser);
  const plain = await service.newUser({ name: 'Alan Turing', givenName: 'Alan', familyName: 'Turing' });
  await browser.signIn(plain);
  const consent = await (await browser.visit(authorizePath(client, newVerifier()))).text();
  assert.ok(readForm(consent, '/oauth-authorize/decision'), 'they are asked themselves');
  for (const path of [
    '/account',
    '/account/sessions',
    '/account/activity',
    '/account/apps',
    '/api/me',
    '/account/data.json',
  ]) {
    const page = await (await browser.visit(path)).text();
    for (const text of about) assert.ok(!page.includes(text), path);
  }
  // The session's secret from before is dead, in any browser.
  const stolen = new Person(service);
  stolen.cookies.set(session, copies.get(session) ?? '');
  assert.equal(await isSignedIn(stolen), false);
});

attack(47, 'a session that has ended, however, is out with the next request, at the other instance too', async () => {
  const { services } = other.running;
  const endings: Record<string, (user: TestUser, person: Person) => Promise<unknown>> = {
    'signed out elsewhere': async (user) => {
      const caller = await withSession(other, user);
      return fetch(`${other.url}/api/me/sessions`, { method: 'DELETE', headers: caller.headers('DELETE') });
    },
    'one row of the list': async (user, person) => {
      const secret = person.cookies.get(session) ?? '';
      const signed = (await currentSession(services, secret)) ?? assert.fail();
      // The id that the list shows.
      assert.ok(await endOwnSession(services, signed, digestOf(digestOf(secret)), requester), user.id);
    },
    'ended by an administrator': (user) => endSessions(services, { id: user.id }, requester),
    disabled: (user) => disableUser(services, { id: user.id }, requester),
    'disabled and enabled again': async (user) => {
      await disableUser(services, { id: user.id }, requester);
      await enableUser(services, { id: user.id }, requester);
    },
    deleted: (user) => deleteUser(services, { id: user.id }, requester),
    'a new password': (user) => setPassword(services, { id: user.id }, 'another phrase of mine', requester),
    'signed out here': async (_user, person) => {
      const copy = new Person(other);
      copy.cookies.set(session, person.cookies.get(session) ?? '');
      return copy.submit(await formIn(await copy.visit('/account'), '/sign-out'), {});
    },
  };
  for (const [name, end] of Object.entries(endings)) {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const open = await formIn(await person.visit('/account/profile'), '/account/profile');
    const [atOther, script] = [new Person(other), await withSession(service, user)];
    atOther.cookies.set(session, person.cookies.get(session) ?? '');
    assert.ok((await isSignedIn(person)) && (await isSignedIn(atOther)), name);
    await end(user, person);
    for (const browser of [person, atOther]) {
      const response = await browser.request('/account');
      assert.equal(response.status, 302, name);
      assert.equal((await browser.request('/api/me')).status, 401, name);
      const silent = await browser.request(authorizePath(client, newVerifier(), { prompt: 'none' }));
      assert.match(silent.headers.get('location') ?? '', /error=login_required/, name);
    }
    // The last two end one session, and the script has its own.
    if (!['signed out here', 'one row of the list'].includes(name)) {
      const change = { method: 'PATCH', headers: { ...script.headers('PATCH'), 'Content-Type': 'application/json' } };
      const answer = await fetch(`${service.url}/api/me/profile`, { ...change, body: '{"name":"Eve"}' });
      assert.equal(answer.status, 401, name);
    }
    await person.submit(open, { name: 'Eve' });
    const row = (await service.rows('users')).find(({ id }) => id === user.id);
    assert.notEqual(row?.name, 'Eve', `${name}: a page that was open`);
  }
});
