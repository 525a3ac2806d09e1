// Webhooks: a message is there once the change is, for each endpoint that hears of it, whatever ended a grant; and an
// endpoint is delivered to by one process at a time, in order.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { EventRecord } from '../../../src/protocol/event.ts';
import type { EventKind } from '../../../src/protocol/events/kinds.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import { deliveryLifetime } from '../../../src/protocol/webhooks/schedule.ts';
import type { Storage, WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  anEvent,
  aSession,
  issuedGrant,
  nothingIsOver,
  type Rule,
  start,
  storedClient,
  storedUser,
  storedWorld,
  type World,
  winners,
} from '../records.ts';

const limits = { total: 1000, alike: 20 };
const accepted: WebhookAttempt = { at: start, duration: 12, status: 204, response: '', error: null };
const failed: WebhookAttempt = { at: start, duration: 5000, status: null, response: null, error: 'no response' };

export function aWebhook(overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: newId((size) => randomBytes(size)),
    url: 'https://hooks.example/latchkey',
    description: 'Hooks 🪝',
    clientId: null,
    clientDeletedAt: null,
    types: null,
    createdAt: start,
    updatedAt: start,
    disabledAt: null,
    disabledReason: null,
    failures: 0,
    failingSince: null,
    deliveredAt: null,
    dropped: 0,
    ...overrides,
  };
}

function aSecret(endpointId: string) {
  const id = newId((size) => randomBytes(size));
  return { id, endpointId, sealed: `sealed ${id}`, createdAt: start, endsAt: null };
}

/** One that hears nothing of its own creation. */
async function storedWebhook(storage: Storage, overrides: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> {
  const endpoint = aWebhook(overrides);
  assert.ok(await storage.createWebhook(endpoint, aSecret(endpoint.id), limits, anEvent({ kind: 'mail_delayed' })));
  return endpoint;
}

async function messagesFor(storage: Storage, { id }: WebhookEndpoint): Promise<WebhookDelivery[]> {
  return [...(await storage.pageDeliveries(id, undefined, { after: undefined, limit: 1000 })).items].reverse();
}

async function heardBy(storage: Storage, endpoint: WebhookEndpoint): Promise<unknown[]> {
  return (await messagesFor(storage, endpoint)).map(({ type, data }) => ({ type, ...JSON.parse(data) }));
}

export function webhookRules(rule: Rule): void {
  endpointRules(rule);
  outboxRules(rule);
  endedGrantRules(rule);
  deliveryRules(rule);
}

function endpointRules(rule: Rule): void {
  rule('an endpoint is found as it was created, and listed oldest first', async (storage) => {
    const client = await storedClient(storage);
    const one = await storedWebhook(storage, { types: ['user.created', 'grant.ended'] });
    const two = await storedWebhook(storage, { clientId: client.id, createdAt: start + 1 });
    assert.deepEqual(await storage.findWebhook(one.id), one);
    assert.deepEqual(await storage.listWebhooks(), [one, two]);
    assert.deepEqual(await storage.listWebhooks(client.id), [two]);
    assert.equal(await storage.findWebhook('other'), undefined);
  });

  rule('the number of endpoints is limited, and none is created for a deleted client', async (storage) => {
    const create = (endpoint: WebhookEndpoint, limits: { total: number; alike: number }) =>
      storage.createWebhook(endpoint, aSecret(endpoint.id), limits, anEvent());
    const client = await storedClient(storage);
    assert.equal(await create(aWebhook(), { total: 9, alike: 1 }), true);
    assert.equal(await create(aWebhook(), { total: 9, alike: 1 }), false);
    assert.equal(await create(aWebhook({ clientId: client.id }), { total: 1, alike: 1 }), false);
    assert.equal(await create(aWebhook({ clientId: client.id }), { total: 9, alike: 1 }), true);
    assert.equal(await create(aWebhook({ clientId: 'gone' }), { total: 9, alike: 1 }), false);
    assert.equal((await storage.listWebhooks()).length, 2);
  });

  rule('an endpoint is changed, disabled, enabled and deleted', async (storage) => {
    const endpoint = await storedWebhook(storage, { types: ['user.created'] });
    const { id } = endpoint;
    assert.equal(await storage.changeWebhook(id, { url: 'https://new.example/' }, start + 1, anEvent()), true);
    assert.equal(await storage.changeWebhook(id, { types: null, description: '' }, start + 2, anEvent()), true);
    const changed = {
      ...endpoint,
      url: 'https://new.example/',
      types: null,
      description: '',
      updatedAt: start + 2,
    };
    assert.deepEqual(await storage.findWebhook(id), changed);
    assert.equal(await storage.enableWebhook(id, start + 3, anEvent()), false);
    assert.equal(await storage.disableWebhook(id, start + 3, anEvent()), true);
    assert.equal(await storage.disableWebhook(id, start + 4, anEvent()), false);
    const disabled = { ...changed, disabledAt: start + 3, disabledReason: 'administrator', updatedAt: start + 3 };
    assert.deepEqual(await storage.findWebhook(id), disabled);
    assert.equal(await storage.enableWebhook(id, start + 5, anEvent()), true);
    assert.deepEqual(await storage.findWebhook(id), { ...changed, updatedAt: start + 5 });
    assert.equal(await storage.deleteWebhook(id, anEvent()), true);
    assert.equal(await storage.deleteWebhook(id, anEvent()), false);
    assert.deepEqual(await storage.listWebhookSecrets(id), []);
    assert.deepEqual(await messagesFor(storage, endpoint), []);
  });

  rule('two secrets are valid during a rotation, and never three', async (storage) => {
    const { id } = await storedWebhook(storage);
    const [first] = await storage.listWebhookSecrets(id);
    const second = { ...aSecret(id), id: '2' };
    const third = { ...aSecret(id), id: '3' };
    assert.equal(await storage.rotateWebhookSecret(second, start + 100, anEvent()), true);
    assert.ok(first);
    const byEnd = async () =>
      (await storage.listWebhookSecrets(id)).toSorted((a, b) => (a.endsAt ?? 0) - (b.endsAt ?? 0));
    assert.deepEqual(await byEnd(), [second, { ...first, endsAt: start + 100 }]);
    assert.equal(await storage.rotateWebhookSecret(third, start + 200, anEvent()), true);
    assert.deepEqual(await byEnd(), [third, { ...second, endsAt: start + 200 }]);
    assert.equal(await storage.retireWebhookSecret(id, start + 200, anEvent()), false);
    assert.equal(await storage.retireWebhookSecret(id, start + 150, anEvent()), true);
    assert.deepEqual(await storage.listWebhookSecrets(id), [third]);
    assert.equal(await storage.rotateWebhookSecret(aSecret('other'), start, anEvent()), false);
  });
}

function outboxRules(rule: Rule): void {
  rule('an event becomes a message for each subscribed endpoint', async (storage) => {
    const client = await storedClient(storage);
    const all = await storedWebhook(storage);
    const some = await storedWebhook(storage, { types: ['client.updated', 'user.created'] });
    const others = await storedWebhook(storage, { types: ['user.disabled', 'client.updated_'] });
    const disabled = await storedWebhook(storage);
    await storage.disableWebhook(disabled.id, start, anEvent({ kind: 'mail_delayed' }));
    const own = await storedWebhook(storage, { clientId: client.id });
    const event = anEvent({ kind: 'user_created', userId: 'someone', actor: { kind: 'api_key', id: 'key' } });
    await storage.appendEvents([event, anEvent({ kind: 'mail_delayed' })]);
    const expected = { type: 'user.created', sub: 'someone', by: { kind: 'api_key', id: 'key' } };
    assert.deepEqual(await heardBy(storage, all), [expected]);
    assert.deepEqual(await heardBy(storage, some), [expected]);
    for (const endpoint of [others, disabled, own]) assert.deepEqual(await heardBy(storage, endpoint), []);
    const [message] = await messagesFor(storage, all);
    assert.ok(message);
    const { id, at, userId, state, attempts, nextAttemptAt, lastAttempt } = message;
    assert.deepEqual(
      { id, at, userId, state, attempts, nextAttemptAt, lastAttempt },
      {
        id: `msg_${event.id}`,
        at: event.at,
        userId: 'someone',
        state: 'waiting',
        attempts: 0,
        nextAttemptAt: event.at,
        lastAttempt: undefined,
      },
    );
  });

  rule('events written together become one message each, in order', async (storage) => {
    const endpoint = await storedWebhook(storage);
    const kinds: readonly EventKind[] = ['user_created', 'mail_delayed', 'sign_in_failed'];
    const events = Array.from({ length: 250 }, (_, index) => anEvent({ kind: kinds[index % 3] ?? 'signed_out' }));
    await storage.appendEvents(events);
    const reported = events.filter(({ kind }) => kind !== 'mail_delayed').map(({ id }) => `msg_${id}`);
    assert.deepEqual(
      (await messagesFor(storage, endpoint)).map(({ id }) => id),
      reported,
    );
  });

  rule("a change that's rolled back isn't reported", async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const endpoint = await storedWebhook(storage);
    const none = { people: [], groups: [] };
    const nobody = { allow: none, disallow: { people: [{ id: user.id, event: anEvent() }], groups: [] } };
    await storage.changeAccess(client.id, nobody, start);
    assert.equal(await storage.enableUser(user.id, start, anEvent({ kind: 'user_enabled', userId: user.id })), false);
    assert.equal(await storage.disableUser('nobody', start, anEvent({ kind: 'user_disabled' })), false);
    const wrong = storage.startSession({ session: aSession(user), sessionGeneration: 1, event: anEvent() });
    assert.equal(await wrong, false);
    assert.deepEqual(await messagesFor(storage, endpoint), []);
  });

  rule('a sign-in is reported in the same write as its session', async (storage) => {
    const user = await storedUser(storage);
    const endpoint = await storedWebhook(storage);
    const event = anEvent({ kind: 'signed_in', userId: user.id, detail: { method: 'password' } });
    const session = aSession(user);
    assert.ok(await storage.startSession({ session, sessionGeneration: user.sessionGeneration, event }));
    const expected = { sub: user.id, client_id: null, method: 'password', ip_address: event.address };
    assert.deepEqual(await heardBy(storage, endpoint), [{ type: 'sign_in.succeeded', ...expected }]);
  });

  rule('finished messages about a user are deleted with the account', async (storage) => {
    const user = await storedUser(storage);
    const endpoint = await storedWebhook(storage, { types: ['user.updated', 'user.deleted'] });
    const about = () => anEvent({ kind: 'profile_changed', userId: user.id });
    await storage.appendEvents([about(), about()]);
    const [first] = await messagesFor(storage, endpoint);
    assert.ok(first);
    await deliver(storage, first);
    await storage.deleteUser(user.id, anEvent({ kind: 'user_deleted', userId: user.id }));
    const left = await messagesFor(storage, endpoint);
    assert.deepEqual(
      left.map(({ type, state }) => ({ type, state })),
      [
        { type: 'user.updated', state: 'waiting' },
        { type: 'user.deleted', state: 'waiting' },
      ],
    );
  });
}

/** Each way in which grants end, with what an endpoint hears of it. */
interface End {
  readonly kind: EventKind;
  readonly reason: string;
  readonly before?: (storage: Storage, world: World) => Promise<unknown>;
  readonly end: (storage: Storage, world: World, event: EventRecord) => Promise<unknown>;
  readonly expected?: (world: World) => object;
}

const nobody = { people: [], groups: [] };
const group = { id: 'group', name: 'Team', createdAt: start, updatedAt: start };
const ownGroup = { ...group, managedBy: 'entra', externalId: null, protectedSince: null };
const subject = (id: string, event = anEvent({ kind: 'mail_delayed' })) => [{ id, event }];
/** The user may use the client by way of a group only. */
async function byGroup(storage: Storage, { user, client }: World): Promise<void> {
  await storage.createGroup(group, anEvent());
  await storage.changeMembers(group.id, { add: subject(user.id), remove: [] }, start);
  const access = { to: 'listed', event: anEvent({ kind: 'mail_delayed' }) } as const;
  const allow = { people: [], groups: subject(group.id) };
  await storage.changeAccess(client.id, { access, allow, disallow: nobody }, start);
}

const ends: Readonly<Record<string, End>> = {
  'the person removes the application': {
    kind: 'app_removed',
    reason: 'person',
    end: (storage, { user, client }, event) => storage.removeConnectedApp(user.id, client.id, start, event),
  },
  'the person removes all other access': {
    kind: 'account_reviewed',
    reason: 'person',
    end: (storage, { user }, event) => {
      const kept = { factors: false };
      return storage.removeOtherAccess(user, kept, start, event);
    },
  },
  'an administrator disables the person': {
    kind: 'user_disabled',
    reason: 'administrator',
    end: (storage, { user }, event) => storage.disableUser(user.id, start, event),
  },
  'an administrator revokes the application': {
    kind: 'client_revoked',
    reason: 'administrator',
    end: (storage, { client }, event) => storage.revokeClient(client.id, start, event),
    expected: () => ({ sub: null }),
  },
  'the application revokes its token': {
    kind: 'token_revoked',
    reason: 'client',
    end: (storage, { active }, event) => storage.endGrant(active.id, start, event),
    expected: ({ active }) => ({ grant_id: active.id }),
  },
  'a code is replayed': {
    kind: 'grant_ended_by_replay',
    reason: 'replay',
    end: (storage, { active }, event) => storage.endGrant(active.id, start, event),
    expected: ({ active }) => ({ grant_id: active.id }),
  },
  'the account is deleted': {
    kind: 'account_deleted',
    reason: 'deletion',
    end: (storage, { user }, event) => storage.deleteUser(user.id, event),
  },
  'the application is deleted': {
    kind: 'client_deleted',
    reason: 'deletion',
    end: (storage, { client }, event) => storage.deleteClient(client.id, event),
    expected: () => ({ sub: null }),
  },
  'the application is restricted to its list': {
    kind: 'client_updated',
    reason: 'lost_access',
    end: (storage, { client }, event) => storage.updateClient(client, { access: 'listed' }, start, event),
  },
  'the application is restricted to its list, by a change of its list': {
    kind: 'client_updated',
    reason: 'lost_access',
    end: (storage, { client }, event) => {
      const access = { to: 'listed', event } as const;
      return storage.changeAccess(client.id, { access, allow: nobody, disallow: nobody }, start);
    },
  },
  'the person is removed from the list': {
    kind: 'access_disallowed',
    reason: 'lost_access',
    before: async (storage, { user, client }) => {
      const access = { to: 'listed', event: anEvent({ kind: 'mail_delayed' }) } as const;
      const allow = { people: subject(user.id), groups: [] };
      await storage.changeAccess(client.id, { access, allow, disallow: nobody }, start);
    },
    end: (storage, { user, client }, event) => {
      const disallow = { people: subject(user.id, event), groups: [] };
      return storage.changeAccess(client.id, { allow: nobody, disallow }, start);
    },
  },
  'their group is removed from the list': {
    kind: 'access_disallowed',
    reason: 'lost_access',
    before: byGroup,
    end: (storage, { client }, event) => {
      const disallow = { people: [], groups: subject(group.id, event) };
      return storage.changeAccess(client.id, { allow: nobody, disallow }, start);
    },
  },
  'they are removed from their group': {
    kind: 'group_member_removed',
    reason: 'lost_access',
    before: byGroup,
    end: (storage, { user }, event) =>
      storage.changeMembers(group.id, { add: [], remove: subject(user.id, event) }, start),
  },
  'a directory removes them from their group': {
    kind: 'group_member_removed',
    reason: 'lost_access',
    before: async (storage, world) => {
      const { user, client } = world;
      const adopted = { source: 'entra', person: user, emailVerifiedAt: start };
      const rest = { attributes: undefined, standing: undefined };
      assert.ok(
        await storage.changeScimUser(user, { ...adopted, ...rest }, start, [anEvent({ kind: 'mail_delayed' })]),
      );
      await storage.createScimGroup(ownGroup, subject(user.id), [], start);
      const access = { to: 'listed', event: anEvent({ kind: 'mail_delayed' }) } as const;
      const allow = { people: [], groups: subject(ownGroup.id) };
      await storage.changeAccess(client.id, { access, allow, disallow: nobody }, start);
    },
    end: (storage, { user }, event) =>
      storage.changeScimGroup(ownGroup, ownGroup, { add: [], remove: subject(user.id, event) }, [], start),
  },
  'their group is deleted': {
    kind: 'group_deleted',
    reason: 'lost_access',
    before: byGroup,
    end: (storage, _, event) => storage.deleteGroup(group.id, start, event),
  },
};

function endedGrantRules(rule: Rule): void {
  for (const [name, { kind, reason, before, end, expected }] of Object.entries(ends)) {
    rule(`${name}: affected endpoints get one message`, async (storage) => {
      const world = await storedWorld(storage);
      const { user, client } = world;
      const bystander = await storedUser(storage);
      await before?.(storage, world);
      // Somebody else has let another application in, which none of this concerns.
      const other = await storedClient(storage);
      await activeGrant(storage, bystander, other);
      const types = ['grant.ended'];
      const own = await storedWebhook(storage, { clientId: client.id });
      const service = await storedWebhook(storage, { types });
      const others = await storedWebhook(storage, { clientId: other.id });
      const event = anEvent({ kind, userId: user.id, clientId: client.id });
      await end(storage, world, event);
      const about = { grant_id: null, sub: user.id, client_id: client.id, reason, ...expected?.(world) };
      for (const endpoint of [own, service]) {
        assert.deepEqual(await heardBy(storage, endpoint), [{ type: 'grant.ended', ...about }]);
      }
      assert.deepEqual(await heardBy(storage, others), []);
      // There is nothing left that could end.
      await storage.disableUser(user.id, start + 1, anEvent({ kind: 'user_disabled' }));
      await storage.deleteUser(user.id, anEvent({ kind: 'user_deleted' }));
      if (about.grant_id === null) assert.equal((await messagesFor(storage, own)).length, 1);
    });
  }

  rule("people who keep access some other way aren't reported", async (storage) => {
    const world = await storedWorld(storage);
    const { user, client } = world;
    const endpoint = await storedWebhook(storage, { types: ['grant.ended'] });
    await byGroup(storage, world);
    const allow = { people: subject(user.id), groups: [] };
    await storage.changeAccess(client.id, { allow, disallow: nobody }, start);
    await storage.changeMembers(group.id, { add: [], remove: subject(user.id) }, start);
    await storage.deleteGroup(group.id, start, anEvent());
    assert.deepEqual(await heardBy(storage, endpoint), []);
  });

  rule('people with an unexchanged code are reported, too', async (storage) => {
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    const endpoint = await storedWebhook(storage, { types: ['grant.ended'] });
    await issuedGrant(storage, user, client);
    await storage.disableUser(user.id, start, anEvent({ kind: 'user_disabled' }));
    assert.equal((await messagesFor(storage, endpoint)).length, 1);
  });

  rule('a large group is reported with one message per person', async (storage) => {
    const client = await storedClient(storage);
    const endpoint = await storedWebhook(storage, { clientId: client.id });
    await storage.createGroup(group, anEvent());
    const users = await Promise.all(Array.from({ length: 30 }, () => storedUser(storage)));
    for (const user of users) await activeGrant(storage, user, client);
    await storage.changeMembers(group.id, { add: users.flatMap(({ id }) => subject(id)), remove: [] }, start);
    const access = { to: 'listed', event: anEvent({ kind: 'mail_delayed' }) } as const;
    await storage.changeAccess(
      client.id,
      { access, allow: { people: [], groups: subject(group.id) }, disallow: nobody },
      start,
    );
    await storage.deleteGroup(group.id, start, anEvent({ kind: 'group_deleted' }));
    const messages = await messagesFor(storage, endpoint);
    assert.equal(new Set(messages.map(({ id }) => id)).size, 30);
    assert.deepEqual(messages.map(({ userId }) => userId).sort(), users.map(({ id }) => id).sort());
    for (const { data, userId } of messages) assert.equal(JSON.parse(data).sub, userId);
  });
}

const claimUntil = start + 20_000;
const asHolder = (holder: string) => ({ holder, until: claimUntil });

async function deliver(storage: Storage, delivery: WebhookDelivery, holder = 'me'): Promise<boolean> {
  await storage.claimWebhooks(start + 100_000, asHolder(holder), { healthy: 9, failing: 9 });
  return storage.recordAttempt(delivery, accepted, { kind: 'delivered', recovered: false }, asHolder(holder));
}

function deliveryRules(rule: Rule): void {
  const events = (count: number) => Array.from({ length: count }, () => anEvent({ kind: 'user_created', at: start }));
  const both = { healthy: 9, failing: 9 };

  rule('an endpoint is claimed by one process at a time, while something is due', async (storage) => {
    const endpoint = await storedWebhook(storage);
    assert.equal(await storage.webhooksAreDue(start), false);
    assert.deepEqual(await storage.claimWebhooks(start, asHolder('one'), both), []);
    await storage.appendEvents(events(1));
    assert.equal(await storage.webhooksAreDue(start - 1), false);
    assert.equal(await storage.webhooksAreDue(start), true);
    const claims = await Promise.all(
      ['one', 'two', 'three'].map((holder) => storage.claimWebhooks(start, asHolder(holder), both)),
    );
    assert.deepEqual(claims.map((claimed) => claimed.length).sort(), [0, 0, 1]);
    assert.equal(await storage.webhooksAreDue(start), false);
    // A process that has died holds it no longer than its claim.
    assert.equal(await storage.webhooksAreDue(claimUntil), true);
    const holder = ['one', 'two', 'three'][claims.findIndex((claimed) => claimed.length === 1)] ?? '';
    await storage.releaseWebhook(endpoint.id, 'somebody else');
    assert.equal(await storage.webhooksAreDue(start), false);
    await storage.releaseWebhook(endpoint.id, holder);
    assert.equal(await storage.webhooksAreDue(start), true);
    await storage.disableWebhook(endpoint.id, start, anEvent({ kind: 'mail_delayed' }));
    assert.equal(await storage.webhooksAreDue(start), false);
  });

  rule('a claim made by a wrong clock expires', async (storage) => {
    await storedWebhook(storage);
    await storage.appendEvents(events(1));
    await storage.claimWebhooks(start, { holder: 'one', until: start + 1e9 }, both);
    assert.equal((await storage.claimWebhooks(start, asHolder('two'), both)).length, 1);
  });

  rule('failing endpoints have their own slots', async (storage) => {
    const bad = await storedWebhook(storage);
    const good = await storedWebhook(storage);
    await storage.appendEvents(events(2));
    const [first] = await storage.listDueDeliveries(bad.id, start, 9);
    assert.ok(first);
    const postponed = { kind: 'postponed', until: start + 5000, restUntil: start + 1000 } as const;
    await storage.recordAttempt(first, failed, postponed, asHolder('me'));
    const ids = async (now: number, limits: typeof both) =>
      (await storage.claimWebhooks(now, asHolder('me'), limits)).map(({ id }) => id);
    assert.deepEqual(await ids(start, both), [good.id], 'the other one rests');
    assert.deepEqual(await ids(start + 1000, { healthy: 9, failing: 0 }), []);
    assert.deepEqual(await ids(start + 1000, { healthy: 0, failing: 1 }), [bad.id]);
  });

  rule('the endpoint that waited longest is next', async (storage) => {
    const [one, two] = [await storedWebhook(storage, { id: '1st' }), await storedWebhook(storage, { id: '2nd' })];
    await storage.appendEvents(events(4));
    const next = async (limits: typeof both) => {
      const [{ id } = assert.fail()] = await storage.claimWebhooks(start + 9000, asHolder('me'), limits);
      await storage.releaseWebhook(id, 'me');
      return id;
    };
    const healthy = { healthy: 1, failing: 0 };
    assert.equal(await next(healthy), one.id);
    const [first] = await storage.listDueDeliveries(one.id, start, 1);
    assert.ok(first);
    await storage.recordAttempt(first, accepted, { kind: 'delivered', recovered: false }, asHolder('me'));
    assert.equal(await next(healthy), two.id, 'the first one has had its turn');

    for (const [endpoint, restUntil] of [[one, start + 2000] as const, [two, start + 1000] as const]) {
      const [due] = await storage.listDueDeliveries(endpoint.id, start, 1);
      assert.ok(due);
      await storage.recordAttempt(due, failed, { kind: 'postponed', until: start, restUntil }, asHolder('me'));
    }
    assert.equal(await next({ healthy: 0, failing: 1 }), two.id, 'it has rested for longer');
  });

  rule("due messages are listed in event order, failed ones when they're due again", async (storage) => {
    const endpoint = await storedWebhook(storage);
    const [one, two, three] = [1, 2, 3].map((at) => anEvent({ kind: 'user_created', at: start + at }));
    assert.ok(one && two && three);
    await storage.appendEvents([three, one]);
    await storage.appendEvents([two]);
    const due = async (now: number) =>
      (await storage.listDueDeliveries(endpoint.id, now, 9)).map(({ id }) => id.slice(4));
    assert.deepEqual(await due(start + 9), [one.id, two.id, three.id]);
    assert.deepEqual(await due(start + 2), [one.id, two.id]);
    const [first] = await storage.listDueDeliveries(endpoint.id, start + 9, 1);
    assert.ok(first);
    const postponed = { kind: 'postponed', until: start + 5000, restUntil: start } as const;
    await storage.recordAttempt(first, failed, postponed, asHolder('me'));
    assert.deepEqual(await due(start + 9), [two.id, three.id]);
    assert.deepEqual(await due(start + 5000), [two.id, three.id, one.id]);
    // After an outage, everything is due at once and in its order.
    const [second] = await storage.listDueDeliveries(endpoint.id, start + 9, 1);
    assert.ok(second);
    await storage.recordAttempt(second, accepted, { kind: 'delivered', recovered: true }, asHolder('me'));
    assert.deepEqual(await due(start + 9), [one.id, three.id]);
  });

  rule('the result of an attempt is recorded once', async (storage) => {
    const endpoint = await storedWebhook(storage);
    await storage.appendEvents(events(1));
    const [delivery] = await storage.listDueDeliveries(endpoint.id, start, 1);
    assert.ok(delivery);
    await storage.claimWebhooks(start, asHolder('me'), both);
    const postponed = { kind: 'postponed', until: start + 5000, restUntil: start + 1000 } as const;
    assert.equal(await storage.recordAttempt(delivery, failed, postponed, asHolder('me')), true);
    assert.equal(await storage.recordAttempt(delivery, failed, postponed, asHolder('me')), false);
    const expected = { ...delivery, attempts: 1, nextAttemptAt: start + 5000, lastAttempt: failed };
    assert.deepEqual(await storage.findDelivery(endpoint.id, delivery.id), expected);
    const failing = { ...endpoint, failures: 1, failingSince: start };
    assert.deepEqual(await storage.findWebhook(endpoint.id), failing);
    // Somebody else has the claim by now, but what was sent was sent.
    const result = { kind: 'delivered', recovered: false } as const;
    assert.equal(await storage.recordAttempt({ ...delivery, attempts: 1 }, accepted, result, asHolder('other')), false);
    const delivered = { ...delivery, state: 'delivered', attempts: 2, nextAttemptAt: start, finishedAt: start };
    assert.deepEqual(await storage.findDelivery(endpoint.id, delivery.id), { ...delivered, lastAttempt: accepted });
    assert.deepEqual(await storage.findWebhook(endpoint.id), { ...endpoint, deliveredAt: start });
  });

  rule('an endpoint that returned 410 is disabled in the same write as its event', async (storage) => {
    const endpoint = await storedWebhook(storage);
    const other = await storedWebhook(storage, { types: ['webhook.disabled'] });
    await storage.appendEvents(events(2));
    const due = await storage.listDueDeliveries(endpoint.id, start, 9);
    const gone = () => {
      const detail = { webhook: endpoint.id, reason: 'gone' };
      return { kind: 'gone', event: anEvent({ kind: 'webhook_disabled', detail }) } as const;
    };
    for (const delivery of due)
      await storage.recordAttempt(delivery, { ...failed, status: 410 }, gone(), asHolder('me'));
    const disabled = await storage.findWebhook(endpoint.id);
    assert.deepEqual([disabled?.disabledAt, disabled?.disabledReason], [start, 'gone']);
    assert.deepEqual(await heardBy(storage, other), [
      { type: 'webhook.disabled', webhook_id: endpoint.id, by: null, reason: 'gone' },
    ]);
    assert.deepEqual(
      (await messagesFor(storage, endpoint)).map(({ state }) => state),
      ['given_up', 'given_up'],
    );
  });

  rule("a finished message can be resent, a waiting one can't", async (storage) => {
    const endpoint = await storedWebhook(storage);
    await storage.appendEvents(events(1));
    const [delivery] = await storage.listDueDeliveries(endpoint.id, start, 1);
    assert.ok(delivery);
    assert.equal(await storage.resendDelivery(endpoint.id, delivery.id, start), false);
    await deliver(storage, delivery);
    assert.equal(await storage.resendDelivery(endpoint.id, 'msg_other', start), false);
    assert.deepEqual(await winners(() => storage.resendDelivery(endpoint.id, delivery.id, start + 7)), 1);
    const again = await storage.findDelivery(endpoint.id, delivery.id);
    assert.deepEqual([again?.state, again?.attempts, again?.nextAttemptAt], ['waiting', 0, start + 7]);
  });

  rule('a test message goes to one endpoint, whatever its types', async (storage) => {
    const endpoint = await storedWebhook(storage, { types: ['user.created'] });
    const other = await storedWebhook(storage);
    const message = { type: 'webhook.test', data: { webhook_id: endpoint.id, by: null } } as const;
    assert.equal(await storage.queueTestMessage(endpoint.id, 'msg_1', message, start), true);
    assert.equal(await storage.queueTestMessage('unknown', 'msg_1', message, start), false);
    assert.deepEqual(await heardBy(storage, endpoint), [{ type: 'webhook.test', webhook_id: endpoint.id, by: null }]);
    assert.deepEqual(await heardBy(storage, other), []);
  });

  rule('deliveries are listed newest first, in pages, by state', async (storage) => {
    const endpoint = await storedWebhook(storage);
    const all = Array.from({ length: 5 }, (_, index) => anEvent({ kind: 'user_created', at: start + index }));
    await storage.appendEvents(all);
    const [first] = await storage.listDueDeliveries(endpoint.id, start, 1);
    assert.ok(first);
    await deliver(storage, first);
    const page = await storage.pageDeliveries(endpoint.id, undefined, { after: undefined, limit: 3 });
    const rest = await storage.pageDeliveries(endpoint.id, undefined, { after: page.next, limit: 3 });
    const ids = [...page.items, ...rest.items].map(({ id }) => id.slice(4));
    assert.deepEqual(ids, all.map(({ id }) => id).reverse());
    assert.equal(rest.next, undefined);
    const count = async (state: WebhookDelivery['state']) =>
      (await storage.pageDeliveries(endpoint.id, state, { after: undefined, limit: 9 })).items.length;
    assert.deepEqual([await count('waiting'), await count('delivered'), await count('given_up')], [4, 1, 0]);
    assert.deepEqual(await storage.countWaitingDeliveries(), new Map([[endpoint.id, 4]]));
  });

  rule('waiting messages and failing endpoints are counted, except disabled ones', async (storage) => {
    const disabled = await storedWebhook(storage);
    const endpoint = await storedWebhook(storage);
    await storage.appendEvents(Array.from({ length: 4 }, () => anEvent({ kind: 'user_created', at: start })));
    await storage.disableWebhook(disabled.id, start, anEvent({ kind: 'mail_delayed' }));
    const counts = (limit = 10) => storage.countWaitingWebhooks(limit);
    assert.deepEqual(await counts(), { messages: 4, failing: 0 });
    assert.deepEqual(await counts(3), { messages: 3, failing: 0 });
    const [first] = await storage.listDueDeliveries(endpoint.id, start, 1);
    assert.ok(first);
    const failed = { at: start, duration: 1, status: 500, response: '', error: null };
    const postponed = { kind: 'postponed', until: start, restUntil: start } as const;
    for (let attempts = 0; attempts < 3; attempts++) {
      assert.equal((await counts()).failing, 0);
      await storage.recordAttempt({ ...first, attempts }, failed, postponed, asHolder('me'));
    }
    assert.deepEqual(await counts(), { messages: 4, failing: 1 });
    await deliver(storage, { ...first, attempts: 3 });
    assert.deepEqual(await counts(), { messages: 3, failing: 0 });
  });

  rule('beyond a limit the oldest messages are dropped and counted', async (storage) => {
    const endpoint = await storedWebhook(storage);
    const all = Array.from({ length: 5 }, (_, index) => anEvent({ kind: 'user_created', at: start + index }));
    await storage.appendEvents(all);
    await storage.dropOldestDeliveries(endpoint.id, 3);
    assert.deepEqual(
      (await messagesFor(storage, endpoint)).map(({ id }) => id.slice(4)),
      all.slice(3).map(({ id }) => id),
    );
    assert.equal((await storage.findWebhook(endpoint.id))?.dropped, 3);
  });

  rule('the sweep deletes old, hidden and orphaned messages', async (storage) => {
    const client = await storedClient(storage);
    const own = await storedWebhook(storage, { clientId: client.id });
    const endpoint = await storedWebhook(storage);
    const world = await storedWorld(storage);
    const { user } = world;
    await activeGrant(storage, user, client);
    await storage.rotateWebhookSecret(aSecret(endpoint.id), start + 5, anEvent({ kind: 'mail_delayed' }));
    await storage.deleteClient(client.id, anEvent({ kind: 'client_deleted', clientId: client.id, at: start }));
    const sweep = (now: number) => storage.sweep(nothingIsOver({ now }), 5000);
    await sweep(start + 6);
    assert.equal((await storage.listWebhookSecrets(endpoint.id)).length, 1);
    assert.equal((await messagesFor(storage, own)).length, 1, 'it has to hear that its client is gone');
    assert.ok(await storage.findWebhook(own.id));
    await sweep(start + 2 * deliveryLifetime);
    await sweep(start + 2 * deliveryLifetime);
    assert.deepEqual(await messagesFor(storage, own), []);
    assert.equal(await storage.findWebhook(own.id), undefined);
    assert.deepEqual(await storage.listWebhookSecrets(own.id), []);
    assert.deepEqual(await messagesFor(storage, endpoint), []);
    assert.ok(await storage.findWebhook(endpoint.id));
  });

  rule("a message expires, however often it's tried", async (storage) => {
    const endpoint = await storedWebhook(storage);
    await storage.appendEvents(events(1));
    const [due] = await storage.listDueDeliveries(endpoint.id, start, 1);
    assert.ok(due);
    const at = start + deliveryLifetime - 1;
    const postponed = { kind: 'postponed', until: at + 5000, restUntil: at } as const;
    await storage.recordAttempt(due, { ...failed, at }, postponed, asHolder('me'));
    await storage.sweep(nothingIsOver({ now: start + deliveryLifetime + 1 }), 5000);
    assert.deepEqual(await messagesFor(storage, endpoint), []);
  });

  rule("a deleted client's endpoint gets nothing about a new client with its ID", async (storage) => {
    const { client, user } = await storedWorld(storage);
    const own = await storedWebhook(storage, { clientId: client.id });
    await storage.deleteClient(client.id, anEvent({ kind: 'client_deleted', clientId: client.id, at: start }));
    const successor = await storedClient(storage, { id: client.id });
    await activeGrant(storage, user, successor);
    await storage.disableUser(user.id, start, anEvent({ kind: 'user_disabled', userId: user.id }));
    assert.deepEqual(
      (await heardBy(storage, own)).map((each) => Object(each).reason),
      ['deletion'],
    );
    assert.deepEqual(await storage.listWebhooks(client.id), []);
    assert.deepEqual(await storage.findWebhook(own.id), { ...own, clientId: null, clientDeletedAt: start });
    await storage.sweep(nothingIsOver({ now: start + 2 * deliveryLifetime }), 5000);
    await storage.sweep(nothingIsOver({ now: start + 2 * deliveryLifetime }), 5000);
    assert.equal(await storage.findWebhook(own.id), undefined);
  });

  for (const types of [null, ['grant.ended']]) {
    rule(`the endpoint of a deleted client gets nothing of others, with types ${types ?? 'all'}`, async (storage) => {
      const client = await storedClient(storage);
      const own = await storedWebhook(storage, { clientId: client.id, types });
      const everyones = await storedWebhook(storage);
      const other = await storedWorld(storage);
      await activeGrant(storage, other.user, client);
      await storage.deleteClient(client.id, anEvent({ kind: 'client_deleted', clientId: client.id, at: start }));
      const told = await heardBy(storage, own);
      assert.deepEqual(
        told.map((each) => [Object(each).type, Object(each).reason]),
        [['grant.ended', 'deletion']],
      );

      // Whatever an administrator changes of it, it gets no more than that.
      await storage.changeWebhook(own.id, { types: null }, start, anEvent({ kind: 'mail_delayed' }));
      await storage.disableWebhook(own.id, start, anEvent({ kind: 'mail_delayed' }));
      await storage.enableWebhook(own.id, start, anEvent({ kind: 'mail_delayed' }));
      const grant = await activeGrant(storage, other.user, other.client);
      await storage.appendEvents([anEvent({ kind: 'signed_in', userId: other.user.id })]);
      await storage.endGrant(grant.id, start, anEvent({ kind: 'token_revoked', clientId: other.client.id }));
      await storage.disableUser(other.user.id, start, anEvent({ kind: 'user_disabled', userId: other.user.id }));
      await storage.deleteClient(other.client.id, anEvent({ kind: 'client_deleted', clientId: other.client.id }));
      assert.deepEqual(await heardBy(storage, own), told);
      assert.ok((await heardBy(storage, everyones)).length >= told.length + 4);
    });
  }

  rule("endpoints of deleted clients don't count among those of the service", async (storage) => {
    const client = await storedClient(storage);
    const own = await storedWebhook(storage, { clientId: client.id });
    await storage.deleteClient(client.id, anEvent({ kind: 'client_deleted', clientId: client.id, at: start }));
    const endpoint = aWebhook();
    const alike = { total: 1000, alike: 1 };
    assert.equal(await storage.createWebhook(endpoint, aSecret(endpoint.id), alike, anEvent()), true);
    assert.deepEqual(
      (await storage.listWebhooks()).map(({ id }) => id),
      [own.id, endpoint.id].toSorted(),
    );
  });

  rule('a limited number of finished messages is kept', async (storage) => {
    const endpoint = await storedWebhook(storage);
    const all = events(15);
    await storage.appendEvents(all);
    const due = await storage.listDueDeliveries(endpoint.id, start, all.length);
    const result = { kind: 'delivered', recovered: false } as const;
    await Promise.all(due.slice(5).map((each) => storage.recordAttempt(each, accepted, result, asHolder('me'))));
    assert.equal(await storage.sweep(nothingIsOver({ finishedDeliveries: 4 }), 5000), 6);
    const counts = await storage.countWaitingDeliveries();
    assert.equal(counts.get(endpoint.id), 5);
    const kept = await storage.pageDeliveries(endpoint.id, 'delivered', { after: undefined, limit: 2000 });
    assert.deepEqual(
      kept.items.map(({ id }) => id).sort(),
      due.slice(-4).map(({ id }) => id),
    );
  });
}
