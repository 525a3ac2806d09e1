// Somebody knows a password and guesses at the second step, day after day and from everywhere.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { Person } from '../../harness/person.ts';
import {
  alignToStep,
  codeOf,
  eventsOf,
  isSignedIn,
  newOwner,
  type Owner,
  reachSecondStep,
  tryCode,
  wrongCode,
} from '../../harness/second-factors.ts';
import { requester } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const service = serviceOfSuite({ LATCHKEY_TRUST_PROXY: '127.0.0.1' });
before(async () => {
  alignToStep(service);
});

let networks = 0;
/** Wrong codes from a network each until one is not even looked at; at most as many as asked for. */
async function guess(owner: Owner, count: number, person = new Person(service)): Promise<number> {
  const step = await reachSecondStep(service, owner.user, person);
  for (let number = 0; number < count; number++) {
    const headers = { 'X-Forwarded-For': `2001:db8:${(++networks).toString(16)}::1` };
    const { status } = await step.person.submit(step.form, { code: wrongCode(service, owner, number) }, headers);
    if (status === 429) return number;
    assert.equal(status, 400);
  }
  return count;
}

/** How many guesses a patient attacker has, who tries again every quarter of an hour until waiting that long is not enough. */
async function guessPatiently(owner: Owner, person?: Person): Promise<number> {
  for (let guesses = 0; ; ) {
    const more = await guess(owner, 11, person);
    if (more === 0) return guesses;
    guesses += more;
    service.clock.advance(16 * MINUTE);
  }
}

const notices = async ({ user }: Owner) =>
  (await mailsTo(service, user.email)).filter(({ subject }) => subject.startsWith('Someone may know your password'));

describe('guessing codes', () => {
  test('is limited over days, per person rather than per network', async () => {
    const owner = await newOwner(service);
    const days = [];
    for (let day = 0; day < 3; day++) {
      days.push(await guessPatiently(owner));
      service.clock.advance(DAY);
    }
    assert.deepEqual(days, [30, 30, 0]);
    service.clock.advance(4 * DAY);
    assert.equal(await guess(owner, 1), 1, 'a week later the first ones no longer count');
  });

  test("doesn't lock out people with a recovery code, a known browser or a new password", async () => {
    const owner = await newOwner(service);
    owner.person.cookies.delete('latchkey_session');
    // A new password suspends second factors that are younger than a week.
    service.clock.advance(8 * DAY);
    assert.equal(await guessPatiently(owner), 30);
    const stranger = await reachSecondStep(service, owner.user);
    const refused = await tryCode(stranger, codeOf(service, owner));
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 15 * MINUTE);
    assert.match(await refused.text(), /Use a recovery code or a passkey, or try again in \d+ hours\./);
    await tryCode(stranger, owner.recoveryCodes[0] ?? '');
    assert.ok(await isSignedIn(stranger.person));

    const known = await reachSecondStep(service, owner.user, owner.person);
    await tryCode(known, codeOf(service, owner));
    assert.ok(await isSignedIn(known.person));

    service.clock.advance(30);
    await setPassword(service.running.services, owner.user.id, 'a password nobody else knows', requester);
    const anew = await reachSecondStep(service, { ...owner.user, password: 'a password nobody else knows' });
    await tryCode(anew, codeOf(service, owner));
    assert.ok(await isSignedIn(anew.person));
  });

  test('in a known browser is limited separately', async () => {
    const owner = await newOwner(service);
    const thief = new Person(service);
    thief.cookies.set('latchkey_device', owner.person.cookies.get('latchkey_device') ?? '');
    assert.equal(await guessPatiently(owner, thief), 30);
    const elsewhere = await reachSecondStep(service, owner.user);
    await tryCode(elsewhere, codeOf(service, owner));
    assert.ok(await isSignedIn(elsewhere.person));
  });

  test('is reported to the owner from the third wrong code on, once a day', async () => {
    const owner = await newOwner(service);
    await guess(owner, 2);
    assert.equal((await notices(owner)).length, 0, 'everybody mistypes a code now and then');
    const step = await reachSecondStep(service, owner.user);
    await Promise.all(Array.from({ length: 5 }, (_, number) => tryCode(step, wrongCode(service, owner, number))));
    const [notice, ...more] = await notices(owner);
    assert.deepEqual(more, []);
    assert.match(notice?.text ?? '', /Someone entered your password, followed by several incorrect verification codes/);
    assert.match(notice?.text ?? '', /IP address 127\.0\.0\.1/);
    assert.match(notice?.text ?? '', /\/reset-password/);
    service.clock.advance(DAY);
    await guess(owner, 3);
    assert.equal((await notices(owner)).length, 2);
    const reasons = (await eventsOf(service, owner.user)).map(({ reason }) => reason).filter(Boolean);
    assert.deepEqual(new Set(reasons), new Set(['wrong_second_step']));
  });
});
