// The steps of a sign-in themselves: codes used twice, headers and empty forms that skip one, and what an identity provider
// says about factors.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { changeUpstream } from '../../src/operations/upstreams/upstreams.ts';
import { signedIn } from '../harness/account.ts';
import { HostileUpstream } from '../harness/hostile-upstream.ts';
import { formIn, Person, readForm } from '../harness/person.ts';
import { setPolicy, setUpOn } from '../harness/policy.ts';
import { proofAsked } from '../harness/proof.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  isSignedIn,
  newOwner,
  reachSecondStep,
  securityPath,
  tryCode,
  turnOn,
} from '../harness/second-factors.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { routesUnder } from '../harness/store.ts';
import { startTwoInstances } from '../harness/two-instances.ts';
import { addUpstream, allowLoopbackUpstreams, respond, signInWith, start } from '../harness/upstreams.ts';
import { attack } from './attack.ts';

const MINUTE = 60;
const session = 'latchkey_session';

let service: TestService;
let provider: HostileUpstream;

before(async () => {
  service = await startTestService({
    ...allowLoopbackUpstreams,
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_TRUST_PROXY: '127.0.0.0/1, ::/1',
  });
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true, trustedAmr: ['mfa'] });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});
beforeEach(async () => {
  provider.twists = {};
  service.clock.advance(16 * MINUTE);
  alignToStep(service);
  await setPolicy(service, 'optional');
});

attack(6, 'a code is used once, on whichever instance and for whatever', async () => {
  const both = await startTwoInstances();
  try {
    both.two.clock.advance((both.one.clock.now() - both.two.clock.now()) / 1000);
    for (const each of [both.one, both.two]) alignToStep(each);
    const owner = await newOwner(both.one);
    both.two.clock.advance((both.one.clock.now() - both.two.clock.now()) / 1000);
    const steps = await Promise.all([both.one, both.two, both.one].map((each) => reachSecondStep(each, owner.user)));
    const code = codeOf(both.one, owner);
    await Promise.all(steps.map((step) => tryCode(step, code)));
    const inside = steps.filter(({ person }) => person.cookies.has(session));
    assert.equal(inside.length, 1);

    const { person } = inside[0] ?? assert.fail();
    for (const each of [both.one, both.two]) each.clock.advance(16 * MINUTE);
    const fresh = await reachSecondStep(both.two, owner.user);
    const used = codeOf(both.two, owner);
    await tryCode(fresh, used);
    assert.ok(fresh.person.cookies.has(session));
    const deletion = await formIn(await person.visit('/account/delete'), '/account/delete');
    const asked = await proofAsked(await person.submit(deletion, {}));
    const fields = {
      password: owner.user.password,
      code: used,
      last_step: '0',
      lastStep: '0',
      step: '0',
      counter: '0',
    };
    assert.equal((await person.submit(asked, fields)).status, 400);
    assert.ok(await isSignedIn(person), 'the account is still there');
  } finally {
    await both.stop();
  }
});

attack(7, 'no header skips a factor, signs anyone in or makes anyone local, even from a trusted proxy', async () => {
  const owner = await newOwner(service);
  const admin = await service.newUser({ admin: true });
  const headers: Record<string, string> = {
    'X-Forwarded-For': '127.0.0.1',
    'X-Forwarded-Host': 'localhost',
    'X-Forwarded-Proto': 'https',
    'X-Real-IP': '127.0.0.1',
    Forwarded: 'for=127.0.0.1;host=localhost;proto=https',
    'X-Original-URL': '/account',
    'X-Rewrite-URL': '/admin',
    'X-HTTP-Method-Override': 'GET',
    'X-MFA': 'true',
    'X-Skip-Mfa': '1',
    'X-Trusted-Device': 'true',
  };
  for (const name of ['Remote-User', 'X-Remote-User', 'X-Forwarded-User', 'X-Auth-Request-User', 'X-User-Id']) {
    headers[name] = admin.id;
  }
  for (const name of ['X-Forwarded-Email', 'X-Auth-Request-Email', 'X-Forwarded-Preferred-Username']) {
    headers[name] = admin.email;
  }
  const { email, password } = owner.user;
  const person = new Person(service);
  const step = await person.submit(await formIn(await person.visit('/sign-in')), { email, password }, headers);
  const form = await formIn(step, '/sign-in/second-step');
  await person.submit(form, { code: '' }, headers);
  assert.equal(person.cookies.has(session), false);
  for (const path of ['/account', '/admin', '/api/me', '/api/people', '/sign-in/verify']) {
    const response = await person.request(path, { headers });
    assert.ok([302, 401].includes(response.status), `${path}: ${response.status}`);
  }
});

/** What a form can be reduced to without saying anything. */
const emptyBodies: [string | undefined, string][] = [
  [undefined, ''],
  ['application/x-www-form-urlencoded', ''],
  ['application/json', '{}'],
  ['application/json', 'null'],
  ['text/plain', 'code=000000'],
  ['multipart/form-data; boundary=x', '--x--\r\n'],
];

attack(8, 'no step counts as done by submitting nothing, or the same field twice', async () => {
  const owner = await newOwner(service);
  const outsiders = [
    '/sign-in',
    '/sign-up',
    '/reset-password',
    '/oauth-authorize',
    '/recover',
    '/invitation',
    '/set-up',
  ];
  const paths = (await Promise.all(outsiders.map((path) => routesUnder(service, path, 'POST')))).flat();
  // It sends the browser on with what was posted, as a query.
  const steps = new Set(paths.filter((path) => !/^\/oauth-authorize(\.php)?$/.test(path)));
  assert.ok(steps.size > 15);
  const step = await reachSecondStep(service, owner.user);
  for (const path of steps) {
    for (const [type, body] of emptyBodies) {
      const init = {
        method: 'POST',
        body: Buffer.from(body),
        headers: type === undefined ? {} : { 'Content-Type': type },
      };
      const { status } = await step.person.request(path.replace(':name', 'company'), init);
      assert.ok(status < 500 && status !== 303, `${path} ${type}: ${status}`);
    }
  }
  const { pending = '' } = step.form.fields;
  const code = codeOf(service, owner);
  const repeated = [
    `pending=${pending}`,
    `pending=${pending}&code=`,
    `pending=${pending}&code=&code=${code}`,
    `pending=${pending}&pending=${pending}&code=${code}`,
    `pending=${pending}&code[]=${code}`,
    `pending=${pending}&answer={}&challenge=x`,
  ];
  for (const text of repeated) {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status } = await step.person.request(step.form.action, {
      method: 'POST',
      body: Buffer.from(text),
      headers: type,
    });
    assert.ok(status >= 400 && status < 500, `${text.slice(-30)}: ${status}`);
  }
  assert.equal(step.person.cookies.has(session), false);

  // With a session as well: proof, and consent.
  const client = await service.newClient();
  const user = await service.newUser();
  const person = await signedIn(service, user);
  const consent = await formIn(await person.visit(authorizePath(client, newVerifier())), '/oauth-authorize/decision');
  for (const values of [{}, { decision: '' }, { decision: 'Approve' }, { approve: 'yes' }]) {
    const response = await person.submit(consent, values);
    assert.doesNotMatch(response.headers.get('location') ?? '', /[?&]code=/, JSON.stringify(values));
  }
  service.clock.advance(16 * MINUTE);
  const deletion = await formIn(await person.visit('/account/delete'), '/account/delete');
  const proof = await proofAsked(await person.submit(deletion, {}));
  for (const values of [{}, { password: '' }, { password: '', code: '' }, { challenge: 'x', answer: '{}' }]) {
    assert.equal((await person.submit(proof, values)).status, 400);
  }
  assert.ok(await isSignedIn(person), 'the account is still there');
});

attack(9, 'an identity provider proves two factors in the ID token only, in the form that is specified', async () => {
  await setPolicy(service, 'everyone');
  const tries: [string, Parameters<typeof claimsOf>[0], Record<string, unknown>, boolean][] = [
    ['userinfo', {}, { amr: ['mfa'], acr: 'mfa' }, false],
    ['string', { amr: 'mfa' }, {}, false],
    ['nested', { amr: [['mfa']] }, {}, false],
    ['object', { amr: { 0: 'mfa', length: 1 } }, {}, false],
    ['spaced', { amr: ['pwd mfa', ' mfa', 'MFA'] }, {}, false],
    ['number', { amr: [1, true, null] }, {}, false],
    ['acr', { acr: 'mfa' }, {}, false],
    ['twice', { amr: ['mfa', 'mfa'] }, {}, true],
  ];
  for (const [name, claims, userinfo, counts] of tries) {
    const sub = `factors-${name}`;
    provider.person = { sub };
    const email = { email: `${sub}@people.example`, email_verified: true };
    // Without an email address in the ID token, userinfo is asked.
    const asks = Object.keys(userinfo).length > 0;
    provider.twists = {
      claims: (all) => ({ ...all, ...claimsOf(claims), ...(asks ? {} : email) }),
      userinfo: (all) => ({ ...all, ...email, ...userinfo }),
    };
    const { person, response } = await signInWith(service, provider);
    assert.equal(person.cookies.has(session), counts, name);
    if (!counts) await setUpOn(response);
  }

  // Someone with an authenticator app who links an identity is asked for the code all the same.
  await setPolicy(service, 'optional');
  const user = await service.newUser();
  const person = await signedIn(service, user);
  await turnOn(service, person);
  provider.twists = {};
  provider.person = { sub: 'linked', email: 'linked@people.example', email_verified: true };
  const page = await (await person.visit(securityPath)).text();
  const link = readForm(page, '/account/identities/link');
  assert.ok(link);
  const url = await start(person, { ...link, fields: { ...link.fields, upstream: 'company' } });
  await respond(person, provider.authorize(url));
  assert.deepEqual(await identitiesOf(user), ['linked']);
  for (const amr of [undefined, ['pwd']]) {
    provider.twists = { claims: (all) => ({ ...all, amr }) };
    const later = await signInWith(service, provider);
    assert.equal(later.person.cookies.has(session), false);
    await formIn(later.response, '/sign-in/second-step');
  }
  await changeUpstream(service.running.services, 'company', { trustedAmr: [] }, requester);
  provider.twists = { claims: (all) => ({ ...all, amr: ['mfa'] }) };
  assert.equal((await signInWith(service, provider)).person.cookies.has(session), false, 'no longer trusted for it');
});

const claimsOf = (claims: Record<string, unknown>) => claims;

const identitiesOf = async ({ id }: TestUser) =>
  (await service.running.services.storage.listIdentities(id)).map(({ subject }) => subject);
