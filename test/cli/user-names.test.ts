// Names given to `latchkey user create` are stored the way the profile page stores them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

function createUser(options: string[], password = 'correct horse battery') {
  const environment = { LATCHKEY_BASE_URL: service.baseUrl as string, LATCHKEY_DATA_DIR: service.dataDir };
  return runCommand(['user', 'create', '--password-stdin', '--json', ...options], environment, `${password}\n`);
}

test('surrounding space and invisible characters are removed from every name', async () => {
  const names = ['--name', '  Name\u200b\u202e ', '--given-name', ' Given\u2066', '--family-name', '\ufeffFamily '];
  const created = await createUser(['--email', 'cleaned@example.test', ...names]);
  assert.equal(created.status, 0, created.stderr);
  const { name, given_name, family_name } = JSON.parse(created.stdout);
  assert.deepEqual({ name, given_name, family_name }, { name: 'Name', given_name: 'Given', family_name: 'Family' });

  const [row] = (await service.rows('users')).filter(({ email }) => email === 'cleaned@example.test');
  assert.equal(row?.name, 'Name');
  assert.equal(row?.given_name, 'Given');
  assert.equal(row?.family_name, 'Family');
});

test('a name of invisible characters alone is refused', async () => {
  const created = await createUser(['--email', 'invisible@example.test', '--name', ' \u200b\u202e ']);
  assert.equal(created.status, 1);
  assert.equal(created.stderr, 'latchkey: the name is empty.\n');
});

test('a password that is the name as it is stored is refused', async () => {
  const options = ['--email', 'personal@example.test', '--name', '  Grace Hopper\u200b '];
  const created = await createUser(options, 'Grace Hopper');
  assert.equal(created.status, 1);
  assert.equal(created.stderr, "latchkey: the password is the person's own name or address.\n");
});
