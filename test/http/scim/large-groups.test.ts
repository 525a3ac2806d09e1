// Groups with many members: what changes them reads those it names, and what shows them leaves members out.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { urns } from '../../../src/protocol/scim/urns.ts';
import { isReleaseLane } from '../../harness/lane.ts';
import { newDirectory, type TestDirectory } from '../../harness/scim.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

/** The number that counts is for a release; the rules are the same from 1,001 on. */
const size = isReleaseLane ? 100_000 : 2_000;
const spare = 5_000;
const last = 9007199254740991;
const idOf = (index: number) => `m${String(index).padStart(6, '0')}`;
const named = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: idOf(from + index) }));

const service = serviceOfSuite();
let directory: TestDirectory;
let group: string;
/** The longest list that storage has answered with since the last reset. */
let longest = 0;

before(async () => {
  directory = await newDirectory(service);
  group = await directory.createGroup('Everyone');
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${size + spare})`;
  const id = "'m' || substr(CAST(1000000 + i AS TEXT), 2)";
  await service.execute(`INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, managed_by)
    ${numbers} SELECT ${id}, i || '@many.example', i || '@many.example', 'Member ' || i, '', 0, 1, 1, 'entra' FROM n`);
  await service.execute(`INSERT INTO group_members (group_id, user_id, began_with, ended_by)
    ${numbers} SELECT '${group}', ${id}, 0, ${last} FROM n WHERE i < ${size}`);
  const storage = service.running.services.storage as unknown as Record<string, unknown>;
  for (const [name, operation] of Object.entries(storage)) {
    if (typeof operation !== 'function') continue;
    storage[name] = (...args: unknown[]) => {
      const result: unknown = operation(...args);
      return result instanceof Promise ? result.then(observed) : observed(result);
    };
  }
});

function observed<Result>(result: Result): Result {
  for (const each of [result, ...Object.values(result ?? {})]) {
    if (Array.isArray(each)) longest = Math.max(longest, each.length);
  }
  return result;
}

const countMembers = () => service.running.services.storage.countMembers(group);

test('a PATCH reads nobody whom it does not name', async () => {
  longest = 0;
  const one = { value: idOf(size) };
  const added = await directory.patchGroup(group, { op: 'Add', path: 'members', value: [one] });
  assert.equal(added.status, 204, JSON.stringify(added.body));
  const removed = await directory.patchGroup(group, {
    op: 'Remove',
    path: 'members',
    value: [one, { value: idOf(7) }],
  });
  assert.equal(removed.status, 204);
  const renamed = await directory.patchGroup(group, { op: 'Replace', path: 'displayName', value: 'All people' });
  assert.equal(renamed.status, 204);
  assert.equal(await countMembers(), size - 1);
  assert.ok(longest <= 2, String(longest));
});

test('5,000 members join in one request, each with an event', async () => {
  longest = 0;
  const value = [...named(size, spare - 1), { value: idOf(7) }];
  const { status, body } = await directory.patchGroup(group, { op: 'add', path: 'members', value });
  assert.equal(status, 204, JSON.stringify(body));
  assert.equal(await countMembers(), size + spare - 1);
  assert.ok(longest <= spare, String(longest));
  assert.ok((await service.events('group_member_added')).length >= spare);
});

test('members are left out unless they are asked for', async () => {
  longest = 0;
  const shown = await directory.send('GET', `/Groups/${group}`);
  assert.deepEqual(Object.keys(shown.body), ['schemas', 'id', 'displayName', 'meta']);
  assert.ok(longest <= 1001, String(longest));
  const all = await directory.send('GET', `/Groups/${group}?attributes=members.value`);
  assert.equal(all.status, 200);
  assert.ok(longest <= 1001, String(longest));
  assert.deepEqual(all.body.members, named(0, size + spare - 1));
  const { status, body } = await directory.send('GET', '/Groups?attributes=members.value');
  if (size + spare > 10_000) assert.deepEqual([status, body.scimType], [400, 'tooMany']);
  else assert.equal(body.Resources[0].members.length, size + spare - 1);
});

test('a PUT with other members or none removes the rest, a few at a time', async () => {
  longest = 0;
  const put = { schemas: [urns.group], displayName: 'Nearly nobody', members: named(3, 2) };
  const { status, body } = await directory.send('PUT', `/Groups/${group}`, put);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.members.map(({ value }: { readonly value: string }) => value),
    [idOf(3), idOf(4)],
  );
  assert.ok(longest <= 1001, String(longest));
  assert.equal((await directory.send('PUT', `/Groups/${group}`, { ...put, members: [] })).status, 200);
  assert.equal(await countMembers(), 0);
});
