// Roles: set together in one write, which states what they were.

import assert from 'node:assert/strict';
import { holderOf, keepsGivenRights } from '../../../src/protocol/account/roles.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  aLink,
  anApiKey,
  anAuthenticator,
  anEvent,
  aPasskey,
  aUser,
  hasEvent,
  later,
  type Rule,
  start,
  storedAdministrator,
  storedLink,
  storedUser,
} from '../records.ts';

const set = (storage: Storage, user: User, roles: readonly Role[], event = anEvent()) =>
  storage.setRoles(user.id, user, holderOf(roles, user.adminSince ?? later), later, event);
const held = async (storage: Storage, { id }: User) => {
  const { adminSince, roles } = (await storage.findUser(id)) ?? {};
  return [adminSince, roles];
};

/** What is done to a user with less than admin access. */
export const guardedChanges: Record<string, (storage: Storage, user: User, event: EventRecord) => Promise<boolean>> = {
  storeLink: (storage, user, event) => storage.storeLink(aLink({ purpose: 'recover', userId: user.id }), event),
  queueEmail: (storage, user, event) =>
    storage.queueEmail(anEmail(), aLink({ purpose: 'reset_password', userId: user.id }), event),
  editUser: (storage, user, event) =>
    storage.editUser(user.id, user, { ...user, email: 'other@people.example' }, later, event),
  setPasswordHash: (storage, { id }, event) => storage.setPasswordHash(id, 'hash', later, event),
  removeSecondFactors: (storage, { id }, event) => storage.removeSecondFactors(id, event),
  endSessions: (storage, { id }, event) => storage.endSessions(id, event),
  verifyEmail: (storage, { id, email }, event) => storage.verifyEmail(id, email, later, event),
  disableUser: (storage, { id }, event) => storage.disableUser(id, later, event),
  deleteUser: (storage, { id }, event) => storage.deleteUser(id, event),
};

/** Those of them with which the requester could sign in as the person. */
export const takingOver = ['storeLink', 'editUser', 'setPasswordHash', 'removeSecondFactors', 'verifyEmail'] as const;

interface OfferEnded {
  readonly give: (storage: Storage, user: User, email: string, event: EventRecord) => Promise<boolean>;
  /** Whether the address is the user's already. */
  readonly taken?: 'own';
}

const anEmail = () => ({ id: aDigest(), sealed: 'sealed', createdAt: start });
const invitationTo = (email: string) => aLink({ purpose: 'invite', userId: null, data: { email } });

/** What ends invitations for an email address. */
export const offersEnded = {
  createUser: { give: (storage, _, email, event) => storage.createUser(aUser({ email }), event) },
  editUser: {
    give: (storage, user, email, event) => storage.editUser(user.id, user, { ...user, email }, later, event),
  },
  importUsers: {
    give: (storage, _, email, event) =>
      storage.importUsers('keycloak', [{ oldId: 'old', user: aUser({ email }) }], later, event),
  },
  changeScimUser: {
    give: (storage, user, email, event) => {
      const change = { source: 'entra', person: { ...user, email }, attributes: undefined, standing: undefined };
      const basis = { ...user, emailVerifiedAt: start };
      return storage.changeScimUser(basis, { ...change, emailVerifiedAt: later }, later, [event]);
    },
  },
  storeLink: { give: (storage, _, email, event) => storage.storeLink(invitationTo(email), event) },
  queueEmail: { give: (storage, _, email, event) => storage.queueEmail(anEmail(), invitationTo(email), event) },
  withdrawInvitation: { give: (storage, _, email, event) => storage.withdrawInvitation(email, start, event) },
  deleteUser: { give: (storage, { id }, _, event) => storage.deleteUser(id, event), taken: 'own' },
} satisfies Record<string, OfferEnded>;

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
        const event = anEvent({ userId: user.id, limited: true });
        assert.equal(await change(storage, user, event), false);
        assert.deepEqual([await storage.findUser(user.id), await hasEvent(storage, event)], [user, false]);
      }
      const user = await ready({});
      const event = anEvent({ userId: user.id, limited: true });
      assert.equal(await change(storage, user, event), true);
      assert.equal(await hasEvent(storage, event), true);
    });
  }

  for (const name of takingOver) {
    const change = guardedChanges[name] ?? assert.fail();
    rule(
      `${name} changes nothing about someone who has joined a protected group, if that takes over`,
      async (storage) => {
        const times = { createdAt: start, updatedAt: start };
        const [guarded, open] = [
          { id: 'guarded', name: 'Guarded', protectedSince: start, ...times },
          { id: 'open', name: 'Open', protectedSince: null, ...times },
        ];
        for (const group of [guarded, open]) assert.ok(await storage.createGroup(group, anEvent()));
        const user = await storedUser(storage, { emailVerifiedAt: null });
        await storage.addPasskey(aPasskey(user), undefined, anEvent());
        for (const { id } of [guarded, open]) {
          const add = [{ id: user.id, event: anEvent() }];
          assert.equal(await storage.changeMembers(id, { add, remove: [] }, start), true);
        }
        const event = anEvent({ userId: user.id, limited: true, takesOver: true });
        assert.equal(await change(storage, user, event), false);
        assert.deepEqual([await storage.findUser(user.id), await hasEvent(storage, event)], [user, false]);
        const remove = [{ id: user.id, event: anEvent() }];
        assert.equal(await storage.changeMembers(guarded.id, { add: [], remove }, later), true);
        assert.equal(await change(storage, user, event), true, 'the other group is not protected');
        assert.equal(await hasEvent(storage, event), true);
      },
    );
  }

  for (const [name, { give, taken }] of Object.entries<OfferEnded>(offersEnded)) {
    rule(`${name} ends an invitation to a role only if whoever does it may`, async (storage) => {
      await storedAdministrator(storage);
      const user = await storedUser(storage, { emailVerifiedAt: start });
      const invited = taken === 'own' ? user.email : 'invited@people.example';
      const invite = (data: object, expiresAt = later + 1) =>
        storedLink(storage, { purpose: 'invite', userId: null, data: { email: invited, ...data }, expiresAt });
      for (const data of [{ admin: 'yes' }, { roles: 'auditor' }]) {
        const link = await invite(data);
        const event = anEvent({ userId: user.id, at: start, limited: true });
        assert.equal(await give(storage, user, invited, event), false);
        assert.deepEqual(await storage.findUser(user.id), user);
        assert.deepEqual([await storage.findUserByEmail(invited)], [taken === 'own' ? user : undefined]);
        assert.deepEqual([await storage.findLink(link.digest, 'invite', start)], [link]);
        assert.equal(await hasEvent(storage, event), false);
        await storage.withdrawInvitation(invited, start, anEvent());
      }
      // It's over, and the other gives no role, whatever it says.
      await invite({ roles: 'auditor' }, start);
      const harmless = await invite({ name: '"roles":"people"' });
      assert.equal(await give(storage, user, invited, anEvent({ at: start, limited: true })), true);
      assert.equal(await storage.findLink(harmless.digest, 'invite', start), undefined);
    });

    rule(`${name} by an administrator ends an invitation to a role`, async (storage) => {
      await storedAdministrator(storage);
      const user = await storedUser(storage, { emailVerifiedAt: start });
      const email = taken === 'own' ? user.email : 'invited@people.example';
      const data = { email, admin: 'yes' } as const;
      const { digest } = await storedLink(storage, { purpose: 'invite', userId: null, data });
      assert.equal(await give(storage, user, email, anEvent()), true);
      assert.equal(await storage.findLink(digest, 'invite', start), undefined);
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

  rule('those without another way than their password are also counted a few at a time', async (storage) => {
    const users = [];
    for (let i = 0; i < 5; i++) users.push(await storedUser(storage, { passwordHash: i === 0 ? '' : 'hash' }));
    const [, owner, member] = users;
    assert.ok(owner && member);
    await storage.addPasskey(aPasskey(owner), undefined, anEvent());
    await storage.enableAuthenticator(member.id, anAuthenticator(), [], start, anEvent());
    const counted = { everyone: 0, everyone_with_factor: 0 };
    let after: string | undefined = '';
    for (let steps = 0; after !== undefined; steps++) {
      const next: Awaited<ReturnType<typeof storage.countNextPasswordOnly>> = await storage.countNextPasswordOnly(
        after,
        2,
      );
      counted.everyone += next.everyone;
      counted.everyone_with_factor += next.everyone_with_factor;
      after = next.last;
      assert.ok(steps < 4);
    }
    for (const who of ['everyone', 'everyone_with_factor'] as const) {
      assert.equal(counted[who], await storage.countPasswordOnly(who), who);
    }
    assert.deepEqual(counted, { everyone: 3, everyone_with_factor: 1 });
  });
}
