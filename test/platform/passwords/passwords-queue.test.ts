// Many people at once: who waits for the hashing of passwords, who is turned away, and who is not affected at all.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Place } from '../../../src/platform/fair-queue.ts';
import { argon2Passwords, type Passwords, PasswordsBusy } from '../../../src/platform/passwords/passwords.ts';
import { signInCounters } from '../../../src/protocol/sign-in/throttle-rules.ts';
import { releaseTest } from '../../harness/lane.ts';
import { scrape } from '../../harness/metrics.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../../harness/relying-party.ts';
import { freePort, startTestService, type TestService } from '../../harness/service.ts';

describe('an urgent check', () => {
  const busy = (error: unknown) => error instanceof PasswordsBusy;
  let hash: string;
  before(async () => {
    hash = await argon2Passwords({ concurrency: 1, queue: 0 }).hash('right');
  });
  const queueOf = (limits: { concurrency: number; queue: number }): Passwords => argon2Passwords(limits);

  const stranger = (owner: string) => ({ owner, urgent: false });
  const known = (owner: string) => ({ owner, urgent: true });

  test('runs before earlier ones', async () => {
    const passwords = queueOf({ concurrency: 1, queue: 5 });
    const order: string[] = [];
    const check = (name: string, urgent: boolean) =>
      passwords.verify('right', hash, { owner: name, urgent }).then((right) => order.push(`${name} ${right}`));
    await Promise.all([
      check('running', false),
      check('stranger 1', false),
      check('stranger 2', false),
      check('known 1', true),
      check('known 2', true),
    ]);
    assert.deepEqual(order, ['running true', 'known 1 true', 'known 2 true', 'stranger 1 true', 'stranger 2 true']);
  });

  test('is accepted even if the other queue is full', async () => {
    const passwords = queueOf({ concurrency: 1, queue: 1 });
    const strangers = ['a', 'b'].map((owner) => passwords.verify('right', hash, stranger(owner)));
    await assert.rejects(passwords.verify('right', hash, stranger('c')), busy);
    await assert.rejects(passwords.hash('new'), busy);
    assert.equal(await passwords.verify('right', hash, known('d')), true);
    assert.deepEqual(await Promise.all(strangers), [true, true]);
  });

  test("has a limited queue, too, and doesn't take the others' places", async () => {
    const passwords = queueOf({ concurrency: 1, queue: 1 });
    const urgent = ['a', 'b'].map((owner) => passwords.verify('right', hash, known(owner)));
    await assert.rejects(passwords.verify('right', hash, known('c')), busy);
    const ordinary = passwords.verify('wrong', hash, stranger('d'));
    assert.deepEqual(await Promise.all([...urgent, ordinary]), [true, true, false]);
  });
});

describe('a place in the queue', () => {
  let service: TestService;
  const places: (Place | undefined)[] = [];
  before(async () => {
    service = await startTestService();
    const { passwords } = service.running.services;
    const [verify, hash] = [passwords.verify, passwords.hash];
    passwords.verify = (password, stored, place) => {
      places.push(place);
      return verify(password, stored, place);
    };
    passwords.hash = (password, place) => {
      places.push(place);
      return hash(password, place);
    };
  });
  after(() => service.stop());

  const placesOf = async (work: () => Promise<unknown>) => {
    places.length = 0;
    await work();
    return [...places];
  };

  test('is one for a person, however many known browsers they have, and urgent', async () => {
    const user = await service.newUser();
    const browsers = [new Person(service), new Person(service)];
    const signIn = async () => {
      for (const browser of browsers) {
        browser.cookies.delete('latchkey_session');
        await browser.signIn(user);
      }
    };
    assert.deepEqual(await placesOf(signIn), Array(2).fill({ owner: '127.0.0.1', urgent: false }));
    assert.deepEqual(await placesOf(signIn), Array(2).fill({ owner: user.id, urgent: true }));
  });

  test('is urgent for a new password of somebody who is signed in', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const form = readForm(await (await person.visit('/account/security')).text(), '/account/password');
    assert.ok(form);
    const change = () => person.submit(form, { new_password: 'a phrase of my own' });
    assert.deepEqual(await placesOf(change), [{ owner: user.id, urgent: true }]);
  });
});

describe('a flood of sign-ins', () => {
  let service: TestService;
  let metricsPort: number;
  before(async () => {
    metricsPort = await freePort();
    const settings = { LATCHKEY_TRUST_PROXY: '127.0.0.1,::1', LATCHKEY_METRICS_PORT: String(metricsPort) };
    service = await startTestService(settings, { realPasswordCost: true });
  });
  after(() => service.stop());

  releaseTest('gets 503 beyond a queue, while tokens are served and people in a known browser sign in', async () => {
    const client = await service.newClient();
    const user = await service.newUser();
    const { tokens, person: known } = await obtainTokens(service, client, user);
    known.cookies.delete('latchkey_session');
    const knownForm = await formIn(await known.visit('/sign-in'));

    const stranger = new Person(service);
    const form = await formIn(await stranger.visit('/sign-in'));
    // At most three are hashed at once and a hundred wait; each is another person at another place. There are many more,
    // so that a fast machine does not keep up with them.
    const flood = Array.from({ length: 300 }, (_, index) => ({
      email: `flood${index}@example.test`,
      from: `2001:db8:${index.toString(16)}::1`,
    }));
    let settled = 0;
    let isFull: () => void = () => {};
    const full = new Promise<void>((resolve) => {
      isFull = resolve;
    });
    const answers = flood.map(async ({ email, from }) => {
      const answer = await stranger.submit(form, { email, password: 'wrong password' }, { 'X-Forwarded-For': from });
      settled++;
      if (answer.status === 503) isFull();
      return { email, from, status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) };
    });

    await Promise.race([full, Promise.all(answers)]);
    const busy = await scrape(metricsPort);
    assert.ok(busy.of('latchkey_password_queue_length') > 0);
    assert.ok(busy.of('latchkey_passwords_running') > 0);
    for (let round = 0; round < 3; round++) {
      assert.equal((await userinfo(service, tokens.access_token)).status, 200);
      const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      assert.equal(refreshed.status, 200);
    }
    const signedIn = await known.submit(knownForm, { email: user.email, password: user.password });
    assert.equal(signedIn.status, 200);
    assert.match(await signedIn.text(), new RegExp(user.email));
    assert.ok(flood.length - settled > 50, `only ${flood.length - settled} were still waiting`);

    const outcomes = await Promise.all(answers);
    const turnedAway = outcomes.filter(({ status }) => status === 503);
    assert.ok(turnedAway.length > 0);
    assert.ok(turnedAway.every(({ retryAfter }) => retryAfter > 0));
    const calm = await scrape(metricsPort);
    assert.equal(calm.of('latchkey_passwords_refused_total'), turnedAway.length);
    assert.deepEqual([calm.of('latchkey_password_queue_length'), calm.of('latchkey_passwords_running')], [0, 0]);
    const checked = outcomes.filter(({ status }) => status === 400);
    assert.equal(checked.length + turnedAway.length, flood.length);
    assert.ok(checked.length > 100);

    const failuresOf = async ({ email, from }: { email: string; from: string }) => {
      const keys = signInCounters(email, from).map(({ key }) => key);
      const counts = await service.running.services.storage.countFailures(keys, 0);
      return counts.reduce((sum, { failures }) => sum + failures, 0);
    };
    for (const outcome of turnedAway) assert.equal(await failuresOf(outcome), 0, 'who was not checked has not failed');
    assert.equal(await failuresOf(checked[0] as { email: string; from: string }), 3);
  });
});
