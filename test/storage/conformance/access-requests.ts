// Requests for access to applications.

import assert from 'node:assert/strict';
import { DAY, HOUR } from '../../../src/protocol/durations.ts';
import type { AccessChange, AccessRequest, Client, Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anEvent,
  atOnce,
  later,
  nothingIsOver,
  type Rule,
  start,
  storedClient,
  storedUser,
  winners,
} from '../records.ts';

let made = 0;

function aRequest(overrides: Partial<AccessRequest> = {}): AccessRequest {
  made += 1;
  const undecided = { decidedAt: null, decidedByKind: null, decidedById: null, expiresAt: null };
  const asked = { status: 'open', note: 'For the "Ωmega" launch\n=1+1 <b>', askedAt: start } as const;
  const id = `${String(made).padStart(8, '0')}${aDigest()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 18)}`;
  return { id, clientId: '', userId: '', ...asked, ...undecided, ...overrides };
}

const askable = (storage: Storage, overrides: Partial<Client> = {}) =>
  storedClient(storage, { access: 'listed', accessRequests: 'on', ...overrides });

async function ask(storage: Storage, request: AccessRequest, most = 5): Promise<boolean> {
  const limits = { declinedBefore: request.askedAt - DAY, since: request.askedAt - DAY, most };
  return storage.askForAccess(request, limits, anEvent({ kind: 'access_requested' }));
}

/** An open one, of a new user or this one. */
export async function storedRequest(storage: Storage, overrides: Partial<AccessRequest> = {}): Promise<AccessRequest> {
  const clientId = overrides.clientId ?? (await askable(storage)).id;
  const userId = overrides.userId ?? (await storedUser(storage)).id;
  const request = aRequest({ ...overrides, clientId, userId });
  assert.equal(await ask(storage, request), true);
  return request;
}

const by = { kind: 'administrator', id: 'decider' } as const;
const decisionOn = ({ id, userId, clientId }: AccessRequest, at = later, expiresAt: number | null = null) => ({
  id,
  userId,
  clientId,
  by,
  at,
  askedAfter: at - 30 * DAY,
  expiresAt,
});

function additionOf({ userId }: AccessRequest, expiresAt: number | null = null): AccessChange {
  const event = anEvent({ kind: 'access_allowed', userId });
  return {
    access: undefined,
    allow: { people: [{ id: userId, expiresAt, event }], groups: [] },
    disallow: { people: [], groups: [] },
  };
}

const anEmail = () => ({ id: aDigest(), sealed: 'sealed', createdAt: start });
const allow = (storage: Storage, request: AccessRequest, at = later, expiresAt: number | null = null) =>
  storage.allowRequest(decisionOn(request, at, expiresAt), additionOf(request, expiresAt), anEvent(), [anEmail()]);
const decline = (storage: Storage, request: AccessRequest, at = later) =>
  storage.declineRequest(decisionOn(request, at), anEvent(), [anEmail()]);
const statusOf = async (storage: Storage, { id }: AccessRequest) => (await storage.findAccessRequest(id))?.status;
const idsOf = async (storage: Storage, filters: Parameters<Storage['pageAccessRequests']>[1] = {}) =>
  (await storage.pageAccessRequests({ after: undefined, limit: 100 }, filters)).items.map(({ id }) => id);

export function accessRequestRules(rule: Rule): void {
  rule('a request is stored as it was made, and found with whom and what it is about', async (storage) => {
    const request = await storedRequest(storage);
    const user = await storage.findUser(request.userId);
    const client = await storage.findClient(request.clientId);
    const expected = {
      ...request,
      person: { id: user?.id, name: user?.name, email: user?.email, locale: user?.locale },
      application: { id: client?.id, name: client?.name },
    };
    assert.deepEqual(await storage.findAccessRequest(request.id), expected);
    assert.deepEqual(await storage.findLatestRequest(request.userId, request.clientId), request);
    assert.deepEqual(await storage.listRequestsOf(request.userId), [{ ...request, application: client?.name }]);
    assert.equal(await storage.findAccessRequest('other'), undefined);
  });

  rule('of any number at once, a person has one open request for an application', async (storage) => {
    const { id: clientId } = await askable(storage);
    const { id: userId } = await storedUser(storage);
    assert.equal(await winners(() => ask(storage, aRequest({ clientId, userId }), atOnce + 1)), 1);
    assert.equal((await idsOf(storage)).length, 1);
  });

  rule('a person asks for five applications in a day, also at once', async (storage) => {
    const { id: userId } = await storedUser(storage);
    const clients: string[] = [];
    for (let index = 0; index < atOnce; index++) clients.push((await askable(storage)).id);
    assert.equal(await winners((index) => ask(storage, aRequest({ userId, clientId: clients[index] ?? '' }))), 5);
    assert.equal(await storage.countRequestsSince(userId, start - 1), 5);
    assert.equal(await storage.countRequestsSince(userId, start), 0);
    const { id: other } = await askable(storage);
    assert.equal(await ask(storage, aRequest({ userId, clientId: other, askedAt: start + DAY - 1 })), false);
    assert.equal(await ask(storage, aRequest({ userId, clientId: other, askedAt: start + DAY })), true);
  });

  const refusing: Readonly<Record<string, (storage: Storage) => Promise<{ client: Client; user: User }>>> = {
    'an application that lets nobody ask': async (storage) => ({
      client: await storedClient(storage, { access: 'listed' }),
      user: await storedUser(storage),
    }),
    'an application that everyone can use': async (storage) => ({
      client: await askable(storage, { access: 'everyone' }),
      user: await storedUser(storage),
    }),
    'a revoked application': async (storage) => ({
      client: await askable(storage, { revokedAt: start }),
      user: await storedUser(storage),
    }),
    'somebody who is disabled': async (storage) => ({
      client: await askable(storage),
      user: await storedUser(storage, { disabledAt: start }),
    }),
    'somebody whose access has ended': async (storage) => ({
      client: await askable(storage),
      user: await storedUser(storage, { expiresAt: start }),
    }),
    async 'somebody on the list'(storage) {
      const request = await storedRequest(storage);
      assert.equal(await allow(storage, request), true);
      const [client, user] = [await storage.findClient(request.clientId), await storage.findUser(request.userId)];
      assert.ok(client && user);
      return { client, user };
    },
  };
  for (const [what, prepare] of Object.entries(refusing)) {
    rule(`nobody asks for access: ${what}`, async (storage) => {
      const { client, user } = await prepare(storage);
      assert.equal(await ask(storage, aRequest({ clientId: client.id, userId: user.id, askedAt: later })), false);
    });
  }

  rule('nobody who is unknown asks, and for nothing that is unknown', async (storage) => {
    const [{ id: clientId }, { id: userId }] = [await askable(storage), await storedUser(storage)];
    assert.equal(await ask(storage, aRequest({ clientId, userId: 'unknown' })), false);
    assert.equal(await ask(storage, aRequest({ clientId: 'unknown', userId })), false);
    assert.deepEqual(await idsOf(storage), []);
  });

  rule('a request is decided once, and allowing it adds the person in the same write', async (storage) => {
    const request = await storedRequest(storage);
    const { userId, clientId } = request;
    const end = later + DAY;
    const won = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        index % 2 === 0 ? allow(storage, request, later, end) : decline(storage, request),
      ),
    );
    assert.equal(won.filter(Boolean).length, 1);
    const isAllowed = won.findIndex(Boolean) % 2 === 0;
    const found = await storage.findAccessRequest(request.id);
    assert.deepEqual(
      [found?.status, found?.decidedAt, found?.decidedByKind, found?.decidedById, found?.expiresAt],
      [isAllowed ? 'allowed' : 'declined', later, 'administrator', 'decider', isAllowed ? end : null],
    );
    assert.equal(await storage.hasAccess(clientId, userId, later), isAllowed);
    assert.equal(await storage.hasAccess(clientId, userId, end), false);
    assert.equal((await storage.listEmails(10)).length, 1);
    const events = await storage.findEvents({ kind: 'access_allowed' }, 10);
    assert.equal(events.length, isAllowed ? 1 : 0);
  });

  rule('nobody is let in who is disabled or deleted, or is being so', async (storage) => {
    for (const stop of ['disable', 'delete', 'expire'] as const) {
      const request = await storedRequest(storage);
      const { userId, clientId } = request;
      if (stop === 'expire') await storage.changeUserEnd(userId, start + 1, start, anEvent());
      const stopping = () =>
        stop === 'disable' ? storage.disableUser(userId, later, anEvent()) : storage.deleteUser(userId, anEvent());
      const [allowed] = await Promise.all([allow(storage, request), stop === 'expire' ? undefined : stopping()]);
      if (stop === 'expire') assert.equal(allowed, false);
      assert.equal(await storage.hasAccess(clientId, userId, later), stop === 'disable' && allowed);
      if (stop !== 'expire') assert.equal(await statusOf(storage, request), undefined);
      assert.equal(await allow(storage, request), false);
      assert.equal(await decline(storage, request), stop === 'expire');
    }
  });

  rule('a declined request can be repeated after a day, and others at once', async (storage) => {
    const request = await storedRequest(storage);
    assert.equal(await decline(storage, request), true);
    const again = (askedAt: number) => ask(storage, aRequest({ ...request, id: aRequest().id, askedAt }));
    assert.equal(await again(later + 1), false);
    assert.equal(await again(later + DAY - 1), false);
    assert.equal(await again(later + DAY), true);
    const other = await storedRequest(storage, { userId: request.userId, askedAt: later });
    assert.equal(await statusOf(storage, other), 'open');
  });

  rule('a request that waited for too long is over, whether or not that is written', async (storage) => {
    const request = await storedRequest(storage);
    const over = start + 30 * DAY;
    assert.equal(await allow(storage, request, over), false);
    assert.equal(await decline(storage, request, over), false);
    assert.deepEqual(await storage.listOverdueRequests(start - 1, 10), []);
    assert.deepEqual(await storage.listOverdueRequests(start, 10), [request]);
    assert.equal(await storage.expireRequest(request.id, over, start - 1, anEvent()), false);
    assert.equal(await winners(() => storage.expireRequest(request.id, over, start, anEvent())), 1);
    const found = await storage.findAccessRequest(request.id);
    assert.deepEqual([found?.status, found?.decidedAt, found?.decidedById], ['expired', over, null]);
    const { clientId, userId } = request;
    assert.equal(await ask(storage, aRequest({ clientId, userId, askedAt: over })), true);
  });

  rule('requests are listed newest first, in both directions, with filters', async (storage) => {
    const [one, two] = [await askable(storage), await askable(storage)];
    const ada = await storedUser(storage);
    const first = await storedRequest(storage, { clientId: one.id, userId: ada.id });
    const second = await storedRequest(storage, { clientId: two.id, userId: ada.id });
    const third = await storedRequest(storage, { clientId: one.id });
    await decline(storage, second);
    assert.deepEqual(await idsOf(storage), [third.id, second.id, first.id]);
    assert.deepEqual(await idsOf(storage, { status: 'open' }), [third.id, first.id]);
    assert.deepEqual(await idsOf(storage, { status: 'declined', clientId: two.id }), [second.id]);
    assert.deepEqual(await idsOf(storage, { userId: ada.id }), [second.id, first.id]);
    assert.deepEqual(await idsOf(storage, { clientId: one.id, userId: ada.id }), [first.id]);
    assert.deepEqual(await idsOf(storage, { among: [two.id] }), [second.id]);
    assert.deepEqual(await idsOf(storage, { among: [one.id, two.id], status: 'open' }), [third.id, first.id]);
    assert.deepEqual(await idsOf(storage, { status: 'open', askedAfter: start - 1 }), [third.id, first.id]);
    assert.deepEqual(await idsOf(storage, { status: 'open', askedAfter: start }), []);
    assert.deepEqual(await idsOf(storage, { among: [] }), []);
    assert.deepEqual(await idsOf(storage, { among: [two.id], clientId: one.id }), []);
    const page = await storage.pageAccessRequests({ after: undefined, limit: 2 });
    const rest = await storage.pageAccessRequests({ after: page.next, limit: 2 });
    assert.deepEqual([rest.items.map(({ id }) => id), rest.next], [[first.id], undefined]);
    const back = await storage.pageAccessRequests({ after: undefined, before: rest.previous, limit: 2 });
    assert.deepEqual(back.items, page.items);
    assert.equal(await storage.countAccessRequests({ status: 'open' }, 1), 2, 'one more than the limit');
    assert.equal(await storage.countAccessRequests({ status: 'open', among: [two.id] }, 1), 0);
  });

  rule('a note goes some time after the decision, and later the request', async (storage) => {
    const [decided, open] = [await storedRequest(storage), await storedRequest(storage)];
    await decline(storage, decided, later);
    const sweep = (overrides: Parameters<typeof nothingIsOver>[0]) => storage.sweep(nothingIsOver(overrides), 10);
    await sweep({ requestNotesBefore: later - 1, requestsBefore: later });
    assert.equal((await storage.findAccessRequest(decided.id))?.note, decided.note);
    assert.equal(await sweep({ requestNotesBefore: later }), 1);
    assert.equal((await storage.findAccessRequest(decided.id))?.note, null);
    assert.equal(await sweep({ requestNotesBefore: later }), 0);
    assert.equal(await sweep({ requestNotesBefore: later, requestsBefore: later + 1 }), 1);
    assert.equal(await storage.findAccessRequest(decided.id), undefined);
    assert.deepEqual(await idsOf(storage), [open.id]);
    assert.equal((await storage.findAccessRequest(open.id))?.note, open.note);
  });

  rule('requests go with their application', async (storage) => {
    const [gone, kept] = [await storedRequest(storage), await storedRequest(storage)];
    assert.equal(await storage.deleteClient(gone.clientId, anEvent()), true);
    await storage.createClient({ ...(await askable(storage)), id: gone.clientId }, undefined, anEvent());
    assert.equal(await storage.findAccessRequest(gone.id), undefined);
    assert.deepEqual(await idsOf(storage), [kept.id]);
  });

  rule('those who decide get an email once in an interval, also from several processes at once', async (storage) => {
    const request = await storedRequest(storage);
    const { id } = await storedUser(storage);
    assert.equal(await storage.hasUntoldRequests(start - 1), false);
    assert.equal(await storage.hasUntoldRequests(start), true);
    const { clientId } = request;
    assert.deepEqual(await storage.listWaitingByClient(start), [{ clientId, waiting: 1, newest: start, untold: 1 }]);
    assert.deepEqual(await storage.listWaitingByClient(start - 1), []);
    const queue = (until: number) => storage.queueRequestsNotice(id, until, HOUR, [anEmail()]);
    assert.equal(await winners(() => queue(start)), 1);
    assert.equal(await storage.findRequestsToldAt(id), start);
    assert.equal(await queue(start + HOUR - 1), false);
    assert.equal(await queue(start + HOUR), true);
    // Written by a wrong clock.
    assert.equal(await queue(start - HOUR), true);
    assert.equal((await storage.listEmails(10)).length, 3);
    await storage.noteRequestsTold(clientId, start - 1);
    assert.equal(await storage.hasUntoldRequests(start), true);
    await storage.noteRequestsTold(clientId, start);
    assert.equal(await storage.hasUntoldRequests(start), false);
    assert.equal((await storage.listWaitingByClient(start))[0]?.untold, 0);
    assert.equal(await storage.disableUser(id, later, anEvent()), true);
    assert.equal(await queue(start + 9 * HOUR), false);
  });
}
