// People whose passwords another service has hashed: the first sign-in replaces the hash together with the session, and
// refusals don't tell who they are.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sealSecret } from '../../../src/operations/second-factors/authenticator-secret.ts';
import { newAuthenticatorSecret } from '../../../src/operations/second-factors/second-factors.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { newId, newSecret } from '../../../src/protocol/identifiers.ts';
import { readHashString } from '../../../src/protocol/sign-in/hash-sources/strings.ts';
import { scrape } from '../../harness/metrics.ts';
import { formIn, Person } from '../../harness/person.ts';
import { finishSetUp, setPolicy, setUpOn } from '../../harness/policy.ts';
import { proofAsked } from '../../harness/proof.ts';
import { alignToStep, codeOf, isSignedIn, tryCode, wrongCode } from '../../harness/second-factors.ts';
import { freePort, requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { askToReset, statusOfSignIn } from '../../harness/sign-up.ts';
import { linkFor } from '../../harness/store.ts';

// Both of "lètmein", made with libxcrypt and with Python's hashlib.
const hashes = {
  bcrypt: '$2b$05$abcdefghijklmnopqrstuu2c1e4vZoCxDVRU9N6VCSSmNg4cQa1Ve',
  pbkdf2: 'pbkdf2_sha256$1000$seasalt$JgZryXe2Ga8ysg6XbzkLpTdyPQrHqsinbL9BnnhgX4A=',
};
const password = 'lètmein';
const newPassword = 'another phrase of mine';
const argon2id = /^\$argon2id\$v=19\$/;

let service: TestService;
let metricsPort: number;
/** How long refusals have waited. Time stands still for them, so it is all of the delay. */
let waits: number[] = [];
before(async () => {
  const stopwatch = { now: () => 0, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  metricsPort = await freePort();
  service = await startTestService({ LATCHKEY_METRICS_PORT: String(metricsPort) }, { stopwatch });
});
after(() => service.stop());
beforeEach(async () => {
  waits = [];
  service.clock.advance(20 * 60);
  alignToStep(service);
  await setPolicy(service, 'optional');
});

/** Somebody who has been imported. */
async function newcomer(text: keyof typeof hashes | `$2${string}` = 'pbkdf2', typed = password): Promise<TestUser> {
  const reading = readHashString(text in hashes ? hashes[text as keyof typeof hashes] : text);
  assert.ok(reading.kind === 'accepted');
  const { storage, random, journal } = service.running.services;
  const { record } = await service.newUser();
  const id = newId(random);
  const user = { ...record, id, email: `${id}@example.test`, passwordHash: reading.stored };
  await storage.createUser(user, journal.event({ kind: 'user_created', userId: id }, requester));
  return { id, email: user.email, password: typed, record: user };
}

const hashOf = async ({ id }: TestUser) => (await service.running.services.storage.findUser(id))?.passwordHash ?? '';

async function assertReplaced(user: TestUser): Promise<void> {
  assert.match(await hashOf(user), argon2id);
  service.clock.advance(60);
}

async function addApp(user: TestUser): Promise<{ secret: Uint8Array }> {
  const { services } = service.running;
  const secret = newAuthenticatorSecret(services);
  const event = services.journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: 0 };
  const now = services.clock.now();
  assert.ok(await services.storage.enableAuthenticator(user.id, authenticator, [], now, event));
  return { secret };
}

/** A session that was started without the password, as a passkey starts one, in a browser that is trusted. */
async function sessionOf(user: TestUser): Promise<Person> {
  const { storage, random, clock } = service.running.services;
  const [secret, mark] = [newSecret('lks_', random), newSecret('lkd_', random)];
  const now = clock.now();
  const session = {
    digest: digestOf(secret),
    userId: user.id,
    userGeneration: user.record.generation,
    amr: ['pop', 'user', 'mfa'],
    createdAt: now,
    lastSeenAt: now,
    authTime: now,
    provenAt: 0,
    answered: null,
    device: null,
    address: null,
    kept: true,
    trusted: false,
    id: null,
  };
  const trustedUntil = now + 24 * 60 * 60 * 1000;
  assert.ok(
    await storage.startSession({
      session,
      sessionGeneration: user.record.sessionGeneration,
      deviceDigest: digestOf(mark),
      trustedUntil,
    }),
  );
  const person = new Person(service);
  person.cookies.set('latchkey_session', secret);
  person.cookies.set('latchkey_device', mark);
  return person;
}

async function refused(person: Person, user: Pick<TestUser, 'email' | 'password'>): Promise<void> {
  const form = await formIn(await person.visit('/sign-in'));
  const response = await person.submit(form, { email: user.email, password: user.password });
  assert.match(await response.text(), /Incorrect email or password\./);
}

describe('the session and the new hash are one write', () => {
  for (const algorithm of ['bcrypt', 'pbkdf2'] as const) {
    test(`after a password hashed with ${algorithm}`, async () => {
      const user = await newcomer(algorithm);
      const replaced = async () => (await scrape(metricsPort)).of('latchkey_foreign_hashes_replaced_total');
      const before = await replaced();
      const person = new Person(service);
      await person.signIn(user);
      assert.ok(await isSignedIn(person));
      await assertReplaced(user);
      assert.equal(await replaced(), before + 1);
      const again = new Person(service);
      await again.signIn(user);
      assert.ok(await isSignedIn(again));
      assert.ok(await isSignedIn(person), 'the first session goes on');
    });
  }

  test('in a trusted browser', async () => {
    const user = await newcomer();
    await addApp(user);
    const person = await sessionOf(user);
    person.cookies.delete('latchkey_session');
    await person.signIn(user);
    assert.ok(await isSignedIn(person));
    await assertReplaced(user);
  });

  test('after the second step, and not before', async () => {
    const user = await newcomer();
    const app = await addApp(user);
    const person = new Person(service);
    const form = await formIn(await person.signIn(user), '/sign-in/second-step');
    const [encoded = ''] = form.fields.pending?.split('.') ?? [];
    assert.doesNotMatch(Buffer.from(encoded, 'base64url').toString(), /argon2/, 'the browser must not see the hash');
    await tryCode({ person, form }, wrongCode(service, app));
    assert.equal(await hashOf(user), user.record.passwordHash);
    await tryCode({ person, form }, codeOf(service, app));
    assert.ok(await isSignedIn(person));
    await assertReplaced(user);
    await formIn(await new Person(service).signIn(user), '/sign-in/second-step');
  });

  test('after setting up the factor that a policy requires', async () => {
    await setPolicy(service, 'everyone');
    const user = await newcomer();
    const person = new Person(service);
    const setUp = await setUpOn(await person.signIn(user));
    assert.equal(await hashOf(user), user.record.passwordHash);
    await finishSetUp(service, person, setUp);
    assert.ok(await isSignedIn(person));
    await assertReplaced(user);
  });

  test('a password set during the second step stays, and the sign-in fails', async () => {
    const user = await newcomer();
    const app = await addApp(user);
    const person = new Person(service);
    const form = await formIn(await person.signIn(user), '/sign-in/second-step');
    await setPassword(service.running.services, user.id, newPassword, requester);
    const hash = await hashOf(user);
    await tryCode({ person, form }, codeOf(service, app));
    assert.equal(await isSignedIn(person), false);
    assert.equal(await hashOf(user), hash);
  });

  test('two concurrent sign-ins both succeed', async () => {
    const user = await newcomer();
    const people = [new Person(service), new Person(service)];
    await Promise.all(people.map((person) => person.signIn(user)));
    for (const person of people) assert.ok(await isSignedIn(person));
    await assertReplaced(user);
  });

  test('the new hash covers the whole password, though bcrypt ignored the end', async () => {
    const typed = `${'0123456789'.repeat(7)}abcdefgh`;
    const user = await newcomer('$2b$04$abcdefghijklmnopqrstuuMtJwfagkGaCKZ.IMpPJzYjhgL/xnp2C', typed);
    await new Person(service).signIn(user);
    await assertReplaced(user);
    await refused(new Person(service), { ...user, password: typed.slice(0, 72) });
  });
});

describe('someone who signed in without the password', () => {
  test('can confirm it when asked, and change it', async () => {
    const user = await newcomer();
    const person = await sessionOf(user);
    const form = await formIn(await person.visit('/account/security'), '/account/password');
    const proof = await proofAsked(await person.submit(form, { new_password: newPassword }));
    await proofAsked(await person.submit(proof, { password: 'wrong' }), 400);
    assert.equal(await hashOf(user), user.record.passwordHash);
    await person.submit(proof, { password });
    await assertReplaced(user);
    assert.equal(await statusOfSignIn(service, user.email, newPassword), 200);
  });

  test('can reset it', async () => {
    const user = await newcomer();
    await askToReset(service, user.email);
    const person = new Person(service);
    await person.submit(await formIn(await person.visit(await linkFor(service, user.email))), {
      password: newPassword,
    });
    await assertReplaced(user);
    assert.equal(await statusOfSignIn(service, user.email, newPassword), 200);
  });
});

describe('while an imported hash exists', () => {
  test("every refusal is sent after the same delay, whoever it's about", async () => {
    const [imported, own, disabled, unread] = [
      await newcomer('bcrypt'),
      await service.newUser(),
      await newcomer(),
      await newcomer(),
    ];
    const { services } = service.running;
    await disableUser(services, disabled.id, requester);
    const event = services.journal.event({ kind: 'password_reset', userId: unread.id }, requester);
    await services.storage.setPasswordHash(unread.id, '', 0, event);
    const attempts: Record<string, Pick<TestUser, 'email' | 'password'>> = {
      'an unknown email address': { email: 'nobody@example.test', password },
      'a wrong password, hashed elsewhere': { ...imported, password: 'wrong' },
      'a wrong password, hashed here': { ...own, password: 'wrong' },
      'no password': unread,
      'somebody disabled': disabled,
      'a password that is too long': { ...imported, password: 'x'.repeat(300) },
    };
    for (const attempt of Object.values(attempts)) await refused(new Person(service), attempt);
    assert.equal(waits.length, Object.keys(attempts).length);
    assert.equal(new Set(waits).size, 1);
    const [delay = 0] = waits;
    assert.ok(delay >= (await services.passwords.costliestCheck()));
    assert.equal(delay % 250, 0);

    await new Person(service).signIn(own);
    await new Person(service).signIn(imported);
    assert.equal(waits.length, Object.keys(attempts).length, 'whoever signs in does not wait');
  });

  test('none is delayed once the last one is gone', async () => {
    const { storage, journal } = service.running.services;
    for (const { id, passwordHash } of await storage.listUsers()) {
      const event = journal.event({ kind: 'password_reset', userId: id }, requester);
      if (passwordHash.startsWith('foreign:')) await storage.setPasswordHash(id, '', 0, event);
    }
    service.clock.advance(2);
    await refused(new Person(service), { email: 'nobody@example.test', password });
    assert.deepEqual(waits, []);
  });
});
