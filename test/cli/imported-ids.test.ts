// Commands name people by the ids that they brought from another service, however those look on a command line.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { newImported } from '../harness/imported.ts';
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

test("an ID that is someone else's email address is refused, with what to use instead", async () => {
  await newImported(service, 'both@example.test', { email: 'first@example.test' });
  await newImported(service, 'second-1', { email: 'both@example.test' });
  const refused = await run('user', 'show', 'both@example.test');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /say first@example\.test for .*, or second-1 for/);
  assert.equal((await run('user', 'show', 'second-1')).status, 0);
});
