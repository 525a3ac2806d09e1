// How often somebody can change how they sign in, how many ways in they can have, and that profile changes in quick
// succession are one event.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startAttempt } from '../../../src/operations/throttle.ts';
import { factorChangeCounters } from '../../../src/protocol/sign-in/throttle-rules.ts';
import { redPixel, signedIn, upload } from '../../harness/account.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { newHolder, passkeyForm, passkeysOf, register } from '../../harness/passkeys.ts';
import { formIn, Person } from '../../harness/person.ts';
import { alignToStep, codeOf, newOwner, post, securityPath, setUpPage } from '../../harness/second-factors.ts';
import type { TestUser } from '../../harness/service.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { addUpstream, allowLoopbackUpstreams, respond, start } from '../../harness/upstreams.ts';
import { newWebhook } from '../../harness/webhooks.ts';
import { anEvent, aPasskey } from '../../storage/records.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const service = serviceOfSuite(allowLoopbackUpstreams);
let provider: HostileUpstream;

before(async () => {
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider);
});
after(() => provider.stop());

/** Each test starts with no changes counted, at the beginning of a minute. */
beforeEach(() => {
  service.clock.advance(HOUR);
  service.clock.advance(MINUTE - (Math.floor(service.clock.now() / 1000) % MINUTE));
});

async function submit(person: Person, action: string, values: Record<string, string> = {}): Promise<Response> {
  const { fields } = await formIn(await person.visit(securityPath), action);
  return post(person, action, { ...fields, ...values });
}

/** The digest of their only session. */
const sessionOf = async ({ id }: TestUser) =>
  String((await service.rows('sessions')).find(({ user_id }) => user_id === id)?.digest);

/** Counts changes without making them. */
async function useUp({ id }: TestUser, changes: number): Promise<void> {
  const { services } = service.running;
  for (let change = 0; change < changes; change++) {
    assert.equal((await startAttempt(services, 'factor_change', factorChangeCounters(id))).kind, 'allowed');
  }
}

const newCodes = (person: Person) => submit(person, '/account/recovery-codes');

describe('changes to how somebody signs in', () => {
  test('are possible 20 times at once, then once a minute, each person by themselves', async () => {
    const { person, user } = await newHolder(service);
    const other = await newHolder(service);
    for (let change = 2; change <= 20; change++) assert.equal((await newCodes(person)).status, 200, String(change));
    const mails = (await mailsTo(service, user.email)).length;
    for (let again = 0; again < 3; again++) {
      const refused = await newCodes(person);
      assert.equal(refused.status, 429);
      const wait = Number(refused.headers.get('retry-after'));
      assert.ok(wait > 0 && wait <= MINUTE, `${wait} s`);
      assert.match(await refused.text(), /role="alert"[\s\S]*Too many attempts\. Try again in a minute\./);
    }
    assert.equal((await mailsTo(service, user.email)).length, mails);
    assert.equal((await newCodes(other.person)).status, 200);

    for (let minute = 0; minute < 2; minute++) {
      service.clock.advance(MINUTE);
      assert.equal((await newCodes(person)).status, 200);
      assert.equal((await newCodes(person)).status, 429);
    }
  });

  test('are limited for all kinds together', async () => {
    const { person, device, user } = await newHolder(service);
    await useUp(user, 19);
    const { form, secret } = await setUpPage(person);
    alignToStep(service);
    const app = await person.submit(form, { code: codeOf(service, { secret }) });
    const answers = [
      app,
      await register(person, new SoftwareAuthenticator(service.url)),
      await submit(person, '/account/passkeys/remove', { remove: device.id }),
      await newCodes(person),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [429, 429, 429, 429],
    );
    const owner = await newOwner(service);
    await useUp(owner.user, 20);
    assert.equal((await submit(owner.person, '/account/authenticator/remove')).status, 429);
  });

  test('are limited for linked accounts, too', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const linked = async () => (await service.running.services.storage.listIdentities(user.id)).length;
    const link = async () => {
      const form = await formIn(await person.visit(securityPath), '/account/identities/link');
      return respond(person, provider.authorize(await start(person, form)));
    };
    await useUp(user, 20);
    const mails = (await mailsTo(service, user.email)).length;
    const refused = await link();
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.deepEqual([await linked(), (await mailsTo(service, user.email)).length], [0, mails]);

    service.clock.advance(MINUTE);
    assert.match((await link()).url, /done=identity-linked$/);
    const unlink = await submit(person, '/account/identities/unlink');
    assert.equal(unlink.status, 429);
    assert.ok(Number(unlink.headers.get('retry-after')) > 0);
    assert.equal(await linked(), 1);
    service.clock.advance(MINUTE);
    assert.equal((await submit(person, '/account/identities/unlink')).status, 303);
    assert.equal(await linked(), 0);
  });

  test("sent at once don't exceed the limit", async () => {
    const { person } = await newHolder(service);
    const { fields } = await formIn(await person.visit(securityPath), '/account/recovery-codes');
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post(person, '/account/recovery-codes', fields)),
    );
    const done = answers.filter(({ status }) => status === 200).length;
    assert.ok(done > 0 && done <= 19, `${done} took place`);
    assert.equal(answers.filter(({ status }) => status === 429).length, 40 - done);
    for (let change = done; change < 19; change++) assert.equal((await newCodes(person)).status, 200);
    assert.equal((await newCodes(person)).status, 429);
    service.clock.advance(MINUTE);
    assert.equal((await newCodes(person)).status, 200);
    assert.equal((await newCodes(person)).status, 429);
  });

  test("that don't take place aren't counted", async () => {
    const { person } = await newHolder(service);
    const { form } = await setUpPage(person);
    for (let again = 0; again < 25; again++) {
      assert.equal((await post(person, form.action, { ...form.fields, code: '000000' })).status, 400);
      assert.equal((await submit(person, '/account/passkeys/remove', { remove: 'AAAA' })).status, 303);
    }
    assert.equal((await newCodes(person)).status, 200);
  });
});

describe('the number of ways in', () => {
  test('is at most 20 passkeys', async () => {
    const { person, user } = await newHolder(service);
    const { storage } = service.running.services;
    const add = async () =>
      storage.addPasskey(aPasskey(user.record), undefined, anEvent(), undefined, await sessionOf(user));
    for (let number = 2; number < 20; number++) assert.ok(await add());
    const form = await passkeyForm(person);
    const answers = await Promise.all([1, 2].map(() => register(person, new SoftwareAuthenticator(service.url))));
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('location')).filter((each) => each?.endsWith('passkey-added')).length,
      1,
    );
    assert.equal((await passkeysOf(service, user)).length, 20);

    const options = await post(person, `${form.action}/options`, form.fields);
    assert.equal(options.status, 400);
    assert.match(((await options.json()) as { problem: string }).problem, /limit of 20 passkeys/);
    const page = await (await person.visit(securityPath)).text();
    assert.match(page, /limit of 20 passkeys/);
    assert.doesNotMatch(page, /data-passkey="create"/);
    assert.equal(await add(), false);
  });

  test('is at most 10 linked accounts, and somebody who has more keeps them', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const { fields } = await formIn(await person.visit(securityPath), '/account/identities/link');
    const { storage, clock } = service.running.services;
    const session = (await storage.findSession(await sessionOf(user), service.clock.now()))?.session;
    assert.ok(session);
    const { sessionGeneration } = user.record;
    const link = (number: number, limit: number) => {
      const identity = { issuer: provider.issuer, subject: `sub ${number}`, email: null, lastUsedAt: null };
      const own = { ...identity, userId: user.id, linkedAt: clock.now() };
      return storage.linkIdentity(own, session, sessionGeneration, limit, anEvent());
    };
    // Two that end when there's room for one.
    const browsers = [person, await signedIn(service, user)];
    const begun = await Promise.all(
      browsers.map(async (browser) =>
        start(browser, await formIn(await browser.visit(securityPath), '/account/identities/link')),
      ),
    );
    for (let number = 1; number <= 9; number++) assert.ok(await link(number, 9));
    const ends = [];
    for (const [index, browser] of browsers.entries()) {
      provider.person = { ...provider.person, sub: `browser ${index}` };
      ends.push((await respond(browser, provider.authorize(begun[index] ?? ''))).status);
    }
    assert.deepEqual(ends, [200, 409]);
    assert.equal((await storage.listIdentities(user.id)).length, 10);

    for (let number = 11; number <= 12; number++) assert.ok(await link(number, 12));
    const refused = await post(person, '/account/identities/link', fields);
    assert.equal(refused.status, 409);
    const page = await refused.text();
    assert.match(page, /limit of 10 linked accounts/);
    assert.equal(page.match(/action="\/account\/identities\/unlink"/g)?.length, 12);
    assert.doesNotMatch(page, /action="\/account\/identities\/link"/);
  });
});

describe('the profile, changed again and again', () => {
  test('is one event a minute, and the last change is what its webhook message is about', async () => {
    await newWebhook(service, { types: ['user.updated'] });
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const form = await formIn(await person.visit('/account/profile'), '/account/profile');
    const own = async (kind: 'profile_changed' | 'picture_changed') =>
      (await service.events(kind)).filter(({ userId }) => userId === user.id);
    const save = (name: string, locale = '') => person.submit(form, { name, locale });

    const begun = service.clock.now();
    const pick = (language: string) => post(person, '/language', { language, return_to: '/account' });
    for (let change = 0; change < 10; change++) {
      assert.equal((await save(`Ada ${change}`, change % 2 === 0 ? 'de' : 'en')).status, 200);
      assert.equal((await pick('fr')).status, 303);
      service.clock.advance(5);
    }
    assert.equal((await own('profile_changed')).length, 1);
    const messages = (await service.rows('webhook_deliveries')).filter(({ user_id }) => user_id === user.id);
    assert.deepEqual(
      messages.map(({ next_attempt_at }) => Number(next_attempt_at)),
      [begun + MINUTE * 1000],
    );
    assert.equal((await service.running.services.storage.findUser(user.id))?.name, 'Ada 9');
    assert.equal((await service.running.services.storage.findUser(user.id))?.locale, 'fr');
    service.clock.advance(10);
    await save('Ada Lovelace');
    assert.equal((await own('profile_changed')).length, 2);

    for (let shade = 0; shade < 5; shade++) {
      const { status } = await upload(person, { ...form.fields, picture: redPixel(shade) });
      assert.equal(status, 303);
    }
    assert.equal((await own('picture_changed')).length, 1);
  });
});

test('a wrong password makes the service read no second factors', async (t) => {
  const user = await service.newUser();
  const read = t.mock.method(service.running.services.storage, 'findSignInFacts');
  const attempt = { ...user, password: 'wrong' };
  for (let again = 0; again < 12; again++) await new Person(service).signIn(attempt);
  assert.equal(read.mock.callCount(), 0);
});
