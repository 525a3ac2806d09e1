// "Keep me signed in": without it the session ends with the browser and after 24 hours, with it after 14 idle days or 30
// days in all.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { signedIn } from '../../harness/account.ts';
import { newHolder, offered, secondStepOffered } from '../../harness/passkeys.ts';
import { type Form, formIn, Person } from '../../harness/person.ts';
import { setPolicy, setUpOn } from '../../harness/policy.ts';
import { alignToStep, codeOf, isSignedIn, newOwner, post, wrongCode } from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { askToSignUp, name, newAddress, password } from '../../harness/sign-up.ts';
import { linkFor } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { sweep } from '../../harness/sweep.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
beforeEach(() => alignToStep(service));

/** Submits the form of a sign-in and returns the lifetime of the session's cookie in seconds; 0 is the browser's. */
async function lifetimeAfter(
  person: Person,
  { action, fields }: Form,
  values: Record<string, string>,
): Promise<number> {
  const response = await post(person, action, { ...fields, ...values });
  assert.equal(response.status, 303, await response.text());
  return lifetimeIn(response);
}

function lifetimeIn(response: Response): number {
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('latchkey_session=')) ?? '';
  assert.match(cookie, /^latchkey_session=lks_/);
  return Number(/Max-Age=(\d+)/i.exec(cookie)?.[1] ?? 0);
}

const sessionsOf = async ({ id }: TestUser) => (await service.rows('sessions')).filter((row) => row.user_id === id);

/** How somebody signs in, from the form that has the box to the form that ends it. */
const ways: Record<string, (boxes: Record<string, string>) => Promise<number>> = {
  'a password': async (boxes) => {
    const user = await service.newUser();
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'), '/sign-in');
    return lifetimeAfter(person, form, { email: user.email, password: user.password, ...boxes });
  },
  'a password, after a wrong one': async (boxes) => {
    const user = await service.newUser();
    const person = new Person(service);
    const first = await formIn(await person.visit('/sign-in'), '/sign-in');
    const again = await person.submit(first, { email: user.email, password: 'wrong', ...boxes });
    const page = await again.text();
    const ticked = /<input id="keep"[^>]* checked>/.test(page);
    assert.equal(ticked, 'keep' in boxes);
    const form = await formIn(new Response(page), '/sign-in');
    const values = { email: user.email, password: user.password };
    return lifetimeAfter(person, form, { ...values, ...(ticked && { keep: 'yes' }) });
  },
  'a password and a code, after a wrong one': async (boxes) => {
    const owner = await newOwner(service);
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'), '/sign-in');
    const { email, password } = owner.user;
    const step = await formIn(await person.submit(form, { email, password, ...boxes }), '/sign-in/second-step');
    const again = await formIn(await person.submit(step, { code: wrongCode(service, owner) }), '/sign-in/second-step');
    return lifetimeAfter(person, again, { code: codeOf(service, owner) });
  },
  'a second factor that is set up on the way': async (boxes) => {
    await setPolicy(service, 'everyone');
    const user = await service.newUser();
    const person = new Person(service);
    const { form, secret } = await setUpOn(await person.signIn(user, boxes));
    const response = await post(person, form.action, { ...form.fields, code: codeOf(service, { secret }) });
    await setPolicy(service, 'optional');
    return lifetimeIn(response);
  },
  'a passkey': async (boxes) => {
    const { device } = await newHolder(service);
    const { person, form, challenge } = await offered(service);
    const answer = { answer: device.get(challenge), challenge: challenge.challenge };
    return lifetimeAfter(person, form, { ...answer, ...boxes });
  },
};

describe('a sign-in', () => {
  for (const [way, go] of Object.entries(ways)) {
    test(`with ${way} is kept only if chosen`, async () => {
      assert.equal(await go({}), 0);
      assert.equal(await go({ keep: 'yes' }), 30 * DAY);
    });
  }

  test("has the box unticked, and the second step can't change the choice", async () => {
    const page = await (await new Person(service).visit('/sign-in')).text();
    assert.match(page, /<input id="keep" name="keep" type="checkbox" value="yes"> Keep me signed in/);
    const holder = await newHolder(service);
    const { person, form, challenge } = await secondStepOffered(service, holder.user);
    // What the form carries can't be ticked on the way.
    const answer = { answer: holder.device.get(challenge), challenge: challenge.challenge, keep: 'yes' };
    assert.equal(await lifetimeAfter(person, form, answer), 0);
  });

  test('after signing up is not kept', async () => {
    const email = newAddress();
    await askToSignUp(service, email);
    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(service, email)));
    assert.equal(await lifetimeAfter(person, form, { name, password, keep: 'yes' }), 0);
  });
});

describe('a session that is not kept', () => {
  test('ends after 24 hours despite use, is no longer listed, and is swept', async () => {
    const user = await service.newUser();
    const [brief, kept] = [await signedIn(service, user), new Person(service)];
    await kept.signIn(user, { keep: 'yes' });
    const listed = async () => {
      const page = await (await kept.visit('/account/sessions')).text();
      return page.split('class="thing-name"').length - 1;
    };
    for (let hour = 0; hour < 23; hour++) {
      service.clock.advance(HOUR);
      assert.ok(await isSignedIn(brief), `after ${hour + 1} hours`);
      await service.running.services.journal.flush();
    }
    assert.equal(await listed(), 2);
    service.clock.advance(HOUR);
    assert.equal(await isSignedIn(brief), false);
    assert.equal(await listed(), 1);
    service.clock.advance(DAY);
    await sweep(service, 'test');
    assert.deepEqual(
      (await sessionsOf(user)).map((row) => Number(row.kept)),
      [1],
    );
    assert.ok(await isSignedIn(kept));
  });

  test('stays so with the new secret after a password change', async () => {
    for (const boxes of [{}, { keep: 'yes' }] as const) {
      const user = await service.newUser();
      const person = new Person(service);
      await person.signIn(user, boxes);
      const form = await formIn(await person.visit('/account/security'), '/account/password');
      const lifetime = await lifetimeAfter(person, form, { new_password: 'another phrase of mine' });
      assert.equal(lifetime, 'keep' in boxes ? 30 * DAY : 0);
      assert.equal(Number((await sessionsOf(user))[0]?.kept), 'keep' in boxes ? 1 : 0);
    }
  });
});

describe('the settings say how long sessions last', () => {
  const lengths = { session_hours: 24, kept_session_days: 30, kept_session_idle_days: 14 };
  const change = (to: Partial<typeof lengths>) => changeSettings(service.running.services, to, requester);
  after(() => change(lengths));

  test('for existing and new sessions', async () => {
    const user = await service.newUser();
    const brief = await signedIn(service, user);
    const kept = new Person(service);
    await kept.signIn(user, { keep: 'yes' });
    await change({ session_hours: 2, kept_session_days: 5, kept_session_idle_days: 1 });
    service.clock.advance(2 * HOUR - 1);
    assert.ok(await isSignedIn(brief));
    service.clock.advance(1);
    assert.equal(await isSignedIn(brief), false);
    assert.equal(await ways['a password']?.({ keep: 'yes' }), 5 * DAY);
    assert.ok(await isSignedIn(kept));
    await service.running.services.journal.flush();
    service.clock.advance(DAY);
    assert.equal(await isSignedIn(kept), false);
  });
});
