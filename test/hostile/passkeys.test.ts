// Passkeys of one person in the sign-in, the second step or the proof of another.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { formTokenOf, signedIn } from '../harness/account.ts';
import { newKey } from '../harness/api.ts';
import {
  answer,
  challengeFor,
  newHolder,
  offered,
  passkeyForm,
  passkeysOf,
  register,
  secondStepOffered,
} from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { proofAsked } from '../harness/proof.ts';
import { alignToStep, isSignedIn, post } from '../harness/second-factors.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { flag, SoftwareAuthenticator } from '../harness/software-authenticator.ts';
import { attack } from './attack.ts';

const session = 'latchkey_session';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());
beforeEach(() => {
  service.clock.advance(16 * 60);
  alignToStep(service);
});

attack(48, "a passkey proves its owner's identity, once, to whoever asked, and is added with proof only", async () => {
  const [ada, bob] = [await newHolder(service), await newHolder(service)];
  const handle = (id: string) => Buffer.from(id).toString('base64url');
  const owned = (userHandle: string) => (whole: { response: Record<string, unknown> }) => ({
    ...whole,
    response: { ...whole.response, userHandle },
  });

  // Bob's passkey in Ada's second step, whatever it says whose it is.
  for (const bend of [undefined, owned(handle(ada.user.id))]) {
    const step = await secondStepOffered(service, ada.user);
    await answer(step, bob.device.get(step.challenge, bend && { bend }));
    assert.equal(step.person.cookies.has(session), false);
    const forged = await secondStepOffered(service, ada.user);
    await answer(forged, bob.device.get(forged.challenge, { id: ada.device.id }));
    assert.equal(forged.person.cookies.has(session), false);
  }
  // While Ada is signed in: Bob's passkey signs Bob in, and is no proof of Ada's identity.
  service.clock.advance(16 * 60);
  const deletion = await formIn(await ada.person.visit('/account/delete'), '/account/delete');
  const proof = await proofAsked(await ada.person.submit(deletion, {}));
  const asked = await challengeFor(ada.person, { action: '/account/proof', fields: proof.fields, buttons: [] });
  const response = await ada.person.submit(proof, { answer: bob.device.get(asked), challenge: asked.challenge });
  assert.equal(response.status, 400);
  assert.ok(await isSignedIn(ada.person), 'the account is still there');

  // Without user verification, with a counter that goes back, with another origin, and twice.
  const lies = [
    { flags: flag.present },
    { flags: flag.verified },
    { flags: 0 },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
    { challenge: 'another' },
  ];
  for (const lie of lies) {
    const offer = await offered(service);
    await answer(offer, bob.device.get(offer.challenge, lie));
    assert.equal(offer.person.cookies.has(session), false, JSON.stringify(lie));
  }
  const offer = await offered(service);
  const right = bob.device.get(offer.challenge);
  const again = new Person(service);
  for (const [name, value] of offer.person.cookies) again.cookies.set(name, value);
  const twice = [offer, { ...offer, person: again }];
  await Promise.all(twice.map((each) => answer(each, right)));
  assert.equal(twice.filter(({ person }) => person.cookies.has(session)).length, 1);

  // A challenge is for what it was made for: one for registering doesn't sign in, and the other way round.
  const fresh = await signedIn(service, await service.newUser());
  const form = await passkeyForm(fresh);
  const toRegister = await challengeFor(fresh, form);
  const signIn = await formIn(await fresh.visit('/sign-in?password'), '/sign-in/passkey');
  await fresh.submit(signIn, { answer: bob.device.get(toRegister), challenge: toRegister.challenge });
  const me = (await (await fresh.request('/api/me')).json()) as { data: { id: string } };
  assert.notEqual(me.data.id, bob.user.id, 'a challenge for a new passkey');
  const toSignIn = await challengeFor(fresh, signIn);
  const device = new SoftwareAuthenticator(service.url);
  await post(fresh, '/account/passkeys', {
    ...form.fields,
    answer: device.create(toSignIn),
    challenge: toSignIn.challenge,
  });
  const keys = async (id: string) => (await service.rows('passkeys')).filter((row) => row.user_id === id).length;
  assert.equal(await keys(me.data.id), 0, 'a challenge for signing in');

  // Suspended by a reset.
  await setPassword(service.running.services, { id: ada.user.id }, 'another phrase of mine', requester);
  const late = await offered(service);
  await answer(late, ada.device.get(late.challenge));
  assert.equal(late.person.cookies.has(session), false);

  // Registering: not without recent proof, not with an API key or an access token, and not one that somebody has.
  const stale = await signedIn(service, await service.newUser());
  const staleForm = await passkeyForm(stale);
  const token = await formTokenOf(stale);
  const inTime = await challengeFor(stale, staleForm);
  const taken = await register(stale, bob.device);
  assert.notEqual(taken.status, 200, 'it is registered already');
  service.clock.advance(16 * 60);
  const later = new SoftwareAuthenticator(service.url);
  const fields = { form_token: token, name: 'Phone', answer: later.create(inTime), challenge: inTime.challenge };
  assert.equal((await post(stale, '/account/passkeys/options', { form_token: token, name: 'Phone' })).status, 403);
  await post(stale, '/account/passkeys', fields);
  const { headers } = await newKey(service);
  const byKey = await fetch(`${service.url}/account/passkeys`, {
    method: 'POST',
    headers: headers('POST'),
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  assert.match(byKey.headers.get('location') ?? '', /^\/sign-in/);
  const rows = await service.rows('passkeys');
  assert.ok(!rows.some((row) => row.id === later.id));
  assert.equal((await passkeysOf(service, bob.user)).length, 1);
});
