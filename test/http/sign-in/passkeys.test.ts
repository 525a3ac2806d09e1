// Signing in with a passkey, alone or as the second step.

import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import {
  answer,
  challengeFor,
  type Holder,
  newHolder,
  offered,
  passkeysOf,
  secondStepOffered,
} from '../../harness/passkeys.ts';
import { formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import {
  alignToStep,
  assertRefused,
  eventsOf,
  exchangedIdToken,
  idTokenOf,
  isSignedIn,
  lastEventOf,
  post,
  reachSecondStep,
  tryCode,
} from '../../harness/second-factors.ts';
import { requester, type TestClient } from '../../harness/service.ts';
import { flag, type Lies, sha256 } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const session = 'latchkey_session';

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep(service);
});

describe('signing in with a passkey', () => {
  let holder: Holder;
  before(async () => {
    holder = await newHolder(service);
  });

  test("it needs no password or username, and is in the ID token's amr", async () => {
    const verifier = newVerifier();
    const offer = await offered(service, new Person(service), authorizePath(client, verifier));
    assert.equal(offer.challenge.options.rpId, 'localhost');
    assert.equal(offer.challenge.options.userVerification, 'required');
    assert.equal(offer.challenge.options.allowCredentials ?? undefined, undefined);
    const consent = await answer(offer, holder.device.get(offer.challenge));
    const form = await formIn(consent, '/oauth-authorize/decision');
    const token = await exchangedIdToken(
      service,
      client,
      await offer.person.submit(form, { decision: 'approve' }),
      verifier,
    );
    assert.equal(token.sub, holder.user.id);
    assert.deepEqual(token.amr, ['pop', 'user', 'mfa']);
    assert.equal(
      (await eventsOf(service, holder.user)).find(({ kind, method }) => kind === 'signed_in' && method === 'passkey')
        ?.kind,
      'signed_in',
    );
    const [row] = await passkeysOf(service, holder.user);
    assert.ok(Number(row?.last_used_at) > Number(row?.created_at));
  });

  test('it satisfies prompt=login', async () => {
    const person = new Person(service);
    await answer(await offered(service, person), '');
    const first = await offered(service, person);
    await answer(first, holder.device.get(first.challenge));
    const verifier = newVerifier();
    const offer = await offered(service, person, authorizePath(client, verifier, { prompt: 'login' }));
    let response = await answer(offer, holder.device.get(offer.challenge));
    if (response.status === 200) {
      response = await person.submit(await formIn(response, '/oauth-authorize/decision'), { decision: 'approve' });
    }
    assert.deepEqual((await exchangedIdToken(service, client, response, verifier)).amr, ['pop', 'user', 'mfa']);
  });

  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const bent = (change: Record<string, unknown>): Lies => ({
    bend: (given) => ({ ...given, response: { ...given.response, ...change } }),
  });
  const lies: Record<string, Lies> = {
    'of another site': { origin: 'https://evil.example' },
    'of another port': { origin: 'http://localhost:1' },
    'of a site whose name begins like ours': { origin: 'http://localhost.evil.example' },
    'for another service': { rpId: 'evil.example' },
    'to another challenge': { challenge: randomBytes(32).toString('base64url') },
    'to no challenge': { challenge: '' },
    'that is a registration': { type: 'webauthn.create' },
    'signed by another key': { key: otherKey },
    'without verification of the person': { flags: flag.present },
    'without presence of the person': { flags: flag.verified },
    'without any flag': { flags: 0 },
    'of an unknown passkey': { id: randomBytes(32).toString('base64url') },
    'with an empty signature': bent({ signature: '' }),
    'with a signature over something else': bent({
      signature: sign('sha256', Buffer.from('x'), otherKey).toString('base64url'),
    }),
    'with data that was exchanged afterwards': bent({
      authenticatorData: Buffer.concat([sha256('localhost'), Buffer.from([5, 0, 0, 0, 9])]).toString('base64url'),
    }),
    'for another id inside': { bend: (given) => ({ ...given, rawId: 'AAAA' }) },
    'of another kind': { bend: (given) => ({ ...given, type: 'password' }) },
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(`a response ${name} is refused`, async () => {
      const offer = await offered(service);
      await assertRefused(offer.person, await answer(offer, holder.device.get(offer.challenge, lie)), 400);
      const [failed] = (await service.events('sign_in_failed')).slice(-1);
      assert.equal(failed?.detail?.reason, 'wrong_passkey');
      await answer(offer, holder.device.get(offer.challenge));
      assert.ok(await isSignedIn(offer.person), 'and the true answer is accepted after it');
    });
  }

  test("another browser's challenge is refused", async () => {
    const [mine, theirs] = [await offered(service), await offered(service)];
    const given = holder.device.get(theirs.challenge);
    await assertRefused(mine.person, await answer({ ...mine, challenge: theirs.challenge }, given), 400);
    await assertRefused(mine.person, await answer(mine, given), 400);
    const stranger = new Person(service);
    await assertRefused(stranger, await answer({ ...theirs, person: stranger }, given), 403);
    for (const ticket of ['', 'x', `${theirs.challenge.challenge}x`, mine.form.fields.continue ?? '']) {
      const response = await theirs.person.submit(theirs.form, { answer: given, challenge: ticket });
      await assertRefused(theirs.person, response, 400);
    }
    await answer(theirs, given);
    assert.ok(await isSignedIn(theirs.person));
  });

  test('a challenge can be answered once, also concurrently', async () => {
    const offer = await offered(service);
    const fields = {
      ...offer.form.fields,
      answer: holder.device.get(offer.challenge),
      challenge: offer.challenge.challenge,
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(offer.person, offer.form.action, fields)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    offer.person.cookies.delete(session);
    await assertRefused(offer.person, await post(offer.person, offer.form.action, fields), 400);
  });

  test('a challenge expires after five minutes', async () => {
    const [late, soon] = [await offered(service), await offered(service)];
    service.clock.advance(5 * MINUTE - 5);
    await answer(soon, holder.device.get(soon.challenge));
    assert.ok(await isSignedIn(soon.person));
    service.clock.advance(5);
    await assertRefused(late.person, await answer(late, holder.device.get(late.challenge)), 400);
  });

  test('a counter that goes back, or stops after having counted, is refused', async () => {
    const counting = await newHolder(service);
    const use = async (counter: number) => {
      const offer = await offered(service);
      const response = await answer(offer, counting.device.get(offer.challenge, { counter }));
      return { person: offer.person, response };
    };
    assert.ok(await isSignedIn((await use(7)).person));
    for (const counter of [7, 6, 0]) {
      const { person, response } = await use(counter);
      await assertRefused(person, response, 400);
    }
    assert.ok(await isSignedIn((await use(8)).person));
  });

  test("a disabled person's passkey is refused, and the event says why", async () => {
    const stopped = await newHolder(service);
    await disableUser(service.running.services, stopped.user.email, requester);
    const offer = await offered(service);
    await assertRefused(offer.person, await answer(offer, stopped.device.get(offer.challenge)), 400);
    assert.equal((await lastEventOf(service, stopped.user))?.reason, 'disabled');
  });

  test('a form from another site is refused', async () => {
    const offer = await offered(service);
    const values = { answer: holder.device.get(offer.challenge), challenge: offer.challenge.challenge };
    const response = await offer.person.submit(offer.form, values, { Origin: 'https://evil.example' });
    await assertRefused(offer.person, response, 403);
  });
});

describe('a passkey as the second step', () => {
  let holder: Holder;
  before(async () => {
    holder = await newHolder(service);
  });

  test("it completes a sign-in that began with the password, and is in the ID token's amr", async () => {
    const token = await idTokenOf(service, client, new Person(service), holder.user, {}, async ({ person, form }) => {
      const challenge = await challengeFor(person, form);
      const allowed = challenge.options.allowCredentials as { id: string }[];
      assert.deepEqual(
        allowed.map(({ id }) => id),
        [holder.device.id],
      );
      return answer({ person, form, challenge }, holder.device.get(challenge));
    });
    assert.deepEqual(token.amr, ['pwd', 'pop', 'mfa']);
  });

  test('a recovery code can be used instead', async () => {
    const step = await reachSecondStep(service, holder.user);
    await assertRefused(step.person, await tryCode(step, '123456'), 400);
    await tryCode(step, holder.recoveryCodes[0] ?? '');
    assert.ok(await isSignedIn(step.person));
  });

  test("another person's passkey is refused", async () => {
    const thief = await newHolder(service);
    const offer = await secondStepOffered(service, holder.user);
    await assertRefused(offer.person, await answer(offer, thief.device.get(offer.challenge)), 400);
    assert.equal((await lastEventOf(service, holder.user))?.reason, 'wrong_second_step');
    const under = thief.device.get(offer.challenge, { id: holder.device.id });
    await assertRefused(offer.person, await answer(offer, under), 400);
  });

  test('its challenge needs the password first, and can be answered once', async () => {
    const offer = await secondStepOffered(service, holder.user);
    const stranger = await reachSecondStep(service, holder.user);
    const foreign = await post(stranger.person, '/sign-in/second-step/options', offer.form.fields);
    assert.equal(foreign.status, 403);
    const given = holder.device.get(offer.challenge);
    await assertRefused(stranger.person, await answer({ ...offer, ...stranger }, given), 400);
    const fields = { ...offer.form.fields, answer: given, challenge: offer.challenge.challenge };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(offer.person, offer.form.action, fields)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  });

  test('an expired challenge, and a response without user verification, are refused', async () => {
    const offer = await secondStepOffered(service, holder.user);
    const unverified = holder.device.get(offer.challenge, { flags: flag.present });
    await assertRefused(offer.person, await answer(offer, unverified), 400);
    service.clock.advance(5 * MINUTE);
    await assertRefused(offer.person, await answer(offer, holder.device.get(offer.challenge)), 400);
  });

  test('it expires ten minutes after the password', async () => {
    const { person, form } = await reachSecondStep(service, holder.user);
    service.clock.advance(9 * MINUTE);
    const challenge = await challengeFor(person, form);
    service.clock.advance(MINUTE);
    await assertRefused(person, await answer({ person, form, challenge }, holder.device.get(challenge)), 403);
    assert.equal((await post(person, '/sign-in/second-step/options', form.fields)).status, 403);
  });
});
