// Importing people over HTTP, on every engine: what becomes of each record, and that they sign in afterwards.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { importUsersCommand } from '../../../src/cli/users/import.ts';
import { deleteOverdue } from '../../../src/operations/users/approval.ts';
import { deleteAccount } from '../../../src/operations/users/disable-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import type { SignedIn } from '../../../src/storage/storage.ts';
import { Api, newKey } from '../../harness/api.ts';
import { Person } from '../../harness/person.ts';
import { newDirectory } from '../../harness/scim.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let api: Api;
let key: Awaited<ReturnType<typeof newKey>>;

before(async () => {
  service = await startTestService();
  api = await Api.of(service);
  key = await newKey(service, 'administrator');
});
after(() => service.stop());

interface Answer {
  readonly imported: number;
  readonly already_imported: number;
  readonly skipped: number;
  readonly refused: number;
  readonly results: readonly { result: string; id: string | null; problems: string[]; not_taken_over: string[] }[];
}

async function importing(body: object): Promise<Answer> {
  const answer = await api.call('importPeople', key, { body });
  assert.equal(answer.status, 200, answer.message);
  return answer.data as unknown as Answer;
}

const keycloakUsers = [0, 1].flatMap((part): unknown[] => {
  const path = new URL(`../../fixtures/import/keycloak/shop-users-${part}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')).users;
});

test('a batch is imported once, and people sign in with their old passwords', async () => {
  const batch = { from: 'keycloak', people: keycloakUsers };
  const dry = await importing({ ...batch, dry_run: true });
  assert.deepEqual([dry.imported, dry.skipped], [4, 1]);
  assert.equal(await service.running.services.storage.findUserByEmail('ada@example.com'), undefined);

  const done = await importing(batch);
  assert.deepEqual([done.imported, done.already_imported, done.skipped, done.refused], [4, 0, 1, 0]);
  const [ada] = done.results;
  assert.deepEqual(ada, {
    result: 'imported',
    id: '6d5a0a3c-1e7b-4f0f-9a51-0d1cf3a0c001',
    problems: [],
    not_taken_over: ['attributes.department'],
  });
  const again = await importing(batch);
  assert.deepEqual([again.imported, again.already_imported], [0, 4]);

  const events = await service.events('people_imported');
  assert.deepEqual(
    events.map(({ detail, actor }) => [detail?.source, detail?.people, actor?.kind]),
    [['keycloak', 4, 'api_key']],
  );
  assert.deepEqual(await service.events('user_created'), []);

  const somebody = await service.newUser();
  const person = new Person(service);
  await person.signIn({ ...somebody, email: 'ada@example.com', password: 'lètmein' });
  const account = await (await person.visit('/account')).text();
  assert.match(account, /Ada Lovelace/);
  const disabled = new Person(service);
  const refused = await disabled.signIn({ ...somebody, email: 'alan@example.com', password: 'lètmein' });
  assert.equal(refused.status, 400);
});

test('a repeated import leaves existing people unchanged', async () => {
  const { services } = service.running;
  const people = [{ id: 'kept', email: 'before@example.com', name: 'Before', password_hash: '' }];
  await importing({ from: 'csv', people });
  assert.equal((await setPassword(services, 'before@example.com', 'a phrase of my own', requester)).kind, 'done');
  const changes = { email: 'after@example.com', name: 'After' };
  const changed = await api.call('updatePerson', key, { params: { id: 'kept' }, body: changes });
  assert.equal(changed.status, 200, changed.message);
  // The address that they had is somebody else's now.
  await service.newUser({ email: 'before@example.com' });
  const before = await services.storage.findUser('kept');
  const again = await importing({ from: 'csv', people });
  assert.deepEqual([again.imported, again.already_imported, again.refused], [0, 1, 0]);
  assert.deepEqual(await services.storage.findUser('kept'), before);
});

test("invalid records don't stop the others from being imported", async () => {
  await service.newUser({ email: 'taken@example.test', name: 'Taken' });
  const people = [
    { id: 'x1', email: 'TAKEN@example.test' },
    { id: 'x2', email: 'not an address' },
    { id: 'x3', email: 'new@example.test', username: 'newcomer' },
    { id: 'x4', email: 'NEW@example.test' },
    { id: 'x5', email: 'other@example.test', username: 'Newcomer' },
    'nobody',
    { id: 'x6', email: 'md5@example.test', password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' },
  ];
  for (const dry_run of [true, false]) {
    const { imported, results } = await importing({ from: 'csv', source: 'intranet', people, dry_run });
    assert.equal(imported, 1);
    assert.deepEqual(
      results.map(({ result }) => result),
      ['refused', 'refused', 'imported', 'refused', 'refused', 'refused', 'refused'],
    );
    const problems = results.map((each) => each.problems.join());
    assert.match(problems[0] ?? '', /already a person with the email address TAKEN@example\.test/);
    assert.match(problems[3] ?? '', /already a person with the email address NEW@example\.test/);
    assert.match(problems[4] ?? '', /already a person with the username Newcomer/);
    assert.match(problems[6] ?? '', /MD5/);
  }
  const dropped = await importing({ from: 'csv', people: [people[6]], drop_refused_hashes: true, new_ids: true });
  assert.match(dropped.results[0]?.id ?? '', /^[0-9a-z]{26}$/);
});

test("takes what the command line does, in snake case, except what brings deleted people's IDs back", async () => {
  const { content } = api.document.paths['/api/people/import']?.post?.requestBody ?? {};
  const members = Object.keys(content?.['application/json']?.schema?.properties ?? {});
  // Of the command line alone, or said in another way: a batch is already apart from its invalid records.
  const elsewhere = ['restore-deleted-ids', 'skip-invalid', 'hash-key', 'salt-separator', 'rounds', 'mem-cost', 'json'];
  const options = Object.keys(importUsersCommand.options).filter((option) => !elsewhere.includes(option));
  assert.ok(options.includes('upstream') && options.includes('into-existing-groups'));
  for (const option of options) assert.ok(members.includes(option.replaceAll('-', '_')), option);
  const body = { from: 'csv', people: [{ email: 'a@b.example' }], restore_deleted_ids: true };
  assert.equal((await api.call('importPeople', key, { body })).status, 400);
});

test('a batch is limited in records and size', async () => {
  const many = Array.from({ length: 501 }, (_, index) => ({ email: `p${index}@example.test` }));
  for (const [body, status] of [
    [{ from: 'csv', people: many }, 400],
    [{ from: 'csv', people: [] }, 400],
    [{ from: 'okta', people: [{}] }, 400],
    [{ from: 'csv', source: 'A B', people: [{}] }, 400],
    [{ from: 'csv', people: [{ email: 'x'.repeat(1024 * 1024) }] }, 413],
  ] as const) {
    assert.equal((await api.call('importPeople', key, { body })).status, status);
  }
});

test('whoever was deleted here is skipped with the reason, and nobody else gets the ID', async () => {
  const person = (id: string, email: string) => ({ id, email });
  const batch = (id: string) => ({ from: 'csv', source: id, people: [person(id, `${id}@deleted.example`)] });
  const deletions: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'by-the-api': (id) => api.call('deletePerson', key, { params: { id } }),
    'by-themselves': async (id) => {
      const user = await service.running.services.storage.findUser(id);
      assert.ok(user);
      const { services } = service.running;
      await deleteAccount(services, { user } as SignedIn, { address: '', requestId: '' });
    },
    'by-a-refusal': async (id) => {
      await service.execute(`UPDATE users SET disabled_at = 1, pending_since = 1 WHERE id = '${id}'`);
      await api.call('declinePerson', key, { params: { id }, body: {} });
    },
    'by-time': async (id) => {
      await service.execute(`UPDATE users SET disabled_at = 1, pending_since = 1 WHERE id = '${id}'`);
      await deleteOverdue(service.running.services);
    },
    'by-a-directory': async (id) => {
      await service.execute(`UPDATE users SET managed_by = 'entra' WHERE id = '${id}'`);
      assert.equal((await (await newDirectory(service)).send('DELETE', `/Users/${id}`)).status, 204);
    },
  };
  for (const [id, remove] of Object.entries(deletions)) {
    assert.equal((await importing(batch(id))).imported, 1);
    await remove(id);
    assert.equal(await service.running.services.storage.findUser(id), undefined, id);
    const dry = await importing({ ...batch(id), dry_run: true });
    const again = await importing({
      from: 'csv',
      people: [person(id, 'someone-else@deleted.example'), { email: `${id}@new.example` }],
    });
    assert.deepEqual([again.imported, again.skipped, again.refused], [1, 1, 0], id);
    for (const { results } of [dry, again]) {
      assert.deepEqual(results[0], {
        result: 'skipped',
        id: null,
        problems: ['a person with this id was deleted here before'],
        not_taken_over: [],
      });
    }
  }
  const [known] = await service.rowsOf(['deleted_ids']);
  assert.equal(known?.length, Object.keys(deletions).length);
  for (const row of known ?? []) assert.deepEqual(Object.keys(row), ['digest']);
  // The email address is free, and an account with a new ID can have it.
  assert.equal((await importing({ ...batch('by-the-api'), new_ids: true })).imported, 1);
});
