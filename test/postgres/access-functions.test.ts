// PostgreSQL has the conditions of access as functions, and the embedded store in its statements. Both have to say the same:
// asked side by side about lists and groups that were made up at random.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { access, lasting } from '../../src/storage/groups/access-conditions.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';

let connection: pg.Client;

before(async () => {
  connection = new pg.Client({ connectionString: await (await sharedPostgres()).newDatabase() });
  await connection.connect();
});
after(async () => {
  await connection?.end();
  await removeSharedPostgres();
});

const changes = 12;
/** Half of what begins goes on. */
const began = `floor(random() * ${changes})::bigint`;
const range = `SELECT b, CASE WHEN random() < 0.5 THEN ${lasting} ELSE b + floor(random() * 6)::bigint END AS e
  FROM (SELECT ${began} AS b, n) AS beginning`;
/** Half of it has no end, and the others end before or after the time that is asked about. */
const end = 'CASE WHEN random() < 0.5 THEN floor(random() * 3)::bigint END';
const now = '1';

test('the functions say the same as the conditions that are written out', async () => {
  await connection.query(`
    SELECT setseed(0.26);
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
      SELECT 'u' || n, 'u' || n, 'u' || n, 'Person', 'h', 0, n, n FROM generate_series(1, 40) n;
    INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at, access, was_listed)
      SELECT 'c' || n, 'App', 0, '[]', 'openid', 0, n, n, CASE WHEN n % 4 = 0 THEN 'everyone' ELSE 'listed' END,
        CASE WHEN n = 4 THEN 0 ELSE 1 END FROM generate_series(1, 8) n;
    INSERT INTO groups (id, name, created_at, updated_at, ended_by)
      SELECT 'gr' || n, 'Group', n, n, e FROM generate_series(1, 6) n CROSS JOIN LATERAL (${range}) AS r;
    INSERT INTO group_members (group_id, user_id, began_with, ended_by, expires_at)
      SELECT 'gr' || g, 'u' || n, b, e, ${end} FROM generate_series(1, 6) g, generate_series(1, 40) n
        CROSS JOIN LATERAL (${range}) AS r WHERE random() < 0.3;
    INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by, expires_at)
      SELECT 'c' || c, 'group', 'gr' || n, b, e, ${end} FROM generate_series(1, 8) c, generate_series(1, 6) n
        CROSS JOIN LATERAL (${range}) AS r WHERE random() < 0.4;
    INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by, expires_at)
      SELECT 'c' || c, 'person', 'u' || n, b, e, ${end} FROM generate_series(1, 8) c, generate_series(1, 40) n
        CROSS JOIN LATERAL (${range}) AS r WHERE random() < 0.3;
    INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
      SELECT 'c' || n, 'everyone', '', b, e FROM generate_series(1, 8) n CROSS JOIN LATERAL (${range}) AS r
        WHERE random() < 0.4`);
  const { rows } = await connection.query<{ has: boolean; had: boolean; called: boolean[]; n: number }>(`
    SELECT has, had, called, count(*)::int AS n FROM (
      SELECT ${access.embedded.hasAccess('g.user_id', now)} AS has, ${access.embedded.isUnbroken(now)} AS had,
        ARRAY[${access.server.hasAccess('g.user_id', now)}, ${access.server.isUnbroken(now)}] AS called
      FROM clients c CROSS JOIN (SELECT u.id AS user_id, since AS access_change
        FROM users u CROSS JOIN generate_series(0, ${changes + 6}) AS since) AS g) AS asked
    GROUP BY has, had, called`);
  for (const { has, had, called } of rows) assert.deepEqual(called, [has, had]);
  // Every combination that there can be has occurred.
  assert.deepEqual(rows.map(({ has, had }) => `${has} ${had}`).sort(), ['false false', 'true false', 'true true']);
});
