// Accounts that nobody uses: what counts as using one, whom to tell, and that nobody is disabled who has used theirs.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anApiKey,
  anEvent,
  aSession,
  aUser,
  hasEvent,
  issuedGrant,
  type Rule,
  setAdministrator,
  start,
  storedAdministrator,
  storedClient,
  storedSession,
  storedUser,
  tokenLives,
} from '../records.ts';

const setting = 'disable_inactive_after_days';
const rule90 = { disableAfter: 90 * DAY, notice: 14 * DAY, since: start };
const at = (days: number) => start + days * DAY;

/** Who hasn't used their account for that many days, in the order of the list. */
async function inactiveFor(storage: Storage, days: number, now: number): Promise<string[]> {
  const order = { by: 'last_active', descending: false } as const;
  const filter = { by: { inactive: days }, now };
  const { items } = await storage.pageUsers({ words: [], after: undefined, limit: 50, order, filter });
  return items.map(({ id }) => id);
}

async function turnOn(storage: Storage, now = start): Promise<void> {
  await storage.storeSettings([{ name: setting, value: '90' }], now, anEvent());
}

/** Told on that day, if they have to be. */
async function tell(storage: Storage, now: number, rule = rule90): Promise<string[]> {
  const { toTell } = await storage.lookAtInactive(rule, now, { activeAt: 0, id: '' }, 50);
  const told = [];
  for (const user of toTell) {
    if (await storage.queueInactivityNotice(user, now + rule.notice, [])) told.push(user.id);
  }
  return told;
}

async function signIn(storage: Storage, user: User, now: number): Promise<boolean> {
  const session = aSession(user, { authTime: now, createdAt: now, lastSeenAt: now });
  return storage.startSession({ session, sessionGeneration: user.sessionGeneration });
}

async function isDisabled(storage: Storage, { id }: User): Promise<boolean> {
  return (await storage.findUser(id))?.disabledAt !== null;
}

export function inactivityRules(rule: Rule): void {
  const uses: Record<string, (storage: Storage, user: User, now: number) => Promise<unknown>> = {
    'signing in': signIn,
    'proof of identity': async (storage, user, now) =>
      storage.proveSession(await storedSession(storage, user), user.sessionGeneration, now),
    'opening a page while signed in': async (storage, user, now) => {
      const { digest } = await storedSession(storage, user);
      await storage.noteSessionsSeen([digest], now);
    },
    'using an application': async (storage, user, now) => {
      const client = await storedClient(storage);
      const grant = await issuedGrant(storage, user, client);
      await storage.noteGrantUses([{ grantId: grant.id, userId: user.id, clientId: client.id, at: now }]);
    },
    'using an API key': async (storage, user, now) => {
      const key = anApiKey({ createdBy: user.id });
      await setAdministrator(storage, user.id, start, anEvent());
      assert.equal(await storage.createApiKey(key, anEvent()), true);
      await storage.noteApiKeyUses([key.id], now);
    },
    'being enabled': async (storage, user, now) => {
      await storage.disableUser(user.id, start, anEvent());
      await storage.enableUser(user.id, now, anEvent());
    },
    'a later end': async (storage, user, now) => {
      await storage.changeUserEnd(user.id, at(300), start, anEvent());
      await storage.changeUserEnd(user.id, at(400), now, anEvent());
    },
    'no end anymore': async (storage, user, now) => {
      await storage.changeUserEnd(user.id, at(300), start, anEvent());
      await storage.changeUserEnd(user.id, null, now, anEvent());
    },
  };
  for (const [name, use] of Object.entries(uses)) {
    rule(`inactivity begins anew: ${name}`, async (storage) => {
      await storedAdministrator(storage, { createdAt: at(0) });
      const user = await storedUser(storage, { createdAt: start });
      await use(storage, user, at(50));
      const isListed = async (days: number, now: number) => (await inactiveFor(storage, days, now)).includes(user.id);
      assert.deepEqual([await isListed(90, at(139)), await isListed(90, at(140))], [false, true]);
    });
  }

  rule('an approval begins inactivity anew, an earlier end and a change of the name do not', async (storage) => {
    const waiting = await storedUser(storage, { createdAt: start, disabledAt: start, pendingSince: start });
    const user = await storedUser(storage, { createdAt: start });
    await storage.approveUser(waiting.id, at(50), anEvent());
    await storage.changeUserEnd(user.id, at(300), at(50), anEvent());
    await storage.changeUserEnd(user.id, at(200), at(50), anEvent());
    await storage.editUser(user.id, user, { ...user, name: 'Another' }, at(50), anEvent());
    assert.deepEqual(await inactiveFor(storage, 90, at(100)), [user.id]);
    assert.deepEqual(await inactiveFor(storage, 90, at(140)), [user.id, waiting.id]);
  });

  rule(
    'whoever comes from another service is inactive from then on, whenever their account was made',
    async (storage) => {
      const user = aUser({ createdAt: at(-1000) });
      await storage.importUsers('keycloak', [{ oldId: '1', user }], start, anEvent());
      assert.deepEqual(await inactiveFor(storage, 90, at(89)), []);
      assert.deepEqual(await inactiveFor(storage, 90, at(90)), [user.id]);
    },
  );

  rule('an earlier time does not take back what was noted, when one clock is behind', async (storage) => {
    const user = await storedUser(storage, { createdAt: at(-500) });
    await signIn(storage, user, at(0));
    await signIn(storage, user, at(-365));
    assert.deepEqual(await inactiveFor(storage, 90, at(89)), []);
  });

  rule('people are told once, and disabled when their time is over, which ends their tokens', async (storage) => {
    await turnOn(storage);
    const [user, client] = [await storedUser(storage, { createdAt: start }), await storedClient(storage)];
    const grant = await issuedGrant(storage, user, client);
    assert.deepEqual(await tell(storage, at(75)), []);
    assert.deepEqual([await tell(storage, at(76)), await tell(storage, at(77))], [[user.id], []]);
    assert.deepEqual(await storage.listInactiveDue(rule90, at(90) - 1, 5), []);
    const early = anEvent({ kind: 'user_disabled', userId: user.id });
    assert.equal(await storage.disableInactive(user.id, rule90, at(90) - 1, early), false);
    assert.deepEqual(await storage.listInactiveDue(rule90, at(90), 5), [{ id: user.id, end: at(90), holds: true }]);
    const event = anEvent({ kind: 'user_disabled', userId: user.id, at: at(90) });
    assert.equal(await storage.disableInactive(user.id, rule90, at(90), event), true);
    assert.deepEqual([await hasEvent(storage, early), await hasEvent(storage, event)], [false, true]);
    assert.equal(await tokenLives(storage, grant), false);
    const found = await storage.findUser(user.id);
    assert.deepEqual([found?.disabledAt, found?.inactiveEnd], [at(90), at(90)]);
    const filter = { by: { status: 'inactive' }, now: at(90) } as const;
    const { items } = await storage.pageUsers({ words: [], after: undefined, limit: 5, filter });
    assert.deepEqual(
      items.map(({ id }) => id),
      [user.id],
    );

    await storage.enableUser(user.id, at(100), anEvent());
    assert.deepEqual(await storage.listInactiveDue(rule90, at(189), 5), []);
    assert.deepEqual([await tell(storage, at(175)), await tell(storage, at(176))], [[], [user.id]]);
  });

  const exempt: Record<string, (storage: Storage) => Promise<User>> = {
    'an administrator': (storage) => storedAdministrator(storage, { createdAt: start }),
    'someone with a role': (storage) => storedUser(storage, { createdAt: start, roles: 'auditor' }),
    'someone who waits for approval': (storage) =>
      storedUser(storage, { createdAt: start, disabledAt: start, pendingSince: start }),
    'someone of a directory': (storage) =>
      storedUser(storage, { createdAt: start, managedBy: 'okta', externalId: '1' }),
    'someone who is disabled': (storage) => storedUser(storage, { createdAt: start, disabledAt: start }),
  };
  for (const [name, make] of Object.entries(exempt)) {
    rule(`${name} is neither told nor disabled nor counted, and stays in the filter`, async (storage) => {
      await turnOn(storage);
      const user = await make(storage);
      assert.deepEqual(await tell(storage, at(100)), []);
      assert.deepEqual(await storage.countInactive(at(10)), { count: 0, more: false });
      const told = { id: user.id, activeAt: start, end: null };
      assert.equal(await storage.queueInactivityNotice(told, at(114), []), false);
      assert.equal(await storage.disableInactive(user.id, rule90, at(200), anEvent()), false);
      assert.deepEqual(await inactiveFor(storage, 90, at(100)), [user.id]);
    });
  }

  rule('someone who gets a role or a directory after they were told is not disabled', async (storage) => {
    await turnOn(storage);
    const user = await storedUser(storage, { createdAt: start });
    assert.deepEqual(await tell(storage, at(76)), [user.id]);
    await setAdministrator(storage, user.id, start, anEvent());
    assert.deepEqual(await storage.listInactiveDue(rule90, at(90), 5), [{ id: user.id, end: at(90), holds: false }]);
    assert.equal(await storage.disableInactive(user.id, rule90, at(90), anEvent()), false);
    await storage.forgetInactivityNotice(user.id, at(90));
    assert.deepEqual(await storage.listInactiveDue(rule90, at(90), 5), []);
  });

  rule('what was told does not count for another decision, nor once it was taken back', async (storage) => {
    await turnOn(storage);
    const user = await storedUser(storage, { createdAt: start });
    assert.deepEqual(await tell(storage, at(76)), [user.id]);
    await turnOn(storage, at(80));
    assert.equal(await storage.inactivityChangedAt(), at(80));
    assert.equal(await storage.disableInactive(user.id, rule90, at(90), anEvent()), false, 'as it was before');
    const rule = { ...rule90, since: at(80) };
    assert.equal(await storage.disableInactive(user.id, rule, at(90), anEvent()), false);
    assert.deepEqual(await tell(storage, at(81), rule), [user.id]);
    assert.equal(await storage.disableInactive(user.id, rule, at(94), anEvent()), false);
    assert.equal(await storage.disableInactive(user.id, rule, at(95), anEvent()), true);
  });

  rule('of several processes, one tells a person, and one disables them', async (storage) => {
    await turnOn(storage);
    const user = await storedUser(storage, { createdAt: start });
    const told = { id: user.id, activeAt: start, end: null };
    const count = async (call: () => Promise<boolean>) =>
      (await Promise.all(Array.from({ length: 5 }, call))).filter(Boolean).length;
    assert.equal(await count(() => storage.queueInactivityNotice(told, at(90), [])), 1);
    assert.equal(await count(() => storage.disableInactive(user.id, rule90, at(90), anEvent({ at: at(90) }))), 1);
  });

  rule(
    'whoever signs in at the moment at which they would be disabled stays in, or is not signed in',
    async (storage) => {
      await turnOn(storage);
      for (let turn = 0; turn < 10; turn++) {
        const user = await storedUser(storage, { createdAt: start });
        const told = { id: user.id, activeAt: start, end: null };
        assert.equal(await storage.queueInactivityNotice(told, at(90), []), true);
        const disable = () => storage.disableInactive(user.id, rule90, at(90), anEvent({ at: at(90) }));
        const session = aSession(user, { authTime: at(90), createdAt: at(90), lastSeenAt: at(90), digest: aDigest() });
        const enter = () => storage.startSession({ session, sessionGeneration: user.sessionGeneration });
        const [first, second] = await Promise.all(turn % 2 ? [disable(), enter()] : [enter(), disable()]);
        const [disabled, entered] = turn % 2 ? [first, second] : [second, first];
        assert.notEqual(disabled, entered);
        assert.equal(await isDisabled(storage, user), disabled);
        assert.equal((await storage.findSession(session.digest, at(90))) !== undefined, entered);
      }
    },
  );

  rule('many are looked at a few at a time, the longest inactive first', async (storage) => {
    await turnOn(storage);
    const ids: string[] = [];
    for (const day of [3, 1, 2, 1]) ids.push((await storedUser(storage, { createdAt: at(day), id: aUser().id })).id);
    const [three, one = '', two, other = ''] = ids;
    const expected = [...[one, other].toSorted(), two, three];
    const found: string[] = [];
    let place: { activeAt: number; id: string } | undefined = { activeAt: 0, id: '' };
    for (let step = 0; place !== undefined && step < 9; step++) {
      const look: Awaited<ReturnType<typeof storage.lookAtInactive>> = await storage.lookAtInactive(
        rule90,
        at(200),
        place,
        1,
      );
      found.push(...look.toTell.map(({ id }) => id));
      place = look.last;
    }
    assert.deepEqual(found, expected);
    assert.deepEqual(await storage.countInactive(at(2)), { count: 3, more: false });
  });
}
