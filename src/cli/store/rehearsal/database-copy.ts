// The copy of a PostgreSQL database in another one, which was empty and is empty again afterwards. It's made with pg_dump and
// pg_restore if they're installed and can read the server, or else from one snapshot of the old schema's tables.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../../platform/config.ts';
import { HOUR } from '../../../protocol/durations.ts';
import { messageOf } from '../../../protocol/reading/caught-errors.ts';
import { readDatabaseUrl } from '../../../protocol/reading/database-url.ts';
import type { Driver, Migration, SnapshotReader } from '../../../storage/driver.ts';
import { openPostgres } from '../../../storage/postgres/postgres.ts';
import { CommandFailed, UsageError } from '../../command.ts';
import { countsOf } from '../store-of-backup.ts';
import { watchDatabase } from './lock-waits.ts';
import { type Counts, columnsOf, keptTables, type StoreCopy, type Take } from './store-copy.ts';

export async function withDatabaseCopy<Result>(
  config: Config,
  target: string | undefined,
  migrations: readonly Migration[],
  take: Take,
  work: (copy: StoreCopy) => Promise<Result>,
): Promise<Result> {
  if (target === undefined) throw new UsageError('name an empty database for the copy with --copy');
  const reading = readDatabaseUrl(target);
  if (reading.kind === 'invalid') throw new UsageError(reading.problem.replace('DATABASE_URL', '--copy'));
  const source = config.databaseUrl ?? '';
  const original = openPostgres(source);
  const driver = openPostgres(target);
  try {
    await requireOther(original, driver);
    return await emptiedAfterwards(driver, target, async () => {
      const applied = new Set((await original.appliedMigrations()).map(({ version }) => version));
      const known = migrations.filter(({ version }) => applied.has(version));
      const { made, counts } = await take('copy the store', () =>
        copyDatabase({ original, driver, source, target, known }),
      );
      return await work({
        config: { ...config, databaseUrl: target },
        driver,
        counts,
        made,
        size: async () =>
          Number((await driver.read('SELECT pg_database_size(current_database()) AS size', []))[0]?.size),
        watchLocks: async () => watchDatabase(openPostgres(target, { timeout: HOUR })),
      });
    });
  } finally {
    await Promise.all([original.close(), driver.close()]);
  }
}

const identity = `SELECT (SELECT system_identifier FROM pg_control_system())::text || ' ' || oid AS id
  FROM pg_database WHERE datname = current_database()`;

/** What nobody has made but PostgreSQL and its extensions doesn't count. `n` is the schema of `object`. */
const isOwn = (object: string) => `n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = ${object}.oid AND d.deptype = 'e')`;

const anything = `SELECT 1 AS one FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${isOwn('c')} LIMIT 1`;

/** Whether nobody has made anything in a database, neither Latchkey nor another program. */
export async function isUntouched(driver: Driver): Promise<boolean> {
  return (await driver.read(anything, [])).length === 0;
}

async function requireOther(original: Driver, copy: Driver): Promise<void> {
  const [[one], [other], isEmpty] = await Promise.all([
    original.read(identity, []),
    copy.read(identity, []),
    isUntouched(copy),
  ]);
  if (one?.id === other?.id)
    throw new CommandFailed('--copy names the store itself. Name another database, an empty one.');
  if (!isEmpty) throw new CommandFailed("the database that --copy names isn't empty. Name an empty one.");
}

/** Also if the command is interrupted. */
async function emptiedAfterwards<Result>(driver: Driver, target: string, work: () => Promise<Result>): Promise<Result> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (signal: NodeJS.Signals) => {
    const end = () => {
      process.off(signal, stop);
      process.kill(process.pid, signal);
    };
    emptyInUse(target).then(end, end);
  };
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, stop);
    await empty(driver);
  }
}

const dropEach = (kind: string, names: string) => `FOR found IN SELECT ${names} LOOP
    EXECUTE 'DROP ${kind} IF EXISTS ' || found.name || ' CASCADE';
  END LOOP;`;
const relations = (kinds: string) =>
  `c.oid::regclass AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN (${kinds}) AND ${isOwn('c')}`;

/** One by one: the schema itself may belong to someone else. */
const emptying = `DO $$ DECLARE found RECORD; BEGIN
  ${dropEach('TABLE', relations("'r', 'p'"))}
  ${dropEach('VIEW', relations("'v'"))}
  ${dropEach('SEQUENCE', relations("'S'"))}
  ${dropEach(
    'ROUTINE',
    `p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${isOwn('p')}`,
  )}
END $$`;

async function empty(driver: Driver): Promise<void> {
  await driver.fill((filling) => filling.write([{ sql: emptying, params: [] }]));
}

const endingOthers = `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`;

/** Nobody but this command is there. What it's doing ends first, and may have to be ended again. */
async function emptyInUse(target: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const driver = openPostgres(target);
    try {
      await driver.fill(async (filling) => {
        await filling.read(endingOthers, []);
        await filling.write([{ sql: emptying, params: [] }]);
      });
      if (await isUntouched(driver)) return;
    } catch {
      // Tried again.
    } finally {
      await driver.close();
    }
    await wait(200);
  }
}

interface Databases {
  readonly original: Driver;
  readonly driver: Driver;
  readonly source: string;
  readonly target: string;
  /** The migrations that the original has. */
  readonly known: readonly Migration[];
}

async function copyDatabase(databases: Databases): Promise<{ made: string; counts: Counts }> {
  const { original } = databases;
  return original.snapshot(async (snapshot) => {
    const reader = { engine: original.engine, read: snapshot.read };
    const counts = await countsOf(snapshot, await keptTables(reader));
    const [row] = await snapshot.read('SELECT pg_export_snapshot() AS id', []);
    const isSpread = original.isSpread?.() === true;
    const problem = isSpread ? 'its tables are on several servers' : await dump(databases, String(row?.id));
    if (problem === undefined) return { made: 'pg_dump', counts };
    await empty(databases.driver);
    await copyTables(reader, databases);
    return { made: `an export (${problem})`, counts };
  });
}

/** Straight into the other database. What went wrong, or undefined. */
async function dump({ source, target }: Databases, snapshot: string): Promise<string | undefined> {
  // Without a password, they would ask for one on the terminal.
  const own = ['--no-password', '--no-owner', '--no-privileges', '--no-comments'];
  const from = spawn('pg_dump', ['--format=custom', `--snapshot=${snapshot}`, ...own], {
    env: libpqEnvironment(source),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const into = spawn(
    'pg_restore',
    ['--exit-on-error', '--single-transaction', ...own, `--dbname=${databaseOf(target)}`],
    {
      env: libpqEnvironment(target),
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  // What one of them writes to the other when that has ended is of no interest.
  into.stdin.on('error', () => {});
  from.stdout.pipe(into.stdin);
  const outcomes = await Promise.all(
    [from, into].map(async (child) => {
      const said = text(child.stderr);
      // Rejects if it isn't installed.
      return once(child, 'close').then(
        async ([status]) => (status === 0 ? undefined : ((await said).trim().split('\n')[0] ?? 'it failed')),
        (error: Error) => ('code' in error && error.code === 'ENOENT' ? 'pg_dump is not installed' : messageOf(error)),
      );
    }),
  );
  return outcomes.find((outcome) => outcome !== undefined);
}

function databaseOf(url: string): string {
  const reading = readDatabaseUrl(url);
  return reading.kind === 'valid' ? (reading.address.database ?? reading.address.user ?? '') : '';
}

/** Not on the command line, which every user of the machine can read. */
function libpqEnvironment(url: string): NodeJS.ProcessEnv {
  const reading = readDatabaseUrl(url);
  if (reading.kind === 'invalid') throw new CommandFailed(`${reading.problem}.`);
  const { host, port, user, password, database, protection, options } = reading.address;
  const tls = protection.kind === 'tls' ? protection : undefined;
  const mode = tls === undefined ? 'disable' : tls.verified ? 'verify-full' : 'require';
  const given = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGOPTIONS: options,
    PGSSLMODE: mode,
    PGSSLROOTCERT: tls?.verified === true ? (tls.rootCertificate ?? 'system') : undefined,
    PGSSLCERT: tls?.certificate,
    PGSSLKEY: tls?.key,
  };
  // Credentials that aren't in the URL are those that our own connections use (decision 44).
  const others = Object.entries(process.env).filter(
    ([name]) => /^PG(USER|PASSWORD|PASSFILE)$/.test(name) || !/^(PG|LATCHKEY_|DATABASE_URL)/.test(name),
  );
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...others, ...set]);
}

const pageSize = 500;

/** The schema from the migrations that the original has, and every row of every table, as it is. */
async function copyTables(
  reader: SnapshotReader & Pick<Driver, 'engine'>,
  { driver, known }: Databases,
): Promise<void> {
  await driver.migrate(known);
  const there = new Set((await columnsOf(driver)).map(({ table, column }) => `${table}.${column}`));
  const columns = Map.groupBy(await columnsOf(reader), ({ table }) => table);
  await driver.fill(async (filling) => {
    const run = (sql: string, params: readonly string[] = []) => filling.write([{ sql, params }]);
    for (const [table, all] of columns) {
      const names = all.map(({ column }) => column).filter((column) => there.has(`${table}.${column}`));
      if (names.length === 0) continue;
      // The rows that triggers would make are copied, too; those of the migrations are replaced.
      await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await run(`DELETE FROM ${table}`);
      await reader.read(`DECLARE copied NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${table} t`, []);
      for (;;) {
        const page = await reader.read(`FETCH ${pageSize} FROM copied`, []);
        if (page.length === 0) break;
        // Not parsed on the way: some numbers are larger than those of JavaScript.
        const rows = `[${page.map(({ row }) => row).join(',')}]`;
        const list = names.join(', ');
        await run(
          `INSERT INTO ${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)`,
          [rows],
        );
      }
      await reader.read('CLOSE copied', []);
      await run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
    // A migration that was interrupted begins anew.
    await run("DELETE FROM service_facts WHERE name = 'migration'");
  });
}
