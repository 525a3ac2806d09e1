// latchkey access-request list, allow and decline.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, askableClient } from '../harness/access-requests.ts';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { mailsTo } from '../harness/store.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

const run = (...args: string[]) =>
  runCommand(['access-request', ...args], {
    LATCHKEY_BASE_URL: service.baseUrl as string,
    LATCHKEY_DATA_DIR: service.dataDir,
  });

async function json(...args: string[]) {
  const { status, stdout, stderr } = await run(...args, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test('requests are listed with filters, allowed and declined', async () => {
  assert.match((await run('list')).stdout, /No access requests\./);
  const client = await askableClient(service, { name: 'Photos' });
  const first = await ask(service, { client, note: 'Because' });
  service.clock.advance(1);
  const second = await ask(service);
  const listed = await json('list', '--status', 'open');
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    [second.id, first.id],
  );
  const [found, ...none] = await json('list', '--application', 'photos', '--person', first.user.email);
  assert.deepEqual([found.id, found.note, found.status, none], [first.id, 'Because', 'open', []]);
  assert.match((await run('list')).stdout, new RegExp(`${first.id} .*${first.user.email} .*Photos .*Because`));

  const allowed = await run('allow', first.id, '--expires', '90d');
  assert.equal(allowed.status, 0, allowed.stderr);
  assert.match(allowed.stdout, new RegExp(`^Allowed: ${first.user.email} can use "Photos" until `));
  assert.equal(await service.running.services.storage.hasAccess(client.id, first.user.id, service.clock.now()), true);

  const declined = await run('decline', second.id, '--reason', 'Ask again next year.');
  assert.equal(declined.status, 0, declined.stderr);
  const emails = await mailsTo(service, second.user.email);
  assert.ok(emails.some(({ text }) => text.includes('Ask again next year.')));

  for (const words of [
    ['allow', first.id],
    ['decline', second.id],
  ]) {
    const { status, stderr } = await run(...words);
    assert.equal(status, 1);
    assert.match(stderr, /The request was (allowed|declined) before|the request was (allowed|declined) before/);
  }
  assert.match((await run('allow', 'nosuchrequest')).stderr, /there is no request "nosuchrequest"/i);
});
