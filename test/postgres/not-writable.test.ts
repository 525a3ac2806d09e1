// PostgreSQL that can be read and not written. A read-only database still shows what is true; a standby may not, so nothing
// is served from one.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { Person } from '../harness/person.ts';
import { queryPostgres, startPostgres, type TestPostgres } from '../harness/postgres.ts';
import {
  authorizePath,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let postgres: TestPostgres;
let url: string;
let service: TestService;
let client: TestClient;
let user: TestUser;

before(async () => {
  postgres = await startPostgres();
  url = await postgres.newDatabase();
  service = await startTestService({ DATABASE_URL: url });
  client = await service.newClient();
  user = await service.newUser();
});
after(async () => {
  // The service can't write its journal to a standby that a failed test has left behind.
  await service?.stop().catch(() => {});
  await postgres?.remove();
});

async function readiness(): Promise<{ status: number; reason: string | undefined }> {
  // Longer than a successful write is proof enough.
  service.clock.advance(6);
  const response = await fetch(`${service.url}/readyz`);
  const body = (await response.json()) as { reason?: string };
  if (response.status === 503) assert.ok(Number(response.headers.get('retry-after')) > 0);
  return { status: response.status, reason: body.reason };
}

test('a read-only database: reads continue, and /readyz reports store_not_writable', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  assert.deepEqual(await readiness(), { status: 200, reason: undefined });
  const name = new URL(url).pathname.slice(1);
  const admin = postgres.urlOf('postgres');
  const setReadOnly = async (state: 'on' | 'off') => {
    await queryPostgres(admin, `ALTER DATABASE ${name} SET default_transaction_read_only = ${state}`);
    await queryPostgres(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  };
  await setReadOnly('on');
  // The connections that were closed have to be noticed first.
  await until(async () => (await readiness()).reason === 'store_not_writable', 'nothing can be written');
  await until(async () => (await userinfo(service, tokens.access_token)).status === 200, 'tokens are read');
  await setReadOnly('off');
  await until(async () => (await readiness()).status === 200, 'it can be written again');
});

test("a standby: nothing is served from it until it's promoted", async () => {
  const { tokens } = await obtainTokens(service, client, user);
  await postgres.stop();
  await postgres.startAsStandby();
  const admin = postgres.urlOf('postgres');
  assert.deepEqual(await queryPostgres(admin, 'SELECT pg_is_in_recovery() AS standby'), [{ standby: true }]);

  assert.deepEqual(await readiness(), { status: 503, reason: 'store_unreachable' });
  const refused = await Promise.all([
    userinfo(service, tokens.access_token),
    postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token)),
    new Person(service).visit(authorizePath(client, newVerifier())),
  ]);
  assert.deepEqual(
    refused.map(({ status }) => status),
    [503, 503, 503],
  );
  const port = await freePort();
  const environment = {
    DATABASE_URL: url,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_BASE_URL: `http://localhost:${port}`,
  };
  for (const args of [['client', 'list'], ['serve']]) {
    const { status, stdout, stderr } = await runCommand(args, environment);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^latchkey: .*PostgreSQL is a standby; DATABASE_URL must lead to the primary[^\n]*\n$/);
  }
  await assert.rejects(fetch(`http://localhost:${port}/healthz`), 'the port is free');

  await queryPostgres(admin, 'SELECT pg_promote()');
  await until(async () => (await readiness()).status === 200, 'the promoted server is used');
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(refreshed.status, 200);
});
