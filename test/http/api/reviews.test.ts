// Reviews of access, from creating one to deleting it: in the API, the console, on the command line, by email and in people's own data.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { setOwners } from '../../../src/operations/clients/owners.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { workOnReviews } from '../../../src/operations/reviews/review-work.ts';
import { Api, type ApiCaller, newKey, withSession } from '../../harness/api.ts';
import { runCommand } from '../../harness/command.ts';
import { noticeOn, send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { newSweep } from '../../harness/sweep.ts';
import { until } from '../../harness/until.ts';

const DAY = 24 * 60 * 60;
const { service, administrator, admin, signInAgain } = consoleOfSuite();
let api: Api;
let root: ApiCaller;
before(async () => {
  api = await Api.of(service);
  root = await withSession(service, administrator);
});

async function listed(people: readonly TestUser[], name = 'Grafana', owner?: TestUser): Promise<TestClient> {
  const { services } = service.running;
  const client = await service.newClient({ name, access: 'listed' });
  const entry = { people: people.map(({ id }) => id), groups: [] };
  assert.equal((await changeAllowed(services, client.id, 'allow', entry, requester)).kind, 'done');
  if (owner !== undefined) await setOwners(services, client.id, { people: [owner.id] }, requester);
  return client;
}

interface Item {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly application: { readonly id: string; readonly name: string };
  readonly decision: string | null;
  readonly outcome: string | null;
  readonly task?: {
    readonly groups: readonly { readonly id: string; readonly name: string }[];
    readonly everyone: boolean;
  };
}

async function create(body: object, status = 201): Promise<string> {
  const made = await api.call('createReview', root, { body: { name: 'Access in 2027', due_at: '30d', ...body } });
  assert.equal(made.status, status, made.message);
  return status === 201 ? (made.data as unknown as { id: string }).id : made.message;
}
async function opened(id: string): Promise<string> {
  await until(async () => {
    await workOnReviews(service.running.services, 'test');
    return (await shown(id)).status === 'open';
  }, 'the review is open');
  return id;
}
const open = async (...clients: readonly TestClient[]) =>
  opened(await create({ applications: clients.map(({ id }) => id) }));
const shown = async (id: string) =>
  (await api.call('getReview', root, { params: { id } })).data as unknown as Record<string, unknown>;
const itemsOf = async (id: string, query: Record<string, string> = {}) =>
  (await api.call('listReviewItems', root, { params: { id }, query })).data.items as unknown as Item[];
const decide = (id: string, ids: readonly string[], decision: string, caller = root) =>
  api.call('decideReviewItems', caller, { params: { id }, body: { ids, decision } });

test('a review is a snapshot: one item for each person and application, as of when it was read', async () => {
  const [ada, bob] = [await service.newUser({ name: 'Ada' }), await service.newUser({ name: 'Bob' })];
  const [one, two] = [await listed([ada, bob], 'One'), await listed([ada], 'Two')];
  const id = await create({ applications: [one.id, two.id] });
  assert.deepEqual(Object.keys(await shown(id)), [
    'id',
    'name',
    'status',
    'due_at',
    'applications',
    'items',
    'reviewed',
    'closed_at',
    'closed_by',
  ]);
  await opened(id);
  const review = await shown(id);
  assert.deepEqual([review.items, review.reviewed, review.closed_at], [3, 0, null]);
  const items = await itemsOf(id);
  assert.deepEqual(Object.keys(items[0] ?? {}), [
    'id',
    'person',
    'application',
    'reasons',
    'last_used_at',
    'as_of',
    'decision',
    'decided_by',
    'decided_at',
    'outcome',
  ]);
  assert.deepEqual(items.map(({ person, application }) => `${person.name} ${application.name}`).toSorted(), [
    'Ada One',
    'Ada Two',
    'Bob One',
  ]);
  await changeAllowed(service.running.services, one.id, 'disallow', { people: [bob.id], groups: [] }, requester);
  assert.deepEqual(await itemsOf(id), items, 'a snapshot');
  assert.equal((await service.events('review_opened')).at(-1)?.detail?.review_id, id);
});

test('all limited applications are those with a list; an unknown one, none and a past date are refused', async () => {
  const limited = await listed([], 'Limited');
  const everyone = await service.newClient({ name: 'Open to all' });
  const id = await opened(await create({ applications: 'limited' }));
  const ids = ((await shown(id)).applications as { id: string }[]).map((each) => each.id);
  assert.ok(ids.includes(limited.id) && !ids.includes(everyone.id));
  assert.match(await create({ applications: ['no-such'] }, 400), /no-such/);
  assert.match(await create({ applications: [limited.id], due_at: '2020-01-01' }, 400), /future/);
  assert.match(await create({ applications: [limited.id], name: ' ' }, 400), /name/);
});

test('unused for 90 days comes first, and filters find what is decided', async () => {
  const people = await Promise.all(['Zed', 'Amy'].map((name) => service.newUser({ name })));
  const client = await listed(people, 'Old');
  service.clock.advance(100 * DAY);
  await signInAgain();
  root = await withSession(service, administrator);
  const fresh = await service.newUser({ name: 'Aaron' });
  await changeAllowed(service.running.services, client.id, 'allow', { people: [fresh.id], groups: [] }, requester);
  const id = await open(client);
  const names = async (query = {}) => (await itemsOf(id, query)).map(({ person }) => person.name);
  assert.deepEqual(await names(), ['Amy', 'Zed', 'Aaron']);
  assert.deepEqual(await names({ unused: '90d' }), ['Amy', 'Zed']);
  const [first, , last] = await itemsOf(id);
  await decide(id, [first?.id ?? ''], 'remove');
  await decide(id, [last?.id ?? ''], 'keep');
  assert.deepEqual(
    [await names({ decision: 'none' }), await names({ decision: 'remove' }), await names({ decision: 'keep' })],
    [['Zed'], ['Amy'], ['Aaron']],
  );
  assert.equal((await api.call('listReviewItems', root, { params: { id }, query: { unused: 'x' } })).status, 400);
});

test('closing ends entries; a task names the group, and the membership can be ended from there', async () => {
  const { services } = service.running;
  const [ada, bob] = [await service.newUser({ name: 'Ada' }), await service.newUser({ name: 'Bob' })];
  const owner = await service.newUser({ name: 'Olga Owner' });
  const client = await listed([ada, bob], 'Closing', owner);
  const other = await listed([], 'Also opened');
  const made = await createGroup(services, { name: 'Night shift' }, requester);
  assert.ok(made.kind === 'done');
  await changeMembers(services, { id: made.group.id }, { add: [{ id: bob.id }], expiresAt: null }, requester);
  for (const each of [client, other]) {
    await changeAllowed(services, each.id, 'allow', { people: [], groups: [made.group.id] }, requester);
  }
  const id = await open(client);
  const caller = await withSession(service, owner);
  const ids = (await itemsOf(id)).map((item) => item.id);
  assert.equal((await decide(id, ids, 'remove', caller)).status, 200);
  assert.ok(await services.storage.hasAccess(client.id, ada.id, service.clock.now()), 'until it is closed');
  const question = (await visit(admin, `/admin/reviews/${id}/close`)).page;
  assert.match(question, /2 entries will be removed/);
  const closed = await api.call('closeReview', caller, { params: { id } });
  assert.equal(closed.status, 200, closed.message);
  const review = await shown(id);
  assert.deepEqual([review.status, review.closed_by], ['closed', { id: owner.id, name: 'Olga Owner' }]);
  const items = await itemsOf(id);
  const of = (user: TestUser) => items.find(({ person }) => person.id === user.id);
  assert.deepEqual([of(ada)?.outcome, of(bob)?.outcome], ['removed', 'task']);
  assert.deepEqual(of(bob)?.task, { groups: [{ id: made.group.id, name: 'Night shift' }], everyone: false });
  assert.equal(await services.storage.hasAccess(client.id, ada.id, service.clock.now()), false);
  const removal = (await service.events('access_disallowed')).at(-1);
  assert.deepEqual([removal?.actor?.id, removal?.detail?.review], [owner.id, 'Access in 2027']);

  const { page } = await visit(admin, `/admin/reviews/${id}?outcome=task`);
  const href =
    /href="(\/admin\/reviews\/[^"]*\/end\?[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail();
  assert.match((await visit(admin, href)).page, /Also opened/);
  const [path = ''] = href.split('?');
  const done = await send(admin, href, path);
  assert.equal(noticeOn(done.page), 'Person removed from group.');
  assert.equal(await services.storage.hasAccess(client.id, bob.id, service.clock.now()), false);
  assert.deepEqual(await itemsOf(id), items, 'a closed review stays as it is');
  const json = await api.call('downloadReviewItems_jsonl', root, { params: { id } });
  assert.deepEqual(JSON.parse(json.message.split('\n')[0] ?? ''), items[0]);
  const csv = (await api.call('downloadReviewItems_csv', root, { params: { id } })).message;
  assert.match(csv, /task,group Night shift/);

  const person = new Person(service);
  await person.signIn(bob);
  const download = JSON.stringify(await (await person.request('/account/data.json')).text());
  assert.match(download, /access_reviews/);
  assert.match(download, /Closing/);
  assert.doesNotMatch(download, /Olga|decided_by/);
});

test('in the console, a review is created, decided for several at once, moved and deleted', async () => {
  const people = await Promise.all(['Eve', 'Fay', 'Gus'].map((name) => service.newUser({ name })));
  const client = await listed(people, 'Console');
  const sent = await send(admin, '/admin/reviews', '/admin/reviews', {
    name: 'By hand',
    due_at: new Date(service.clock.now() + 40 * DAY * 1000).toISOString().slice(0, 10),
    applications: client.id,
  });
  assert.match(sent.page, /By hand/);
  const events = await service.events('review_created');
  const id = String(events.at(-1)?.detail?.review_id);
  await opened(id);
  const path = `/admin/reviews/${id}`;
  const items = await itemsOf(id);
  const ticked = { item0: items[0]?.id ?? '', item1: items[1]?.id ?? '', decision: 'keep' };
  await send(admin, path, `${path}/items`, ticked);
  assert.deepEqual(
    (await itemsOf(id)).map(({ decision }) => decision),
    ['keep', 'keep', null],
  );
  const moved = await send(admin, path, `${path}/due`, { due_at: '2099-01-31' });
  assert.equal(noticeOn(moved.page), 'Due date saved.');
  const removed = await send(admin, `${path}/delete`, `${path}/delete`);
  assert.equal(noticeOn(removed.page), 'Review deleted.');
  assert.equal((await visit(admin, path)).status, 404);
});

test('reviewers with something left to decide get one email, 7 days before the due date', async () => {
  const { emailQueue } = service.running.services;
  const [owner, done] = [await service.newUser({ locale: 'de' }), await service.newUser()];
  const [left, decided] = [
    await listed([await service.newUser()], 'Left', owner),
    await listed([await service.newUser()], 'Done', done),
  ];
  const id = await open(left, decided);
  const [item] = await itemsOf(id, { application: decided.id });
  await decide(id, [item?.id ?? ''], 'keep');
  const sweep = newSweep(service);
  const mails = async () =>
    (await emailQueue.list(500)).filter(({ email }) => email.text.includes(id)).map(({ email }) => email);
  await sweep.round();
  assert.deepEqual(await mails(), []);
  service.clock.advance(23.5 * DAY);
  for (const one of [newSweep(service, { holder: 'test' }), newSweep(service, { holder: 'test' })]) {
    await one.round();
    service.clock.advance(60 * 60 + 1);
    await one.round();
  }
  assert.deepEqual(
    (await mails()).map(({ to }) => to),
    [owner.email],
  );
  assert.match((await mails())[0]?.subject ?? '', /^Bald fällig: Access in 2027/);
  await signInAgain();
  root = await withSession(service, administrator);
});

test('a closed review is deleted after as many days as the settings say', async () => {
  const client = await listed([await service.newUser()], 'Kept');
  const id = await open(client);
  assert.equal((await api.call('closeReview', root, { params: { id } })).status, 200);
  const key = await newKey(service, 'administrator');
  await api.call('updateSettings', key, { body: { review_keep_days: 30 } });
  const storage = service.running.services.storage;
  service.clock.advance(29 * DAY);
  const sweep = newSweep(service);
  const pass = async () => {
    for (let round = 0; round < 3; round++) {
      await sweep.round();
      service.clock.advance(60 * 60 + 1);
    }
  };
  await pass();
  assert.ok(await storage.findAccessReview(id));
  service.clock.advance(DAY);
  await pass();
  assert.equal(await storage.findAccessReview(id), undefined);
  assert.equal((await service.events('review_deleted')).at(-1)?.detail?.review_id, id);
  assert.ok((await service.rows('review_items')).every((row) => row.review_id !== id));
  await signInAgain();
  root = await withSession(service, administrator);
});

test('the command line creates, lists, shows, closes and exports reviews', async () => {
  const client = await listed([await service.newUser({ name: '=Cmd' })], 'Command');
  const run = (...args: string[]) => runCommand(['review', ...args], service.commandEnvironment);
  const made = await run('create', 'From a terminal', '--due', '30d', '--client', client.id, '--json');
  assert.equal(made.status, 0, made.stderr);
  const { id } = JSON.parse(made.stdout);
  await opened(id);
  assert.match((await run('list')).stdout, /From a terminal/);
  assert.match((await run('show', id)).stdout, /0 of 1/);
  const closed = JSON.parse((await run('close', id, '--json')).stdout);
  assert.deepEqual([closed.status, closed.closed_by], ['closed', { id: null, name: 'Command line' }]);
  const csv = (await run('export', id)).stdout;
  assert.match(csv, /^id,person,person_name/);
  assert.match(csv, /'=Cmd.*not_reviewed/);
  assert.equal(JSON.parse((await run('export', id, '--format', 'json')).stdout).outcome, 'not_reviewed');
  assert.equal((await run('close', id)).status, 1);
});

test('a review of more than 50,000 items is refused with their number', async () => {
  const client = await listed([await service.newUser()], 'Large');
  const numbers = 'WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 50000)';
  await service.execute(`${numbers} INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at,
      last_sign_in_at)
    SELECT 'large' || i, 'large' || i || '@example.test', 'large' || i || '@example.test', 'Name', '', 0, i, i, 0 FROM s`);
  await service.execute(`INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by, end_notices)
    SELECT '${client.id}', 'person', id, 0, 9007199254740991, 0 FROM users WHERE id LIKE 'large%'`);
  assert.match(await create({ applications: [client.id] }, 409), /50,001 items, and can have at most 50,000/);
});
