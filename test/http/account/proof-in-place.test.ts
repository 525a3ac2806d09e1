// Powerful changes of one's own account need proof of identity that is at most 15 minutes old. It is asked for in place,
// and the change goes on as it was sent.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { messagesIn } from '../../../src/pages/languages/languages.ts';
import { languageTags } from '../../../src/protocol/languages.ts';
import { signedIn } from '../../harness/account.ts';
import { newHolder } from '../../harness/passkeys.ts';
import { type Form, formIn, type Person } from '../../harness/person.ts';
import { passkeyProof, proofAsked, proofFormOn } from '../../harness/proof.ts';
import {
  alignToStep,
  codeOf,
  isSignedIn,
  lastEventOf,
  newOwner,
  post,
  reachSecondStep,
  securityPath,
  tryCode,
  turnOn,
  wrongCode,
} from '../../harness/second-factors.ts';
import type { TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const newPassword = 'another phrase of mine';

const service = serviceOfSuite();
/** Each test starts at the start of a code's 30 seconds. */
beforeEach(() => alignToStep(service));

const sessionsOf = async ({ id }: TestUser) => (await service.rows('sessions')).filter((row) => row.user_id === id);

async function passwordForm(person: Person): Promise<Form> {
  return formIn(await person.visit(securityPath), '/account/password');
}

/** A person whose proof is too old, and the form that asks for it after they have tried to change their password. */
async function asked() {
  const user = await service.newUser();
  const person = await signedIn(service, user);
  service.clock.advance(15 * MINUTE + 1);
  const proof = await proofAsked(await person.submit(await passwordForm(person), { new_password: newPassword }));
  return { user, person, proof };
}

describe('proof of identity', () => {
  for (const [age, fresh] of [
    [15 * MINUTE, true],
    [15 * MINUTE + 1, false],
  ] as const) {
    test(`${age} seconds after sign-in, it's ${fresh ? 'not asked for' : 'asked for'}`, async () => {
      const person = await signedIn(service, await service.newUser());
      service.clock.advance(age);
      const page = await (await person.submit(await passwordForm(person), { new_password: newPassword })).text();
      assert.equal(proofFormOn(page) === undefined, fresh);
      assert.equal(/Password changed/.test(page), fresh);
    });
  }

  test('the password without a code is no guess: the page asks for the code, in every language', async () => {
    const { person, user } = await newOwner(service);
    service.clock.advance(16 * MINUTE);
    const proof = await proofAsked(await person.submit(await passwordForm(person), { new_password: newPassword }));
    for (const tag of languageTags) {
      for (const code of ['', ' ']) {
        const again = await person.submit(proof, { password: user.password, code }, { 'Accept-Language': tag });
        assert.equal(again.status, 400, tag);
        const { enterCode } = messagesIn(tag).account.proof;
        assert.match(await again.text(), new RegExp(`id="code-problem"[^>]*>[\\s\\S]*?${enterCode}`), tag);
      }
    }
    assert.deepEqual(await service.events('sign_in_failed'), []);
  });

  test('the change continues as sent, the proof counts for 15 minutes, and nothing else about the session changes', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const [before] = await sessionsOf(user);
    service.clock.advance(16 * MINUTE);
    const form = await formIn(await person.visit('/account/email'), '/account/email');
    const proof = await proofAsked(await person.submit(form, { email: 'next+one@example.test' }));
    const sent = await person.submit(proof, { password: user.password });
    assert.match(await sent.text(), /next\+one@example\.test/);
    const [after] = await sessionsOf(user);
    assert.deepEqual(
      { ...after, last_seen_at: 0 },
      { ...before, last_seen_at: 0, proven_at: after?.proven_at },
      'neither its beginning nor the time of the sign-in',
    );
    assert.equal(Number(after?.proven_at), service.clock.now());
    service.clock.advance(15 * MINUTE);
    const changed = await person.submit(await passwordForm(person), { new_password: newPassword });
    assert.match(await changed.text(), /Password changed/);
    const again = await formIn(await person.visit('/account/email'), '/account/email');
    assert.equal(proofFormOn(await (await person.submit(again, { email: 'x@example.test' })).text()), undefined);
  });

  test('proof given with a password change carries over to the new session secret', async () => {
    const { user, person, proof } = await asked();
    assert.match(await (await person.submit(proof, { password: user.password })).text(), /Password changed/);
    assert.equal(Number((await sessionsOf(user))[0]?.proven_at), service.clock.now());
    assert.ok(await isSignedIn(await signedIn(service, { ...user, password: newPassword })));
  });

  test('a new password is carried sealed: neither the page nor the log shows it or the current one', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    service.clock.advance(16 * MINUTE);
    const response = await person.submit(await passwordForm(person), { new_password: newPassword });
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const page = await response.text();
    const encoded = [newPassword, encodeURIComponent(newPassword), newPassword.replaceAll(' ', '+')];
    const shown = [...encoded, ...encoded.map((text) => Buffer.from(text).toString('base64url').slice(4, 20))];
    for (const text of shown) assert.equal(page.includes(text), false, text);
    const form = proofFormOn(page);
    assert.ok(form);
    const wrong = await (await person.submit(form, { password: 'a wrong phrase of mine' })).text();
    for (const text of [...shown, 'a wrong phrase']) assert.equal(wrong.includes(text), false, text);
    await service.running.services.journal.flush();
    const kept = service.log() + JSON.stringify(await service.events());
    for (const text of [...encoded, 'a wrong phrase', form.fields.held_request ?? '']) {
      assert.equal(kept.includes(text), false, text);
    }
  });

  test('the carried request is bound to its session, person and path, and expires', async () => {
    const { user, person, proof } = await asked();
    const since = await everythingIn(service);
    const right = { password: user.password };
    const expired = async (who: Person, form: Form, values: Record<string, string> = right) =>
      assert.equal((await who.submit(form, values)).status, 403);
    await expired(person, { ...proof, action: '/account/delete' });
    await expired(person, { ...proof, action: `${proof.action}?x=1` });
    for (const held of ['x', proof.fields.held_request?.slice(1) ?? '', `${proof.fields.held_request}AAAA`]) {
      await expired(person, proof, { ...right, held_request: held });
    }
    await expired(person, proof, { ...right, form_token: '' });
    await assertNothingChanged(service, since);
    for (const [who, password] of [
      [await signedIn(service, user), user.password],
      [await signedIn(service, await service.newUser()), user.password],
    ] as const) {
      const own = (await passwordForm(who)).fields.form_token ?? '';
      await expired(who, proof, { password, form_token: own });
    }
    service.clock.advance(15 * MINUTE + 1);
    await expired(person, proof);
    assert.equal(await isSignedIn(await signedIn(service, user)), true, 'the password is the old one');
  });

  test('a form of 16 KB is carried, and a larger one is refused up front', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const form = await passwordForm(person);
    const rest = new URLSearchParams({ ...form.fields, new_password: newPassword, more: '' }).toString().length;
    const filled = (size: number) => ({ ...form.fields, new_password: newPassword, more: 'x'.repeat(size - rest) });
    assert.equal((await post(person, form.action, filled(16 * 1024 + 1))).status, 413);
    service.clock.advance(16 * MINUTE);
    assert.equal((await post(person, form.action, filled(16 * 1024 + 1))).status, 413);
    assert.equal((await post(person, form.action, filled(40 * 1024))).status, 413);
    const proof = await proofAsked(await post(person, form.action, filled(16 * 1024)));
    assert.match(await (await person.submit(proof, { password: user.password })).text(), /Password changed/);
  });

  test('proof given in another window counts for a request waiting here', async () => {
    const { user, person, proof } = await asked();
    await person.submit(await formIn(await person.visit('/account/proof')), { password: user.password });
    assert.match(await (await person.submit(proof, {})).text(), /Password changed/);
  });

  test('canceling returns to the page they came from, and nowhere else', async () => {
    const person = await signedIn(service, await service.newUser());
    service.clock.advance(16 * MINUTE);
    for (const [referer, back] of [
      [`${service.url}/account/security`, '/account/security'],
      ['https://evil.example/account/security', '/account'],
      [`${service.url}/sign-in`, '/account'],
    ] as const) {
      const response = await person.submit(
        await passwordForm(person),
        { new_password: newPassword },
        { Referer: referer },
      );
      assert.match(await response.text(), new RegExp(`<a href="${back}">Cancel</a>`));
    }
  });
});

describe('someone with a second factor', () => {
  test('needs the password and a code; the password alone or a wrong code is refused', async () => {
    const [owner, other] = [await newOwner(service), await newOwner(service)];
    service.clock.advance(16 * MINUTE);
    const used = codeOf(service, owner);
    await tryCode(await reachSecondStep(service, owner.user), used);
    const { person, user } = owner;
    const form = await formIn(await person.visit(securityPath), '/account/authenticator/remove');
    const proof = await proofAsked(await person.submit(form, {}));
    const wrong = ['', used, wrongCode(service, owner), codeOf(service, other), other.recoveryCodes[0] ?? ''];
    for (const code of wrong) await proofAsked(await person.submit(proof, { password: user.password, code }), 400);
    assert.equal((await lastEventOf(service, user))?.reason, 'wrong_second_step');
    const [recoveryCode = ''] = owner.recoveryCodes;
    const refused = await person.submit(proof, { password: 'wrong', code: recoveryCode });
    assert.match(await refused.text(), /Incorrect password/);
    const removed = await person.submit(proof, { password: user.password, code: recoveryCode });
    assert.match(await removed.text(), /Authenticator app removed/, 'without the password, no code is tried');
    const told = (await mailsTo(service, user.email)).filter(({ text }) => text.includes('recovery codes was used'));
    assert.equal(told.length, 1);
  });

  test('can use their own passkey instead, once per challenge', async () => {
    const [holder, stranger] = [await newHolder(service), await newHolder(service)];
    const { person, user } = holder;
    service.clock.advance(16 * MINUTE);
    const form = await formIn(await person.visit(securityPath), '/account/recovery-codes');
    const proof = await proofAsked(await person.submit(form, {}));
    const foreign = await passkeyProof({ ...holder, device: stranger.device }, proof);
    await proofAsked(await person.submit(proof, foreign), 400);
    assert.equal((await lastEventOf(service, user))?.reason, 'wrong_passkey');
    const own = await passkeyProof(holder, proof);
    assert.match(await (await person.submit(proof, own)).text(), /Save your recovery codes/);
    service.clock.advance(16 * MINUTE);
    const later = await proofAsked(await person.submit(form, {}));
    await proofAsked(await person.submit(later, own), 400);
    const [code = ''] = holder.recoveryCodes;
    await proofAsked(await person.submit(later, { password: user.password, code }), 400);
  });

  test('is limited like the second step of a sign-in, and notified of wrong codes', async () => {
    const owner = await newOwner(service);
    service.clock.advance(16 * MINUTE);
    const form = await formIn(await owner.person.visit(securityPath), '/account/authenticator/remove');
    const proof = await proofAsked(await owner.person.submit(form, {}));
    const guess = (number: number) =>
      owner.person.submit(proof, { password: owner.user.password, code: wrongCode(service, owner, number) });
    for (let number = 0; number < 10; number++) assert.equal((await guess(number)).status, 400);
    assert.equal((await guess(10)).status, 429);
    const told = (await mailsTo(service, owner.user.email)).filter(({ subject }) => /may know/.test(subject));
    assert.equal(told.length, 1);
  });

  test('a new factor voids the proof of other sessions', async () => {
    const user = await service.newUser();
    const [owner, thief] = [await signedIn(service, user), await signedIn(service, user)];
    await turnOn(service, owner);
    const removal = async (person: Person) =>
      person.submit(await formIn(await person.visit(securityPath), '/account/authenticator/remove'), {});
    const proof = await proofAsked(await removal(thief));
    await proofAsked(await thief.submit(proof, { password: user.password }), 400);
    assert.equal((await service.rows('authenticators')).filter((row) => row.user_id === user.id).length, 1);
    assert.match(await (await removal(owner)).text(), /Authenticator app removed/);
  });
});
