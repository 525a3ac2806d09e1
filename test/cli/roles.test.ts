// latchkey user … --role

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function run(...args: string[]) {
  return runCommand(['user', ...args], {
    LATCHKEY_BASE_URL: service.baseUrl as string,
    LATCHKEY_DATA_DIR: service.dataDir,
  });
}

async function json(...args: string[]) {
  const result = await run(...args, '--json');
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

test('a person is created with roles, which show and list have', async () => {
  const create = (email: string, ...more: string[]) =>
    json('create', '--email', email, '--name', 'N', '--no-password', ...more);
  assert.deepEqual((await create('a@example.test', '--admin')).roles, ['administrator']);
  assert.deepEqual((await create('b@example.test', '--admin', '--role', 'auditor')).roles, [
    'administrator',
    'auditor',
  ]);
  assert.deepEqual((await create('c@example.test', '--role', 'people', '--role', 'applications')).roles, [
    'applications',
    'people',
  ]);
  assert.deepEqual((await create('d@example.test', '--role', 'none')).roles, []);
  const made = await create('e@example.test', '--role', 'administrator');
  assert.deepEqual([made.admin, made.roles], [true, ['administrator']]);
  const said = await run('create', '--email', 'f@example.test', '--name', 'N', '--no-password', '--role', 'people');
  assert.match(said.stdout, /\n {2}roles {5}people\n/);
  assert.match((await run('show', 'c@example.test')).stdout, /administrator +no\n *roles +applications, people\n/);
  assert.match((await run('show', 'd@example.test')).stdout, /roles +none\n/);
  assert.match((await run('list')).stdout, /NAME +ROLES[\s\S]*c@example\.test +N +applications, people\n/);
  assert.doesNotMatch((await run('list', '--search', 'd@example.test')).stdout, /ROLES/);
});

test('update replaces roles, alone or with something else', async () => {
  const { email } = await service.newUser();
  assert.deepEqual((await json('update', email, '--role', 'people')).roles, ['people']);
  const both = await json('update', email, '--role', 'auditor', '--name', 'Renamed');
  assert.deepEqual([both.roles, both.name], [['auditor'], 'Renamed']);
  assert.deepEqual((await json('update', email, '--name', 'Again')).roles, ['auditor']);
  assert.deepEqual((await json('update', email, '--role', 'none')).roles, []);
  const update = async (...more: string[]) => (await run('update', email, ...more)).stdout;
  assert.equal(
    await update('--role', 'people', '--role', 'auditor'),
    `Updated Again <${email}>. Roles: auditor, people.\n`,
  );
  assert.equal(await update('--role', 'none'), `Updated Again <${email}>. Roles: none.\n`);
  assert.equal(await update('--name', 'Last'), `Updated Last <${email}>.\n`);
});

test('what is no role, or none together with one, is refused', async () => {
  const { email } = await service.newUser();
  const unknown = await run('update', email, '--role', 'root');
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /a role must be one of administrator, people, applications, auditor/);
  const both = await run('update', email, '--role', 'none', '--role', 'people');
  assert.deepEqual([both.status, /can't be combined/.test(both.stderr)], [2, true]);
});

test('help names the roles, and how to remove them where there can be some', async () => {
  const help = async (command: string) => (await run(command, '--help')).stdout.replace(/\s+/g, ' ');
  const about = 'a role in administration: administrator, people, applications, auditor';
  for (const command of ['create', 'invite']) {
    assert.ok((await help(command)).includes(`--role NAME ${about} (can be repeated)`), command);
  }
  assert.ok((await help('update')).includes(`--role NAME ${about}; "none" removes all (can be repeated)`));
});

test('an invitation carries roles', async () => {
  const made = await json('invite', '--email', 'guest@example.test', '--role', 'people', '--role', 'auditor');
  assert.deepEqual([made.roles, made.admin], [['auditor', 'people'], false]);
  assert.match((await run('invitations')).stdout, /ROLES[\s\S]*guest@example\.test[^\n]*auditor, people/);
});
