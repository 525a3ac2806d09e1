// Reviews of access: an owner who wants to see or decide about another's application, or about themselves; several who decide at once, or
// too late; people who are deleted meanwhile; and names that are markup or formulas.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { setOwners } from '../../src/operations/clients/owners.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { workOnReviews } from '../../src/operations/reviews/review-work.ts';
import { deleteUser } from '../../src/operations/users/disable-user.ts';
import { Api, type ApiCaller, newKey, withSession } from '../harness/api.ts';
import { visit } from '../harness/console.ts';
import { Person } from '../harness/person.ts';
import { requester, type TestClient, type TestUser } from '../harness/service.ts';
import { consoleOfSuite } from '../harness/suite.ts';
import { until } from '../harness/until.ts';

const { service, administrator, admin } = consoleOfSuite();
let api: Api;
let root: ApiCaller;
before(async () => {
  api = await Api.of(service);
  root = await withSession(service, administrator);
});

async function listed(people: readonly TestUser[], owner?: TestUser, name = 'Grafana'): Promise<TestClient> {
  const { services } = service.running;
  const client = await service.newClient({ name, access: 'listed' });
  const entry = { people: people.map(({ id }) => id), groups: [] };
  assert.equal((await changeAllowed(services, client.id, 'allow', entry, requester)).kind, 'done');
  if (owner !== undefined) {
    const set = await setOwners(services, client.id, { people: [owner.id] }, requester);
    assert.equal(set.kind, 'done', JSON.stringify(set));
  }
  return client;
}

interface Item {
  readonly id: string;
  readonly person: { readonly id: string | null; readonly name: string; readonly email: string | null };
  readonly application: { readonly id: string };
  readonly decision: string | null;
  readonly decided_by: { readonly id: string } | null;
  readonly outcome: string | null;
}
interface Review {
  readonly id: string;
  readonly status: string;
  readonly items: number;
  readonly reviewed: number;
  readonly applications: readonly { readonly id: string }[];
}

async function openReview(clients: readonly TestClient[]): Promise<string> {
  const body = { name: 'Access in 2027', due_at: '30d', applications: clients.map(({ id }) => id) };
  const made = await api.call('createReview', root, { body });
  assert.equal(made.status, 201, made.message);
  const { id } = made.data as unknown as Review;
  await until(async () => {
    await workOnReviews(service.running.services, 'test');
    return (await reviewOf(id)).status === 'open';
  }, 'the review is open');
  return id;
}

async function reviewOf(id: string, caller = root): Promise<Review> {
  return (await api.call('getReview', caller, { params: { id } })).data as unknown as Review;
}

async function itemsOf(id: string, caller = root, query: Record<string, string> = {}): Promise<Item[]> {
  const { data } = await api.call('listReviewItems', caller, { params: { id }, query });
  return data.items as unknown as Item[];
}

const decide = (id: string, caller: ApiCaller, ids: readonly string[], decision: string) =>
  api.call('decideReviewItems', caller, { params: { id }, body: { ids, decision } });

test("an owner sees and decides nothing of another's application, by ID, cursor, filter or file", async () => {
  const [mine, theirs] = [await service.newUser({ name: 'Owner A' }), await service.newUser({ name: 'Owner B' })];
  const people = await Promise.all(Array.from({ length: 3 }, (_, n) => service.newUser({ name: `Canary ${n}` })));
  const own = await service.newUser({ name: 'Mine' });
  const [a, b] = [await listed([own], mine, 'Application A'), await listed(people, theirs, 'Canary B')];
  const both = await openReview([a, b]);
  const foreign = await openReview([b]);
  const caller = await withSession(service, mine);

  const seen = await reviewOf(both, caller);
  assert.deepEqual([seen.items, seen.applications.map(({ id }) => id)], [1, [a.id]]);
  assert.deepEqual(
    (await itemsOf(both, caller)).map(({ person }) => person.name),
    ['Mine'],
  );
  assert.deepEqual(await itemsOf(both, caller, { application: b.id }), []);
  const page = await api.call('listReviewItems', root, { params: { id: both }, query: { limit: '1' } });
  const cursor = (page.data as unknown as { next_cursor: string }).next_cursor;
  assert.ok(cursor);
  assert.doesNotMatch(JSON.stringify(await itemsOf(both, caller, { cursor })), /Canary/);
  for (const format of ['csv', 'jsonl']) {
    const file = await api.call(`downloadReviewItems_${format}`, caller, {
      params: { id: both },
      query: { application: b.id },
    });
    assert.doesNotMatch(file.message, /Canary/);
  }
  const list = (await api.call('listReviews', caller)).data as unknown as { items: Review[] };
  assert.deepEqual(
    list.items.map(({ id }) => id),
    [both],
  );

  const [target] = await itemsOf(both, root, { application: b.id });
  const unknown = await decide(both, caller, ['0unknown'], 'remove');
  for (const ids of [[target?.id ?? ''], [(await itemsOf(both, caller))[0]?.id ?? '', target?.id ?? '']]) {
    const answer = await decide(both, caller, ids, 'remove');
    assert.deepEqual([answer.status, answer.message], [404, unknown.message], 'as for an item that does not exist');
  }
  for (const operation of ['getReview', 'listReviewItems', 'closeReview', 'downloadReviewItems_csv']) {
    const answer = await api.call(operation, caller, { params: { id: foreign } });
    assert.equal(answer.status, 404, operation);
    assert.doesNotMatch(answer.message, /Canary/);
  }
  assert.equal((await api.call('closeReview', caller, { params: { id: both } })).status, 403);
  for (const operation of ['deleteReview', 'updateReview', 'createReview']) {
    const body = { name: 'Mine', due_at: '9d', applications: [a.id] };
    const input = operation === 'updateReview' ? { due_at: '9d' } : body;
    const answer = await api.call(operation, caller, {
      ...(operation === 'createReview' ? {} : { params: { id: both } }),
      ...(operation === 'deleteReview' ? {} : { body: input }),
    });
    assert.equal(answer.status, 403, operation);
  }
  assert.ok((await itemsOf(both)).every(({ decision }) => decision === null));
  const person = new Person(service);
  await person.signIn(mine);
  const shown = (await visit(person, `/admin/reviews/${both}`)).page;
  assert.match(shown, /Mine/);
  assert.doesNotMatch(shown, /Canary/);
  assert.equal((await visit(person, `/admin/reviews/${foreign}`)).status, 404);
});

test('nobody decides about their own access: another owner or an administrator does', async () => {
  const [owner, friend] = [await service.newUser({ name: 'Owner' }), await service.newUser({ name: 'Friend' })];
  const client = await listed([owner, friend], owner);
  const review = await openReview([client]);
  const caller = await withSession(service, owner);
  const items = await itemsOf(review, caller);
  const idOf = (user: TestUser) => items.find(({ person }) => person.id === user.id)?.id ?? assert.fail();
  const refused = await decide(review, caller, [idOf(friend), idOf(owner)], 'keep');
  assert.equal(refused.status, 403);
  assert.ok(
    (await itemsOf(review)).every(({ decision }) => decision === null),
    'all or none',
  );
  assert.equal((await decide(review, caller, [idOf(friend)], 'keep')).status, 200);
  assert.equal((await decide(review, root, [idOf(owner)], 'remove')).status, 200);
  const key = await newKey(service, 'administrator');
  assert.equal((await decide(review, key, [idOf(friend)], 'remove')).status, 403, 'people decide');
  assert.equal((await api.call('closeReview', key, { params: { id: review } })).status, 403);
});

test('an owner who stops being one decides and sees nothing any more', async () => {
  const owner = await service.newUser();
  const client = await listed([await service.newUser()], owner);
  const review = await openReview([client]);
  const caller = await withSession(service, owner);
  const [item] = await itemsOf(review, caller);
  await setOwners(service.running.services, client.id, { people: [] }, requester);
  const answer = await decide(review, caller, [item?.id ?? ''], 'keep');
  assert.equal(answer.status, 403);
  assert.equal((await api.call('listReviewItems', caller, { params: { id: review } })).status, 403);
});

test('of decisions that are made at the same time, and of those after closing, none is half there', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => service.newUser()));
  const owner = await service.newUser({ name: 'Owner' });
  const client = await listed(people, owner);
  const review = await openReview([client]);
  const caller = await withSession(service, owner);
  const ids = (await itemsOf(review)).map(({ id }) => id);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      decide(review, n % 2 === 0 ? caller : root, ids, n % 2 === 0 ? 'keep' : 'remove'),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const decided = await itemsOf(review);
  for (const { decision, decided_by } of decided) {
    assert.equal(decided_by?.id, decision === 'keep' ? owner.id : administrator.id);
  }
  assert.equal(new Set(decided.map(({ decision }) => decision)).size, 1);
  assert.equal((await reviewOf(review)).reviewed, ids.length);
  const racing = await Promise.all([
    api.call('closeReview', root, { params: { id: review } }),
    decide(review, caller, ids, 'keep'),
    api.call('closeReview', root, { params: { id: review } }),
  ]);
  assert.equal([racing[0], racing[2]].filter(({ status }) => status === 200).length, 1, 'closed once');
  const after = await itemsOf(review);
  for (const { decision, outcome } of after) assert.equal(outcome, decision === 'keep' ? 'kept' : 'removed');
  assert.equal((await decide(review, root, ids, 'remove')).status, 409);
  assert.deepEqual(await itemsOf(review), after);
  assert.equal((await service.events('review_closed')).filter(({ detail }) => detail?.review_id === review).length, 1);
});

test('somebody who is deleted meanwhile leaves a number, and no name anywhere', async () => {
  const gone = await service.newUser({ name: 'Canaryname Gone' });
  const stays = await service.newUser({ name: 'Stays' });
  const client = await listed([gone, stays]);
  const review = await openReview([client]);
  const ids = (await itemsOf(review)).map(({ id }) => id);
  await decide(review, root, ids, 'remove');
  assert.equal((await deleteUser(service.running.services, gone.id, requester)).kind, 'done');
  const closed = await api.call('closeReview', root, { params: { id: review } });
  assert.equal(closed.status, 200, closed.message);
  const items = await itemsOf(review);
  const [deleted] = items.filter(({ person }) => person.id === null);
  assert.deepEqual(deleted?.person, { id: null, name: 'Deleted person 1', email: null });
  assert.ok(items.every(({ outcome }) => outcome === 'removed'));
  const rows = JSON.stringify(await service.rowsOf(['reviews', 'review_applications', 'review_items']));
  assert.doesNotMatch(rows, /Canaryname/i);
  assert.doesNotMatch(rows, new RegExp(gone.email));
  assert.doesNotMatch(rows, new RegExp(Buffer.from('canaryname').toString('hex'), 'i'));
  const file = await api.call('downloadReviewItems_csv', root, { params: { id: review } });
  assert.match(file.message, /Deleted person 1/);
});

test('names are text on the pages, and no formulas in the file', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const mallory = await service.newUser({ name: `=1+1 ${markup}` });
  const made = await createGroup(service.running.services, { name: `=SUM(1) ${markup}` }, requester);
  assert.ok(made.kind === 'done');
  const add = [{ id: mallory.id }];
  await changeMembers(service.running.services, { id: made.group.id }, { add, expiresAt: null }, requester);
  const client = await listed([mallory], undefined, `@App ${markup}`);
  await changeAllowed(service.running.services, client.id, 'allow', { people: [], groups: [made.group.id] }, requester);
  const review = await openReview([client]);
  const [item] = await itemsOf(review);
  await decide(review, root, [item?.id ?? ''], 'remove');
  await api.call('closeReview', root, { params: { id: review } });
  for (const query of [
    '',
    `?application=${encodeURIComponent(markup)}`,
    '?outcome=task',
    `?decision=${encodeURIComponent('"><b>')}`,
  ]) {
    const { page } = await visit(admin, `/admin/reviews/${review}${query}`);
    assert.doesNotMatch(page, /<img src=x|<b>/, query);
  }
  const { message } = await api.call('downloadReviewItems_csv', root, { params: { id: review } });
  const [, line = ''] = message.split('\r\n');
  assert.match(line, /,'=1\+1 /);
  assert.match(line, /,'@App /);
  assert.match(line, /group =SUM/);
  assert.doesNotMatch(line, /(^|[,;"]) ?[=@]/);
});
