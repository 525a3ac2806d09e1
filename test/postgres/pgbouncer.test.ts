// Behind PgBouncer in transaction mode, as operators run it: each transaction may reach another process of PostgreSQL, so
// nothing may rely on what an earlier one has left there.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { type Pooler, pgbouncerUnavailable, startPgbouncer } from '../harness/pgbouncer.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const missing = pgbouncerUnavailable();
const options = missing === undefined ? {} : { skip: missing };

let pooler: Pooler | undefined;
let service: TestService;
let direct: string;
let pooled: string;

before(async () => {
  if (missing !== undefined) return;
  const postgres = await sharedPostgres();
  direct = await postgres.newDatabase();
  pooler = await startPgbouncer(postgres.port);
  pooled = pooler.through(direct);
  service = await startTestService({ DATABASE_URL: pooled });
});
after(async () => {
  await service?.stop();
  await pooler?.stop();
  await removeSharedPostgres();
});

test('everything works behind PgBouncer in transaction mode', options, async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 8 }, () => service.newUser()));
  const rounds = users.map(async (user) => {
    const { tokens } = await obtainTokens(service, client, user);
    const statuses: number[] = [];
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        userinfo(service, tokens.access_token),
        postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token)),
      ]);
      statuses.push(...answers.map(({ status }) => status));
    }
    return statuses;
  });
  assert.deepEqual(new Set((await Promise.all(rounds)).flat()), new Set([200]));
  assert.equal((await service.events('code_exchanged')).length, users.length);
});

test('latchkey migrate works through it', options, async () => {
  const empty = new URL(await (await sharedPostgres()).newDatabase({ migrated: false }));
  empty.port = new URL(pooled).port;
  const migrated = await runCommand(['migrate'], { DATABASE_URL: empty.href });
  assert.equal(migrated.status, 0, migrated.stderr);
  const again = await runCommand(['migrate', '--json'], { DATABASE_URL: empty.href });
  assert.equal(again.status, 0, again.stderr);
});

test('no setting is left on a connection', options, async () => {
  const names = ['enable_seqscan', 'enable_hashjoin', 'statement_timeout'];
  const sql = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
  const [untouched] = await queryPostgres(direct, sql);
  const seen = await Promise.all(Array.from({ length: 6 }, () => queryPostgres(pooled, sql)));
  assert.deepEqual(
    seen.flat(),
    seen.map(() => untouched),
  );
});
