// The back-channel logout URI on the command line and in a file for apply.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { present } from '../harness/backchannel-logout.ts';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { allowLoopback } from '../harness/webhooks.ts';

const uri = 'http://127.0.0.1:9/logout';

let service: TestService;
before(async () => {
  service = await startTestService(allowLoopback);
});
after(() => service?.stop());

const run = (args: string[], environment: Record<string, string> = allowLoopback) =>
  runCommand(args, { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir, ...environment });

async function json(...args: string[]) {
  const result = await run([...args, '--json']);
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

const option = '--backchannel-logout-uri';
const registration = ['client', 'create', '--name', 'Photos', '--redirect-uri', 'https://photos.example/cb'];

test('it is set when an application is created, shown with its state, and removed with ""', async () => {
  const created = await json(...registration, option, uri);
  const { client_id, client_secret, backchannel_logout_uri, backchannel_logout } = created;
  assert.deepEqual([backchannel_logout_uri, backchannel_logout], [uri, 'waiting_for_secret']);
  assert.match((await run(['client', 'show', client_id])).stdout, /^back-channel logout +waiting_for_secret$/m);
  const client = { id: client_id, secret: client_secret, redirectUri: 'https://photos.example/cb' };
  const record = await service.running.services.storage.findClient(client_id);
  assert.ok(record);
  await present(service, { ...client, record });
  assert.equal((await json('client', 'show', client_id)).backchannel_logout, 'ready');
  assert.match((await run(['client', 'show', client_id])).stdout, /^back-channel logout URI +http:\/\/127\.0\.0\.1/m);
  const removed = await json('client', 'update', client_id, option, '');
  assert.deepEqual([removed.backchannel_logout_uri, removed.backchannel_logout], [null, null]);
});

test('it is refused where it could reach what only this machine can, and for a public client', async () => {
  const alone = await run([...registration, option, uri], {});
  assert.equal(alone.status, 1);
  assert.match(alone.stderr, /LATCHKEY_WEBHOOK_NETWORKS/);
  const open = await run([...registration, '--public', option, uri]);
  assert.equal(open.status, 1);
  assert.match(open.stderr, /public client/);
  const { client_id } = await json(...registration, option, uri);
  const later = await run(['client', 'update', client_id, '--public']);
  assert.equal(later.status, 1);
  assert.match(later.stderr, /public client/);
});

test('a file for apply sets, keeps and removes it, and the export has it', async () => {
  const file = join(service.dataDir, 'apply.json');
  const application = { client_id: 'album', name: 'Album', redirect_uris: ['https://album.example/cb'] };
  const apply = async (more: object) => {
    writeFileSync(file, JSON.stringify({ applications: [{ ...application, ...more }] }));
    const result = await run(['apply', '-f', file, '--yes']);
    assert.equal(result.status, 0, result.stderr);
  };
  const current = async () => (await json('client', 'show', 'album')).backchannel_logout_uri;
  await apply({ backchannel_logout_uri: uri });
  assert.equal(await current(), uri);
  await apply({});
  assert.equal(await current(), uri);
  const exported = await run(['apply', '--export', '-f', join(service.dataDir, 'exported.json')]);
  assert.equal(exported.status, 0, exported.stderr);
  await apply({ backchannel_logout_uri: null });
  assert.equal(await current(), null);
});
