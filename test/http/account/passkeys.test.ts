// Registering and removing passkeys.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { certifiedAttestation, selfAttestation } from '../../harness/attestations.ts';
import {
  answer,
  challengeFor,
  type Holder,
  newHolder,
  offered,
  passkeyForm,
  passkeysOf,
  register,
} from '../../harness/passkeys.ts';
import { formIn, Person } from '../../harness/person.ts';
import { prove } from '../../harness/proof.ts';
import { alignToStep, assertRefused, eventsOf, lastEventOf, post, securityPath } from '../../harness/second-factors.ts';
import type { TestUser } from '../../harness/service.ts';
import { type Challenge, flag, type Lies, SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { startReceiver } from '../../harness/webhooks.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const service = serviceOfSuite();

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep(service);
});

describe('registering a passkey', () => {
  let user: TestUser;
  let person: Person;
  beforeEach(async () => {
    user = await service.newUser();
    person = new Person(service);
    await person.signIn(user);
  });

  test('the security page begins with it, and has a button for it', async () => {
    const page = await (await person.visit(securityPath)).text();
    const places = ['<h2>Passkeys</h2>', 'Add a passkey</button>', '<h2>Password</h2>', '<h2>Authenticator app</h2>'];
    const found = places.map((place) => page.indexOf(place));
    assert.ok(!found.includes(-1), String(found));
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    );
  });

  test('the browser is asked for a discoverable key of this service with user verification', async () => {
    const { options } = await challengeFor(person, await passkeyForm(person));
    assert.deepEqual(options.rp, { name: 'Latchkey', id: 'localhost' });
    assert.deepEqual(options.user, {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: 'Grace Hopper',
    });
    assert.equal(Buffer.from(options.challenge, 'base64url').length, 32);
    assert.equal(options.attestation, 'none');
    const { residentKey, userVerification } = options.authenticatorSelection as Record<string, unknown>;
    assert.deepEqual([residentKey, userVerification], ['required', 'required']);
    const other = await challengeFor(person, await passkeyForm(person));
    assert.notEqual(other.options.challenge, options.challenge);
  });

  const lies: Record<string, Lies> = {
    'of another site': { origin: 'https://evil.example' },
    'of another port': { origin: 'http://localhost:1' },
    'for another service': { rpId: 'evil.example' },
    'to another challenge': { challenge: randomBytes(32).toString('base64url') },
    'to no challenge': { challenge: '' },
    'that is a sign-in': { type: 'webauthn.get' },
    'without verification of the person': { flags: flag.present | flag.attested },
    'without presence of the person': { flags: flag.verified | flag.attested },
    'without a key': { flags: flag.present | flag.verified },
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(`a response ${name} registers nothing`, async () => {
      const response = await register(person, new SoftwareAuthenticator(service.url), lie);
      assert.equal(response.headers.get('location'), `${securityPath}?done=not-possible`);
      assert.deepEqual(await passkeysOf(service, user), []);
    });
  }

  test('a self-signed attestation is accepted', async () => {
    const response = await register(person, new SoftwareAuthenticator(service.url), { attestation: selfAttestation });
    assert.equal(response.status, 200);
    assert.equal((await passkeysOf(service, user)).length, 1);
  });

  const formats = ['packed', 'android-key', 'android-safetynet', 'fido-u2f', 'tpm', 'apple', 'compound', 'NONE', ''];
  for (const format of formats) {
    test(`an attestation "${format}" with a certificate is refused, and the URL in it isn't opened`, async () => {
      const lists = await startReceiver();
      try {
        const attestation = certifiedAttestation(format, lists.url);
        const response = await register(person, new SoftwareAuthenticator(service.url), { attestation });
        assert.equal(response.headers.get('location'), `${securityPath}?done=not-possible`);
        assert.deepEqual(lists.received, []);
        assert.deepEqual(await passkeysOf(service, user), []);
      } finally {
        await lists.stop();
      }
    });
  }

  test('it needs a visible name', async () => {
    const device = new SoftwareAuthenticator(service.url);
    const form = await passkeyForm(person);
    const challenge = await challengeFor(person, form);
    const wrong = { answer: device.create(challenge), challenge: challenge.challenge, name: 'x'.repeat(101) };
    // Before the browser creates a passkey, and again when it sends one.
    for (const path of [`${form.action}/options`, form.action]) {
      const refused = await post(person, path, { ...form.fields, ...wrong });
      assert.equal(refused.status, 400, path);
      assert.match(await refused.text(), /Enter a name/, path);
    }
    assert.deepEqual(await passkeysOf(service, user), []);
  });

  test('without recent proof no passkey is created; after the proof, the form continues with its name', async () => {
    const form = await passkeyForm(person);
    service.clock.advance(16 * MINUTE);
    const options = await post(person, `${form.action}/options`, form.fields);
    assert.deepEqual([options.status, await options.json()], [403, { proof: 'missing' }]);
    const asked = await person.submit(form, {});
    const page = await (await prove(person, asked, { password: user.password })).text();
    assert.match(page, /You can add the passkey now./);
    assert.match(page, /<details open><summary>Passkey name/);
    assert.match(page, /name="name"[^>]* value="My phone"/);
    assert.equal((await register(person, new SoftwareAuthenticator(service.url))).status, 200);
  });

  test('a challenge works in the browser that asked for it, for five minutes, and once', async () => {
    const form = await passkeyForm(person);
    const submit = (device: SoftwareAuthenticator, challenge: Challenge) =>
      post(person, form.action, {
        ...form.fields,
        answer: device.create(challenge),
        challenge: challenge.challenge,
      });
    const foreign = (await offered(service)).challenge;
    assert.equal((await submit(new SoftwareAuthenticator(service.url), foreign)).status, 400);
    const expired = await challengeFor(person, form);
    service.clock.advance(5 * MINUTE);
    const late = await submit(new SoftwareAuthenticator(service.url), expired);
    assert.equal(late.headers.get('location'), `${securityPath}?done=not-possible`);
    assert.deepEqual(await passkeysOf(service, user), []);

    const own = await challengeFor(person, form);
    service.clock.advance(5 * MINUTE - 5);
    assert.equal((await submit(new SoftwareAuthenticator(service.url), own)).status, 200);
    const again = await submit(new SoftwareAuthenticator(service.url), own);
    assert.equal(again.headers.get('location'), `${securityPath}?done=not-possible`);
    assert.equal((await passkeysOf(service, user)).length, 1);
  });

  test("the first one comes with recovery codes, a second doesn't, and existing ones are excluded", async () => {
    const holder = await newHolder(service);
    assert.equal(holder.recoveryCodes.length, 10);
    assert.deepEqual((await eventsOf(service, holder.user)).at(-1), { kind: 'passkey_added', name: 'My phone' });
    const { options } = await challengeFor(holder.person, await passkeyForm(holder.person));
    const known = options.excludeCredentials as { id: string }[];
    assert.deepEqual(
      known.map(({ id }) => id),
      [holder.device.id],
    );
    const second = await register(holder.person, new SoftwareAuthenticator(service.url));
    assert.equal(second.headers.get('location'), `${securityPath}?done=passkey-added`);
    assert.equal((await passkeysOf(service, holder.user)).length, 2);
  });

  test("a passkey that's already registered is refused and keeps its owner", async () => {
    const holder = await newHolder(service);
    const before = await passkeysOf(service, user);
    const response = await register(person, holder.device);
    assert.equal(response.headers.get('location'), `${securityPath}?done=not-possible`);
    assert.deepEqual(await passkeysOf(service, user), before);
    assert.equal((await passkeysOf(service, holder.user)).length, 1);
  });

  test('only its owner can remove one, and removing the last also removes the recovery codes', async () => {
    const holder = await newHolder(service);
    const stranger = await newHolder(service);
    const remove = async (who: Holder, id: string) => {
      const { action, fields } = await formIn(await who.person.visit(securityPath), '/account/passkeys/remove');
      return post(who.person, action, { ...fields, remove: id });
    };
    const foreign = await remove(stranger, holder.device.id);
    assert.equal(foreign.headers.get('location'), `${securityPath}?done=not-possible`);
    assert.equal((await passkeysOf(service, holder.user)).length, 1);
    const removed = await remove(holder, holder.device.id);
    assert.equal(removed.headers.get('location'), `${securityPath}?done=passkey`);
    assert.equal((await lastEventOf(service, holder.user))?.kind, 'passkey_removed');
    assert.equal((await service.rows('recovery_codes')).filter((row) => row.user_id === holder.user.id).length, 0);
    const offer = await offered(service);
    await assertRefused(offer.person, await answer(offer, holder.device.get(offer.challenge)), 400);
  });
});
