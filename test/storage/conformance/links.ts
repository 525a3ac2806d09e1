// Links that work once, and tickets.

import assert from 'node:assert/strict';
import { type LinkPurpose, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  aLink,
  anEvent,
  atOnce,
  hasEvent,
  later,
  type Rule,
  start,
  storedLink,
  storedUser,
  winners,
} from '../records.ts';

export function linkRules(rule: Rule): void {
  findingRules(rule);
  handedOverRules(rule);
  ticketRules(rule);
}

function findingRules(rule: Rule): void {
  rule('a link is found for its purpose until it expires', async (storage) => {
    const user = await storedUser(storage);
    const link = await storedLink(storage, {
      purpose: 'change_email',
      userId: user.id,
      data: { email: 'Zoë@example.org', name: 'Zoë', target: '/account', mailed: 'yes' },
    });
    assert.deepEqual(await storage.findLink(link.digest, 'change_email', start), link);
    assert.deepEqual(await storage.findLink(link.digest, 'change_email', link.expiresAt - 1), link);
    assert.equal(await storage.findLink(link.digest, 'change_email', link.expiresAt), undefined);
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined);
    assert.equal(await storage.findLink(link.digest, 'sign_up', start), undefined);
    assert.equal(await storage.findLink(aDigest(), 'change_email', start), undefined);
    const forNobody = await storedLink(storage);
    assert.deepEqual(await storage.findLink(forNobody.digest, 'sign_up', start), forNobody);
  });

  rule("reading a link doesn't use it up", async (storage) => {
    const link = await storedLink(storage);
    for (let look = 0; look < 3; look++) assert.ok(await storage.findLink(link.digest, 'sign_up', start));
  });

  rule("a new link only voids the user's earlier ones for the same purpose", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const reset = (person: User) => storedLink(storage, { purpose: 'reset_password', userId: person.id });
    const [earlier, others, signUp] = [await reset(user), await reset(other), await storedLink(storage)];
    const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
    const newer = await reset(user);
    await storedLink(storage);
    assert.equal(await storage.findLink(earlier.digest, 'reset_password', start), undefined);
    for (const link of [others, signUp, address, newer]) {
      assert.deepEqual(await storage.findLink(link.digest, link.purpose, start), link);
    }
  });
}

function handedOverRules(rule: Rule): void {
  rule('a link to share is stored with its event', async (storage) => {
    const user = await storedUser(storage);
    const [link, event] = [aLink({ purpose: 'recover', userId: user.id, data: { target: '/account' } }), anEvent()];
    assert.equal(await storage.storeLink(link, event), true);
    assert.deepEqual(await storage.findLink(link.digest, 'recover', start), link);
    assert.ok(await hasEvent(storage, event));
    await assert.rejects(storage.storeLink({ ...link, userId: null }, anEvent()), StorageConflict);
  });

  rule("a link to share only voids the user's earlier ones for the same purpose", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const keep = async (purpose: LinkPurpose, userId: string | null) => {
      const link = aLink({ purpose, userId });
      assert.equal(await storage.storeLink(link, anEvent()), true);
      return link;
    };
    const earlier = await keep('recover', user.id);
    const kept = [
      await keep('reset_password', user.id),
      await keep('recover', other.id),
      await keep('invite', null),
      await keep('invite', null),
      await keep('set_up', null),
      await keep('recover', user.id),
    ];
    assert.equal(await storage.findLink(earlier.digest, 'recover', start), undefined);
    for (const link of kept) assert.deepEqual(await storage.findLink(link.digest, link.purpose, start), link);
  });

  rule('of links created concurrently for one user one is left', async (storage) => {
    const user = await storedUser(storage);
    const links = Array.from({ length: atOnce }, () => aLink({ purpose: 'recover', userId: user.id }));
    await Promise.all(links.map((link) => storage.storeLink(link, anEvent())));
    const found = await Promise.all(links.map(({ digest }) => storage.findLink(digest, 'recover', start)));
    assert.equal(found.filter((link) => link !== undefined).length, 1);
  });

  rule('no link is stored for a deleted user', async (storage) => {
    const [link, event] = [aLink({ purpose: 'recover', userId: 'nobody' }), anEvent()];
    assert.equal(await storage.storeLink(link, event), false);
    assert.equal(await storage.findLink(link.digest, 'recover', start), undefined);
    assert.equal(await hasEvent(storage, event), false);
  });
}

function ticketRules(rule: Rule): void {
  rule('of many concurrent uses of one ticket exactly one succeeds', async (storage) => {
    const ticket = aDigest();
    assert.equal(await winners((index) => storage.consumeTicket(ticket, later + index)), 1);
    assert.equal(await storage.consumeTicket(ticket, later), false);
    assert.equal(await storage.consumeTicket(aDigest(), later), true);
  });
}
