// Accounts that wait for approval.

import assert from 'node:assert/strict';
import { mostWaiting } from '../../../src/protocol/account/standing.ts';
import { DAY } from '../../../src/protocol/durations.ts';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anEvent,
  aSession,
  atOnce,
  aUser,
  later,
  type Rule,
  start,
  storedLink,
  storedUser,
  winners,
} from '../records.ts';

export function waitingRules(rule: Rule): void {
  rule('those who wait are listed, the longest first, in both directions', async (storage) => {
    const times = [start + 3, start + 1, start + 2, start + 2];
    const people = [];
    for (const at of times) people.push(await storedWaiting(storage, at));
    await storedUser(storage);
    const sorted = people.toSorted((a, b) => (a.pendingSince ?? 0) - (b.pendingSince ?? 0) || (a.id < b.id ? -1 : 1));
    const ids = sorted.map(({ id }) => id);
    const first = await storage.pageWaiting({ after: undefined, limit: 2 });
    const second = await storage.pageWaiting({ after: first.next, limit: 2 });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      ids,
    );
    assert.equal(second.next, undefined);
    const back = await storage.pageWaiting({ after: undefined, before: second.previous, limit: 2 });
    assert.deepEqual(
      back.items.map(({ id }) => id),
      ids.slice(0, 2),
    );
    assert.equal(await storage.countWaiting(), 4);
    assert.deepEqual(await storage.listOverdue(start + 3, 10), ids.slice(0, 3));
    assert.deepEqual(await storage.listOverdue(start + 3, 1), ids.slice(0, 1));
  });

  rule('approving lets the user sign in, once, and nothing else does', async (storage) => {
    const user = await storedWaiting(storage);
    const session = aSession(user);
    const newSession = { session, replacedDigest: undefined, deviceDigest: aDigest(), event: anEvent() };
    const { sessionGeneration } = user;
    const startSession = () => storage.startSession({ ...newSession, sessionGeneration, condition: undefined });
    assert.equal(await startSession(), false);
    assert.equal(await storage.enableUser(user.id, later, anEvent()), false);
    assert.equal(await storage.disableUser(user.id, later, anEvent()), false);
    assert.equal(await winners(() => storage.approveUser(user.id, later, anEvent({ kind: 'user_approved' }))), 1);
    assert.deepEqual(await storage.findUser(user.id), {
      ...user,
      disabledAt: null,
      pendingSince: null,
      updatedAt: later,
    });
    assert.equal(await startSession(), true);
    assert.equal(await storage.declineUser(user.id, anEvent({ kind: 'user_declined' })), false);
    assert.ok(await storage.findSession(session.digest, start));
    assert.equal(await storage.approveUser('unknown', later, anEvent()), false);
  });

  rule('declining deletes the user and queues the email, once', async (storage) => {
    const user = await storedWaiting(storage);
    const email = () => ({ id: aDigest(), sealed: 'sealed', createdAt: start });
    assert.equal(await winners(() => storage.declineUser(user.id, anEvent({ kind: 'user_declined' }), email())), 1);
    assert.equal(await storage.findUser(user.id), undefined);
    assert.equal((await storage.listEmails(10)).length, 1);
    const active = await storedUser(storage);
    assert.equal(await storage.declineUser(active.id, anEvent({ kind: 'user_declined' }), email()), false);
    assert.equal((await storage.listEmails(10)).length, 1);
    assert.ok(await storage.findUser(active.id));
  });

  rule('of approvals and declines at the same moment exactly one takes place', async (storage) => {
    for (let round = 0; round < 5; round++) {
      const user = await storedWaiting(storage);
      const outcomes = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          index % 2 === 0
            ? storage.approveUser(user.id, later, anEvent({ kind: 'user_approved' }))
            : storage.declineUser(user.id, anEvent({ kind: 'user_declined' })),
        ),
      );
      assert.equal(outcomes.filter(Boolean).length, 1);
      const isApproved = outcomes.findIndex(Boolean) % 2 === 0;
      assert.equal((await storage.findUser(user.id))?.pendingSince, isApproved ? null : undefined);
    }
  });

  rule('however many sign up at once, no more wait than may', async (storage) => {
    const room = 3;
    for (let made = 0; made < mostWaiting - room; made += 100) {
      const count = Math.min(100, mostWaiting - room - made);
      await Promise.all(Array.from({ length: count }, () => storedWaiting(storage)));
    }
    const links = [];
    for (let count = 0; count < atOnce; count++) links.push(await storedLink(storage));
    const signUp = (digest: string, user: User) =>
      storage.signUp(user, { digest, purpose: 'sign_up' }, start, anEvent({ kind: 'signed_up' }));
    const outcomes = await Promise.all(links.map(({ digest }) => signUp(digest, waitingUser())));
    assert.equal(outcomes.filter(Boolean).length, room);
    assert.equal(await storage.countWaiting(), mostWaiting);
    const unused = links[outcomes.indexOf(false)];
    assert.ok(await storage.findLink(unused?.digest ?? '', 'sign_up', start), 'the link still works');
    assert.equal(await signUp(unused?.digest ?? '', aUser()), true, 'those who need no approval have no limit');
  });

  rule('of many notices at once one is queued, while somebody waits, once in the interval', async (storage) => {
    const email = () => ({ id: aDigest(), sealed: 'sealed', createdAt: start });
    const queue = (at: number) => storage.queueWaitingNotice(at, DAY, [email(), email()]);
    assert.equal(await queue(start), false, 'nobody waits');
    const user = await storedWaiting(storage);
    assert.equal(await winners(() => queue(start)), 1);
    assert.equal(await storage.findFact('approval_notice_at'), String(start));
    assert.equal((await storage.listEmails(10)).length, 2);
    // Clocks of several machines differ a little.
    for (const at of [start - 5, start + 5, start + DAY - 1]) assert.equal(await queue(at), false);
    assert.equal(await winners(() => queue(start + DAY)), 1);
    // The time was written by a clock that was wrong.
    assert.equal(await queue(start - DAY), true);
    await storage.approveUser(user.id, later, anEvent({ kind: 'user_approved' }));
    assert.equal(await queue(start + 5 * DAY), false);
    assert.equal(await storage.findFact('approval_notice_at'), String(start - DAY));
  });

  rule('of emails of one name, all are queued once in the interval; others have their own turn', async (storage) => {
    const email = () => ({ id: aDigest(), sealed: 'sealed', createdAt: start });
    const queue = (name: 'end_list_at' | 'scim_notice_at', at: number) =>
      storage.queueInTurn(name, at, DAY, [email(), email()]);
    assert.equal(await winners(() => queue('scim_notice_at', start)), 1);
    assert.equal((await storage.listEmails(10)).length, 2);
    assert.equal(await queue('end_list_at', start), true);
    assert.equal(await queue('scim_notice_at', start + DAY - 1), false);
    assert.equal((await storage.listEmails(10)).length, 4);
    assert.equal(await winners(() => queue('scim_notice_at', start + DAY)), 1);
    assert.equal(await storage.findFact('scim_notice_at'), String(start + DAY));
    assert.equal(await storage.findFact('end_list_at'), String(start));
  });
}

function waitingUser(at = start): User {
  return aUser({ disabledAt: at, pendingSince: at });
}

async function storedWaiting(storage: Storage, at = start): Promise<User> {
  const user = waitingUser(at);
  await storage.createUser(user, anEvent({ kind: 'signed_up' }));
  return user;
}
