// People and groups of a directory on the command line, which may change what the directory owns.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../../src/protocol/identifiers.ts';
import { runCommand } from '../harness/command.ts';
import { newDirectory } from '../harness/scim.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function run(...args: string[]) {
  const result = await runCommand(args, {
    LATCHKEY_BASE_URL: service.baseUrl as string,
    LATCHKEY_DATA_DIR: service.dataDir,
  });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

test('a person says which directory they belong to, and is corrected', async () => {
  const email = 'ada@example.test';
  await (await newDirectory(service)).create(email, { displayName: 'Ada Lovelace' });
  assert.equal((await json('user', 'show', email)).managed_by, 'entra');
  assert.match(await run('user', 'show', email), /managed by +entra\n/);
  const other = await service.newUser();
  assert.equal((await json('user', 'show', other.email)).managed_by, null);
  assert.doesNotMatch(await run('user', 'show', other.email), /managed by/);
  const changed = await json('user', 'update', email, '--name', 'Ada King');
  assert.deepEqual([changed.name, changed.managed_by], ['Ada King', 'entra']);
});

test('a group says which directory it belongs to, and is corrected', async () => {
  const { storage, journal, random, clock } = service.running.services;
  const times = { createdAt: clock.now(), updatedAt: clock.now() };
  const group = { id: newId(random), name: 'Engineering', managedBy: 'entra', ...times };
  await storage.createGroup(group, journal.event({ kind: 'group_created', detail: { group: group.name } }, requester));
  const { email } = await service.newUser();
  await run('group', 'create', 'Staff');
  const listed: { name: string; managed_by: unknown }[] = await json('group', 'list');
  assert.deepEqual(
    listed.map(({ name, managed_by: source }) => [name, source]),
    [
      ['Engineering', 'entra'],
      ['Staff', null],
    ],
  );
  assert.match(await run('group', 'show', 'Engineering'), /managed by +entra\n/);
  assert.deepEqual((await json('group', 'add', 'Engineering', email)).members, [email]);
  assert.equal((await json('group', 'update', 'Engineering', '--name', 'Engineers')).name, 'Engineers');
});
