// Somebody without a password makes every change that asks for proof of identity: they sign in again at their identity provider, and
// the change goes on.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { disableUpstream, enableUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { makeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { register } from '../../harness/passkeys.ts';
import { formIn, type Person, readForm } from '../../harness/person.ts';
import { codeOf, keyOn, post, turnOn } from '../../harness/second-factors.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { linkFor } from '../../harness/store.ts';
import { formOn } from '../../harness/upstream-latchkey.ts';
import { addUpstream, allowLoopbackUpstreams, respond, signInWith } from '../../harness/upstreams.ts';

let service: TestService;
let provider: HostileUpstream;
let people = 0;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});

async function newcomer(): Promise<{ person: Person; id: string; email: string }> {
  const sub = `person-${++people}`;
  const email = `${sub}@people.example`;
  provider.person = { sub, email, email_verified: true, name: 'Ada Lovelace' };
  const { person } = await signInWith(service, provider);
  const found = await service.running.services.storage.findIdentity({ issuer: provider.issuer, subject: sub });
  assert.ok(found);
  return { person, id: found.user.id, email };
}

/** Presses the identity provider's button on a page, signs in there, and ends on the page after it. */
async function signInAgain(person: Person, page: string, action: string): Promise<string> {
  assert.doesNotMatch(page, /type="password"/);
  const response = await person.submit(formOn(page, action), { upstream: 'company' });
  const url = response.headers.get('refresh')?.replace(/^0;url=/, '') ?? '';
  return (await respond(person, provider.authorize(url))).text();
}

/** Sends a form, with proof at the identity provider in between. */
async function sendWithProof(person: Person, path: string, action: string, values: Record<string, string>) {
  const form = formOn(await (await person.visit(path)).text(), action);
  const asked = await (await person.submit(form, values)).text();
  assert.match(asked, /Continue with Company/);
  const done = await signInAgain(person, asked, action);
  assert.match(done, /Identity confirmed/);
  return (await person.submit(formOn(done, action), {})).text();
}

const changes: Record<string, { path: string; action: string; values?: Record<string, string>; done: RegExp }> = {
  'deletes the account': { path: '/account/delete', action: '/account/delete', done: /deleted/i },
  'asks for another email address': {
    path: '/account/email',
    action: '/account/email',
    values: { email: 'ada@new.example' },
    done: /ada@new\.example/,
  },
};
const administrative: typeof changes = {
  'creates an API key': {
    path: '/admin/keys',
    action: '/admin/keys',
    values: { name: 'backup', permission: 'read' },
    done: /Authorization: Bearer/,
  },
};

describe('someone without a password', () => {
  for (const [name, { path, action, values = {}, done }] of Object.entries(changes)) {
    test(name, async () => {
      const { person } = await newcomer();
      assert.match(await sendWithProof(person, path, action, values), done);
    });
  }

  for (const [name, { path, action, values = {}, done }] of Object.entries(administrative)) {
    test(`as an administrator, ${name}`, async () => {
      const { person, id } = await newcomer();
      await makeAdministrator(service.running.services, { id }, requester);
      assert.match(await sendWithProof(person, path, action, values), done);
    });
  }

  test('adds an authenticator app and removes it, each with proof', async () => {
    const { person } = await newcomer();
    const page = await (await person.visit('/account/authenticator')).text();
    await signInAgain(person, await (await person.visit('/account/proof')).text(), '/account/proof');
    assert.match(page, /Continue with Company|code class="key"/);
    const app = await turnOn(service, person);
    service.clock.advance(16 * 60);
    const form = formOn(await (await person.visit('/account/security')).text(), '/account/authenticator/remove');
    const asked = await (await person.submit(form, {})).text();
    const step = await signInAgain(person, asked, '/account/authenticator/remove');
    // The identity provider's word is one factor: the app's code is the other.
    const done = await (await person.submit(formOn(step, '/sign-in/proof'), { code: codeOf(service, app) })).text();
    await person.submit(formOn(done, '/account/authenticator/remove'), {});
    assert.equal(
      readForm(await (await person.visit('/account/security')).text(), '/account/authenticator/remove'),
      undefined,
    );
  });

  test("can't remove the last way in, whatever it is", async () => {
    const { person, id } = await newcomer();
    await signInAgain(person, await (await person.visit('/account/proof')).text(), '/account/proof');
    assert.equal((await register(person, new SoftwareAuthenticator(service.url))).status, 200);
    const security = async () => (await person.visit('/account/security')).text();
    const before = await security();
    const unlink = formOn(before, '/account/identities/unlink');
    const remove = formOn(before, '/account/passkeys/remove');
    assert.match(await (await person.submit(unlink, {})).text(), /Account unlinked\./);
    assert.match(await security(), /This is your only way to sign in\. Set a password or add another passkey/);
    assert.equal(readForm(await security(), '/account/passkeys/remove'), undefined);
    const refused = await person.submit(remove, {});
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /role="alert"[\s\S]*This is your only way to sign in\./);
    const { passkeys } = await service.running.services.storage.findSignInFacts(id, undefined);
    assert.equal(passkeys.length, 1);

    // The button that removes all other access doesn't lock its owner out either.
    const all = await post(person, '/account/review', { ...remove.fields, review: 'remove' });
    assert.match(all.headers.get('location') ?? '', /done=not-possible/);
    assert.equal((await service.running.services.storage.findSignInFacts(id, undefined)).passkeys.length, 1);

    assert.equal((await register(person, new SoftwareAuthenticator(service.url))).status, 303);
    assert.match(await (await person.submit(remove, {})).text(), /Passkey removed\./);
  });

  test('sees the upstream in the review after a reset, and can only unlink it with proof', async () => {
    const { person, id, email } = await newcomer();
    const password = 'a phrase of my own';
    await person.submit(formOn(await (await person.visit('/reset-password')).text(), '/reset-password'), { email });
    const link = await linkFor(service, email);
    await person.submit(await formIn(await person.visit(link)), { password });
    const entry = formOn(await (await person.visit('/sign-in')).text(), '/sign-in');
    const review = await (await person.submit(entry, { email, password })).text();
    assert.match(review, /Review your account/);
    assert.ok(review.includes(`Company (${email})`));
    const form = { ...formOn(review, '/account/review') };
    const remove = { ...form, fields: { ...form.fields, review: 'remove' } };
    service.clock.advance(16 * 60);
    const asked = await person.submit(remove, {});
    const { storage } = service.running.services;
    assert.equal((await storage.listIdentities(id)).length, 1);
    await person.submit(formOn(await asked.text(), '/account/review'), { password });
    assert.deepEqual(await storage.listIdentities(id), []);
    assert.equal((await service.events('identity_unlinked')).at(-1)?.userId, id);
  });

  test('sets up a second factor in a session when a policy requires it', async () => {
    const { services } = service.running;
    const { person } = await newcomer();
    await changeSettings(services, { second_factor: 'everyone' }, requester);
    service.clock.advance(3);
    try {
      const asked = await (await person.visit('/account')).text();
      assert.match(asked, /Set up two-step verification/);
      const page = await signInAgain(person, asked, '/sign-in/verify/proof');
      assert.doesNotMatch(page, /type="password"/);
      const code = codeOf(service, keyOn(page));
      const done = await (await person.submit(formOn(page, '/sign-in/verify/set-up'), { code })).text();
      assert.match(done, /recovery codes/i);
      assert.equal((await person.request('/account')).status, 200);
      const stranded = await newcomerWithoutFactor();
      await disableUpstream(services, 'company', requester);
      assert.match(await (await stranded.visit('/account')).text(), /Set a password by email/);
    } finally {
      await enableUpstream(services, 'company', requester);
      await changeSettings(services, { second_factor: 'optional' }, requester);
      service.clock.advance(3);
    }
  });
});

/** A session from before the policy. */
async function newcomerWithoutFactor(): Promise<Person> {
  const { services } = service.running;
  await changeSettings(services, { second_factor: 'optional' }, requester);
  service.clock.advance(3);
  const { person } = await newcomer();
  await changeSettings(services, { second_factor: 'everyone' }, requester);
  service.clock.advance(3);
  return person;
}
