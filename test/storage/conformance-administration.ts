// What administrators do and see: who is one, links that they hand over, API keys, secrets in use, totals and events.

import assert from 'node:assert/strict';
import { type EventRecord, eventKinds } from '../../src/protocol/event.ts';
import {
  type ApiKey,
  type Client,
  type EventFilter,
  type LinkPurpose,
  type Storage,
  StorageConflict,
  type User,
} from '../../src/storage/storage.ts';
import {
  aClient,
  activeGrant,
  aDigest,
  aGrant,
  aLink,
  anApiKey,
  anEvent,
  aUser,
  DAY,
  hasEvent,
  issuedGrant,
  nothingIsOver,
  type Rule,
  start,
  storedClient,
  storedLink,
  storedSession,
  storedUser,
} from './records.ts';

const HOUR = 60 * 60 * 1000;
const later = start + 1000;
const atOnce = 20;

export function administrationRules(rule: Rule): void {
  administratorRules(rule);
  newcomerRules(rule);
  handedOverRules(rule);
  apiKeyRules(rule);
  secretRules(rule);
  connectedRules(rule);
  totalRules(rule);
  activityRules(rule);
  eventRules(rule);
  mailRules(rule);
}

const storedAdministrator = (storage: Storage, overrides: Partial<User> = {}) =>
  storedUser(storage, { adminSince: start, ...overrides });

/** Every way to have one administrator less. */
const removals: Readonly<Record<string, (storage: Storage, user: User, event?: EventRecord) => Promise<boolean>>> = {
  'taking it away': (storage, { id }, event = anEvent()) => storage.setAdministrator(id, null, event),
  disabling: (storage, { id }, event = anEvent()) => storage.disableUser(id, later, event),
  deleting: (storage, { id }, event = anEvent()) => storage.deleteUser(id, event),
};

function administratorRules(rule: Rule): void {
  rule('administrators are counted who can sign in', async (storage) => {
    assert.equal(await storage.countAdministrators(), 0);
    await storedUser(storage);
    await storedAdministrator(storage, { disabledAt: start });
    assert.equal(await storage.countAdministrators(), 0);
    await storedAdministrator(storage);
    await storedAdministrator(storage);
    assert.equal(await storage.countAdministrators(), 2);
  });

  rule('a person is made an administrator and ceases to be one, once each', async (storage) => {
    await storedAdministrator(storage);
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    assert.equal(await storage.setAdministrator(user.id, null, anEvent()), false);
    assert.equal(await storage.setAdministrator(user.id, later, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), { ...user, adminSince: later });
    assert.equal(await storage.setAdministrator(user.id, later + 1, anEvent()), false);
    assert.equal((await storage.findUser(user.id))?.adminSince, later);
    assert.equal(await storage.setAdministrator(user.id, null, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.equal(await storage.setAdministrator(user.id, null, anEvent()), false);
    assert.deepEqual(await storage.findSession(session.digest), { session, user });
  });

  rule('nobody who is unknown is made an administrator, or ceases to be one', async (storage) => {
    const event = anEvent();
    assert.equal(await storage.setAdministrator('nobody', later, event), false);
    assert.equal(await storage.setAdministrator('nobody', null, event), false);
    assert.equal(await storage.disableUser('nobody', later, event), false);
    assert.equal(await storage.deleteUser('nobody', event), false);
    assert.equal(await hasEvent(storage, event), false);
  });

  for (const [way, remove] of Object.entries(removals)) {
    rule(`${way} changes nothing for the last administrator who can sign in`, async (storage) => {
      const last = await storedAdministrator(storage);
      await storedUser(storage);
      await storedAdministrator(storage, { disabledAt: start });
      const session = await storedSession(storage, last);
      const link = await storedLink(storage, { purpose: 'reset_password', userId: last.id });
      const event = anEvent();
      assert.equal(await remove(storage, last, event), false);
      assert.equal(await hasEvent(storage, event), false);
      assert.deepEqual(await storage.findSession(session.digest), { session, user: last });
      assert.ok(await storage.findLink(link.digest, 'reset_password', start));

      await storedAdministrator(storage);
      assert.equal(await remove(storage, last, event), true, 'there is another now');
      assert.equal(await storage.countAdministrators(), 1);
    });

    rule(
      `${way} is possible for who is no administrator, or a disabled one, though there is no other`,
      async (storage) => {
        const user = await storedUser(storage);
        const disabled = await storedAdministrator(storage, { disabledAt: start });
        assert.equal(await remove(storage, user), way !== 'taking it away');
        assert.equal(await remove(storage, disabled), way !== 'disabling');
        assert.equal(await storage.countAdministrators(), 0);
      },
    );
  }

  rule('of two administrators who remove each other at the same moment exactly one remains', async (storage) => {
    const ways = Object.values(removals);
    let survivor = await storedAdministrator(storage);
    for (let round = 0; round < 20; round++) {
      const newcomer = await storedAdministrator(storage);
      const [one, other] = [ways[round % 3], ways[Math.floor(round / 3) % 3]];
      assert.ok(one && other);
      const answers = await Promise.all([one(storage, survivor), other(storage, newcomer)]);
      assert.equal(answers.filter(Boolean).length, 1, `round ${round}`);
      assert.equal(await storage.countAdministrators(), 1, `round ${round}`);
      survivor = answers[0] ? newcomer : survivor;
      const { adminSince, disabledAt } = (await storage.findUser(survivor.id)) ?? {};
      assert.deepEqual([adminSince, disabledAt], [start, null]);
    }
  });

  rule('of ten administrators who are all removed at the same moment exactly one remains', async (storage) => {
    const all: User[] = [];
    for (let count = 0; count < 10; count++) all.push(await storedAdministrator(storage));
    const ways = Object.values(removals);
    const answers = await Promise.all(all.map((user, index) => ways[index % 3]?.(storage, user)));
    assert.equal(answers.filter(Boolean).length, 9);
    assert.equal(await storage.countAdministrators(), 1);
  });
}

function newcomerRules(rule: Rule): void {
  const purposes = ['sign_up', 'invite', 'set_up'] as const;
  const signUp = (storage: Storage, digest: string, purpose: (typeof purposes)[number], user = aUser(), now = start) =>
    storage.signUp(user, { digest, purpose }, now, anEvent());
  const founder = (overrides: Partial<User> = {}) => aUser({ adminSince: start, ...overrides });

  rule('a link makes a person only for what it was made for', async (storage) => {
    const all: LinkPurpose[] = [...purposes, 'reset_password', 'recover', 'change_email'];
    for (const made of all) {
      const { digest } = await storedLink(storage, { purpose: made });
      for (const used of purposes.filter((purpose) => purpose !== made)) {
        assert.equal(await signUp(storage, digest, used), false, `${made} as ${used}`);
      }
      assert.ok(await storage.findLink(digest, made, start), 'what did not fit is not used up');
    }
    assert.deepEqual(await storage.listUsers(), []);
  });

  for (const purpose of ['invite', 'set_up'] as const) {
    rule(`a link to ${purpose} makes one person, as they are given, until it expires`, async (storage) => {
      const [expired, link] = [await storedLink(storage, { purpose }), await storedLink(storage, { purpose })];
      const user = purpose === 'set_up' ? founder() : aUser();
      assert.equal(await signUp(storage, expired.digest, purpose, user, expired.expiresAt), false);
      assert.equal(await signUp(storage, aDigest(), purpose, user), false);
      assert.equal(await signUp(storage, link.digest, purpose, user), true);
      assert.deepEqual(await storage.listUsers(), [user]);
      assert.equal(await storage.findLink(link.digest, purpose, start), undefined);
      assert.equal(await signUp(storage, link.digest, purpose), false);
    });

    rule(`a link to ${purpose} for another's address is a conflict, and still works`, async (storage) => {
      const other = await storedUser(storage, { email: 'taken@a.example' });
      const link = await storedLink(storage, { purpose });
      await assert.rejects(
        signUp(storage, link.digest, purpose, founder({ email: 'Taken@a.example' })),
        StorageConflict,
      );
      assert.deepEqual(await storage.listUsers(), [other]);
      assert.equal(await signUp(storage, link.digest, purpose, founder()), true);
    });
  }

  rule('a set-up link works only while there is no administrator who can sign in', async (storage) => {
    const first = await storedLink(storage, { purpose: 'set_up' });
    await storedUser(storage);
    await storedAdministrator(storage, { disabledAt: start });
    const user = founder();
    assert.equal(await signUp(storage, first.digest, 'set_up', user), true);
    const second = await storedLink(storage, { purpose: 'set_up' });
    assert.equal(await signUp(storage, second.digest, 'set_up', founder()), false);
    assert.equal(await storage.countAdministrators(), 1);
    assert.ok(await storage.findLink(second.digest, 'set_up', start));
    const invitation = await storedLink(storage, { purpose: 'invite' });
    assert.equal(await signUp(storage, invitation.digest, 'invite'), true, 'others go on coming');
  });

  rule('of set-up links that are used at the same moment exactly one makes an administrator', async (storage) => {
    const links = await Promise.all(Array.from({ length: atOnce }, () => storedLink(storage, { purpose: 'set_up' })));
    // Each link by two.
    const calls = [...links, ...links].map(({ digest }) => signUp(storage, digest, 'set_up', founder()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal((await storage.listUsers()).length, 1);
  });

  rule('of many who use one invitation at the same moment exactly one becomes a person', async (storage) => {
    const { digest } = await storedLink(storage, { purpose: 'invite' });
    const calls = Array.from({ length: atOnce }, () => signUp(storage, digest, 'invite'));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal((await storage.listUsers()).length, 1);
  });
}

function handedOverRules(rule: Rule): void {
  rule('a link that is handed over is kept together with its event', async (storage) => {
    const user = await storedUser(storage);
    const [link, event] = [aLink({ purpose: 'recover', userId: user.id, data: { target: '/account' } }), anEvent()];
    assert.equal(await storage.keepLink(link, event), true);
    assert.deepEqual(await storage.findLink(link.digest, 'recover', start), link);
    assert.ok(await hasEvent(storage, event));
    await assert.rejects(storage.keepLink({ ...link, userId: null }, anEvent()), StorageConflict);
  });

  rule('a new link voids the earlier ones of its person for the same purpose, and no others', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const keep = async (purpose: LinkPurpose, userId: string | null) => {
      const link = aLink({ purpose, userId });
      assert.equal(await storage.keepLink(link, anEvent()), true);
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

  rule('of links that are made for one person at the same moment one is left', async (storage) => {
    const user = await storedUser(storage);
    const links = Array.from({ length: atOnce }, () => aLink({ purpose: 'recover', userId: user.id }));
    await Promise.all(links.map((link) => storage.keepLink(link, anEvent())));
    const found = await Promise.all(links.map(({ digest }) => storage.findLink(digest, 'recover', start)));
    assert.equal(found.filter((link) => link !== undefined).length, 1);
  });

  rule('no link is kept for a person who is gone', async (storage) => {
    const [link, event] = [aLink({ purpose: 'recover', userId: 'nobody' }), anEvent()];
    assert.equal(await storage.keepLink(link, event), false);
    assert.equal(await storage.findLink(link.digest, 'recover', start), undefined);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('a recovery link sets a password and proves no address, which a link that was mailed does', async (storage) => {
    for (const purpose of ['recover', 'reset_password'] as const) {
      const user = await storedUser(storage);
      const session = await storedSession(storage, user);
      const { digest } = await storedLink(storage, { purpose, userId: user.id });
      const reset = await storedLink(storage, { purpose: 'change_email', userId: user.id });
      const change = (used: 'recover' | 'reset_password') => {
        const fresh = { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose: used } } as const;
        return storage.changePassword(user.id, fresh, later, anEvent());
      };
      assert.equal(await change(purpose === 'recover' ? 'reset_password' : 'recover'), false);
      assert.deepEqual(await storage.findUser(user.id), user);
      assert.equal(await change(purpose), true);
      const emailVerifiedAt = purpose === 'recover' ? null : later;
      assert.deepEqual(await storage.findUser(user.id), {
        ...{ ...user, passwordHash: 'new hash', emailVerifiedAt, updatedAt: later },
      });
      assert.equal(await storage.findSession(session.digest), undefined);
      assert.equal(await storage.findLink(reset.digest, 'change_email', start), undefined);
      assert.equal(await change(purpose), false);
    }
  });
}

function apiKeyRules(rule: Rule): void {
  rule('an API key is found by its digest, as it was made', async (storage) => {
    const { id: maker } = await storedAdministrator(storage);
    const keys: ApiKey[] = [
      anApiKey(),
      anApiKey({ permission: 'write', createdBy: maker, expiresAt: start + DAY, name: 'Übersicht „Ω" 🚀' }),
      anApiKey({ createdBy: 'somebody', makerStands: false }),
    ];
    for (const key of keys) {
      await storage.createApiKey(key, anEvent());
      assert.deepEqual(await storage.findApiKey(key.digest), key);
      assert.equal(await storage.findApiKey(key.id), undefined);
    }
    assert.equal(await storage.findApiKey(aDigest()), undefined);
  });

  rule('API keys are listed newest first', async (storage) => {
    assert.deepEqual(await storage.listApiKeys(), []);
    const keys = [
      anApiKey({ createdAt: start + 1 }),
      anApiKey({ createdAt: start + 3 }),
      anApiKey({ createdAt: start + 2 }),
    ];
    for (const key of keys) await storage.createApiKey(key, anEvent());
    assert.deepEqual(await storage.listApiKeys(), [keys[1], keys[2], keys[0]]);
  });

  rule('an id, and a digest, belong to one API key', async (storage) => {
    const key = anApiKey();
    await storage.createApiKey(key, anEvent());
    await assert.rejects(storage.createApiKey(anApiKey({ id: key.id }), anEvent()), StorageConflict);
    await assert.rejects(storage.createApiKey(anApiKey({ digest: key.digest }), anEvent()), StorageConflict);
    assert.deepEqual(await storage.listApiKeys(), [key]);
  });

  rule('an API key is ended once, and no other with it', async (storage) => {
    const [key, other] = [anApiKey(), anApiKey()];
    for (const each of [key, other]) await storage.createApiKey(each, anEvent());
    const calls = Array.from({ length: atOnce }, () => storage.endApiKey(key.id, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal(await storage.findApiKey(key.digest), undefined);
    assert.deepEqual(await storage.listApiKeys(), [other]);
    assert.equal(await storage.endApiKey('nobody', anEvent()), false);
  });

  rule('the use of API keys is noted', async (storage) => {
    const [used, also, unused] = [anApiKey(), anApiKey(), anApiKey()];
    for (const each of [used, also, unused]) await storage.createApiKey(each, anEvent());
    await storage.noteApiKeyUses([], later);
    await storage.noteApiKeyUses([also.id, 'gone', used.id], later);
    assert.deepEqual(await storage.findApiKey(used.digest), { ...used, lastUsedAt: later });
    assert.deepEqual(await storage.findApiKey(also.digest), { ...also, lastUsedAt: later });
    assert.deepEqual(await storage.findApiKey(unused.digest), unused);
  });
}

function secretRules(rule: Rule): void {
  const secretsOf = async (storage: Storage, { id }: Client) => (await storage.findClient(id))?.secrets;
  const [oldest, newest] = [
    { digest: aDigest(), createdAt: start - 1, usedAt: null },
    { digest: aDigest(), createdAt: start, usedAt: null },
  ];

  rule('the use of each secret is noted by itself, the latest one', async (storage) => {
    const client = await storedClient(storage, { secrets: [newest, oldest] });
    const other = await storedClient(storage);
    const use = (digest: string, at: number) => storage.noteSecretUses([{ clientId: client.id, digest, at }]);
    await use(oldest.digest, later);
    assert.deepEqual(await secretsOf(storage, client), [newest, { ...oldest, usedAt: later }]);
    await use(newest.digest, later + 5);
    await use(newest.digest, later + 3);
    assert.deepEqual(await secretsOf(storage, client), [
      { ...newest, usedAt: later + 5 },
      { ...oldest, usedAt: later },
    ]);
    await use(aDigest(), later + 9);
    await storage.noteSecretUses([]);
    assert.deepEqual((await secretsOf(storage, client))?.[0]?.usedAt, later + 5);
    assert.deepEqual(await storage.findClient(other.id), other);
  });

  rule('uses of many secrets are noted together, in whichever order and by whomever', async (storage) => {
    const clients: Client[] = [];
    for (let count = 0; count < 8; count++) clients.push(await storedClient(storage, { secrets: [newest, oldest] }));
    const uses = clients.flatMap(({ id }) => [
      { clientId: id, digest: newest.digest, at: later + 1 },
      { clientId: id, digest: oldest.digest, at: later },
      { clientId: 'gone', digest: oldest.digest, at: later },
    ]);
    await Promise.all([uses, uses.toReversed(), uses].map((each) => storage.noteSecretUses(each)));
    for (const client of clients) {
      const expected = [
        { ...newest, usedAt: later + 1 },
        { ...oldest, usedAt: later },
      ];
      assert.deepEqual(await secretsOf(storage, client), expected);
    }
  });

  rule('a noted use moves along when there is a new secret', async (storage) => {
    const client = await storedClient(storage, { secrets: [newest] });
    await storage.noteSecretUses([{ clientId: client.id, digest: newest.digest, at: later }]);
    const digest = aDigest();
    await storage.rotateClientSecret(client.id, digest, later + 1, anEvent());
    const fresh = { digest, createdAt: later + 1, usedAt: null };
    assert.deepEqual(await secretsOf(storage, client), [fresh, { ...newest, usedAt: later }]);
    await storage.noteSecretUses([{ clientId: client.id, digest: newest.digest, at: later + 2 }]);
    assert.deepEqual(await secretsOf(storage, client), [fresh, { ...newest, usedAt: later + 2 }]);
    const last = aDigest();
    await storage.rotateClientSecret(client.id, last, later + 3, anEvent());
    assert.deepEqual(await secretsOf(storage, client), [{ digest: last, createdAt: later + 3, usedAt: null }, fresh]);
  });

  rule('the older of two secrets is retired, and never the only one', async (storage) => {
    const client = await storedClient(storage, { secrets: [newest, oldest] });
    const isPublic = await storedClient(storage, { isPublic: true, secrets: [] });
    await storage.noteSecretUses([
      { clientId: client.id, digest: newest.digest, at: later },
      { clientId: client.id, digest: oldest.digest, at: later },
    ]);
    assert.equal(await storage.retireOldSecret(client.id, later, anEvent()), true);
    const retired = await storage.findClient(client.id);
    assert.deepEqual(retired, { ...client, secrets: [{ ...newest, usedAt: later }], updatedAt: later });
    assert.equal(await storage.retireOldSecret(client.id, later + 1, anEvent()), false);
    assert.equal(await storage.retireOldSecret(isPublic.id, later, anEvent()), false);
    assert.equal(await storage.retireOldSecret('nobody', later, anEvent()), false);
    assert.deepEqual(await storage.findClient(client.id), retired);

    await storage.rotateClientSecret(client.id, oldest.digest, later + 2, anEvent());
    assert.equal((await secretsOf(storage, client))?.[0]?.usedAt, null, 'a use does not outlive its secret');
  });

  rule(
    'an application that becomes public has no secret, and one that becomes confidential the given one',
    async (storage) => {
      const client = await storedClient(storage, { secrets: [newest, oldest] });
      const other = await storedClient(storage);
      const uses = [newest, oldest].map(({ digest }) => ({ clientId: client.id, digest, at: later }));
      await storage.noteSecretUses(uses);
      const update = (change: Parameters<Storage['updateClient']>[1], at: number, isPublic = false) =>
        storage.updateClient({ ...client, isPublic }, change, at, anEvent());

      assert.equal(await update({ type: { kind: 'public' } }, later), true);
      assert.deepEqual(await storage.findClient(client.id), {
        ...client,
        isPublic: true,
        secrets: [],
        updatedAt: later,
      });
      assert.equal(await storage.rotateClientSecret(client.id, aDigest(), later, anEvent()), false);
      await storage.noteSecretUses(uses);
      assert.deepEqual(await secretsOf(storage, client), []);

      const secretDigest = aDigest();
      const name = 'New name';
      assert.equal(await update({ name, type: { kind: 'confidential', secretDigest } }, later + 1, true), true);
      const secrets = [{ digest: secretDigest, createdAt: later + 1, usedAt: null }];
      assert.deepEqual(await storage.findClient(client.id), { ...client, name, secrets, updatedAt: later + 1 });
      assert.deepEqual(await storage.findClient(other.id), other);
      assert.equal(await storage.updateClient(aClient(), { type: { kind: 'public' } }, later, anEvent()), false);
    },
  );
}

function connectedRules(rule: Rule): void {
  rule('the people are counted who have let an application in, each once, until it is stopped', async (storage) => {
    const [client, other] = [await storedClient(storage), await storedClient(storage)];
    const [ada, bob, carol] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    const count = () => storage.countConnectedUsers(client.id);
    assert.equal(await count(), 0);
    for (const user of [ada, ada, bob, carol]) await activeGrant(storage, user, client);
    await issuedGrant(storage, ada, other);
    assert.equal(await count(), 3);
    await storage.removeConnectedApp(carol.id, client.id, later, anEvent());
    assert.equal(await count(), 2);
    await storage.deleteUser(bob.id, anEvent());
    assert.equal(await count(), 1);

    await storage.revokeClient(client.id, later, anEvent());
    assert.equal(await count(), 0);
    await storage.restoreClient(client.id, later, anEvent());
    assert.equal(await count(), 0);
    const restored = await storage.findClient(client.id);
    assert.ok(restored);
    const grant = aGrant(ada, restored);
    assert.equal(await storage.approve(grant, grant.scopes, later, anEvent()), true);
    assert.equal(await count(), 1);
    await storage.deleteClient(client.id, anEvent());
    assert.equal(await count(), 0);
    assert.equal(await storage.countConnectedUsers(other.id), 1);
    assert.equal(await storage.countConnectedUsers('nobody'), 0);
  });
}

function totalRules(rule: Rule): void {
  const hour = Math.floor(start / HOUR) * HOUR;
  const today = Math.floor(start / DAY) * DAY;
  const total = (more: number, overrides: { hour?: number; clientId?: string; kind?: 'sign_in' | 'failure' } = {}) => ({
    ...{ hour, kind: 'sign_in' as const, clientId: 'a', total: more },
    ...overrides,
  });

  rule('totals add up, by the hour and by application', async (storage) => {
    await storage.addTotals([]);
    assert.deepEqual([await storage.sumTotalsByHour(0), await storage.sumTotalsByClient(0)], [[], []]);
    await storage.addTotals([
      total(1),
      total(2, { clientId: 'b' }),
      total(4, { clientId: '' }),
      total(8, { kind: 'failure' }),
    ]);
    await storage.addTotals([total(16), total(32, { hour: hour + HOUR }), total(64), total(128)]);
    assert.deepEqual(await storage.sumTotalsByHour(0), [
      { hour, kind: 'failure', total: 8 },
      { hour, kind: 'sign_in', total: 1 + 2 + 4 + 16 + 64 + 128 },
      { hour: hour + HOUR, kind: 'sign_in', total: 32 },
    ]);
    assert.deepEqual(await storage.sumTotalsByClient(0), [
      { clientId: 'a', kind: 'failure', total: 8 },
      { clientId: 'a', kind: 'sign_in', total: 1 + 16 + 32 + 64 + 128 },
      { clientId: 'b', kind: 'sign_in', total: 2 },
    ]);
  });

  rule('totals are told from an hour on, and those of an application from a day on', async (storage) => {
    const yesterday = today - DAY;
    const hours = [yesterday, yesterday + 23 * HOUR, today, today + HOUR];
    for (const [index, each] of hours.entries()) await storage.addTotals([total(2 ** index, { hour: each })]);
    const byHour = async (since: number) => (await storage.sumTotalsByHour(since)).map((each) => each.total);
    const byClient = async (since: number) => (await storage.sumTotalsByClient(since)).map((each) => each.total);
    assert.deepEqual(await byHour(yesterday), [1, 2, 4, 8]);
    assert.deepEqual(await byHour(yesterday + 1), [2, 4, 8]);
    assert.deepEqual(await byHour(today), [4, 8]);
    assert.deepEqual(await byHour(today + HOUR + 1), []);
    assert.deepEqual(await byClient(yesterday), [15]);
    assert.deepEqual(await byClient(today - 1), [15]);
    assert.deepEqual(await byClient(today), [12]);
    assert.deepEqual(await byClient(today + 20 * HOUR), [12]);
    assert.deepEqual(await byClient(today + DAY), []);
  });

  rule('totals that are added at the same moment are all counted', async (storage) => {
    const some = ['a', 'b', 'c', 'd', ''].flatMap((clientId) => [
      total(1, { clientId }),
      total(2, { clientId, kind: 'failure', hour: hour + HOUR }),
    ]);
    const calls = Array.from({ length: atOnce }, (_, index) => (index % 2 ? some : some.toReversed()));
    await Promise.all(calls.map((each) => storage.addTotals(each)));
    assert.deepEqual(await storage.sumTotalsByHour(0), [
      { hour, kind: 'sign_in', total: 5 * atOnce },
      { hour: hour + HOUR, kind: 'failure', total: 10 * atOnce },
    ]);
    assert.equal((await storage.sumTotalsByClient(0)).length, 8);
  });

  rule('the sweep removes totals whose time is over, in batches', async (storage) => {
    const hours = Array.from({ length: 5 }, (_, index) => today + index * HOUR);
    await storage.addTotals(hours.map((each) => total(1, { hour: each, clientId: '' })));
    assert.equal(await storage.sweep(nothingIsOver({ totalsBefore: today }), 100), 0);
    const limits = nothingIsOver({ totalsBefore: today + 3 * HOUR });
    const counts = [await storage.sweep(limits, 2), await storage.sweep(limits, 2), await storage.sweep(limits, 2)];
    assert.deepEqual(counts, [2, 1, 0]);
    assert.deepEqual(
      (await storage.sumTotalsByHour(0)).map((each) => each.hour),
      hours.slice(3),
    );
  });
}

function activityRules(rule: Rule): void {
  rule('people are active who have signed in, or used an application, since then', async (storage) => {
    assert.deepEqual(await storage.countUsers(0), { all: 0, active: 0 });
    const client = await storedClient(storage);
    const [ada, bob, carol] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    assert.deepEqual(await storage.countUsers(0), { all: 3, active: 0 });

    await storedSession(storage, ada, { createdAt: start, lastSeenAt: start });
    assert.deepEqual(await storage.countUsers(start), { all: 3, active: 1 });
    assert.deepEqual(await storage.countUsers(start + 1), { all: 3, active: 0 });
    const grant = await activeGrant(storage, bob, client);
    assert.equal((await storage.countUsers(start)).active, 1, 'letting an application in is not yet a use');
    const use = (at: number) => storage.noteGrantUses([{ grantId: grant.id, userId: bob.id, clientId: client.id, at }]);
    await use(start + 10);
    await use(start + 5);
    assert.deepEqual(await storage.countUsers(start), { all: 3, active: 2 });
    assert.deepEqual(await storage.countUsers(start + 10), { all: 3, active: 1 });
    assert.deepEqual(await storage.countUsers(start + 11), { all: 3, active: 0 });

    assert.equal(
      await storage.startSession({ ...(await storedSession(storage, ada)), digest: aDigest() }, 'wrong', undefined),
      false,
    );
    await storedSession(storage, carol, { lastSeenAt: later });
    await storage.disableUser(carol.id, later, anEvent());
    assert.deepEqual(await storage.countUsers(later), { all: 3, active: 1 });
    await storage.deleteUser(carol.id, anEvent());
    assert.deepEqual(await storage.countUsers(start), { all: 2, active: 2 });
    assert.deepEqual(await storage.findUser(ada.id), ada, 'nothing else of a person changes');
  });
}

function eventRules(rule: Rule): void {
  /** Of people, applications, kinds and requests in every combination, `a` and `b` and none of them. */
  const events = Array.from({ length: 54 }, (_, index) => {
    const userId = ['a', 'b', undefined][index % 3];
    const clientId = ['a', 'b', undefined][Math.floor(index / 3) % 3];
    return anEvent({
      ...{ at: start + DAY + index, kind: eventKinds[Math.floor(index / 9) % 2] ?? 'signed_in' },
      ...{ requestId: Math.floor(index / 18) % 2 ? 'a' : 'b' },
      ...(userId === undefined ? {} : { userId }),
      ...(clientId === undefined ? {} : { clientId }),
    });
  });
  const filter: Required<EventFilter> = {
    ...{ userId: 'a', clientId: 'a', kind: 'signed_in', requestId: 'a' },
    ...{ fromId: events[5]?.id ?? '', beforeId: events[50]?.id ?? '' },
  };
  const names = Object.keys(filter) as (keyof EventFilter)[];
  const lets = (chosen: EventFilter, event: EventRecord) =>
    (chosen.userId === undefined || event.userId === chosen.userId) &&
    (chosen.clientId === undefined || event.clientId === chosen.clientId) &&
    (chosen.kind === undefined || event.kind === chosen.kind) &&
    (chosen.requestId === undefined || event.requestId === chosen.requestId) &&
    (chosen.fromId === undefined || event.id >= chosen.fromId) &&
    (chosen.beforeId === undefined || event.id < chosen.beforeId);

  rule(
    'events are found by any combination of what they are about, newest first, a page at a time',
    async (storage) => {
      await storage.appendEvents(events);
      for (let choice = 0; choice < 2 ** names.length; choice++) {
        const chosen = names.filter((_, place) => choice & (1 << place));
        const some: EventFilter = Object.fromEntries(chosen.map((name) => [name, filter[name]]));
        const expected = events.filter((event) => lets(some, event)).reverse();
        assert.deepEqual(await storage.findEvents(some, 100), expected, chosen.join(', '));
        assert.deepEqual(await storage.findEvents(some, 2), expected.slice(0, 2));
        const second = { ...some, beforeId: expected[1]?.id ?? '' };
        assert.deepEqual(await storage.findEvents(second, 2), expected.slice(2, 4));
      }
    },
  );

  rule('events are not found by what nothing is about', async (storage) => {
    await storage.appendEvents(events);
    for (const name of ['userId', 'clientId', 'requestId'] as const) {
      for (const value of ['', 'c', 'A', 'a ', '%']) {
        assert.deepEqual(await storage.findEvents({ [name]: value }, 10), [], `${name} "${value}"`);
        assert.deepEqual(await storage.findEvents({ ...filter, [name]: value }, 10), []);
      }
    }
    assert.deepEqual(await storage.findEvents({ kind: 'data_downloaded' }, 10), []);
    assert.deepEqual(await storage.findEvents({ fromId: filter.beforeId, beforeId: filter.fromId }, 10), []);
  });
}

function mailRules(rule: Rule): void {
  rule('a mail, the link in it and its event are kept together, or none of them', async (storage) => {
    const user = await storedUser(storage);
    const mail = { id: 'mail', sealed: 'sealed', createdAt: start };
    const [link, event] = [aLink({ purpose: 'reset_password', userId: user.id }), anEvent()];
    const earlier = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const taken = anEvent();
    await storage.appendEvents([taken]);
    await assert.rejects(storage.queueEmail(mail, link, { ...event, id: taken.id }), StorageConflict);
    assert.deepEqual(await storage.listEmails(10), []);
    assert.equal(await storage.findLink(link.digest, link.purpose, start), undefined);
    assert.deepEqual(await storage.findLink(earlier.digest, earlier.purpose, start), earlier);

    await storage.queueEmail(mail, link, event);
    assert.deepEqual(await storage.listEmails(10), [{ ...mail, attempts: 0 }]);
    assert.deepEqual(await storage.findLink(link.digest, link.purpose, start), link);
    assert.ok(await hasEvent(storage, event));

    const [alone, told] = [{ ...mail, id: 'another' }, anEvent()];
    await storage.queueEmail(alone, undefined, told);
    assert.equal((await storage.listEmails(10)).length, 2);
    assert.ok(await hasEvent(storage, told));
  });

  rule('nothing is kept of a mail with a link for a person who is gone', async (storage) => {
    const [link, event] = [aLink({ purpose: 'reset_password', userId: 'nobody' }), anEvent()];
    await storage.queueEmail({ id: 'mail', sealed: 'sealed', createdAt: start }, link, event);
    assert.deepEqual(await storage.listEmails(10), []);
    assert.equal(await hasEvent(storage, event), false);
  });
}
