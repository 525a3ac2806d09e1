// Reviews of who has access: they're filled and closed in batches by whichever process is there, what is decided belongs to one reviewer,
// and a deleted person leaves a number.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import type { Client, Review, Storage, User } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  anEvent,
  hasEvent,
  nothingIsOver,
  type Rule,
  setAdministrator,
  start,
  storedAdministrator,
  storedClient,
  storedUser,
  tokenLives,
  winners,
} from '../records.ts';

const nobody = { people: [], groups: [] };
let made = 0;

async function listed(storage: Storage, people: readonly User[]): Promise<Client> {
  const client = await storedClient(storage, { access: 'listed' });
  const allow = { people: people.map(({ id }) => ({ id, event: anEvent() })), groups: [] };
  await storage.changeAccess(client.id, { allow, disallow: nobody }, start);
  return client;
}

async function newReview(storage: Storage, clients: readonly Client[], dueAt = start + 30 * DAY): Promise<Review> {
  const review = {
    id: `0review${made++}`,
    name: 'Access in 2026',
    status: 'filling',
    dueAt,
    createdAt: start + made,
    place: { application: 0, after: null },
    remindedAt: null,
    closedAt: null,
    closedBy: null,
  } as const;
  await storage.createReview(review, clients, anEvent());
  return found(storage, review.id);
}

async function found(storage: Storage, id: string): Promise<Review> {
  return (await storage.findAccessReview(id)) ?? assert.fail('no review');
}

function itemsOf(review: Review, client: Client, people: readonly User[]) {
  return people.map((user) => ({
    id: `0item${made++}`,
    reviewId: review.id,
    clientId: client.id,
    userId: user.id,
    name: user.name,
    email: user.email,
    reasons: [{ kind: 'person', group: null, since: start, expiresAt: null } as const],
    lastUsedAt: null,
    asOf: start,
    unusedSince: start,
    sortKey: Buffer.from(`1${user.name.toLowerCase()}`),
  }));
}

/** Open, with an item for each. */
async function openReview(storage: Storage, clients: readonly (readonly [Client, readonly User[]])[]): Promise<Review> {
  let review = await newReview(
    storage,
    clients.map(([client]) => client),
  );
  for (const [index, [client, people]] of clients.entries()) {
    const next = { application: index + 1, after: null };
    assert.ok(await storage.addReviewItems(review, next, client.id, itemsOf(review, client, people)));
    review = await found(storage, review.id);
  }
  assert.ok(await storage.openReview(review, anEvent()));
  return found(storage, review.id);
}

async function listItems(storage: Storage, review: Review, filter = {}) {
  const page = await storage.pageReviewItems(review.id, { after: undefined, limit: 100, total: true }, filter);
  assert.equal(page.total?.count, page.items.length);
  return page.items;
}

async function decide(storage: Storage, review: Review, user: User, decision: 'keep' | 'remove', by: User) {
  const item = (await listItems(storage, review)).find(({ userId }) => userId === user.id) ?? assert.fail();
  const of = { ids: [item.id], clientIds: [item.clientId] };
  return storage.decideReviewItems(review.id, of, decision, acting(by), start + 5, [anEvent()]);
}

/** An owner, if they aren't an administrator. */
function acting({ id, adminSince }: User) {
  return { userId: id, isAdministrator: adminSince !== null };
}

async function close(storage: Storage, review: Review) {
  assert.ok(await storage.beginClosingReview(review.id, undefined, [], start + 10));
  for (;;) {
    const items = await storage.listReviewRemovals(review.id, 2);
    if (items.length === 0) break;
    const removals = items.map((item) => ({ item, event: anEvent({ kind: 'access_disallowed' }) }));
    assert.ok(await storage.carryOutRemovals(review.id, removals, start + 10));
  }
  assert.ok(await storage.finishClosingReview(review.id, anEvent()));
}

export function reviewRules(rule: Rule): void {
  rule('of several processes that add the same batch of a review, one does', async (storage) => {
    const people = [await storedUser(storage), await storedUser(storage)];
    const client = await listed(storage, people);
    const review = await newReview(storage, [client]);
    const next = { application: 0, after: ['5', 'x'] } as const;
    const batch = () => storage.addReviewItems(review, next, client.id, itemsOf(review, client, people));
    assert.equal(await winners(batch), 1);
    const after = await found(storage, review.id);
    assert.deepEqual(after.place, next);
    assert.deepEqual(after.applications, [{ clientId: client.id, name: client.name, items: 2, reviewed: 0 }]);
    assert.equal(await storage.openReview(review, anEvent()), false, 'it is open once the last batch is there');
    assert.equal((await storage.findReviewAtWork())?.id, review.id);
    assert.ok(await storage.openReview(after, anEvent()));
    assert.equal(await storage.findReviewAtWork(), undefined);
    assert.equal(await batch(), false, 'nothing is added to an open review');
  });

  rule('somebody who was deleted before a batch is added is left out of it', async (storage) => {
    const [ada, bob] = [await storedUser(storage), await storedUser(storage)];
    const client = await listed(storage, [ada, bob]);
    const review = await newReview(storage, [client]);
    const items = itemsOf(review, client, [ada, bob]);
    assert.ok(await storage.deleteUser(ada.id, anEvent()));
    assert.ok(await storage.addReviewItems(review, { application: 1, after: null }, client.id, items));
    assert.deepEqual(
      (await listItems(storage, review)).map(({ userId }) => userId),
      [bob.id],
    );
  });

  rule(
    'a deleted person has a number in each review and no name, and everything else stays as it was',
    async (storage) => {
      const people = await Promise.all(['Ada', 'Bob', 'Cleo'].map((name) => storedUser(storage, { name })));
      const [ada, bob, cleo] = people as [User, User, User];
      const reviewer = await storedAdministrator(storage);
      const clients = [await listed(storage, people), await listed(storage, people)] as const;
      const review = await openReview(storage, [
        [clients[0], people],
        [clients[1], people],
      ]);
      await decide(storage, review, bob, 'remove', reviewer);
      await close(storage, review);
      const before = new Map((await listItems(storage, review)).map((item) => [item.id, item]));
      assert.ok(await storage.deleteUser(bob.id, anEvent()));
      assert.ok(await storage.deleteUser(ada.id, anEvent()));
      const after = await listItems(storage, review);
      for (const item of after) {
        const was = before.get(item.id) ?? assert.fail();
        const number = { [bob.id]: 1, [ada.id]: 2 }[was.userId ?? ''] ?? null;
        const forgotten = number === null ? {} : { userId: null, name: null, email: null, deletedNumber: number };
        const { sortKey: _a, decidedByName: _b, ...shown } = item as typeof item & { sortKey?: unknown };
        const { sortKey: _c, decidedByName: _d, ...expected } = was as typeof was & { sortKey?: unknown };
        assert.deepEqual(shown, { ...expected, ...forgotten });
      }
      assert.equal(after.filter(({ userId }) => userId === cleo.id).length, 2);
      assert.doesNotMatch(JSON.stringify(await storage.listReviewItemsAbout(cleo.id)), /Ada|Bob/);
      assert.deepEqual(await storage.listReviewItemsAbout(bob.id), []);
    },
  );

  rule('names of people whom a version without reviews has deleted are taken out', async (storage, driver) => {
    const ada = await storedUser(storage, { name: 'Ada' });
    const client = await listed(storage, [ada]);
    const review = await openReview(storage, [[client, [ada]]]);
    assert.equal(await storage.forgetReviewedPeople(), 0);
    await driver.write([{ sql: 'DELETE FROM users WHERE id = $1', params: [ada.id] }]);
    assert.equal(await storage.forgetReviewedPeople(), 1);
    const [item] = await listItems(storage, review);
    assert.deepEqual([item?.userId, item?.name, item?.deletedNumber], [null, null, 1]);
  });

  rule('a decision is one of those that were made at the same time, as a whole, and counted once', async (storage) => {
    const ada = await storedUser(storage);
    const client = await listed(storage, [ada]);
    const review = await openReview(storage, [[client, [ada]]]);
    const reviewers = await Promise.all(Array.from({ length: 4 }, () => storedAdministrator(storage)));
    const decisions = new Map(reviewers.map(({ id }, index) => [id, index % 2 === 0 ? 'keep' : 'remove'] as const));
    await Promise.all(
      reviewers.map((reviewer) => decide(storage, review, ada, decisions.get(reviewer.id) ?? 'keep', reviewer)),
    );
    const [item] = await listItems(storage, review);
    assert.equal(decisions.get(item?.decidedBy ?? ''), item?.decision ?? assert.fail(), 'by who decided that');
    assert.deepEqual((await found(storage, review.id)).applications[0]?.reviewed, 1);
  });

  rule('nothing is decided about oneself, for another review, or after closing has begun', async (storage) => {
    const [ada, bob] = [await storedAdministrator(storage), await storedAdministrator(storage)];
    const client = await listed(storage, [ada, bob]);
    const review = await openReview(storage, [[client, [ada, bob]]]);
    const other = await openReview(storage, [[client, [ada]]]);
    assert.equal(await decide(storage, review, ada, 'keep', ada), false);
    const [foreign] = await listItems(storage, other);
    const event = anEvent();
    const ids = [foreign?.id ?? ''];
    const of = { ids, clientIds: [client.id] };
    assert.equal(await storage.decideReviewItems(review.id, of, 'keep', acting(bob), start, [event]), false);
    assert.equal(await hasEvent(storage, event), false);
    assert.equal(await winners(() => storage.beginClosingReview(review.id, undefined, [], start)), 1);
    assert.equal(await decide(storage, review, ada, 'keep', bob), false);
    assert.ok((await listItems(storage, review)).every(({ decision }) => decision === null));
    assert.equal(await storage.deleteReview(review.id, anEvent()), false, 'what is being closed stays until it is');
  });

  rule('somebody who is no owner and no administrator by now neither decides nor closes', async (storage) => {
    const [ada, owner, administrator] = [
      await storedUser(storage),
      await storedUser(storage),
      await storedAdministrator(storage),
    ];
    await storedAdministrator(storage);
    const [mine, theirs] = [await listed(storage, [ada]), await listed(storage, [ada])];
    const own = (client: Client, change: 'added' | 'removed') =>
      storage.changeOwners(
        client.id,
        { added: [], removed: [], [change]: [{ kind: 'person', id: owner.id, event: anEvent() }] },
        start,
      );
    assert.ok(await own(mine, 'added'));
    const review = await openReview(storage, [
      [mine, [ada]],
      [theirs, [ada]],
    ]);
    const [item] = await listItems(storage, review, { application: mine.id });
    const of = { ids: [item?.id ?? ''], clientIds: [mine.id] };
    const decided = (by: User) => storage.decideReviewItems(review.id, of, 'keep', acting(by), start, []);
    assert.equal(await decided(owner), true);
    const both = [mine.id, theirs.id];
    assert.equal(await storage.beginClosingReview(review.id, acting(owner), both, start), false);
    await own(mine, 'removed');
    assert.equal(await decided(owner), false);
    await setAdministrator(storage, administrator.id, null, anEvent());
    assert.equal(await decided(administrator), false);
    assert.equal(await storage.beginClosingReview(review.id, acting(administrator), both, start), false);
    await own(mine, 'added');
    await own(theirs, 'added');
    assert.equal(await storage.beginClosingReview(review.id, acting(owner), both, start), true);
  });

  rule(
    'closing ends own entries, names the groups that are left, and says what became of each item',
    async (storage) => {
      const people = await Promise.all(
        ['Ada', 'Bob', 'Cleo', 'Dora', 'Eve'].map((name) => storedUser(storage, { name })),
      );
      const [ada, bob, cleo, dora, eve] = people as [User, User, User, User, User];
      const client = await listed(storage, [ada, bob, cleo, dora]);
      const reviewer = await storedAdministrator(storage);
      const open = await storedClient(storage, { access: 'everyone' });
      const group =
        (await storage.createGroup({ id: '0team', name: 'Team', createdAt: start, updatedAt: start }, anEvent())) ??
        assert.fail();
      const member = { id: bob.id, expiresAt: null, event: anEvent() };
      await storage.changeMembers(group.id, { add: [member], remove: [] }, start);
      await storage.changeAccess(
        client.id,
        { allow: { people: [], groups: [{ id: group.id, event: anEvent() }] }, disallow: nobody },
        start,
      );
      const review = await openReview(storage, [
        [client, [ada, bob, cleo, dora]],
        [open, [eve]],
      ]);
      for (const user of [ada, bob, eve]) await decide(storage, review, user, 'remove', reviewer);
      await decide(storage, review, cleo, 'keep', reviewer);
      assert.ok((await listItems(storage, review)).every(({ finalOutcome }) => finalOutcome === null));
      const grant = await activeGrant(storage, ada, client);
      await close(storage, review);
      const outcomes = Object.fromEntries(
        (await listItems(storage, review)).map(({ name, finalOutcome, remainingGroups }) => [
          name,
          [finalOutcome, remainingGroups.map((each) => each.name).join()],
        ]),
      );
      assert.deepEqual(outcomes, {
        Ada: ['removed', ''],
        Bob: ['task', 'Team'],
        Cleo: ['kept', ''],
        Dora: ['not_reviewed', ''],
        Eve: ['task', ''],
      });
      assert.equal(await storage.hasAccess(client.id, ada.id, start + 11), false);
      assert.equal(await tokenLives(storage, grant), false);
      assert.deepEqual(
        (
          await storage.findAllowedAmong(
            client.id,
            people.map(({ id }) => id),
          )
        ).toSorted(),
        [cleo.id, dora.id].toSorted(),
      );
      assert.ok(await storage.hasAccess(client.id, bob.id, start + 11));
    },
  );

  rule('somebody else can go on closing where it stopped, and each removal is carried out once', async (storage) => {
    const people = await Promise.all(Array.from({ length: 6 }, () => storedUser(storage)));
    const reviewer = await storedAdministrator(storage);
    const client = await listed(storage, people);
    const review = await openReview(storage, [[client, people]]);
    for (const user of people) await decide(storage, review, user, 'remove', reviewer);
    assert.ok(await storage.beginClosingReview(review.id, undefined, [], start));
    assert.equal(await storage.finishClosingReview(review.id, anEvent()), false);
    const events = people.map(() => anEvent({ kind: 'access_disallowed' }));
    const items = await storage.listReviewRemovals(review.id, 10);
    const removals = items.map((item, index) => ({ item, event: events[index] ?? assert.fail() }));
    const again = items.map((item) => ({ item, event: anEvent({ kind: 'access_disallowed' }) }));
    await storage.carryOutRemovals(review.id, removals.slice(0, 2), start);
    await Promise.all([
      storage.carryOutRemovals(review.id, again, start),
      storage.carryOutRemovals(review.id, removals.slice(2), start),
    ]);
    const written = await Promise.all(
      [...events, ...again.map(({ event }) => event)].map((each) => hasEvent(storage, each)),
    );
    assert.equal(written.filter(Boolean).length, 6);
    assert.equal(await winners(() => storage.finishClosingReview(review.id, anEvent())), 1);
  });

  rule('filters and applications limit what is listed, unused for 90 days comes first, then names', async (storage) => {
    const names = ['Zoë', 'ada', 'Bob'];
    const people = await Promise.all(names.map((name) => storedUser(storage, { name })));
    const [mine, theirs] = [await listed(storage, people), await listed(storage, people)];
    let review = await newReview(storage, [mine, theirs]);
    const items = itemsOf(review, mine, people).map((item) =>
      item.name === 'Zoë' ? { ...item, unusedSince: start - 100 * DAY, sortKey: Buffer.from('0zoë') } : item,
    );
    await storage.addReviewItems(review, { application: 1, after: null }, mine.id, items);
    review = await found(storage, review.id);
    await storage.addReviewItems(review, { application: 2, after: null }, theirs.id, itemsOf(review, theirs, people));
    review = await found(storage, review.id);
    await storage.openReview(review, anEvent());
    const shown = async (filter: object) => (await listItems(storage, review, filter)).map(({ name }) => name);
    assert.deepEqual(await shown({ application: mine.id }), ['Zoë', 'ada', 'Bob']);
    assert.deepEqual(await shown({ unused: 90 * DAY }), ['Zoë']);
    assert.equal((await shown({ among: new Set([mine.id]) })).length, 3);
    assert.deepEqual(await shown({ among: new Set([mine.id]), application: theirs.id }), []);
    assert.deepEqual(await shown({ among: new Set() }), []);
    const [first] = await listItems(storage, review, { application: mine.id });
    const decided = { ids: [first?.id ?? ''], clientIds: [mine.id] };
    const reviewer = await storedAdministrator(storage);
    assert.ok(await storage.decideReviewItems(review.id, decided, 'keep', acting(reviewer), start, []));
    assert.deepEqual(await shown({ application: mine.id, decision: 'keep' }), ['Zoë']);
    assert.deepEqual(await shown({ application: mine.id, decision: 'none' }), ['ada', 'Bob']);
    assert.equal((await storage.findAccessReview(review.id, new Set([mine.id])))?.applications.length, 1);
    assert.equal(await storage.findAccessReview(review.id, new Set(['another'])), undefined);
    const pages = await storage.pageReviews({ after: undefined, limit: 10 }, new Set([theirs.id]));
    assert.deepEqual(
      pages.items.map((each) => each.applications.map(({ clientId }) => clientId)),
      [[theirs.id]],
    );
    assert.equal((await storage.pageReviews({ after: undefined, limit: 10 }, new Set(['another']))).items.length, 0);
    const page = await storage.pageReviewItems(review.id, { after: undefined, limit: 2 }, { application: mine.id });
    const next = await storage.pageReviewItems(review.id, { after: page.next, limit: 2 }, { application: mine.id });
    assert.deepEqual(
      [...page.items, ...next.items].map(({ name }) => name),
      ['Zoë', 'ada', 'Bob'],
    );
  });

  rule('as many are counted as have access', async (storage) => {
    const people = await Promise.all(Array.from({ length: 5 }, () => storedUser(storage)));
    await storedUser(storage, { disabledAt: start });
    const client = await listed(storage, people);
    const open = await storedClient(storage, { access: 'everyone' });
    await activeGrant(storage, people[0] ?? assert.fail(), open);
    assert.equal(await storage.countReviewable(client, start, 100), 5);
    assert.equal(await storage.countReviewable(client, start, 3), 3);
    assert.equal(await storage.countReviewable({ ...client, revokedAt: start }, start, 100), 0);
    assert.equal(await storage.countReviewable(open, start, 100), 1);
    assert.deepEqual(
      (await storage.listLimitedClients(10)).map(({ id }) => id),
      [client.id],
    );
  });

  rule('reviewers are reminded once, and again only of another date', async (storage) => {
    const client = await listed(storage, []);
    const review = await openReview(storage, [[client, []]]);
    const due = () => storage.listReviewsToRemind(start + 24 * DAY, start + 31 * DAY);
    assert.deepEqual(
      (await due()).map(({ id }) => id),
      [review.id],
    );
    assert.equal(await winners(() => storage.queueReviewReminder(review, start, [])), 1);
    assert.deepEqual(await due(), []);
    assert.ok(await storage.changeReviewDue(review.id, start + 30 * DAY + 1, anEvent()));
    assert.equal((await due()).length, 1);
    assert.equal(await storage.queueReviewReminder(review, start, []), false, 'the date is another one');
  });

  rule('a deleted review is gone at once, and the sweep deletes what it had', async (storage, driver) => {
    const ada = await storedUser(storage);
    const client = await listed(storage, [ada]);
    const [gone, stays] = [await openReview(storage, [[client, [ada]]]), await openReview(storage, [[client, [ada]]])];
    assert.ok(await storage.deleteReview(gone.id, anEvent()));
    assert.equal(await storage.deleteReview(gone.id, anEvent()), false);
    assert.equal(await storage.findAccessReview(gone.id), undefined);
    assert.equal((await storage.listReviewItemsAbout(ada.id)).length, 1);
    for (let round = 0; round < 4; round++) await storage.sweep(nothingIsOver(), 100);
    for (const table of ['reviews', 'review_applications', 'review_items']) {
      const rows = await driver.read(`SELECT COUNT(*) AS n FROM ${table}`, []);
      assert.equal(rows[0]?.n, 1, table);
    }
    await close(storage, stays);
    assert.deepEqual(await storage.listOverdueReviews(start + 10), []);
    assert.equal((await storage.listOverdueReviews(start + 11))[0]?.id, stays.id);
  });
}
