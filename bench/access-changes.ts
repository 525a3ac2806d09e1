// node bench/access-changes.ts [MEMBERS] [GRANTS] [DATABASE_URL]: how long it takes to delete a group and to leave an
// application to its list, in a small store and in a large one, and what the look-ups of userinfo and refresh cost for an
// open application and for a listed one. Without a URL it's an embedded store; a database must be empty.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventRecord } from '../src/protocol/event.ts';
import { newTimeOrderedId } from '../src/protocol/identifiers.ts';
import type { Driver } from '../src/storage/driver.ts';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { readMigrations, sqlStorage } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import type { ListedSubjects, Storage } from '../src/storage/storage.ts';
import { median } from './median.ts';

const members = Number(process.argv[2] ?? 100_000);
const grants = Number(process.argv[3] ?? 1_000_000);
const url = process.argv[4];
const lasting = Number.MAX_SAFE_INTEGER;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-access-'));
const driver: Driver = url === undefined ? openSqlite(join(folder, 'latchkey.db')) : openPostgres(url);
await driver.migrate(readMigrations());
const storage: Storage = sqlStorage(driver);
const now = Date.now();

function anEvent(): EventRecord {
  const id = newTimeOrderedId(now, (size) => crypto.getRandomValues(new Uint8Array(size)));
  return { id, at: now, kind: 'group_deleted', address: '', requestId: '' };
}

/** In portions, so that no statement takes longer than the driver allows. */
async function insert(count: number, rowsOf: (numbers: string) => string): Promise<void> {
  const portion = 20_000;
  for (let from = 0; from < count; from += portion) {
    const to = Math.min(count, from + portion);
    const numbers = `WITH RECURSIVE n(i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
    await driver.write([{ sql: rowsOf(numbers), params: [] }]);
  }
}

const people = Math.max(members, 1000);
await insert(
  people,
  (n) => `INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
    ${n} SELECT 'u' || i, 'u' || i || '@example.com', 'u' || i || '@example.com', 'Person', 'hash', 0, ${now}, ${now} FROM n`,
);
const clients = ['open', 'person', 'group', 'history', 'small', 'large'];
for (const id of clients) {
  const sql = `INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at)
    VALUES ($1, 'App', 0, '[]', 'openid', 0, ${now}, ${now})`;
  await driver.write([{ sql, params: [id] }]);
}
async function addGrants(client: string, count: number): Promise<void> {
  await insert(
    count,
    (n) => `INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri,
      code_challenge, auth_time, amr, code_digest, code_expires_at, exchanged_at, refresh_digest, expires_at, delete_after)
      ${n} SELECT '${client}-' || i, 'u' || (1 + i % ${people}), 0, '${client}', 0, 'openid profile email',
      'https://app.example/callback', 'challenge', ${now}, 'pwd', 'digest', ${now}, ${now}, 'digest', ${now + 1e9},
      ${now + 1e9} FROM n`,
  );
}
async function addGroup(id: string, count: number): Promise<void> {
  await storage.createGroup({ id, name: id, createdAt: now, updatedAt: now }, anEvent());
  await insert(
    count,
    (n) => `INSERT INTO group_members (group_id, user_id, began_with, ended_by)
      ${n} SELECT '${id}', 'u' || i, 0, ${lasting} FROM n`,
  );
}
for (const client of ['open', 'person', 'group', 'history', 'small']) await addGrants(client, 1000);
await addGrants('large', grants);
await addGroup('few', 100);
await addGroup('many', members);
await addGroup('readers', 1000);

const nobody = { people: [], groups: [] };
/** Whose grant is the first one of each client. */
const person = () => ({ id: 'u2', event: anEvent() });
const group = () => ({ id: 'readers', event: anEvent() });
const listed = () => ({ to: 'listed', event: anEvent() }) as const;
const change = (allow: Partial<ListedSubjects>, disallow: Partial<ListedSubjects> = {}) => ({
  allow: { ...nobody, ...allow },
  disallow: { ...nobody, ...disallow },
});
await storage.changeAccess('person', { access: listed(), ...change({ people: [person()] }) }, now);
await storage.changeAccess('group', { access: listed(), ...change({ groups: [group()] }) }, now);
// Listed twice, and one of the two taken back: what has ended has to be looked at.
const twice = change({ people: [person()], groups: [group()] });
await storage.changeAccess('history', { access: listed(), ...twice }, now);
await storage.changeAccess('history', change({}, { people: [person()] }), now);

const results: Record<string, unknown> = { members, grants };

/** Microseconds of this process's CPU for each call, and how long each takes. */
async function lookUp(call: () => unknown): Promise<{ cpu: number; elapsed: number }> {
  const calls = 2000;
  const rounds: { cpu: number; elapsed: number }[] = [];
  for (let round = 0; round < 9; round++) {
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    for (let count = 0; count < calls; count++) await call();
    const { user, system } = process.cpuUsage(cpu);
    rounds.push({ cpu: (user + system) / calls, elapsed: ((performance.now() - start) * 1000) / calls });
  }
  const figure = (name: 'cpu' | 'elapsed') => Math.round(median(rounds.map((each) => each[name])) * 10) / 10;
  return { cpu: figure('cpu'), elapsed: figure('elapsed') };
}
for (const client of ['open', 'person', 'group', 'history']) {
  const id = `${client}-1`;
  if ((await storage.findTokenHolder(id, 't', Date.now())) === undefined)
    throw new Error(`the grant of ${client} has ended`);
  const userinfo = await lookUp(() => storage.findTokenHolder(id, 't', Date.now()));
  const refresh = await lookUp(() => storage.findClientAndGrant(client, id, Date.now()));
  results[client] = { userinfo, refresh };
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return Math.round((performance.now() - start) * 100) / 100;
}
const limit = (client: string) => () => storage.changeAccess(client, { access: listed(), ...change({}) }, now);
// The first writes prepare their statements.
await storage.deleteGroup('readers', now, anEvent());
await limit('open')();
results.deleteSmallGroupMs = await timed(() => storage.deleteGroup('few', now, anEvent()));
results.deleteLargeGroupMs = await timed(() => storage.deleteGroup('many', now, anEvent()));
results.switchSmallClientMs = await timed(limit('small'));
results.switchLargeClientMs = await timed(limit('large'));

// Once the grants are gone, the sweep deletes what has ended, 500 rows of each table at a time.
const some = 'DELETE FROM grants WHERE id IN (SELECT id FROM grants LIMIT 20000) RETURNING 1 AS one';
while (((await driver.write([{ sql: some, params: [] }]))?.[0]?.length ?? 0) > 0);
const settledAccessChange = await storage.lastAccessChange();
const limits = { now: 0, keptSessionsSeenBefore: 0, briefSessionsSeenBefore: 0, failuresBefore: 0, eventsBefore: '' };
const portions: number[] = [];
const sweep = () =>
  storage.sweep(
    {
      ...limits,
      devicesSeenBefore: 0,
      mailsBefore: 0,
      signUpLinksBefore: 0,
      totalsBefore: 0,
      requestNotesBefore: 0,
      requestsBefore: 0,
      finishedDeliveries: 1000,
      settledAccessChange,
    },
    500,
  );
results.sweepMs = await timed(async () => {
  for (let rows = 500; rows > 0; ) {
    portions.push(
      await timed(async () => {
        rows = await sweep();
      }),
    );
  }
});
results.longestPortionMs = Math.max(...portions);
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
await storage.close();
rmSync(folder, { recursive: true });
