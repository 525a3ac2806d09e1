// Passkey answers that are wrong in form: refused with a page, without effect.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import {
  answer,
  challengeFor,
  type Holder,
  newHolder,
  offered,
  passkeyForm,
  passkeysOf,
  secondStepOffered,
} from '../../harness/passkeys.ts';
import { alignToStep, assertRefused, isSignedIn, post, securityPath } from '../../harness/second-factors.ts';
import { type Answer, type Challenge, SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const HOUR = 60 * 60;

const service = serviceOfSuite();

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep(service);
});

describe('malformed passkey responses', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const encoded = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');

  /** Answers that are wrong in form; `right` is one that would be accepted. */
  function broken(right: string): Record<string, string> {
    const whole = JSON.parse(right) as Answer;
    const withResponse = (change: Record<string, unknown>) =>
      JSON.stringify({ ...whole, response: { ...whole.response, ...change } });
    const without = Object.keys(whole.response)
      .filter((name) => name !== 'transports')
      .flatMap((name) => [
        [`no ${name}`, withResponse({ [name]: undefined })],
        [`null as ${name}`, withResponse({ [name]: null })],
        [`a number as ${name}`, withResponse({ [name]: 7 })],
        [`an object as ${name}`, withResponse({ [name]: { length: 3 } })],
        [`nothing as ${name}`, withResponse({ [name]: '' })],
        [`no base64 as ${name}`, withResponse({ [name]: '\u{1f511}%%' })],
      ]);
    return {
      'no answer': '',
      'text that is not JSON': 'answer',
      'half an answer': right.slice(0, right.length / 2),
      null: 'null',
      'a number': '7',
      'a text': '"answer"',
      'a list': '[]',
      'an empty object': '{}',
      'a deep list': nested(2000),
      'a deep object': `${'{"id":'.repeat(800)}1${'}'.repeat(800)}`,
      'an id that is not text': JSON.stringify({ ...whole, id: { toString: 'x' } }),
      'an id that is a list': JSON.stringify({ ...whole, id: [whole.id] }),
      'an id that is very long': JSON.stringify({ ...whole, id: 'A'.repeat(10_000) }),
      'an id alone': JSON.stringify({ id: whole.id }),
      'no response': JSON.stringify({ ...whole, response: undefined }),
      'null as the response': JSON.stringify({ ...whole, response: null }),
      'a deep response': JSON.stringify({ ...whole, response: 0 }).replace(
        '"response":0',
        `"response":${nested(2000)}`,
      ),
      'an answer in the place of a prototype': `{"__proto__":${right}}`,
      'client data that is a list': withResponse({ clientDataJSON: encoded('[]') }),
      'client data that is null': withResponse({ clientDataJSON: encoded('null') }),
      'client data that is deep': withResponse({ clientDataJSON: encoded(nested(3000)) }),
      ...Object.fromEntries(without),
    };
  }

  /** Only the answer to a registration has this: an attestation in CBOR. */
  function brokenAttestations(right: string): Record<string, string> {
    const whole = JSON.parse(right) as Answer;
    const attested = (bytes: Uint8Array) =>
      JSON.stringify({ ...whole, response: { ...whole.response, attestationObject: encoded(bytes) } });
    const attestation = Buffer.from(String(whole.response.attestationObject), 'base64url');
    return {
      'a deep attestation': attested(Buffer.alloc(8000, 0x81)),
      'a deep attestation of maps': attested(Buffer.alloc(8000, Buffer.from([0xa1, 0x61, 0x61]))),
      'an attestation that promises four billion entries': attested(Buffer.from([0xba, 0xff, 0xff, 0xff, 0xff, 0x61])),
      'an attestation that promises four billion bytes': attested(Buffer.from([0x5a, 0xff, 0xff, 0xff, 0xff, 0x61])),
      'an attestation without end': attested(Buffer.from([0xbf, 0x61, 0x61])),
      'half an attestation': attested(attestation.subarray(0, attestation.length / 2)),
      'zeros as the attestation': attested(Buffer.alloc(500)),
      'random bytes as the attestation': attested(randomBytes(500)),
    };
  }

  let holder: Holder;
  before(async () => {
    holder = await newHolder(service);
  });

  const failures = () => service.log().split('a request failed').length;

  test('signing in is refused with a page, and starts no session', async () => {
    const offer = await offered(service);
    const before = failures();
    for (const [name, text] of Object.entries(broken(holder.device.get(offer.challenge)))) {
      const response = await answer(offer, text);
      assert.equal(response.status, 400, name);
      await assertRefused(offer.person, response, 400);
    }
    assert.equal(failures(), before);
    await answer(offer, holder.device.get(offer.challenge));
    assert.ok(await isSignedIn(offer.person));
  });

  test('the second step is refused with a page, and starts no session', async () => {
    const names = Object.keys(broken(holder.device.get((await offered(service)).challenge)));
    const before = failures();
    while (names.length > 0) {
      service.clock.advance(HOUR);
      const offer = await secondStepOffered(service, holder.user);
      const answers = broken(holder.device.get(offer.challenge));
      for (const name of names.splice(0, 10)) {
        const response = await answer(offer, answers[name] ?? '');
        assert.equal(response.status, 400, name);
        await assertRefused(offer.person, response, 400);
      }
    }
    assert.equal(failures(), before);
  });

  test('registering adds nothing', async () => {
    const holder = await newHolder(service);
    const form = await passkeyForm(holder.person);
    const device = new SoftwareAuthenticator(service.url);
    const answersTo = (challenge: Challenge) => {
      const right = device.create(challenge);
      return { ...broken(right), ...brokenAttestations(right) };
    };
    // Some of each kind, five at a time.
    const names = Object.keys(answersTo(await challengeFor(holder.person, form))).filter((name) =>
      /^(no |text|half|a deep|null|client data|an attestation|random)/.test(name),
    );
    assert.ok(names.length > 20);
    const before = failures();
    while (names.length > 0) {
      const some = names.splice(0, 5).map(async (name) => {
        const challenge = await challengeFor(holder.person, form);
        const fields = { answer: answersTo(challenge)[name] ?? '', challenge: challenge.challenge, name };
        const response = await post(holder.person, form.action, { ...form.fields, ...fields });
        assert.equal(response.headers.get('location'), `${securityPath}?done=not-possible`, name);
      });
      await Promise.all(some);
    }
    assert.equal((await passkeysOf(service, holder.user)).length, 1);
    assert.equal(failures(), before);
  });

  test('a response larger than any form is refused with a page', async () => {
    const offer = await offered(service);
    await assertRefused(offer.person, await answer(offer, 'x'.repeat(100_000)), 413);
  });

  test('after a hundred, the IP address is blocked for a while', async () => {
    const offer = await offered(service);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 10 }, () => answer(offer, '{}')));
    }
    const throttled = await answer(offer, holder.device.get(offer.challenge));
    assert.ok(Number(throttled.headers.get('retry-after')) > 0);
    await assertRefused(offer.person, throttled, 429);
  });
});
