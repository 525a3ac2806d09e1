// Commands name people by the ids that they brought from another service, however those look on a command line.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { callLikeAnother, newImported } from '../harness/imported.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

function run(...args: string[]) {
  return runCommand(args, { LATCHKEY_BASE_URL: service.baseUrl ?? '', LATCHKEY_DATA_DIR: service.dataDir });
}

test('an ID is shown unchanged and identifies its person', async () => {
  const { id, email } = await newImported(service, 'auth0|5f7c:8ec@x');
  const shown = await run('user', 'show', id, '--json');
  assert.deepEqual([shown.status, JSON.parse(shown.stdout).id], [0, id]);
  const listed = await run('events', '--user', email, '--json');
  assert.match(listed.stdout, /"user_id": ?"auth0\|5f7c:8ec@x"/);
});

test('an ID that starts with a hyphen is passed after --', async () => {
  const { id, email } = await newImported(service, '-rf');
  const disabled = await run('user', 'disable', '--json', '--', id);
  assert.deepEqual([disabled.status, JSON.parse(disabled.stdout).email], [0, email]);
  const events = await run('events', `--user=${id}`);
  assert.match(events.stdout, /user_disabled/);
  const mistaken = await run('user', 'show', id);
  assert.equal(mistaken.status, 2);
  assert.match(mistaken.stderr, /unknown option "-r"/);
});

test("of an ID and someone else's email address or username, the ID is meant, and doctor says so", async () => {
  await newImported(service, 'both@example.test', { email: 'first@example.test' });
  await newImported(service, 'ada', { email: 'ada-id@example.test' });
  const second = await newImported(service, 'second-1');
  await callLikeAnother(service, second, { email: 'both@example.test' });
  await callLikeAnother(service, second, { username: 'Ada' });
  for (const [named, email] of [
    ['both@example.test', 'first@example.test'],
    ['second-1', 'both@example.test'],
  ] as const) {
    const shown = await run('user', 'show', named, '--json');
    assert.deepEqual([shown.status, JSON.parse(shown.stdout).email], [0, email]);
  }
  assert.equal((await run('user', 'disable', 'both@example.test')).status, 0);
  assert.match((await run('events', '--user', 'second-1')).stdout, /user_created/);
  assert.match((await run('events', '--user', 'both@example.test', '--kind', 'user_disabled')).stdout, /user_disabled/);
  assert.doesNotMatch((await run('events', '--user', 'ada')).stdout, /second-1/);
  const found = JSON.parse((await run('doctor', '--json')).stdout) as { about: string; text: string }[];
  const names = found.filter(({ about }) => about === 'names').map(({ text }) => text);
  assert.equal(names.length, 2);
  assert.match(names.join('\n'), /the email address both@example\.test of second-1 is the ID of another person/);
  assert.match(names.join('\n'), /the username ada of second-1 is the ID of another person/);
});
