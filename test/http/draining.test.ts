// A service that was asked to stop says so to load balancers and lets go of connections, and goes on serving meanwhile.

import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

interface Reply {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

function ask(path: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    get(`${service.url}${path}`, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection, body });
      });
    }).on('error', reject);
  });
}

const paths = [
  ['an OAuth endpoint', '/.well-known/openid-configuration', 200],
  ['an error of an OAuth endpoint', '/oauth/userinfo', 401],
  ['a page', '/sign-in', 200],
  ['an unknown path', '/nothing', 404],
  ['the liveness check', '/healthz', 200],
] as const;

test("before it's asked to stop, it's ready and keeps connections open", async () => {
  assert.deepEqual(await ask('/readyz'), { status: 200, connection: 'keep-alive', body: '{"status":"ready"}' });
  for (const [name, path] of paths) assert.equal((await ask(path)).connection, 'keep-alive', name);
});

test("while draining it isn't ready, and every response closes its connection", async () => {
  service.running.drain();
  assert.deepEqual(await ask('/readyz'), { status: 503, connection: 'close', body: '{"status":"draining"}' });
  for (const [name, path, status] of paths) {
    const reply = await ask(path);
    assert.deepEqual([reply.status, reply.connection], [status, 'close'], name);
  }
});
