// Links with which several people sign up, groups that new users join, and what ends with an administrator's rights.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DAY } from '../../../src/protocol/durations.ts';
import type { Actor } from '../../../src/protocol/event.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import type { SignUpLink, Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anApiKey,
  anEvent,
  atOnce,
  aUser,
  later,
  nothingIsOver,
  type Rule,
  setAdministrator,
  start,
  storedAdministrator,
  storedLink,
  storedUser,
} from '../records.ts';

const anId = () => newId(randomBytes);

function aLink(overrides: Partial<SignUpLink> = {}): SignUpLink {
  const fields = { groupIds: [], note: '', createdBy: null, createdByKey: null, createdAt: start, revokedAt: null };
  return { id: anId(), uses: 3, used: 0, ...fields, expiresAt: start + DAY, ...overrides };
}

async function stored(storage: Storage, overrides: Partial<SignUpLink> = {}) {
  const [link, digest] = [aLink(overrides), aDigest()];
  assert.equal(await storage.createSignUpLink(link, digest, 100, anEvent()), true);
  return { link, digest };
}

async function signUp(storage: Storage, signUpLink: string, user: User = aUser(), now = start) {
  const { digest } = await storedLink(storage, { data: { email: user.email }, expiresAt: start + 30 * DAY });
  const member = { groups: [], signUpLink };
  return storage.signUp(user, { digest, purpose: 'sign_up' }, now, anEvent(), undefined, member);
}

const usedOf = async (storage: Storage, id: string) => (await storage.findSignUpLink({ id }, start))?.used;

async function aGroup(storage: Storage): Promise<string> {
  const id = anId();
  await storage.createGroup({ id, name: `Group ${id}`, createdAt: start, updatedAt: start }, anEvent());
  return id;
}

const stops: Readonly<Record<string, (storage: Storage, user: User) => Promise<boolean>>> = {
  disabling: (storage, { id }) => storage.disableUser(id, later, anEvent()),
  demoting: (storage, { id }) => setAdministrator(storage, id, null, anEvent()),
  deleting: (storage, { id }) => storage.deleteUser(id, anEvent()),
  'removing all other access': (storage, { id }) =>
    storage.removeOtherAccess({ id, sessionGeneration: 0 }, { factors: true }, later, anEvent()),
};

export function sharedLinkRules(rule: Rule): void {
  rule('a link to sign up with is found by its digest and its ID, and listed newest first', async (storage) => {
    const groupIds = [await aGroup(storage), await aGroup(storage)];
    const note = 'Für den Workshop „Ω" 🚀 =1+1';
    const first = await stored(storage, { groupIds, note });
    const second = await stored(storage, { createdAt: start + 2, revokedAt: start + 3 });
    const third = await stored(storage, { createdAt: start + 1, uses: 10_000 });
    assert.deepEqual(await storage.findSignUpLink({ digest: first.digest }, start), first.link);
    assert.deepEqual(await storage.findSignUpLink({ id: first.link.id }, start), first.link);
    assert.equal(await storage.findSignUpLink({ digest: first.link.id }, start), undefined);
    assert.equal(await storage.findSignUpLink({ id: first.digest }, start), undefined);
    const page = await storage.pageSignUpLinks({ after: undefined, limit: 2 });
    assert.deepEqual(page.items, [second.link, third.link]);
    const rest = await storage.pageSignUpLinks({ after: page.next, limit: 2 });
    assert.deepEqual([rest.items, rest.next], [[first.link], undefined]);
    const back = await storage.pageSignUpLinks({ after: undefined, before: rest.previous, limit: 2 });
    assert.deepEqual(back.items, page.items);
  });

  rule('however many sign up at once, a link creates as many users as it allows', async (storage) => {
    const { link } = await stored(storage, { uses: 3 });
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => signUp(storage, link.id)));
    assert.equal(outcomes.filter(Boolean).length, 3);
    assert.equal((await storage.listUsers()).length, 3);
    assert.equal(await usedOf(storage, link.id), 3);
  });

  rule(
    'a link that is used up, expired, revoked or unknown creates nobody, and keeps the emailed link',
    async (storage) => {
      const full = await stored(storage, { uses: 1, used: 1 });
      const expired = await stored(storage, { expiresAt: start });
      const revoked = await stored(storage);
      assert.equal(await storage.revokeSignUpLink(revoked.link.id, start, anEvent()), true);
      assert.equal(await storage.revokeSignUpLink(revoked.link.id, start, anEvent()), false, 'once');
      assert.equal(await storage.revokeSignUpLink(anId(), start, anEvent()), false);
      for (const id of [full.link.id, expired.link.id, revoked.link.id, anId()]) {
        const { digest } = await storedLink(storage);
        const member = { groups: [], signUpLink: id };
        const by = { digest, purpose: 'sign_up' } as const;
        assert.equal(await storage.signUp(aUser(), by, start, anEvent(), undefined, member), false);
        assert.ok(await storage.findLink(digest, 'sign_up', start));
      }
      assert.deepEqual(await storage.listUsers(), []);
      assert.equal(await usedOf(storage, expired.link.id), 0);
    },
  );

  rule('a sign-up that fails counts no use', async (storage) => {
    const { link } = await stored(storage);
    const taken = await storedUser(storage);
    await assert.rejects(signUp(storage, link.id, aUser({ email: taken.email })));
    assert.equal(await storage.signUp(aUser(), { digest: aDigest(), purpose: 'sign_up' }, start, anEvent()), false);
    assert.equal(await usedOf(storage, link.id), 0);
  });

  rule('only an administrator makes a link to sign up with', async (storage) => {
    const person = await storedUser(storage);
    assert.equal(await storage.createSignUpLink(aLink({ createdBy: person.id }), aDigest(), 100, anEvent()), false);
    assert.deepEqual((await storage.pageSignUpLinks({ after: undefined, limit: 9 })).items, []);
  });

  rule('there can be only so many links to sign up with', async (storage) => {
    for (let count = 0; count < 2; count++) {
      assert.equal(await storage.createSignUpLink(aLink(), aDigest(), 2, anEvent()), true);
    }
    assert.equal(await storage.createSignUpLink(aLink(), aDigest(), 2, anEvent()), false);
    assert.equal(await storage.countSignUpLinks(), 2);
  });

  for (const [what, stop] of Object.entries(stops)) {
    rule(`${what} an administrator ends their links and invitations, which don't come back`, async (storage) => {
      await storedAdministrator(storage);
      const [admin, other] = [await storedAdministrator(storage), await storedAdministrator(storage)];
      const own = await stored(storage, { createdBy: admin.id });
      const others = await stored(storage, { createdBy: other.id });
      assert.deepEqual(await storage.listSignUpLinksOf(admin.id, start), [own.link]);
      const invited = (by: Actor, email: string, more: object = { admin: 'yes' }) =>
        storedLink(storage, { purpose: 'invite', data: { email, invitedBy: by, ...more } });
      const gone = await invited({ kind: 'administrator', id: admin.id }, 'a@a.example');
      const kept = [
        await invited({ kind: 'administrator', id: admin.id }, 'b@a.example', {}),
        await invited({ kind: 'administrator', id: other.id }, 'c@a.example'),
        // The text of a name can't look like the rest.
        await invited({ kind: 'administrator', id: admin.id }, 'd@a.example', { name: '","admin":"yes' }),
      ];
      assert.equal(await stop(storage, admin), true);
      assert.equal(await signUp(storage, own.link.id), false);
      assert.equal((await storage.findSignUpLink({ id: own.link.id }, start))?.revokedAt === null, false);
      assert.equal(await signUp(storage, others.link.id), true);
      assert.equal(await storage.findLink(gone.digest, 'invite', start), undefined);
      for (const { digest } of kept) assert.ok(await storage.findLink(digest, 'invite', start));
      if (what === 'disabling') await storage.enableUser(admin.id, later, anEvent());
      if (what === 'demoting') await setAdministrator(storage, admin.id, later, anEvent());
      assert.equal(await signUp(storage, own.link.id), false);
    });
  }

  rule('a link of an administrator whose access has ended counts as revoked', async (storage) => {
    await storedUser(storage, { adminSince: start });
    const admin = await storedUser(storage, { adminSince: start, expiresAt: start + 10 });
    const { link } = await stored(storage, { createdBy: admin.id });
    assert.equal((await storage.findSignUpLink({ id: link.id }, start + 9))?.revokedAt, null);
    assert.equal((await storage.findSignUpLink({ id: link.id }, start + 10))?.revokedAt, start + 10);
    assert.equal(await signUp(storage, link.id, aUser(), start + 10), false);
    assert.equal(await signUp(storage, link.id, aUser(), start + 9), true);
  });

  rule('a new user joins groups, except those that are gone, with an event for each', async (storage) => {
    const [kept, gone] = [await aGroup(storage), await aGroup(storage)];
    await storage.deleteGroup(gone, start, anEvent());
    const before = await storage.lastAccessChange();
    const user = aUser();
    const { digest } = await storedLink(storage);
    const joining = (id: string) => ({ id, event: anEvent({ kind: 'group_member_added', userId: user.id }) });
    const groups = [joining(kept), joining(gone), joining(anId())];
    const by = { digest, purpose: 'sign_up' } as const;
    assert.equal(await storage.signUp(user, by, start, anEvent(), undefined, { groups }), true);
    assert.deepEqual(
      (await storage.listGroupsOf(user.id, start)).map(({ id }) => id),
      [kept],
    );
    assert.equal(await storage.lastAccessChange(), before + 1);
    const events = await storage.findEvents({ kind: 'group_member_added' }, 9);
    assert.deepEqual(
      events.map(({ id }) => id),
      [groups[0]?.event.id],
    );
  });

  rule('admin access by invitation needs an inviter who has it', async (storage) => {
    const admin = await storedAdministrator(storage);
    const person = await storedUser(storage);
    const key = (overrides: object) => anApiKey({ permission: 'administrator', ...overrides });
    const keys = {
      good: key({}),
      goodOfAdmin: key({ createdBy: admin.id }),
      expired: key({ expiresAt: start }),
      write: key({ permission: 'write' }),
    };
    for (const each of Object.values(keys)) await storage.createApiKey(each, anEvent());
    const accept = async (inviter: Actor | undefined) => {
      const { digest } = await storedLink(storage, { purpose: 'invite' });
      const user = aUser({ adminSince: start });
      const member = { groups: [], role: { inviter, event: anEvent({ kind: 'user_made_administrator' }) } };
      return storage.signUp(user, { digest, purpose: 'invite' }, start, anEvent(), undefined, member);
    };
    const byKey = ({ id }: { id: string }) => accept({ kind: 'api_key', id });
    assert.equal(await accept(undefined), true, 'the command line');
    assert.equal(await accept({ kind: 'administrator', id: admin.id }), true);
    assert.equal(await accept({ kind: 'administrator', id: person.id }), false);
    assert.equal(await accept({ kind: 'administrator', id: anId() }), false);
    assert.equal(await byKey(keys.good), true);
    assert.equal(await byKey(keys.goodOfAdmin), true);
    assert.equal(await byKey(keys.expired), false);
    assert.equal(await byKey(keys.write), false);
    assert.equal(await byKey({ id: anId() }), false);
    await storage.revokeApiKey(keys.good.id, anEvent());
    assert.equal(await byKey(keys.good), false);
  });

  rule('the sweep deletes links that ended some time ago', async (storage) => {
    const lasting = await stored(storage);
    await stored(storage, { expiresAt: start - DAY });
    await stored(storage, { revokedAt: start - DAY });
    await storage.sweep(nothingIsOver({ signUpLinksBefore: start - DAY }), 100);
    assert.equal((await storage.pageSignUpLinks({ after: undefined, limit: 9 })).items.length, 3);
    await storage.sweep(nothingIsOver({ signUpLinksBefore: start - DAY + 1 }), 100);
    assert.deepEqual((await storage.pageSignUpLinks({ after: undefined, limit: 9 })).items, [lasting.link]);
  });
}
