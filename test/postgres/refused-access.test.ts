// A role or a database that is missing, or that may no longer be used: a sentence at the command line, 503 while serving,
// and recovery without a restart.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { runCommand } from '../harness/command.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

after(removeSharedPostgres);

/** A migrated database that belongs to a role of its own. */
async function databaseOfItsOwn(role: string) {
  const postgres = await sharedPostgres();
  const admin = await postgres.newDatabase();
  const name = new URL(admin).pathname.slice(1);
  await queryPostgres(
    admin,
    `CREATE ROLE ${role} LOGIN PASSWORD 'hush'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
      REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO ${role}`,
  );
  const disconnect = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '${role}'`;
  const change = async (sql: string) => {
    await queryPostgres(admin, sql);
    await queryPostgres(admin, disconnect);
  };
  return { name, url: `postgres://${role}:hush@localhost:${postgres.port}/${name}`, change };
}

for (const [what, user, database, reason] of [
  ['role', 'nobody_known', 'postgres', 'role "nobody_known" does not exist'],
  ['database', 'latchkey', 'none', 'database "none" does not exist'],
]) {
  test(`a ${what} that doesn't exist is reported in one sentence, without the password`, async () => {
    const { port } = await sharedPostgres();
    const environment = {
      DATABASE_URL: `postgres://${user}:hush@localhost:${port}/${database}`,
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    };
    const [doctor, ...results] = await Promise.all(
      [['doctor'], ['serve'], ['migrate']].map((args) => runCommand(args, environment)),
    );
    for (const { status, stderr } of results) {
      assert.equal(status, 1);
      const sentence = `PostgreSQL refuses access: ${reason}; check DATABASE_URL`;
      assert.equal(stderr, `latchkey: the store isn't available right now (${sentence}). Nothing was changed.\n`);
    }
    assert.match(doctor?.stdout ?? '', new RegExp(`problem +store +PostgreSQL doesn't respond: .*${reason}`));
    assert.equal(doctor?.stdout.includes('hush'), false);
  });
}

test("losing database access while serving gives 503 with Retry-After until it's restored", async () => {
  const role = `own_${process.pid}`;
  const { name, url, change } = await databaseOfItsOwn(role);
  const service = await startTestService({ DATABASE_URL: url });
  const paths = ['/readyz', '/oauth-authorize?client_id=x', '/healthz'];
  const statuses = async () => {
    const statuses: number[] = [];
    for (const path of paths) {
      const response = await fetch(service.url + path);
      statuses.push(response.status);
      if (response.status === 503) assert.match(response.headers.get('retry-after') ?? '', /^\d+$/, path);
    }
    return statuses;
  };
  // A request may still meet a connection that was closed, which the service hasn't noticed yet.
  const becomes = (expected: readonly number[], what: string) =>
    until(async () => isDeepStrictEqual(await statuses(), expected), `${expected} after ${what}`);
  try {
    const usual = await statuses();
    assert.ok(usual.every((status) => status < 500));
    for (const [take, give] of [
      [`ALTER ROLE ${role} NOLOGIN`, `ALTER ROLE ${role} LOGIN`],
      [`REVOKE CONNECT ON DATABASE ${name} FROM ${role}`, `GRANT CONNECT ON DATABASE ${name} TO ${role}`],
      [`REVOKE SELECT ON clients FROM ${role}`, `GRANT SELECT ON clients TO ${role}`],
    ] as const) {
      await change(take);
      await becomes([503, 503, 200], take);
      assert.deepEqual(await statuses(), [503, 503, 200], 'not only for the connections that were closed');
      await change(give);
      await becomes(usual, give);
    }
  } finally {
    await service.stop();
  }
});
