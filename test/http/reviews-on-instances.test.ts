// Reviews with two instances on one store: one of them dies while it fills a review or carries it out, both work at the same time, and
// both are asked to decide and to close.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { closeReview } from '../../src/operations/reviews/close-review.ts';
import { workOnReviews } from '../../src/operations/reviews/review-work.ts';
import { createReview } from '../../src/operations/reviews/reviews.ts';
import { Api, type ApiCaller, withSession } from '../harness/api.ts';
import { requester, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';

/** More than are read, or removed, at once. */
const people = 130;
const minute = 60;

let both: TwoInstances;
let users: readonly TestUser[];
const apis = new Map<TestService, Api>();
before(async () => {
  both = await startTwoInstances();
  for (const each of [both.one, both.two]) apis.set(each, await Api.of(each));
  users = await Promise.all(Array.from({ length: people }, () => both.one.newUser({ password: undefined })));
});
after(() => both?.stop());

/** Nobody holds the lease any more, nor is at what was begun. The instances' clocks stand some time apart. */
function letTheOthersGo(): void {
  for (const each of [both.one, both.two]) each.clock.advance(2 * minute);
}

async function newReview(): Promise<{ client: TestClient; id: string }> {
  const { services } = both.one.running;
  const client = await both.one.newClient({ name: 'Grafana', access: 'listed' });
  letTheOthersGo();
  const entry = { people: users.map(({ id }) => id), groups: [] };
  assert.equal((await changeAllowed(services, client.id, 'allow', entry, requester)).kind, 'done');
  const input = { name: 'Access in 2027', due_at: '30d', applications: [client.id] };
  const made = await createReview(services, input, requester);
  assert.equal(made.kind, 'done');
  return { client, id: made.kind === 'done' ? made.review.id : '' };
}

const found = (id: string) => both.two.running.services.storage.findAccessReview(id);
const work = (service: TestService, rest?: () => Promise<boolean>) =>
  workOnReviews(service.running.services, service.url, rest);
const dies = async () => false;

const apiOf = (service: TestService) => apis.get(service) ?? assert.fail();

async function itemsOf(service: TestService, caller: ApiCaller, id: string) {
  const items: { id: string; person: { id: string }; decision: string | null; outcome: string | null }[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: Record<string, string> = { limit: '100', ...(cursor === null ? {} : { cursor }) };
    const { data } = await apiOf(service).call('listReviewItems', caller, { params: { id }, query });
    for (const each of data.items as unknown as (typeof items)[number][]) items.push(each);
    cursor = data.next_cursor;
    if (cursor === null) return items;
  }
}

test('what an instance has begun to fill when it dies, another fills to the end, after a minute', async () => {
  const administrator = await both.one.newUser({ admin: true });
  const { id } = await newReview();
  await work(both.one, dies);
  const [begun] = (await found(id))?.applications ?? [];
  assert.ok(begun !== undefined && begun.items > 0 && begun.items < people, `${begun?.items} items`);
  await work(both.two);
  assert.equal((await found(id))?.status, 'filling', 'the other may still be at it');
  letTheOthersGo();
  await Promise.all([work(both.one), work(both.two), work(both.two)]);
  assert.equal((await found(id))?.status, 'open');
  const items = await itemsOf(both.two, await withSession(both.two, administrator), id);
  assert.equal(items.length, people);
  assert.equal(new Set(items.map(({ person }) => person.id)).size, people, 'nobody is in it twice');
  assert.equal((await both.one.events('review_opened')).filter(({ detail }) => detail?.review_id === id).length, 1);
});

test('one item has one decision and one outcome, whichever instance was asked', async () => {
  const administrator = await both.one.newUser({ admin: true });
  const { id, client } = await newReview();
  await work(both.one);
  const [onOne, onTwo] = [await withSession(both.one, administrator), await withSession(both.two, administrator)];
  const call = async (service: TestService, operation: string, body?: object) => {
    const caller = service === both.one ? onOne : onTwo;
    return (await apiOf(service).call(operation, caller, { params: { id }, ...(body && { body }) })).status;
  };
  const ids = (await itemsOf(both.one, onOne, id)).map((item) => item.id).slice(0, 60);
  const decisions = ['keep', 'remove', 'keep', 'remove'];
  const answers = await Promise.all(
    decisions.map((decision, n) =>
      call(n < 2 ? both.one : both.two, 'decideReviewItems', { ids: ids.slice(0, 50), decision }),
    ),
  );
  assert.deepEqual(new Set(answers), new Set([200]));
  const racing = await Promise.all([
    call(both.one, 'closeReview'),
    call(both.two, 'decideReviewItems', { ids, decision: 'remove' }),
    call(both.two, 'closeReview'),
  ]);
  assert.equal([racing[0], racing[2]].filter((status) => status === 200).length, 1, 'closed once');
  const items = await itemsOf(both.two, onTwo, id);
  const outcomes = { keep: 'kept', remove: 'removed' } as const;
  for (const { decision, outcome } of items) {
    assert.equal(outcome, decision === null ? 'not_reviewed' : outcomes[decision as keyof typeof outcomes]);
  }
  const { storage } = both.one.running.services;
  for (const [n, { decision, person }] of items.entries()) {
    const isListed = await storage.hasAccess(client.id, person.id, both.one.clock.now());
    assert.equal(isListed, decision !== 'remove', `item ${n}`);
  }
});

test('what an instance has begun to close when it dies, another carries out, after a minute', async () => {
  const administrator = await both.one.newUser({ admin: true });
  const { id, client } = await newReview();
  await work(both.one);
  const caller = await withSession(both.one, administrator);
  const items = await itemsOf(both.one, caller, id);
  for (let from = 0; from < items.length; from += 100) {
    const body = { ids: items.slice(from, from + 100).map((item) => item.id), decision: 'remove' };
    const decided = await apiOf(both.one).call('decideReviewItems', caller, { params: { id }, body });
    assert.equal(decided.status, 200, decided.message);
  }
  const { services } = both.one.running;
  let batches = 0;
  const dying: typeof services = {
    ...services,
    storage: Object.assign(Object.create(services.storage), {
      carryOutRemovals: (...batch: Parameters<typeof services.storage.carryOutRemovals>) =>
        batches++ === 0 ? services.storage.carryOutRemovals(...batch) : Promise.resolve(false),
    }),
  };
  await closeReview(dying, id, requester);
  assert.equal((await found(id))?.status, 'closing');
  await work(both.two);
  assert.equal((await found(id))?.status, 'closing', 'the other may still be at it');
  letTheOthersGo();
  await work(both.two);
  assert.equal((await found(id))?.status, 'closed');
  const remaining = await Promise.all(
    users.map((user) => services.storage.hasAccess(client.id, user.id, both.two.clock.now())),
  );
  assert.ok(!remaining.includes(true), 'every removal was carried out');
  assert.equal((await both.one.events('review_closed')).filter(({ detail }) => detail?.review_id === id).length, 1);
});
