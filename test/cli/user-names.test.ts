// Names given to `latchkey user create` are stored the way the profile page stores them, and usernames are shown.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

function environment(): Record<string, string> {
  return { LATCHKEY_BASE_URL: service.baseUrl ?? '', LATCHKEY_DATA_DIR: service.dataDir };
}

function createUser(options: string[], password = 'correct horse battery') {
  return runCommand(['user', 'create', '--password-stdin', '--json', ...options], environment(), `${password}\n`);
}

test('surrounding whitespace and invisible characters are removed from every name', async () => {
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

test('a username is shown, as text and as JSON', async () => {
  const { email } = await service.newUser();
  const show = (...options: string[]) => runCommand(['user', 'show', email, ...options], environment());
  assert.equal(JSON.parse((await show('--json')).stdout).preferred_username, null);
  assert.doesNotMatch((await show()).stdout, /username/);

  const user = await service.running.services.storage.findUserByEmail(email);
  assert.ok(user);
  const { services } = service.running;
  const event = services.journal.event({ kind: 'profile_changed', userId: user.id }, requester);
  await services.storage.changeProfile(user.id, { ...user, preferredUsername: 'Ada' }, services.clock.now(), event);
  assert.equal(JSON.parse((await show('--json')).stdout).preferred_username, 'Ada');
  assert.match((await show()).stdout, /^username +Ada$/m);
});

test('a name of only invisible characters is refused', async () => {
  const created = await createUser(['--email', 'invisible@example.test', '--name', ' \u200b\u202e ']);
  assert.equal(created.status, 1);
  assert.equal(created.stderr, 'latchkey: the name is empty.\n');
});

test('a password equal to the stored name is refused', async () => {
  const options = ['--email', 'personal@example.test', '--name', '  Grace Hopper\u200b '];
  const created = await createUser(options, 'Grace Hopper');
  assert.equal(created.status, 1);
  assert.equal(created.stderr, "latchkey: the password is the person's own name or email address.\n");
});
