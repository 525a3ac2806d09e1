// Trying an identity provider out: what arrives is shown to the administrator who began it, once, and nothing else happens.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { changeUpstream, disableUpstream, enableUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import type { UpstreamInput } from '../../../src/protocol/resources/upstream.ts';
import { visit } from '../../harness/console.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { Person, readForm } from '../../harness/person.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import {
  addUpstream,
  allowLoopbackUpstreams,
  isSignedIn,
  pressButton,
  respond,
  start,
} from '../../harness/upstreams.ts';

const path = '/admin/providers/company';

let service: TestService;
let provider: HostileUpstream;
let administrator: TestUser;
let admin: Person;
let subjects = 0;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider);
  administrator = await service.newUser({ admin: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});
beforeEach(async () => {
  admin = new Person(service);
  await admin.signIn(administrator);
  provider.twists = {};
  provider.person = { sub: `subject-${++subjects}`, email: `s${subjects}@people.example`, email_verified: true };
  await set({ createsAccounts: false, trustedDomains: ['people.example'], allowedDomains: [], trustedAmr: [] });
});

const set = (change: Partial<UpstreamInput>) => changeUpstream(service.running.services, 'company', change, requester);

/** Presses "Try it"; where the browser is sent. */
async function press(person = admin): Promise<string> {
  const form = readForm((await visit(person, path)).page, `${path}/try`);
  assert.ok(form, 'no button');
  return start(person, form);
}

async function tryIt(person = admin) {
  const response = await respond(person, provider.authorize(await press(person)));
  return { status: response.status, url: response.url, page: await response.text() };
}

/** Everything that a sign-in could change. */
const facts = async () => ({
  identities: await service.rows('identities'),
  users: (await service.rows('users')).length,
  sessions: (await service.rows('sessions')).map(({ digest }) => digest).toSorted(),
  events: (await service.events()).length,
});

test('shows what arrived and what would happen, and changes nothing', async () => {
  provider.person = { ...provider.person, name: 'Grace <b>Hopper</b>', department: ['Navy', 'Research'] };
  await set({ createsAccounts: true });
  const session = admin.cookies.get('latchkey_session');
  const before = await facts();
  const { status, page } = await tryIt();
  assert.equal(status, 200);
  assert.match(page, new RegExp(`An account with the email address s${subjects}@people\\.example would be created\\.`));
  assert.match(page, /<code>department<\/code>[\s\S]*?\[&quot;Navy&quot;,&quot;Research&quot;\]/);
  assert.match(page, /Grace &lt;b&gt;Hopper/);
  assert.match(page, /Yes, and trusted here/);
  assert.match(page, /One factor/);
  assert.deepEqual(await facts(), before);
  assert.equal(admin.cookies.get('latchkey_session'), session);
});

describe('says what a sign-in would come to', () => {
  const says = async (expected: RegExp) => assert.match((await tryIt()).page, expected);

  test('nobody has linked it, and no account is created', () => says(/nobody has linked this identity/));
  test('the domain of the email address is not trusted', async () => {
    await set({ createsAccounts: true, trustedDomains: ['other.example'] });
    await says(/its domain isn&#39;t trusted\.[\s\S]*but its domain isn&#39;t trusted here/);
  });
  test('the domain of the email address is not allowed', async () => {
    await set({ trustedDomains: ['other.example'], allowedDomains: ['other.example'] });
    await says(/in an allowed domain/);
  });
  test('somebody has an account with the email address', async () => {
    const user = await service.newUser();
    await set({ createsAccounts: true, trustedDomains: ['*'] });
    provider.person = { ...provider.person, email: user.email };
    await says(/There is already an account with the email address/);
  });
  test('it is linked, to somebody who can sign in or not, and counts as two factors', async () => {
    const user = await service.newUser({ name: 'Grace Hopper' });
    const at = service.clock.now();
    await service.execute(
      `INSERT INTO identities (issuer, subject, user_id, linked_at) VALUES ('${provider.issuer}', 'subject-${subjects}', '${user.id}', ${at})`,
    );
    await set({ trustedAmr: ['mfa'] });
    provider.twists = { claims: (claims) => ({ ...claims, amr: ['mfa'] }) };
    await says(
      new RegExp(
        `linked to <a href="/admin/people/${user.id}">Grace Hopper</a>\\. They would be signed in\\.[\\s\\S]*Two factors`,
      ),
    );
    await service.execute(`UPDATE users SET disabled_at = 1 WHERE id = '${user.id}'`);
    await says(/Their account is disabled/);
  });
});

test('neither tokens nor the secret are on the page or in the log', async () => {
  const issued: string[] = [];
  provider.twists = {
    token(body) {
      issued.push(String(body.access_token), String(body.id_token));
      return body;
    },
  };
  const { page } = await tryIt();
  assert.equal(issued.length, 2);
  for (const secret of [provider.secret, ...issued]) {
    assert.equal(page.includes(secret), false);
    assert.equal(service.log().includes(secret), false);
  }
  for (const name of ['nonce', 'at_hash', 'access_token', 'id_token']) {
    assert.equal(page.includes(`<code>${name}</code>`), false, name);
  }
});

test('tokens and secrets among the claims are left out, at whatever depth', async () => {
  provider.twists = {
    claims: (claims) => ({
      ...claims,
      access_token: 'hidden-1',
      _claim_sources: { other: { endpoint: 'https://other.example', access_token: 'hidden-2' } },
      team: { name: 'Compilers', client_secret: 'hidden-3', members: [{ refreshToken: 'hidden-4' }] },
    }),
  };
  const { page } = await tryIt();
  assert.match(page, /Compilers/);
  assert.doesNotMatch(page, /hidden-\d/);
});

test('works while the identity provider is disabled, when nobody can sign in with it', async () => {
  await disableUpstream(service.running.services, 'company', requester);
  assert.equal((await tryIt()).status, 200);
  await enableUpstream(service.running.services, 'company', requester);
});

test('a response that is refused says why, without a failed sign-in among the events', async () => {
  const before = (await service.events('sign_in_failed')).length;
  provider.twists = { claims: (claims) => ({ ...claims, aud: 'somebody else' }) };
  const { status, page } = await tryIt();
  assert.equal(status, 400);
  assert.match(page, /The identity provider&#39;s response is invalid\.[\s\S]*Details: /);
  assert.equal((await service.events('sign_in_failed')).length, before);
});

describe('is bound to who began it', () => {
  const isExpired = async (response: Response) => {
    assert.equal(response.status, 400);
    assert.match(await response.text(), /has expired, or was started in another session or browser/);
  };

  test('and used once', async () => {
    const back = provider.authorize(await press());
    const cookies = new Map(admin.cookies);
    await admin.request(`${path}/try${back.search}`, { method: 'HEAD' });
    assert.equal((await respond(admin, back)).status, 200, 'asking for the headers alone uses nothing up');
    await isExpired(await respond(admin, new URL(`${service.url}${path}/try${back.search}`)));
    // Even with the cookies that it came with.
    for (const [name, value] of cookies) admin.cookies.set(name, value);
    const again = await respond(admin, back);
    assert.equal(again.status, 400);
    assert.match(await again.text(), /This response was used before/);
  });

  test('not in the session of another administrator, with all cookies of the round trip', async () => {
    const back = provider.authorize(await press());
    const other = new Person(service);
    await other.signIn(await service.newUser({ admin: true }));
    for (const name of ['latchkey_upstream', 'latchkey_browser']) {
      other.cookies.set(name, admin.cookies.get(name) ?? '');
    }
    await isExpired(await respond(other, back));
  });

  test('not with another state, or without one', async () => {
    for (const state of ['another', undefined]) {
      const back = provider.authorize(await press());
      if (state === undefined) back.searchParams.delete('state');
      else back.searchParams.set('state', state);
      await isExpired(await respond(admin, back));
    }
    await isExpired(await admin.visit(`${path}/try`));
  });

  test('not ten minutes later', async () => {
    const back = provider.authorize(await press());
    service.clock.advance(10 * 60 + 1);
    const late = await respond(admin, back);
    assert.notEqual(late.status, 200);
    assert.equal(
      (await service.rows('identities')).some(({ subject }) => subject === `subject-${subjects}`),
      false,
    );
  });

  test('not by somebody without the right, who sees nothing of it', async () => {
    const back = provider.authorize(await press());
    await service.execute(`UPDATE users SET admin_since = NULL, roles = 'auditor' WHERE id = '${administrator.id}'`);
    const response = await respond(admin, back);
    assert.equal(response.status, 403);
    assert.doesNotMatch(await response.text(), /people\.example/);
    assert.equal(readForm((await visit(admin, path)).page, `${path}/try`), undefined);
    await service.execute(`UPDATE users SET admin_since = 1, roles = NULL WHERE id = '${administrator.id}'`);
  });

  test('not signed out', async () => {
    const back = provider.authorize(await press());
    admin.cookies.delete('latchkey_session');
    const response = await admin.request(back.pathname + back.search);
    assert.equal(response.headers.get('location')?.startsWith(`${path}/try?`), true);
    const page = await (await admin.visit(`${path}/try${back.search}`)).text();
    assert.match(page, /<h1>Sign in/);
    assert.doesNotMatch(page, /subject-/);
  });

  test('and a trial never signs anybody in, nor is a sign-in a trial', async () => {
    await set({ createsAccounts: true });
    const trial = provider.authorize(await press());
    // The callback alone, as if nothing led to the console.
    const visitor = new Person(service);
    for (const name of ['latchkey_upstream', 'latchkey_browser']) {
      visitor.cookies.set(name, admin.cookies.get(name) ?? '');
    }
    await respond(visitor, trial);
    assert.equal(isSignedIn(visitor), false);
    assert.equal(
      (await service.rows('identities')).some(({ subject }) => subject === `subject-${subjects}`),
      false,
    );

    const signIn = provider.authorize(await pressButton(admin, 'company', { path: '/sign-in?password' }));
    await isExpired(await admin.visit(`${path}/try${signIn.search}`));
  });
});
