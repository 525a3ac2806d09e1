// Pending invitations, and corrections that administrators make to a user.

import assert from 'node:assert/strict';
import { type PagePosition, type Storage, StorageConflict } from '../../../src/storage/storage.ts';
import { anEvent, hasEvent, type Rule, start, storedLink, storedUser } from '../records.ts';

export function peopleRules(rule: Rule): void {
  invitationRules(rule);
  editRules(rule);
}

const invite = (
  storage: Storage,
  email: string,
  expiresAt: number,
  invitedBy?: { kind: 'administrator'; id: string },
) =>
  storedLink(storage, {
    purpose: 'invite',
    userId: null,
    data: { email, name: 'Guest', mailed: 'yes', ...(invitedBy && { invitedBy }) },
    expiresAt,
  });

function invitationRules(rule: Rule): void {
  rule('pending invitations are listed newest first, in both directions', async (storage) => {
    const actor = { kind: 'administrator', id: 'boss' } as const;
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await invite(storage, `${name}@example.test`, start + 10 + Math.floor(index / 2), actor);
    }
    await invite(storage, 'expired@example.test', start);
    await storedLink(storage, { purpose: 'sign_up', userId: null, expiresAt: start + 99 });
    const emails: string[] = [];
    let after: PagePosition | undefined;
    let before: PagePosition | undefined;
    do {
      const page = await storage.pageInvitations({ after, limit: 2 }, start);
      emails.push(...page.items.map(({ email }) => email));
      before = page.previous;
      after = page.next;
    } while (after !== undefined);
    assert.equal(emails.length, 5);
    assert.equal(emails[0], 'e@example.test');
    assert.deepEqual(new Set(emails.slice(3)), new Set(['a@example.test', 'b@example.test']));
    const back = await storage.pageInvitations({ after: undefined, before, limit: 2 }, start);
    assert.deepEqual(
      back.items.map(({ email }) => email),
      emails.slice(2, 4),
    );
    assert.deepEqual(back.items[0]?.invitedBy, actor);
    assert.deepEqual((await storage.pageInvitations({ after: ['616461', 'x'], limit: 2 }, start)).items, []);
  });

  rule('an invitation is found by its email address in any case, and withdrawn once', async (storage) => {
    const link = await invite(storage, 'Guest@example.test', start + 10);
    assert.equal((await storage.findInvitation('guest@EXAMPLE.test', start))?.email, 'Guest@example.test');
    assert.equal(await storage.findInvitation('guest@example.test', start + 10), undefined);
    const [event, again] = [anEvent(), anEvent()];
    assert.equal(await storage.withdrawInvitation('guest@example.test', start, event), true);
    assert.equal(await storage.withdrawInvitation('guest@example.test', start, again), false);
    assert.deepEqual([await hasEvent(storage, event), await hasEvent(storage, again)], [true, false]);
    assert.equal(await storage.findLink(link.digest, 'invite', start), undefined);
  });
}

function editRules(rule: Rule): void {
  rule('a new email address is unverified, voids links and is searchable; a new name does neither', async (storage) => {
    const user = await storedUser(storage, { name: 'Old Name', email: 'old@example.test', emailVerifiedAt: 5 });
    const link = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const invitation = await invite(storage, 'new@example.test', start + 10);
    const renamed = { ...user, name: 'New Name', givenName: 'New' };
    assert.equal(await storage.editUser(user.id, user, renamed, start + 1, anEvent()), true);
    assert.equal((await storage.findUser(user.id))?.emailVerifiedAt, 5);
    assert.notEqual(await storage.findLink(link.digest, 'reset_password', start), undefined);
    const moved = { ...renamed, email: 'New@example.test' };
    const event = anEvent();
    assert.equal(await storage.editUser(user.id, renamed, moved, start + 2, event), true);
    const now = await storage.findUser(user.id);
    assert.deepEqual([now?.email, now?.emailVerifiedAt, now?.givenName], ['New@example.test', null, 'New']);
    assert.equal(await hasEvent(storage, event), true);
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined);
    assert.equal(await storage.findLink(invitation.digest, 'invite', start), undefined, 'the address has an account');
    const found = async (word: string) =>
      (await storage.pageUsers({ words: [word], after: undefined, limit: 5 })).items.length;
    assert.deepEqual([await found('new@'), await found('new'), await found('old')], [1, 1, 0]);
  });

  rule("an edit based on outdated values, or with someone else's email address, is refused", async (storage) => {
    const user = await storedUser(storage, { name: 'Ada', email: 'ada@example.test' });
    await storedUser(storage, { email: 'taken@example.test' });
    const event = anEvent();
    const stale = { ...user, name: 'Somebody else' };
    assert.equal(await storage.editUser(user.id, stale, { ...user, name: 'Bea' }, start, event), false);
    assert.equal(await hasEvent(storage, event), false);
    const taken = storage.editUser(user.id, user, { ...user, email: 'Taken@example.test' }, start, event);
    await assert.rejects(taken, StorageConflict);
    assert.deepEqual((await storage.findUser(user.id))?.email, 'ada@example.test');
  });

  rule("an email address is verified once, and only if it's still the same", async (storage) => {
    const user = await storedUser(storage, { email: 'ada@example.test', emailVerifiedAt: null });
    assert.equal(await storage.verifyEmail(user.id, 'other@example.test', start, anEvent()), false);
    assert.equal(await storage.verifyEmail(user.id, 'ada@example.test', start, anEvent()), true);
    assert.equal(await storage.verifyEmail(user.id, 'ada@example.test', start + 1, anEvent()), false);
    assert.equal((await storage.findUser(user.id))?.emailVerifiedAt, start);
  });
}
