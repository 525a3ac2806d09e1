// latchkey attribute …, the values of people with latchkey user …, a CSV file of people, and attributes in a file for apply.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let folder: string;
before(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-attributes-'));
});
after(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  return runCommand(args, { LATCHKEY_BASE_URL: service.baseUrl as string, LATCHKEY_DATA_DIR: service.dataDir });
}

async function json(...args: string[]) {
  const { status, stdout, stderr } = await run(...args, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

async function refusal(...args: string[]): Promise<string> {
  const { status, stderr } = await run(...args);
  assert.equal(status, 1, stderr);
  return stderr;
}

function file(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const create = (name: string, ...options: string[]) => json('attribute', 'create', name, '--label', name, ...options);

async function useIn(name: string, id: string): Promise<void> {
  const { storage, journal } = service.running.services;
  const found = await storage.findAttribute(name);
  assert.ok(found);
  const { record } = await service.newClient();
  const source = { source: 'attribute', attribute: { name, since: found.createdAt }, selfAsserted: false } as const;
  const claim = { claim: 'dept', label: null, idToken: false, ...source };
  const event = journal.event({ kind: 'client_created' }, requester);
  await storage.createClient({ ...record, id, name: 'The shop', claims: [claim] }, undefined, event);
}

test('an attribute is created, listed, shown, changed and deleted', async () => {
  const team = await create('team', '--kind', 'list', '--values', 'Red, Blue,Green');
  const values = ['Red', 'Blue', 'Green'];
  assert.deepEqual(team, { name: 'team', label: 'team', kind: 'list', editable_by: 'administrator', values });
  assert.deepEqual(await json('attribute', 'list'), [team]);
  assert.match((await run('attribute', 'show', 'team')).stdout, /Red, Blue, Green/);
  const changed = await json(
    'attribute',
    'update',
    'team',
    '--label',
    'Team',
    '--editable-by',
    'person',
    '--values',
    '',
  );
  assert.deepEqual(changed, { ...team, label: 'Team', editable_by: 'person', values: null });
  assert.equal((await run('attribute', 'update', 'team')).status, 2);
  assert.equal((await run('attribute', 'update', 'team', '--kind', 'text')).status, 2);
  assert.match(await refusal('attribute', 'create', 'Team', '--label', 'x', '--kind', 'text'), /lowercase/);
  assert.match(
    await refusal('attribute', 'create', 'n', '--label', 'x', '--kind', 'number', '--values', '1'),
    /allowed/,
  );
  assert.deepEqual(await json('attribute', 'delete', 'team'), changed);
  assert.match(await refusal('attribute', 'show', 'team'), /no attribute "team"/);
});

test('one that an application uses is deleted, and opened to people, only with --force', async () => {
  await create('used', '--kind', 'text');
  await useIn('used', 'shop');
  assert.match(await refusal('attribute', 'update', 'used', '--editable-by', 'person'), /"The shop" \(shop\).*--force/);
  assert.match(await refusal('attribute', 'delete', 'used'), /"The shop" \(shop\).*--force/);
  const { storage } = service.running.services;
  await json('attribute', 'update', 'used', '--editable-by', 'person', '--force');
  const [claim] = (await storage.findClient('shop'))?.claims ?? [];
  assert.ok(claim?.source === 'attribute' && claim.selfAsserted);
  await json('attribute', 'delete', 'used', '--force');
  assert.deepEqual((await storage.findClient('shop'))?.claims, []);
});

test('values are given as NAME=VALUE; an empty one removes it', async () => {
  await create('dept', '--kind', 'text');
  await create('age', '--kind', 'number');
  await create('remote', '--kind', 'boolean');
  await create('skills', '--kind', 'list');
  const given = ['dept=R=D', 'age=1.5', 'remote=false', 'skills=piano,chess'].flatMap((each) => ['--attribute', each]);
  const person = ['--email', 'a@example.test', '--name', 'A', '--no-password'];
  const made = await json('user', 'create', ...person, ...given);
  const all = { age: 1.5, dept: 'R=D', remote: false, skills: ['piano', 'chess'] };
  assert.deepEqual(made.attributes, all);
  const update = (...words: string[]) => json('user', 'update', 'a@example.test', ...words);
  const changed = await update('--attribute', 'dept=', '--attribute', 'skills=chess');
  assert.deepEqual(changed.attributes, { age: 1.5, remote: false, skills: ['chess'] });
  assert.deepEqual((await json('user', 'show', 'a@example.test')).attributes, changed.attributes);
  assert.match((await run('user', 'show', 'a@example.test')).stdout, /attribute skills\s+chess/);
  assert.deepEqual((await json('user', 'list'))[0].attributes, changed.attributes);
  for (const [value, problem] of [
    ['age=old', /"age" has a value of another kind/],
    ['remote=yes', /"remote" has a value of another kind/],
    ['nothing=x', /"nothing" isn't defined/],
    [`dept=${'x'.repeat(1025)}`, /1,024 bytes/],
  ] as const) {
    assert.match(await refusal('user', 'update', 'a@example.test', '--attribute', value), problem);
  }
  for (const words of [['dept'], ['=x'], ['dept=x', '--attribute', 'dept=y']]) {
    assert.equal((await run('user', 'update', 'a@example.test', '--attribute', ...words)).status, 2);
  }
});

test('a CSV file of people has a column for each; an unknown one is refused', async () => {
  const rows =
    'email,attribute.dept,attribute.age,attribute.skills\nb@example.test,Sales,7,"a, b"\nc@example.test,,,\n';
  assert.equal((await json('user', 'import', file('people.csv', rows), '--from', 'csv')).imported, 2);
  const show = async (email: string) => (await json('user', 'show', email)).attributes;
  assert.deepEqual(await show('b@example.test'), { age: 7, dept: 'Sales', skills: ['a', 'b'] });
  assert.deepEqual(await show('c@example.test'), {});
  const unknown = file('unknown.csv', 'email,attribute.nothing\nd@example.test,x\n');
  assert.match(
    await refusal('user', 'import', unknown, '--from', 'csv'),
    /no column "attribute\.nothing".*attribute\.dept/,
  );
  const wrong = file('wrong.csv', 'email,attribute.age\nd@example.test,old\n');
  assert.match(await refusal('user', 'import', wrong, '--from', 'csv'), /"age" is of another kind/);
});

test('a file for apply defines them, changes them, and with --prune deletes the others', async () => {
  const apply = (content: object, ...options: string[]) => json('apply', '-f', file('apply.json', content), ...options);
  const refused = (content: object, ...options: string[]) =>
    refusal('apply', '-f', file('apply.json', content), ...options);
  const level = { name: 'level', label: 'Level', kind: 'text', values: ['1', '2'] };
  assert.equal((await apply({ attributes: [level] })).attributes[0].action, 'create');
  assert.equal((await apply({ attributes: [level] })).attributes[0].action, 'unchanged');
  const changed = await apply({ attributes: [{ ...level, label: 'The level', values: null }] });
  assert.deepEqual(Object.keys(changed.attributes[0].changes), ['label', 'values']);
  assert.match(await refused({ attributes: [{ ...level, kind: 'list' }] }), /kind can't change/);
  assert.match(await refused({ attributes: [{ ...level, kind: 'date' }] }), /"kind" must be/);
  const many = Array.from({ length: 51 }, (_, index) => ({ ...level, name: `level_${index}` }));
  assert.match(await refused({ attributes: many }), /at most 50/);

  await useIn('level', 'desk');
  const attributes = [{ ...level, values: null, editable_by: 'person' }];
  assert.match(await refused({ attributes }), /claims of desk use it/);
  assert.match(await refused({ attributes: [] }, '--prune', '--yes'), /claims of desk use it/);
  assert.equal((await json('attribute', 'show', 'level')).editable_by, 'administrator');
  const { storage, journal } = service.running.services;
  await storage.deleteClient('desk', journal.event({ kind: 'client_deleted', clientId: 'desk' }, requester));
  await apply({ attributes });
  assert.equal((await json('attribute', 'show', 'level')).editable_by, 'person');
  // Without the section nothing is said about them, and without --prune they stay.
  await apply({ settings: {} }, '--prune', '--yes');
  await apply({ attributes: [] });
  assert.equal((await json('attribute', 'list')).length, 5);
  await apply({ attributes }, '--prune', '--yes');
  assert.deepEqual(
    (await json('attribute', 'list')).map(({ name }: { name: string }) => name),
    ['level'],
  );
  const written = JSON.parse((await run('apply', '--export')).stdout);
  assert.deepEqual(written.attributes, [{ ...level, label: 'Level', editable_by: 'person', values: null }]);
});
