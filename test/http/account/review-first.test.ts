// After a recovery, the review comes before everything else that a session opens: every page and form of the account and the console,
// the API, and the answer to an authorization request.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { finishReview, signedIn } from '../../harness/account.ts';
import { withSession } from '../../harness/api.ts';
import { formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens } from '../../harness/relying-party.ts';
import type { TestClient, TestUser } from '../../harness/service.ts';
import { askToReset, password } from '../../harness/sign-up.ts';
import { assertNothingChanged, everythingIn, linkFor, routesUnder } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Of the account: the review, and the proof of identity that it asks for. */
const open = [
  'GET /account/proof/done',
  'GET /account/review',
  'POST /account/proof/options',
  'POST /account/review',
  'POST /account/review/paused',
];

/**
 * Everything outside of the account, the console and the API: what nobody has to be signed in for, signing in and out, and links from
 * emails. None of it shows or changes anything of the account that's signed in, except for an authorization request.
 */
const outside = `
  GET / /.well-known/change-password /brand.:file /brand/:name/:version /dev/components /dev/outbox /dev/outbox.json
  GET /dev/outbox/:id /dev/outbox/:id/html
  GET /healthz /invitation /logos/:clientId/:version /not-me /oauth-authorize /oauth-authorize.php /oauth/logout
  GET /pictures/:userId/:version /readyz /recover /reset-password /reset-password/finish /set-up /sign-in
  GET /sign-in/set-up /sign-in/verify
  GET /sign-in/with/:name/callback /sign-up /sign-out /sign-up/finish /sign-up/waiting /signed-out
  GET /upstream-icons/:name/:version
  POST /email-sent /invitation /invitation/options /language /not-me /oauth-authorize /oauth-authorize.php
  POST /oauth-authorize/access-request /oauth-authorize/account
  POST /oauth-authorize/decision /oauth/logout /oauth/logout/confirm /recover /recover/options /reset-password
  POST /reset-password/finish /reset-password/finish/options /reset-password/start /set-up /set-up/options /sign-in
  POST /sign-in/code /sign-in/code/language /sign-in/forget /sign-in/passkey /sign-in/passkey/options /sign-in/proof /sign-in/second-step
  POST /sign-in/second-step/options /sign-in/set-up /sign-in/set-up/options /sign-in/verify /sign-in/verify/options
  POST /sign-in/verify/proof /sign-in/verify/set-up /sign-in/verify/set-up/options /sign-in/with/:name /sign-out /sign-up
  POST /sign-up/finish /sign-up/finish/options /sign-up/start`;

const service = serviceOfSuite();
let client: TestClient;
before(async () => {
  client = await service.newClient();
});
// Emails are limited.
beforeEach(() => service.clock.advance(16 * 60));

async function reset(user: TestUser): Promise<TestUser> {
  await askToReset(service, user.email);
  const person = new Person(service);
  await person.submit(await formIn(await person.visit(await linkFor(service, user.email))), { password });
  return { ...user, password };
}

/** An administrator who has approved the application, and has reset the password since. */
async function recovered(): Promise<TestUser> {
  const user = await service.newUser({ admin: true });
  await obtainTokens(service, client, user);
  return reset(user);
}

const isOfAccount = (path: string) => /^\/(account|admin)\b/.test(path);
const isOfApi = (path: string) => /^\/api\b/.test(path) && path !== '/api/openapi.json';
const isPublic = (path: string) => /^\/(assets|docs|scim)\b/.test(path) || path === '/api/openapi.json';

describe('while a review is due', () => {
  test('every other page and form of the account and the console leads to it, and the API is refused', async () => {
    const caller = await withSession(service, await recovered());
    const send = (method: string, path: string) =>
      fetch(service.url + path.replace(/\*$/, '/some').replaceAll(/:\w+/g, 'some'), {
        method,
        redirect: 'manual',
        headers: caller.headers(method),
        ...(method === 'POST' && !isOfApi(path) && { body: new URLSearchParams({ remove: 'yes' }) }),
      });
    const since = await everythingIn(service);
    const unlisted: string[] = [];
    const answered: string[] = [];
    for (const method of methods) {
      for (const path of await routesUnder(service, '/', method)) {
        const route = `${method} ${path}`;
        if (isOfApi(path)) {
          const response = await send(method, path);
          const { data } = (await response.json()) as { data: unknown };
          assert.deepEqual([response.status, data], [403, { error_code: 'REVIEW_REQUIRED' }], route);
        } else if (isOfAccount(path)) {
          const response = await send(method, path);
          const location = response.headers.get('location') ?? '';
          if (/^\/account\/review\?to=/.test(location))
            assert.equal(response.status, method === 'GET' ? 302 : 303, route);
          else answered.push(route);
        } else if (!isPublic(path)) unlisted.push(route);
      }
    }
    assert.deepEqual(answered.sort(), open);
    const listed = outside
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [method, ...paths] = line.trim().split(' ');
        return paths.map((path) => `${method} ${path}`);
      });
    assert.deepEqual(unlisted.sort(), listed.sort(), 'a new route outside of the account has to be looked at');
    await assertNothingChanged(service, since);
  });

  test('it leads on to the page that was asked for', async () => {
    const owner = await signedIn(service, await recovered());
    const page = await owner.visit('/admin/people?search=grace');
    assert.match(page.url, /\/account\/review\?to=/);
    const onward = await owner.submit(await formIn(page, '/account/review'), { review: 'done' });
    assert.ok(onward.url.endsWith('/admin/people?search=grace'), onward.url);
  });

  test('an authorization request waits for it, and goes on afterwards without being asked anything', async () => {
    const owner = await signedIn(service, await recovered());
    const path = authorizePath(client, newVerifier());
    const silent = await owner.request(authorizePath(client, newVerifier(), { prompt: 'none' }));
    const refused = new URL(silent.headers.get('location') ?? '');
    assert.equal(refused.origin + refused.pathname, client.redirectUri);
    assert.equal(refused.searchParams.get('error'), 'interaction_required');
    assert.equal(refused.searchParams.get('state'), 'state-1');
    const review = await owner.visit(path);
    assert.match(review.headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/localhost:9999/);
    const done = await owner.submit(await formIn(review, '/account/review'), { review: 'done' });
    const location = new URL(done.headers.get('location') ?? '');
    assert.equal(location.origin + location.pathname, client.redirectUri);
    assert.ok(location.searchParams.get('code'));
  });

  test('a consent page that is open already leads to it', async () => {
    const user = await recovered();
    const owner = await signedIn(service, user);
    await finishReview(owner);
    const path = authorizePath(client, newVerifier(), { prompt: 'consent' });
    const consent = await formIn(await owner.visit(path), '/oauth-authorize/decision');
    await service.execute(`UPDATE users SET review_since = ${service.clock.now()} WHERE id = '${user.id}'`);
    const since = await everythingIn(service);
    const review = await owner.submit(consent, { decision: 'approve' });
    assert.match(review.url, /\/account\/review\?to=%2Foauth-authorize/);
    await assertNothingChanged(service, since);
  });

  test('the language can be changed, and people can sign out', async () => {
    const owner = await signedIn(service, await recovered());
    const language = await formIn(await owner.visit('/account/review'), '/language');
    const page = await (await owner.submit(language, { language: 'de' })).text();
    assert.match(page, /<html lang="de"/);
    const signOut = await formIn(await owner.visit('/account/review'), '/sign-out');
    assert.match((await owner.submit(signOut, {})).url, /\/signed-out$/);
    assert.match((await owner.visit('/account')).url, /\/sign-in/);
  });
});
