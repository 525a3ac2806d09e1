// When someone who came through an identity provider counts as signed in: `max_age`, `auth_time` and proof of identity go by the
// time at which they signed in there, if it's earlier, unless they've proved a second factor here.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { answerOf, formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, decodeJwt, exchangeParameters, newVerifier, postForm } from '../../harness/relying-party.ts';
import { codeOf, turnOn } from '../../harness/second-factors.ts';
import { startTestService, type TestClient, type TestService } from '../../harness/service.ts';
import {
  addUpstream,
  allowLoopbackUpstreams,
  isSignedIn,
  pressButton,
  respond,
  signInWith,
} from '../../harness/upstreams.ts';

let service: TestService;
let provider: HostileUpstream;
let client: TestClient;
let people = 0;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
  client = await service.newClient();
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});

const seconds = () => Math.floor(service.clock.now() / 1000);

/** Someone new, who signed in at the identity provider at that time. */
function newcomer(authTime?: unknown): string {
  const sub = `person-${++people}`;
  const said = authTime === undefined ? {} : { auth_time: authTime };
  provider.twists = {};
  provider.person = { sub, email: `${sub}@people.example`, email_verified: true, name: 'Ada Lovelace', ...said };
  return sub;
}

async function sessionOf(sub: string) {
  const { storage } = service.running.services;
  const found = await storage.findIdentity({ issuer: provider.issuer, subject: sub });
  const [session] = await storage.listSessions(found?.user.id ?? '', 0);
  assert.ok(found && session, sub);
  return { user: found.user, session };
}

/** What an application is told in its ID token. */
async function authTimeFor(person: Person): Promise<number> {
  const verifier = newVerifier();
  let response = await person.visit(authorizePath(client, verifier));
  const consent = readForm(await response.text(), '/oauth-authorize/decision');
  if (consent !== undefined) response = await person.submit(consent, { decision: 'approve' });
  const code = answerOf(response).searchParams.get('code') ?? '';
  const parameters = exchangeParameters(client, code, verifier);
  const { body } = await postForm(service, '/oauth/token', parameters);
  return Number(decodeJwt(body.id_token).auth_time);
}

async function silently(person: Person, maxAge: number): Promise<string | null> {
  const path = authorizePath(client, newVerifier(), { prompt: 'none', max_age: String(maxAge) });
  return answerOf(await person.request(path)).searchParams.get('error');
}

describe('after a sign-in at an upstream hours ago', () => {
  test('max_age and auth_time go by that sign-in', async () => {
    const authTime = seconds() - 5 * 3600;
    newcomer(authTime);
    const { person } = await signInWith(service, provider);
    assert.equal(await authTimeFor(person), authTime);
    assert.equal(await silently(person, 6 * 3600), null);
    assert.equal(await silently(person, 3600), 'login_required');
    // With a page, the person is sent to the upstream again, which is asked for a sign-in of that age.
    const page = await (await person.visit(authorizePath(client, newVerifier(), { max_age: '3600' }))).text();
    assert.match(page, /formaction="\/sign-in\/with\/company"/);
  });

  test('a second factor that was proved here counts from now', async () => {
    const sub = newcomer(seconds());
    const app = await turnOn(service, (await signInWith(service, provider)).person);
    service.clock.advance(5 * 3600);
    const { person, response } = await signInWith(service, provider);
    await person.submit(await formIn(response, '/sign-in/second-step'), { code: codeOf(service, app) });
    assert.ok(isSignedIn(person));
    assert.equal(await authTimeFor(person), seconds());
    assert.equal(await silently(person, 60), null);
    assert.equal((await sessionOf(sub)).session.provenAt, service.clock.now());
  });

  test("a trusted browser doesn't make it any fresher", async () => {
    const authTime = seconds();
    newcomer(authTime);
    const first = (await signInWith(service, provider)).person;
    const app = await turnOn(service, first);
    service.clock.advance(60);
    const { person, response } = await signInWith(service, provider);
    const form = await formIn(response, '/sign-in/second-step');
    await person.submit(form, { code: codeOf(service, app), trust: 'yes' });
    service.clock.advance(5 * 3600);
    person.cookies.delete('latchkey_session');
    await signInWith(service, provider, person);
    assert.equal((await service.events('signed_in')).at(-1)?.detail?.method, 'upstream_on_trusted_device');
    assert.equal(await authTimeFor(person), authTime);
    assert.equal(await silently(person, 3600), 'login_required');
  });

  test('the sign-in itself is now, for the request that it was for and wherever it is listed', async () => {
    const sub = newcomer(seconds() - 5 * 3600);
    const person = new Person(service);
    const path = authorizePath(client, newVerifier(), { prompt: 'select_account' });
    const response = await respond(person, provider.authorize(await pressButton(person, 'company', { path })));
    assert.ok(readForm(await response.text(), '/oauth-authorize/decision'), 'nobody is asked twice for the account');
    const { user, session } = await sessionOf(sub);
    const [row] = (await service.rows('users')).filter(({ id }) => id === user.id);
    assert.deepEqual([session.createdAt, Number(row?.last_sign_in_at)], [service.clock.now(), service.clock.now()]);
  });
});

describe("an upstream's auth_time", () => {
  const now = () => service.clock.now();
  const accepted: [string, (at: number) => unknown, (at: number) => number, (at: number) => number][] = [
    ['missing', () => undefined, () => now(), () => 0],
    ['in the future', (at) => at + 3600, () => now(), () => now()],
    ['in milliseconds', (at) => at * 1000, () => now(), () => now()],
    ['huge', () => 1e300, () => now(), () => now()],
    ['zero', () => 0, () => 0, () => 0],
    ['with a fraction', (at) => at - 10.75, (at) => (at - 11) * 1000, (at) => (at - 11) * 1000],
  ];
  for (const [name, said, authTime, provenAt] of accepted) {
    test(`${name}: the earlier of it and now counts`, async () => {
      const at = seconds();
      const sub = newcomer(said(at));
      await signInWith(service, provider);
      const { session } = await sessionOf(sub);
      assert.deepEqual([session.authTime, session.provenAt], [authTime(at), provenAt(at)]);
    });
  }

  const invalid: Record<string, unknown> = { negative: -1, 'a string': '1700000000', null: null, 'a list': [0] };
  for (const [name, said] of Object.entries(invalid)) {
    test(`${name}: the response is invalid`, async () => {
      newcomer(said);
      const { person, response } = await signInWith(service, provider);
      assert.equal(response.status, 502);
      assert.equal(isSignedIn(person), false);
      assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'upstream_invalid_response');
    });
  }
});
