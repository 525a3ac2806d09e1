// Roles: set together in one write, which states what they were.

import assert from 'node:assert/strict';
import { holderOf, keepsGivenRights } from '../../../src/protocol/account/roles.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  aLink,
  anApiKey,
  anEvent,
  aPasskey,
  hasEvent,
  later,
  type Rule,
  start,
  storedAdministrator,
  storedLink,
  storedUser,
} from '../records.ts';

const set = (storage: Storage, user: User, roles: readonly Role[], event = anEvent()) =>
  storage.setRoles(user.id, user, holderOf(roles, user.adminSince ?? later), later, [event]);
const held = async (storage: Storage, { id }: User) => {
  const { adminSince, roles } = (await storage.findUser(id)) ?? {};
  return [adminSince, roles];
};

export function roleRules(rule: Rule): void {
  rule('roles are set together, and nothing else of the user changes', async (storage) => {
    await storedAdministrator(storage);
    const user = await storedUser(storage);
    const event = anEvent();
    assert.equal(await set(storage, user, ['people', 'administrator', 'auditor'], event), true);
    const changed = { ...user, adminSince: later, roles: 'auditor people' };
    assert.deepEqual(await storage.findUser(user.id), changed);
    assert.equal(await hasEvent(storage, event), true);
    assert.equal(await set(storage, changed, []), true);
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  rule('setting the roles that a user has changes nothing', async (storage) => {
    const [user, event] = [await storedUser(storage, { roles: 'auditor people' }), anEvent()];
    assert.equal(await set(storage, user, ['people', 'auditor'], event), false);
    assert.equal(await set(storage, await storedUser(storage), [], event), false);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('roles that have changed meanwhile are left alone', async (storage) => {
    const [user, event] = [await storedUser(storage, { roles: 'people' }), anEvent()];
    assert.equal(await set(storage, user, []), true);
    assert.equal(await set(storage, user, ['people', 'auditor'], event), false);
    assert.deepEqual(await held(storage, user), [null, null]);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('of concurrent changes from the same roles, one is made', async (storage) => {
    const user = await storedUser(storage);
    const changes = (['people', 'applications', 'auditor'] as const).map((role) => set(storage, user, [role]));
    assert.equal((await Promise.all(changes)).filter(Boolean).length, 1);
  });

  rule("a disabled user can lose a role but can't get one", async (storage) => {
    const user = await storedUser(storage, { roles: 'people', disabledAt: start });
    assert.equal(await set(storage, user, ['people', 'auditor']), false);
    assert.equal(await set(storage, user, ['auditor']), false);
    assert.equal(await set(storage, user, []), true);
  });

  rule('another role is no reason to lose the last administrator', async (storage) => {
    const admin = await storedAdministrator(storage);
    await storedUser(storage, { roles: 'people' });
    assert.equal(await set(storage, admin, ['people', 'applications', 'auditor']), false);
    assert.deepEqual(await held(storage, admin), [start, null]);
    assert.equal(await set(storage, admin, ['administrator', 'people']), true, 'who stays one can have others');
    await storedAdministrator(storage);
    const { roles, ...others } = admin;
    assert.equal(await set(storage, { ...others, roles: 'people' }, ['people']), true);
    assert.deepEqual([roles, await held(storage, admin)], [null, [null, 'people']]);
  });

  rule('a lesser role can be given to someone whose access ends, without an administrator', async (storage) => {
    const user = await storedUser(storage, { expiresAt: later + 10 });
    assert.equal(await set(storage, user, ['people']), true);
  });

  const changes: readonly (readonly [string, Role[], Role[]])[] = [
    ['getting a role', [], ['people']],
    ['losing a role', ['people'], []],
    ['becoming an administrator', ['people'], ['administrator', 'people']],
    ['having another role', ['administrator', 'people'], ['administrator', 'auditor']],
  ];
  for (const [what, before, after] of changes) {
    const stands = keepsGivenRights(before, after);
    const also = stands ? 'and neither keys nor' : 'keys and';
    rule(`${what} ends the user's links, ${also} invitations to a role`, async (storage) => {
      await storedAdministrator(storage);
      const user = await storedUser(storage, holderOf(before, start));
      const key = anApiKey({ createdBy: user.id });
      await storage.createApiKey(key, anEvent());
      const invitedBy = { kind: 'administrator', id: user.id } as const;
      const other = { kind: 'administrator', id: 'other' } as const;
      const invite = (email: string, data: object) =>
        storedLink(storage, { purpose: 'invite', userId: null, data: { email, ...data } });
      const given = [
        await invite('a@people.example', { invitedBy, admin: 'yes' }),
        await invite('b@people.example', { invitedBy, roles: 'people' }),
      ];
      const ended = [await storedLink(storage, { purpose: 'recover', userId: user.id }), ...(stands ? [] : given)];
      const kept = [
        ...(stands ? given : []),
        await invite('c@people.example', { invitedBy, name: '"roles":"people"' }),
        await invite('d@people.example', { invitedBy: other, roles: 'people' }),
      ];
      assert.equal(await set(storage, user, after), true);
      const find = ({ digest, purpose }: (typeof ended)[number]) => storage.findLink(digest, purpose, start);
      for (const link of ended) assert.equal(await find(link), undefined, JSON.stringify(link.data));
      for (const link of kept) assert.notEqual(await find(link), undefined, JSON.stringify(link.data));
      assert.equal((await storage.listApiKeys()).length, stands ? 1 : 0);
    });
  }

  const guardedChanges: Record<string, (storage: Storage, user: User, event: EventRecord) => Promise<boolean>> = {
    storeLink: (storage, user, event) => storage.storeLink(aLink({ purpose: 'recover', userId: user.id }), event),
    editUser: (storage, user, event) =>
      storage.editUser(user.id, user, { ...user, email: 'other@people.example' }, later, event),
    setPasswordHash: (storage, { id }, event) => storage.setPasswordHash(id, 'hash', later, event),
    removeSecondFactors: (storage, { id }, event) => storage.removeSecondFactors(id, event),
    endSessions: (storage, { id }, event) => storage.endSessions(id, event),
    verifyEmail: (storage, { id, email }, event) => storage.verifyEmail(id, email, later, event),
    disableUser: (storage, { id }, event) => storage.disableUser(id, later, event),
    deleteUser: (storage, { id }, event) => storage.deleteUser(id, event),
  };
  for (const [name, change] of Object.entries(guardedChanges)) {
    rule(`${name} changes nothing about someone who has got a role, if that would be too much`, async (storage) => {
      await storedAdministrator(storage);
      const ready = async (overrides: Partial<User>) => {
        const user = await storedUser(storage, { emailVerifiedAt: null, ...overrides });
        await storage.addPasskey(aPasskey(user), undefined, anEvent());
        return user;
      };
      for (const overrides of [{ roles: 'auditor' }, { adminSince: start }]) {
        const user = await ready(overrides);
        const event = anEvent({ userId: user.id, unlessRole: true });
        assert.equal(await change(storage, user, event), false);
        assert.deepEqual([await storage.findUser(user.id), await hasEvent(storage, event)], [user, false]);
      }
      const user = await ready({});
      const event = anEvent({ userId: user.id, unlessRole: true });
      assert.equal(await change(storage, user, event), true);
      assert.equal(await hasEvent(storage, event), true);
    });
  }

  rule('an invitation is listed with its roles', async (storage) => {
    const email = 'invited@people.example';
    await storedLink(storage, {
      purpose: 'invite',
      userId: null,
      data: { email, admin: 'yes', roles: 'auditor people' },
    });
    const { roles } = (await storage.findInvitation(email, start)) ?? {};
    assert.deepEqual(roles, ['administrator', 'auditor', 'people']);
  });

  rule('everyone with a role counts among those who are asked for more than a password', async (storage) => {
    await storedUser(storage);
    await storedAdministrator(storage);
    await storedUser(storage, { roles: 'auditor' });
    assert.equal(await storage.countPasswordOnly('administrators'), 2);
    assert.equal(await storage.countPasswordOnly('everyone'), 3);
  });
}
