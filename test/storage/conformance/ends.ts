// Access that ends by itself: it counts at its moment, whether or not that is written by then. What is prolonged before its end goes
// on, and what begins after it revives nothing.

import assert from 'node:assert/strict';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  aGrant,
  anApiKey,
  anEvent,
  aSession,
  exchangeOf,
  hasEvent,
  issuedGrant,
  type Rule,
  setAdministrator,
  start,
  storedClient,
  storedSession,
  storedUser,
} from '../records.ts';

/** Times are so many times two seconds after the grant began; its code is exchanged after one second. */
const at = (time: number) => start + time * 2000;
type Step = readonly [when: number, change: string];

/** One user, one client that is limited to its list, and a group on it. */
class World {
  readonly storage: Storage;
  readonly user: User;
  readonly clientId: string;
  readonly groupId = 'group';

  constructor(storage: Storage, user: User, clientId: string) {
    this.storage = storage;
    this.user = user;
    this.clientId = clientId;
  }

  static async in(storage: Storage) {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    await storage.createGroup({ id: 'group', name: 'Crew', createdAt: start, updatedAt: start }, anEvent());
    const world = new World(storage, user, client.id);
    await world.change([0, 'listed']);
    return { world, user, client };
  }

  /** "allow", "join" and "group" with an end after "~", "~" alone for none, and without one leaving it as it is. */
  async change([when, name]: Step): Promise<boolean> {
    const { storage, user, clientId, groupId } = this;
    const now = at(when);
    const [what = '', end] = name.split('~');
    const expiresAt = end === undefined ? undefined : end === '' ? null : at(Number(end));
    const listed = (id: string) => [{ id, event: anEvent(), expiresAt }];
    const nobody = { people: [], groups: [] };
    const access = { allow: nobody, disallow: nobody };
    switch (what) {
      case 'listed':
      case 'everyone':
        return storage.changeAccess(clientId, { ...access, access: { to: what, event: anEvent() } }, now);
      case 'allow':
        return storage.changeAccess(clientId, { ...access, allow: { ...nobody, people: listed(user.id) } }, now);
      case 'disallow':
        return storage.changeAccess(clientId, { ...access, disallow: { ...nobody, people: listed(user.id) } }, now);
      case 'group':
        return storage.changeAccess(clientId, { ...access, allow: { ...nobody, groups: listed(groupId) } }, now);
      case 'join':
        return storage.changeMembers(groupId, { add: listed(user.id), remove: [] }, now);
      case 'person':
        return storage.changeUserEnd(user.id, expiresAt ?? null, now, anEvent());
      case 'write':
        return this.#write(now);
      default:
        return assert.fail(name);
    }
  }

  async #write(now: number): Promise<boolean> {
    const { storage } = this;
    const users = await storage.listExpiredUsers(now, 10);
    for (const id of users) assert.equal(await storage.expireUser(id, now, anEvent({ kind: 'user_expired' })), true);
    const entries = await storage.listExpiredEntries(now, 10);
    await storage.endExpiredEntries(
      entries.map((entry) => [entry, anEvent({ kind: 'access_expired' })] as const),
      now,
    );
    return true;
  }

  async changes(steps: readonly Step[]): Promise<void> {
    for (const step of steps) assert.equal(await this.change(step), true, step.join(' '));
  }
}

const listed: readonly Step[] = [[0, 'allow~5']];
const member: readonly Step[] = [
  [0, 'group'],
  [0, 'join~5'],
];
const inGroup: readonly Step[] = [
  [0, 'group~5'],
  [0, 'join'],
];
const person: readonly Step[] = [
  [0, 'allow'],
  [0, 'person~5'],
];

/** What there is when the grant begins, what happens later, and at which time it lives and may begin anew. */
const histories: [
  what: string,
  before: readonly Step[],
  after: readonly Step[],
  at: number,
  lives: boolean,
  has: boolean,
][] = [
  ...([listed, member, inGroup, person] as const).flatMap((before, index): typeof histories => {
    const name = ['a person on the list', 'a membership', 'a group on the list', 'a person'][index] ?? '';
    const [what] = (before.findLast(([, change]) => change.endsWith('~5'))?.[1] ?? '').split('~');
    return [
      [`${name} has access until the end`, before, [], 4, true, true],
      [`${name} has none at the end`, before, [], 5, false, false],
      [`${name} has none once it's written`, before, [[5, 'write']], 6, false, false],
      [`${name} keeps it when the end moves before it has come`, before, [[4, `${what}~9`]], 8, true, true],
      [`${name} keeps it when the end goes before it has come`, before, [[4, `${what}~`]], 20, true, true],
      [`${name} loses it at the end that was moved`, before, [[4, `${what}~9`]], 9, false, false],
      [`${name} loses it at an earlier end`, before, [[1, `${what}~2`]], 2, false, false],
      [
        `${name} can have it again, which revives nothing`,
        before,
        [
          [6, 'write'],
          [6, `${what}~9`],
        ],
        7,
        false,
        true,
      ],
      [
        `${name} can have it again in the same millisecond`,
        before,
        [
          [5, 'write'],
          [5, `${what}~`],
        ],
        5,
        false,
        true,
      ],
    ];
  }),
  ['the end stays for whoever is added again without one', listed, [[1, 'allow']], 5, false, false],
  ['another way in that began before goes on', [...listed, [0, 'group'], [0, 'join']], [], 6, true, true],
  ['also once it is written', [...listed, [0, 'group'], [0, 'join']], [[6, 'write']], 7, true, true],
  [
    'another way in that began before the end goes on',
    listed,
    [
      [4, 'group'],
      [4, 'join'],
    ],
    6,
    true,
    true,
  ],
  [
    'and once it is written',
    listed,
    [
      [4, 'group'],
      [4, 'join'],
      [6, 'write'],
    ],
    7,
    true,
    true,
  ],
  [
    'another way in that began later revives nothing',
    listed,
    [
      [6, 'write'],
      [6, 'group'],
      [6, 'join'],
    ],
    7,
    false,
    true,
  ],
  [
    'opening to everyone later revives nothing',
    listed,
    [
      [6, 'write'],
      [6, 'everyone'],
    ],
    7,
    false,
    true,
  ],
  [
    'opening to everyone before goes on',
    listed,
    [
      [4, 'everyone'],
      [6, 'write'],
    ],
    7,
    true,
    true,
  ],
  ['of two ends, the later one counts', [...listed, [0, 'group'], [0, 'join~7']], [], 6, true, true],
  ['both ends', [...listed, [0, 'group'], [0, 'join~7']], [], 7, false, false],
  ['both ends, written together', [...listed, [0, 'group'], [0, 'join~7']], [[8, 'write']], 8, false, false],
];

export function endRules(rule: Rule): void {
  for (const [what, before, after, when, lives, has] of histories) {
    rule(what, async (storage) => {
      const { world, user, client } = await World.in(storage);
      await world.changes(before);
      const session = await storedSession(storage, user);
      const active = await activeGrant(storage, user, client);
      const issued = await issuedGrant(storage, user, client);
      await world.changes(after);
      const now = at(when);
      const isPerson = before === person;
      const current = (await storage.findUser(user.id)) ?? user;
      assert.equal((await storage.findTokenHolder(active.id, 't', now)) !== undefined, lives, 'userinfo');
      assert.equal((await storage.findClientAndGrant(client.id, active.id, now))?.grant?.partiesAreActive, lives);
      assert.equal(
        (await storage.findClientAndRefreshable(client.id, active.id, now))?.grant?.partiesAreActive,
        lives,
        'refresh',
      );
      assert.equal(await storage.consumeCode({ ...exchangeOf(issued), now }), lives, 'exchange');
      assert.equal((await storage.findSession(session.digest, now)) !== undefined, !isPerson || lives, 'session');
      const context = await storage.findAuthorizationContext(client.id, session.digest, now);
      assert.equal(context?.signedIn !== undefined, !isPerson || lives);
      if (!isPerson)
        assert.deepEqual([context?.hasAccess, await storage.hasAccess(client.id, user.id, now)], [has, has]);
      assert.equal(
        (await storage.findRememberedApproval(client.id, session.digest, now)) !== undefined,
        has && (!isPerson || lives),
      );
      const next = aGrant(current, client);
      assert.equal(await storage.issueCode(next, now), has, 'a new code');
      const another = aSession(current, { createdAt: now, lastSeenAt: now });
      const started = await storage.startSession({ session: another, sessionGeneration: current.sessionGeneration });
      assert.equal(started, !isPerson || has, 'a new session');
    });
  }

  for (const [what, change] of [
    ['allowing', 'allow~9'],
    ['joining', 'join'],
    ['opening to everyone', 'everyone'],
    ['a group on the list', 'group'],
  ] as const) {
    rule(`${what} waits until an end is written`, async (storage) => {
      const { world } = await World.in(storage);
      await world.changes(member);
      assert.equal(await world.change([5, change]), false);
      assert.equal(await world.change([5, 'disallow']), true, 'taking access away does not wait');
      await world.change([5, 'write']);
      assert.equal(await world.change([5, change]), true);
    });
  }

  rule('someone whose access has ended is disabled since then, and enabled only by another end', async (storage) => {
    const { world, user } = await World.in(storage);
    await world.changes([[0, 'person~5']]);
    assert.equal(await world.change([6, 'person~9']), false, 'not before it is written');
    await world.change([7, 'write']);
    const ended = await storage.findUser(user.id);
    assert.deepEqual([ended?.disabledAt, ended?.expiresAt, ended?.generation], [at(5), at(5), 1]);
    assert.equal(await storage.enableUser(user.id, at(8), anEvent()), false);
    assert.equal(await world.change([8, 'person~']), true);
    const again = await storage.findUser(user.id);
    assert.deepEqual([again?.disabledAt, again?.expiresAt, again?.generation], [null, null, 1]);
  });

  rule('another end does not enable someone whom an administrator has disabled', async (storage) => {
    const { world, user } = await World.in(storage);
    await world.changes([[0, 'person~5']]);
    await storage.disableUser(user.id, at(4), anEvent());
    await world.change([6, 'write']);
    assert.equal(await world.change([7, 'person~9']), true);
    assert.equal((await storage.findUser(user.id))?.disabledAt, at(4));
  });

  rule('someone whose access has ended can be disabled, and then needs more than another end', async (storage) => {
    const { world, user } = await World.in(storage);
    await world.changes([
      [0, 'person~5'],
      [6, 'write'],
    ]);
    assert.equal(await storage.disableUser(user.id, at(7), anEvent()), true);
    assert.equal(await storage.disableUser(user.id, at(8), anEvent()), false);
    assert.equal(await world.change([8, 'person~']), true);
    assert.equal((await storage.findUser(user.id))?.disabledAt, at(7));
    assert.equal(await storage.enableUser(user.id, at(9), anEvent()), true);
  });

  rule('the API keys of an administrator whose access has ended do not work', async (storage) => {
    await storedUser(storage, { adminSince: start });
    const admin = await storedUser(storage, { adminSince: start, expiresAt: start + 5 });
    const key = anApiKey({ createdBy: admin.id });
    await storage.createApiKey(key, anEvent({ at: start }));
    assert.equal((await storage.findApiKey(key.digest, start + 4))?.makerIsAdmin, true);
    assert.equal((await storage.findApiKey(key.digest, start + 5))?.makerIsAdmin, false);
    await storage.expireUser(admin.id, start + 5, anEvent());
    assert.equal(await storage.findApiKey(key.digest, start + 5), undefined);
  });

  rule('the last administrator without an end stays one', async (storage) => {
    const admin = await storedUser(storage, { adminSince: start });
    const person = await storedUser(storage, { expiresAt: start + 100 });
    const end = (id: string) => storage.changeUserEnd(id, start + 50, start, anEvent());
    assert.equal(await end(admin.id), false);
    assert.equal(await setAdministrator(storage, person.id, start, anEvent()), true);
    assert.equal(await end(admin.id), false, 'whose access ends is not enough');
    assert.equal(await storage.disableUser(admin.id, start, anEvent()), false);
    assert.equal(await storage.deleteUser(admin.id, anEvent()), false);
    assert.equal(await setAdministrator(storage, admin.id, null, anEvent()), false);
    await storedUser(storage, { adminSince: start });
    assert.equal(await end(admin.id), true);
  });

  rule('the first administrator has no end', async (storage) => {
    const person = await storedUser(storage, { expiresAt: start + 100 });
    assert.equal(await setAdministrator(storage, person.id, start, anEvent()), false);
    const admin = await storedUser(storage, { adminSince: null });
    assert.equal(await setAdministrator(storage, admin.id, start, anEvent()), true);
    assert.equal(await setAdministrator(storage, person.id, start, anEvent()), true);
  });

  rule('an event is written for what has ended, once, and for what gets another end', async (storage) => {
    const { world, user } = await World.in(storage);
    const nobody = { people: [], groups: [] };
    const allow = async (expiresAt: number | null | undefined) => {
      const event = anEvent();
      const people = [{ id: user.id, event, expiresAt }];
      await storage.changeAccess(world.clientId, { allow: { people, groups: [] }, disallow: nobody }, start);
      return hasEvent(storage, event);
    };
    assert.equal(await allow(start + 5), true);
    assert.equal(await allow(start + 5), false);
    assert.equal(await allow(undefined), false);
    assert.equal(await allow(start + 6), true);
    const [entry] = await storage.listExpiredEntries(start + 6, 10);
    assert.deepEqual(entry, { clientId: world.clientId, userId: user.id, group: undefined });
    const [first, second] = [anEvent({ kind: 'access_expired' }), anEvent({ kind: 'access_expired' })];
    assert.ok(entry);
    await storage.endExpiredEntries([[entry, first]], start + 6);
    await storage.endExpiredEntries([[entry, second]], start + 6);
    assert.deepEqual([await hasEvent(storage, first), await hasEvent(storage, second)], [true, false]);
    assert.deepEqual(await storage.listExpiredEntries(start + 6, 10), []);
  });

  rule('what belongs to a deleted group has ended with it', async (storage) => {
    const { world } = await World.in(storage);
    await world.changes([...member, ...inGroup]);
    await storage.deleteGroup(world.groupId, start + 1, anEvent());
    assert.deepEqual(await storage.listExpiredEntries(start + 6, 10), []);
    assert.equal(await world.change([6, 'allow']), true);
  });
}
