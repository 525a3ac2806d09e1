// Who may use which application, on the command line and by a file.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

let folder: string;
const run = (args: string[], input?: string) => runCommand(args, { LATCHKEY_DATA_DIR: join(folder, 'data') }, input);

async function done(...args: string[]) {
  const result = await run([...args, '--json'], 'correct horse battery\n');
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

async function refused(status: 1 | 2, ...args: string[]): Promise<string> {
  const result = await run(args);
  assert.equal(result.status, status, result.stdout);
  assert.match(result.stderr, /^latchkey: [^\n]+\n$/);
  return result.stderr;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-access-'));
  for (const name of ['ada', 'bob', 'eve']) {
    await done('user', 'create', '--email', `${name}@example.test`, '--name', name, '--password-stdin');
  }
});
after(() => rmSync(folder, { recursive: true }));

const [ada, bob, eve] = ['ada@example.test', 'bob@example.test', 'eve@example.test'];
const redirectUri = ['--redirect-uri', 'https://app.example/cb'];

test("an application is open to everyone until it's limited to its list", async () => {
  const client = await done('client', 'create', '--name', 'Open', ...redirectUri);
  assert.deepEqual([client.access, client.allowed], ['everyone', { people: [], groups: [] }]);
  await done('group', 'create', 'Open team');
  const { id: bobId } = await done('user', 'show', bob);
  const listed = await done('client', 'allow', client.client_id, ada, bobId, bob, '--group', 'OPEN team');
  assert.equal(listed.access, 'everyone', 'the list says nothing about the access');
  assert.deepEqual(listed.allowed, { people: [ada, bob], groups: ['Open team'] });
  const switched = await done('client', 'update', client.client_id, '--access', 'listed');
  assert.deepEqual([switched.access, switched.allowed], ['listed', listed.allowed]);
  const less = await done('client', 'disallow', client.client_id, ada, eve, '--group', 'Open team');
  assert.deepEqual(less.allowed, { people: [bob], groups: [] });
  const shown = await done('client', 'show', client.client_id);
  assert.deepEqual([shown.access, shown.allowed], ['listed', less.allowed]);
  assert.match((await run(['client', 'show', client.client_id])).stdout, /access +listed\nallowed +bob@example.test\n/);
  assert.equal((await done('client', 'update', client.client_id, '--access', 'everyone')).access, 'everyone');
  assert.equal((await done('client', 'create', '--name', 'B', ...redirectUri, '--access', 'listed')).access, 'listed');
});

test('a command that names someone unknown changes nothing', async () => {
  const { client_id: id } = await done('client', 'create', '--name', 'Known', ...redirectUri);
  await done('group', 'create', 'Known');
  await done('group', 'add', 'Known', ada);
  const unknown = /no person "zed@example.test"/;
  assert.match(await refused(1, 'client', 'allow', id, ada, 'zed@example.test'), unknown);
  assert.match(await refused(1, 'client', 'allow', id, ada, '--group', 'Nothing'), /there is no group "Nothing"/);
  assert.match(
    await refused(1, 'client', 'allow', id, ada, '--group', 'Konwn'),
    /there is no group "Konwn"\. Did you mean "Known"\?/,
  );
  assert.match(await refused(1, 'client', 'allow', 'nobody', ada), /there is no application "nobody"/);
  assert.match(await refused(1, 'client', 'disallow', id, 'zed@example.test'), unknown);
  assert.match(await refused(1, 'group', 'add', 'Known', bob, 'zed@example.test'), unknown);
  assert.match(await refused(1, 'group', 'remove', 'Known', ada, 'zed@example.test'), unknown);
  for (const command of ['show', 'delete']) await refused(1, 'group', command, 'Nothing');
  assert.deepEqual((await done('client', 'show', id)).allowed, { people: [], groups: [] });
  assert.deepEqual((await done('group', 'show', 'known')).members, [ada]);
  await refused(1, 'client', 'update', id, '--access', 'some');
  await refused(2, 'client', 'allow', id);
  await refused(2, 'group', 'add', 'Known');
  await refused(2, 'group', 'create', 'A', 'B');
});

test('groups are created, listed, changed and deleted', async () => {
  const group = await done('group', 'create', 'Crew');
  assert.deepEqual([group.name, group.members], ['Crew', []]);
  await refused(1, 'group', 'create', 'crew');
  assert.deepEqual((await done('group', 'add', 'Crew', bob, ada)).members, [ada, bob]);
  assert.deepEqual((await done('group', 'remove', group.id, ada)).members, [bob]);
  const found = await done('group', 'list', '--search', 'eam');
  assert.ok(found.length > 0 && found.every(({ name }: { name: string }) => /eam/i.test(name)), JSON.stringify(found));
  assert.match((await run(['group', 'list', '--search', 'nobody'])).stdout, /^No groups match "nobody"\.$/m);
  const names = (await done('group', 'list')).map(({ name }: { name: string }) => name);
  assert.ok(names.includes('Crew'));
  await done('group', 'delete', 'CREW');
  await refused(1, 'group', 'show', 'Crew');
});

test('a group is renamed, and keeps its members and applications', async () => {
  const { id } = await done('group', 'create', 'Night shift');
  await done('group', 'add', 'Night shift', ada);
  const renamed = await done('group', 'update', 'night SHIFT', '--name', '  Late shift ');
  assert.deepEqual([renamed.id, renamed.name, renamed.members], [id, 'Late shift', [ada]]);
  await refused(1, 'group', 'show', 'Night shift');
  await done('group', 'create', 'Early shift');
  assert.match(
    await refused(1, 'group', 'update', 'Late shift', '--name', 'EARLY shift'),
    /already a group "EARLY shift"/,
  );
  assert.match(await refused(1, 'group', 'update', 'Late shift', '--name', ''), /the name/);
  assert.match(await refused(1, 'group', 'update', 'Nothing', '--name', 'x'), /there is no group "Nothing"/);
  await refused(2, 'group', 'update', 'Late shift');
});

test('an apply file sets group members and application access', async () => {
  const file = join(folder, 'latchkey.json');
  const application = { client_id: 'filed', name: 'Filed', redirect_uris: ['https://filed.example/cb'] };
  const write = (value: object) => writeFileSync(file, JSON.stringify(value));
  const groups = [{ name: 'Filed team', members: [bob] }];
  const allowed = { people: [ada], groups: ['filed TEAM'] };
  write({ applications: [{ ...application, access: 'listed', allowed: { people: ['zed'] } }], groups });
  assert.match(await refused(1, 'apply', '-f', file), /there is no person "zed"\. Nothing was changed\./);
  await refused(1, 'group', 'show', 'Filed team');

  write({ applications: [{ ...application, access: 'listed', allowed }], groups });
  const dry = await run(['apply', '-f', file, '--dry-run']);
  assert.match(dry.stdout, /\+ group "Filed team"\n {4}\+ member: bob@example.test/);
  const applied = await done('apply', '-f', file);
  const step = applied.groups.find(({ name }: { name: string }) => name === 'Filed team');
  const added = { members: { added: [bob], removed: [] } };
  assert.deepEqual(step, { name: 'Filed team', action: 'create', applied: true, changes: added });
  const shown = async () => {
    const { access, allowed: list } = await done('client', 'show', 'filed');
    return { access, ...list };
  };
  assert.deepEqual(await shown(), { access: 'listed', people: [ada], groups: ['Filed team'] });
  assert.match((await run(['apply', '-f', file])).stdout, /0 created, 0 changed, 0 deleted, 2 unchanged/);

  // What the file leaves out stays as it is.
  write({ applications: [application] });
  assert.match((await run(['apply', '-f', file])).stdout, /0 changed/);
  assert.deepEqual(await shown(), { access: 'listed', people: [ada], groups: ['Filed team'] });

  write({
    applications: [{ ...application, access: 'everyone', allowed: { people: [eve] } }],
    groups: [{ name: 'New' }],
  });
  const changed = await run(['apply', '-f', file, '--prune']);
  assert.equal(changed.status, 0, changed.stderr);
  const lines = [
    '~ access: listed → everyone',
    '+ allowed people: eve@example.test',
    '- allowed people: ada@example.test',
  ];
  for (const line of [...lines, '- group "Filed team"\n']) assert.ok(changed.stdout.includes(line), changed.stdout);
  assert.deepEqual(await shown(), { access: 'everyone', people: [eve], groups: [] });
  assert.deepEqual(
    (await done('group', 'list')).map(({ name }: { name: string }) => name),
    ['New'],
  );
});
