// A service that is killed between a change and its delivery, or in the middle of a delivery, delivers after all.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { composeServices } from '../../src/cli/compose.ts';
import { createWebhook } from '../../src/operations/webhooks/endpoints.ts';
import { readConfig } from '../../src/platform/config.ts';
import { obtainTokens } from '../harness/relying-party.ts';
import { populate, Served } from '../harness/served.ts';
import { requester } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { allowLoopback } from '../harness/webhooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-webhooks-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Answers no request until it is told to, and keeps the messages that it has answered. */
async function reluctantReceiver() {
  const heard = new Map<string, { type: string; data: { sub: string } }>();
  let [willing, asked] = [false, 0];
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    asked++;
    if (!willing) return;
    heard.set(String(request.headers['webhook-id']), JSON.parse(body));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard,
    asked: () => asked,
    becomeWilling() {
      willing = true;
    },
  };
}

test('kill -9 loses no message about an acknowledged change', async () => {
  const receiver = await reluctantReceiver();
  const served = await Served.at({ LATCHKEY_DATA_DIR: folder, ...allowLoopback });
  const { client, users } = await populate(served.environment, 3);
  const { services, close } = await composeServices(readConfig(served.environment));
  const types = ['sign_in.succeeded', 'consent.given'];
  const created = await createWebhook(services, { url: receiver.url, types }, requester);
  assert.equal(created.kind, 'done');
  await close();

  const [first = assert.fail(), ...others] = users;
  await served.start();
  await obtainTokens(served.service, client, first);
  await until(() => receiver.asked() > 0, 'the first message is under way');
  // Killed in the middle of a delivery, and right after changes that nobody was told of yet.
  await Promise.all(others.map((user) => obtainTokens(served.service, client, user)));
  await served.end('SIGKILL');
  receiver.becomeWilling();
  await served.start();
  try {
    const expected = users.flatMap(({ id }) => types.map((type) => `${type} ${id}`)).sort();
    const heard = () => [...receiver.heard.values()].map(({ type, data }) => `${type} ${data.sub}`).sort();
    await until(
      () => heard().length >= expected.length,
      () => `${heard().length} messages`,
      40,
    );
    assert.deepEqual(heard(), expected);
  } finally {
    await served.end('SIGTERM');
  }
});
