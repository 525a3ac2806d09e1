// Accounts that wait for approval: how they come to wait, what those who wait can do, and who hears of it.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { changeUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { approveUser, declineUser, deleteOverdue, tellOfWaiting } from '../../../src/operations/users/approval.ts';
import type { EventKind } from '../../../src/protocol/events/kinds.ts';
import { newWaiting, signUp } from '../../harness/approval.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { keptLink } from '../../harness/links.ts';
import { answer, newHolder, offered } from '../../harness/passkeys.ts';
import { answerOf, formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { requester, startTestService, type TestUser } from '../../harness/service.ts';
import { askToReset, askToSignUp, newAddress, password, usersWith, withoutAddress } from '../../harness/sign-up.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { sweep } from '../../harness/sweep.ts';
import { startTwoInstances } from '../../harness/two-instances.ts';
import { addUpstream, allowLoopbackUpstreams, isSignedIn, signInWith } from '../../harness/upstreams.ts';
import { restoredUser } from '../../storage/records.ts';

const DAY = 24 * 60 * 60;
const waits = /Your account is waiting for approval\./;

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'approval', ...allowLoopbackUpstreams });

before(async () => {
  await service.newUser({ admin: true });
});
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * 60));

const services = () => service.running.services;
const approve = (id: string) => approveUser(services(), { id }, requester);
const decline = (id: string, message = '') => declineUser(services(), { id }, message, requester);
const signIn = (email: string, given = password, person = new Person(service)) =>
  person.signIn({ email, password: given } as TestUser);
const userWith = async (email: string) => {
  const user = await services().storage.findUserByEmail(email);
  assert.ok(user, email);
  return user;
};
const lastRefusal = async () => (await service.events('sign_in_failed')).at(-1)?.detail?.reason;

describe('signing up with approval', () => {
  test('the account exists, is disabled as well, and has neither a session nor a known browser', async () => {
    const page = await (await new Person(service).visit('/sign-up')).text();
    assert.match(page, /an administrator has to approve your account/);
    assert.match(await (await new Person(service).visit('/sign-in')).text(), /Create an account/);
    const { email, person, response } = await signUp(service);
    assert.equal(response.status, 403);
    const text = await response.text();
    assert.match(text, waits);
    assert.match(text, /We&#39;ll email you when you can sign in\./);
    assert.equal(isSignedIn(person), false);
    assert.equal(person.cookies.has('latchkey_devices'), false);
    const user = await userWith(email);
    assert.equal(user.pendingSince, service.clock.now());
    assert.equal(user.disabledAt, user.pendingSince);
    assert.ok(user.emailVerifiedAt);
    assert.deepEqual(await service.rows('sessions'), []);
    assert.deepEqual(await service.rows('known_devices'), []);
    assert.equal((await service.events('signed_up')).at(-1)?.detail?.approval, 'waiting');
  });

  test('the right password says so, without a session; a wrong one gets the usual answer', async () => {
    const { email } = await signUp(service);
    const person = new Person(service);
    const right = await signIn(email, password, person);
    assert.equal(right.status, 403);
    assert.match(await right.text(), waits);
    assert.equal(isSignedIn(person), false);
    assert.equal(await lastRefusal(), 'waiting_for_approval');
    const wrong = await signIn(email, 'another phrase');
    assert.equal(wrong.status, 400);
    assert.equal(waits.test(await wrong.text()), false);
    assert.equal(await lastRefusal(), 'wrong_password');
  });

  test('right passwords are no failures: nobody is kept out for asking whether they are approved', async () => {
    const { email } = await signUp(service);
    for (let count = 0; count < 30; count++) assert.equal((await signIn(email)).status, 403);
  });

  test('a passkey says so as well', async () => {
    const { user, device } = await newHolder(service);
    const { storage } = services();
    const [passkey] = (await storage.findSignInFacts(user.id, undefined)).passkeys;
    assert.ok(passkey);
    // The same person as if they had signed up with the passkey.
    const found = await storage.findPasskey(passkey.id);
    assert.ok(found);
    await storage.deleteUser(user.id, event('user_deleted', user.id));
    const at = service.clock.now();
    assert.ok(await restoredUser(storage, { ...found.user, disabledAt: at, pendingSince: at }));
    assert.ok(await storage.addPasskey(found.passkey, undefined, event('passkey_added', user.id)));
    const offer = await offered(service);
    const response = await answer(offer, device.get(offer.challenge));
    assert.equal(response.status, 403);
    assert.match(await response.text(), waits);
    assert.equal(isSignedIn(offer.person), false);
    assert.equal(await lastRefusal(), 'waiting_for_approval');
    await approve(user.id);
    const again = await offered(service);
    await answer(again, device.get(again.challenge));
    assert.ok(isSignedIn(again.person));
  });

  test('prompt=none is login_required', async () => {
    const client = await service.newClient();
    const { email, person } = await signUp(service);
    await signIn(email, password, person);
    const response = await person.visit(`${authorizePath(client, newVerifier())}&prompt=none`);
    assert.equal(answerOf(response).searchParams.get('error'), 'login_required');
  });

  test('after approval the person can sign in, and is told by email in their language', async () => {
    const { email } = await signUp(service);
    const { id } = await userWith(email);
    service.clock.advance(1);
    assert.equal((await approve(id)).kind, 'done');
    const user = await userWith(email);
    assert.deepEqual([user.pendingSince, user.disabledAt], [null, null]);
    const [mail] = await mailsTo(service, email);
    assert.match(mail?.subject ?? '', /^Your account was approved/);
    assert.ok(mail?.text.includes(`${service.url}/sign-in`));
    const person = new Person(service);
    assert.equal((await signIn(email, password, person)).status, 200);
    assert.ok(isSignedIn(person));
    assert.equal((await approve(id)).kind, 'refused');

    const german = await newWaiting(service, { locale: 'de' });
    await approve(german.id);
    assert.match((await mailsTo(service, german.email))[0]?.text ?? '', /Ihr Konto bei Latchkey wurde freigegeben/);
  });

  test('declining deletes the account; only a message is emailed, and the address can sign up again', async () => {
    const { email } = await signUp(service);
    const { id } = await userWith(email);
    const before = (await mailsTo(service, email)).length;
    assert.equal((await decline(id)).kind, 'done');
    assert.deepEqual(await usersWith(service, email), []);
    assert.equal((await mailsTo(service, email)).length, before);
    assert.equal((await signIn(email)).status, 400);

    await signUp(service, email);
    service.clock.advance(1);
    assert.equal((await decline((await userWith(email)).id, 'Please use your work address.')).kind, 'done');
    const [mail] = await mailsTo(service, email);
    assert.match(mail?.text ?? '', /was declined[\s\S]*Please use your work address\./);
    assert.deepEqual(await usersWith(service, email), []);
    assert.equal((await service.events('user_declined')).length, 2);
  });

  test("a hostile message stays text in the email's body", async () => {
    const user = await newWaiting(service);
    const message =
      'One\r\nBcc: eve@example.test\r\n\r\n<a href="https://evil.example">Click</a> <script>1</script>\u202e\u200b';
    await decline(user.id, message);
    const [mail] = await mailsTo(service, user.email);
    assert.ok(mail);
    assert.equal(mail.to, user.email);
    assert.equal(/[\r\n]/.test(mail.subject), false);
    assert.equal(mail.subject.includes('One'), false);
    assert.ok(mail.text.includes('One\n\nBcc: eve@example.test\n\n<a href='));
    assert.equal(/[\u202e\u200b\r]/.test(mail.text + mail.html), false);
    assert.equal(mail.html.includes('<script>'), false);
    assert.equal(mail.html.includes('href="https://evil.example"'), false);
  });

  test('a message of more than 500 characters, or with control characters, is refused and nothing changes', async () => {
    const user = await newWaiting(service);
    for (const message of ['a'.repeat(501), 'be\u0007ll', 'nul\0', 'half \ud800']) {
      const outcome = await decline(user.id, message);
      assert.equal(outcome.kind === 'refused' && outcome.reason, 'invalid', JSON.stringify(message));
    }
    assert.ok(await services().storage.findUser(user.id));
    assert.equal((await decline(user.id, '😀'.repeat(500))).kind, 'done');
  });

  test('the mode counts when the account is created, whatever it was when the link was sent', async () => {
    const [early, late] = [newAddress(), newAddress()];
    const setMode = (mode: string) => changeSettings(services(), { sign_up: mode } as never, requester);
    await askToSignUp(service, early);
    assert.equal((await setMode('open')).kind, 'done');
    await finish(early, 200);
    assert.equal((await userWith(early)).pendingSince, null);
    await askToSignUp(service, late);
    await setMode('approval');
    await finish(late, 403);
    assert.ok((await userWith(late)).pendingSince);
  });

  test('those with an invitation or a set-up link never wait', async () => {
    const email = newAddress();
    const link = await keptLink(service, 'invite', null, email);
    const person = new Person(service);
    const form = await formIn(await person.visit(`/invitation?link=${link}`), '/invitation');
    assert.equal((await person.submit(form, { name: 'Grace', password })).status, 200);
    assert.equal((await userWith(email)).pendingSince, null);
    const created = await service.newUser();
    assert.equal(created.record.pendingSince, null);
  });
});

describe('somebody who waits', () => {
  test('gets no link to reset a password, and earlier links of any kind are refused', async () => {
    const { email } = await signUp(service);
    const user = await userWith(email);
    const before = (await mailsTo(service, email)).length;
    await askToReset(service, email);
    assert.equal((await mailsTo(service, email)).length, before);
    for (const [purpose, path] of [
      ['reset_password', '/reset-password/finish'],
      ['recover', '/recover'],
    ] as const) {
      const { storage, journal } = services();
      const link = { digest: purpose, purpose, userId: user.id, data: {}, expiresAt: service.clock.now() + 1000 };
      const stored = await storage.storeLink(link, journal.event({ kind: 'user_reset_sent' }, requester));
      assert.equal(stored, false, path);
    }
    // Asking for another account says that there is one.
    await askToSignUp(service, email);
    assert.match((await mailsTo(service, email))[0]?.subject ?? '', /already have an account/);
  });

  test('is told nothing by the sign-up page that others are not', async () => {
    const { email } = await signUp(service);
    const [known, unknown] = await Promise.all(
      [email, newAddress()].map(async (each) => {
        const page = await (await askToSignUp(service, each)).text();
        // Where to go on belongs to a browser, and each has one of its own.
        return withoutAddress(page, each).replaceAll(/(name="continue" value=")[^"]+/g, '$1');
      }),
    );
    assert.equal(known, unknown);
  });

  test("can't be enabled or disabled: that would be no decision", async () => {
    const user = await newWaiting(service);
    const { storage } = services();
    assert.equal(await storage.enableUser(user.id, service.clock.now(), event('user_enabled', user.id)), false);
    assert.equal(await storage.disableUser(user.id, service.clock.now(), event('user_disabled', user.id)), false);
    assert.deepEqual(await storage.findUser(user.id), user);
  });
});

describe('1,000 wait at most', () => {
  test('the next one is told that it is not possible now, and their link keeps working', async () => {
    const crowded = await startTestService({ LATCHKEY_SIGN_UP: 'approval' });
    try {
      const email = newAddress();
      await askToSignUp(crowded, email);
      const open = new Person(crowded);
      const form = await formIn(await open.visit(await linkFor(crowded, email)), '/sign-up/finish');
      for (let batch = 0; batch < 10; batch++) {
        await Promise.all(Array.from({ length: 100 }, () => newWaiting(crowded, { passwordHash: '' })));
      }
      const page = await (await new Person(crowded).visit('/sign-up')).text();
      assert.match(page, /New accounts can&#39;t be created right now/);
      const refused = await open.submit(form, { name: 'Grace', password });
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), /New accounts can&#39;t be created right now/);
      assert.deepEqual(await usersWith(crowded, email), []);
      const { storage } = crowded.running.services;
      const [one] = (await storage.pageWaiting({ after: undefined, limit: 1 })).items;
      assert.equal((await declineUser(crowded.running.services, { id: one?.id ?? '' }, '', requester)).kind, 'done');
      assert.match(await (await open.submit(form, { name: 'Grace', password })).text(), waits);
      assert.equal(await storage.countWaiting(), 1000);
    } finally {
      await crowded.stop();
    }
  });
});

describe('an identity provider that creates accounts', () => {
  let provider: HostileUpstream;
  before(async () => {
    provider = await HostileUpstream.start(() => service.clock.now());
    await addUpstream(service, provider, { createsAccounts: true });
  });
  after(() => provider.stop());

  const newcomer = (sub: string) => {
    provider.person = { sub, email: `${sub}@people.example`, email_verified: true, name: 'Ada Lovelace' };
    return `${sub}@people.example`;
  };

  test('creates accounts that wait, at each sign-in, until they are approved', async () => {
    const email = newcomer('waits');
    for (const reason of [undefined, 'waiting_for_approval']) {
      const { person, response } = await signInWith(service, provider);
      assert.equal(response.status, 403);
      assert.match(await response.text(), waits);
      assert.equal(isSignedIn(person), false);
      if (reason !== undefined) assert.equal(await lastRefusal(), reason);
    }
    const { id, pendingSince, disabledAt } = await userWith(email);
    assert.ok(pendingSince);
    assert.equal(disabledAt, pendingSince);
    await approve(id);
    assert.ok(isSignedIn((await signInWith(service, provider)).person));
  });

  test('with skip_approval they do not wait', async () => {
    const change = (skipApproval: boolean) => changeUpstream(services(), 'company', { skipApproval }, requester);
    assert.equal((await change(true)).kind, 'done');
    const email = newcomer('skips');
    assert.ok(isSignedIn((await signInWith(service, provider)).person));
    assert.equal((await userWith(email)).pendingSince, null);
    await change(false);
  });

  test('creates accounts in every other mode, which do not wait', async () => {
    const setMode = (mode: string) => changeSettings(services(), { sign_up: mode } as never, requester);
    for (const mode of ['closed', 'open']) {
      await setMode(mode);
      const email = newcomer(`mode-${mode}`);
      assert.ok(isSignedIn((await signInWith(service, provider)).person), mode);
      assert.equal((await userWith(email)).pendingSince, null);
    }
    await setMode('approval');
  });
});

describe('administrators', () => {
  test('get one email a day while people wait, in their language, whichever instance notices', async () => {
    const { one, two, stop } = await startTwoInstances({ LATCHKEY_SIGN_UP: 'approval' });
    try {
      const german = await one.newUser({ admin: true, locale: 'de' });
      const english = await one.newUser({ admin: true });
      await one.newUser();
      const told = async (email: string) =>
        (await mailsTo(one, email)).filter(({ text }) => text.includes('/admin/people/waiting'));
      const round = () =>
        Promise.all([one, two].flatMap(({ running }) => [1, 2, 3].map(() => tellOfWaiting(running.services))));
      await round();
      assert.equal((await told(german.email)).length, 0, 'nobody waits');

      const { response } = await signUp(one);
      assert.match(await response.text(), waits);
      const [mail] = await told(english.email);
      assert.match(mail?.text ?? '', /1 person is waiting/);
      assert.match((await told(german.email))[0]?.subject ?? '', /Personen warten auf Freigabe/);
      assert.ok(mail?.text.includes(`${one.baseUrl}/admin/people/waiting`));

      // One who comes an hour later isn't forgotten.
      for (const { clock } of [one, two]) clock.advance(DAY / 24);
      const later = await newWaiting(one);
      await round();
      assert.equal((await told(english.email)).length, 1);
      for (const { clock } of [one, two]) clock.advance(DAY);
      assert.equal((await sweep(one, 'one')).kind, 'swept', 'the sweep tells them, too');
      await round();
      assert.equal((await told(english.email)).length, 1, 'one more: emails of the day before are deleted');
      assert.match((await told(english.email))[0]?.text ?? '', /2 people are waiting/);

      await approveUser(one.running.services, { id: later.id }, requester);
      const [left] = (await one.running.services.storage.pageWaiting({ after: undefined, limit: 1 })).items;
      await declineUser(one.running.services, { id: left?.id ?? '' }, '', requester);
      for (const { clock } of [one, two]) clock.advance(2 * DAY);
      await round();
      assert.equal((await told(english.email)).length, 1, 'nobody waits any more');
    } finally {
      await stop();
    }
  });

  test('after 30 days a request is deleted, without a message', async () => {
    const { email } = await signUp(service);
    const { id } = await userWith(email);
    const others = await newWaiting(service);
    const mails = (await mailsTo(service, email)).length;
    service.clock.advance(30 * DAY);
    const fresh = await newWaiting(service);
    assert.equal((await sweep(service, 'one')).kind, 'swept');
    assert.ok(await services().storage.findUser(id), 'not before the 30 days are over');
    service.clock.advance(1);
    await approve(others.id);
    assert.equal((await sweep(service, 'one')).kind, 'swept');
    await deleteOverdue(services());
    assert.equal(await services().storage.findUser(id), undefined);
    assert.ok(await services().storage.findUser(others.id));
    assert.ok(await services().storage.findUser(fresh.id));
    assert.equal((await mailsTo(service, email)).length <= mails, true);
    const declined = (await service.events('user_declined')).filter(({ userId }) => userId === id);
    assert.deepEqual(
      declined.map(({ detail }) => detail?.reason),
      ['not_decided'],
    );
  });
});

describe('at the same moment', () => {
  test('of approving and declining one takes place, and nobody gets a session for an account that is gone', async () => {
    for (let round = 0; round < 8; round++) {
      const user = await newWaiting(service);
      const people = Array.from({ length: 4 }, () => new Person(service));
      const [decisions, answers] = await Promise.all([
        Promise.all([approve(user.id), decline(user.id), approve(user.id), decline(user.id)]),
        Promise.all(people.map((person) => signIn(user.email, password, person))),
      ]);
      assert.equal(decisions.filter(({ kind }) => kind === 'done').length, 1);
      const isApproved = decisions[0]?.kind === 'done' || decisions[2]?.kind === 'done';
      const left = await services().storage.findUser(user.id);
      assert.equal(left !== undefined, isApproved);
      for (const [index, { status }] of answers.entries()) {
        const signedIn = people[index] !== undefined && isSignedIn(people[index]);
        assert.equal(signedIn, status === 200);
        assert.ok([200, 400, 403].includes(status), String(status));
        if (!isApproved) assert.notEqual(status, 200);
      }
      const sessions = (await service.rows('sessions')).filter(({ user_id }) => user_id === user.id);
      assert.equal(sessions.length, isApproved ? answers.filter(({ status }) => status === 200).length : 0);
      service.clock.advance(16 * 60);
    }
  });
});

async function finish(email: string, status: number): Promise<void> {
  const person = new Person(service);
  const form = await formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
  assert.equal((await person.submit(form, { name: 'Grace Hopper', password })).status, status);
}

function event(kind: EventKind, userId: string) {
  return services().journal.event({ kind, userId }, requester);
}
