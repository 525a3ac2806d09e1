// A real Latchkey on a real port, with an empty store in a folder of its own and a clock that only the test moves.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { type RunningService, startService } from '../../src/cli/compose.ts';
import type { ServeMetrics } from '../../src/cli/service/metrics.ts';
import { createClient } from '../../src/operations/clients/clients.ts';
import { createUser } from '../../src/operations/users/users.ts';
import type { Stopwatch, StoreClock } from '../../src/platform/clock.ts';
import { readConfig } from '../../src/platform/config.ts';
import { detailWithActor, type EventRecord } from '../../src/protocol/event.ts';
import type { EventKind } from '../../src/protocol/events/kinds.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Client, User } from '../../src/storage/storage.ts';

let users = 0;

/**
 * Test processes that run at the same time have different ports to choose from: between the moment when a port is found
 * free and the moment when a service listens there, another one would find it free as well. They start above 10080, which
 * fetch refuses, and end below those that the system gives away.
 */
const portsOfProcess = 100;
const ranges = 200;
let ownRange: Promise<number> | undefined;
let nextPort = 0;

export const requester = { address: '127.0.0.1', requestId: 'test' };

export interface TestClock {
  now(): number;
  /** Moves the clock forward, in seconds. */
  advance(seconds: number): void;
}

export interface TestClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly record: Client;
}

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly record: User;
}

export interface TestService {
  readonly url: string;
  /** The base URL, when it is not the address that the service listens on. */
  readonly baseUrl?: string;
  readonly dataDir: string;
  /** What a command needs to work on its store. */
  readonly commandEnvironment: Record<string, string>;
  readonly clock: TestClock;
  readonly running: RunningService;
  /** Everything logged so far, at level trace. */
  readonly log: () => string;
  newClient(options?: Partial<Parameters<typeof createClient>[1]>): Promise<TestClient>;
  newUser(options?: Partial<Parameters<typeof createUser>[1]>): Promise<TestUser>;
  /** All events, oldest first, once the queued ones are written. The detail is as the API shows it. */
  events(kind?: EventKind): Promise<EventRecord[]>;
  /** The rows of a table, read past the service once every request for an email is answered. */
  rows(table: string): Promise<Record<string, unknown>[]>;
  /** The same for several tables, read together. */
  rowsOf(tables: readonly string[]): Promise<Record<string, unknown>[][]>;
  /** Changes the store past the service, in the engine's own SQL. */
  execute(sql: string): Promise<void>;
  stop(): Promise<void>;
}

export const tables = [
  'users',
  'clients',
  'logos',
  'sessions',
  'consents',
  'grants',
  'revoked_tokens',
  'sign_in_failures',
  'events',
  'leases',
  'known_devices',
  'links',
  'sign_up_links',
  'scim_tokens',
  'mails',
  'authenticators',
  'recovery_codes',
  'passkeys',
  'pictures',
  'spent_tickets',
  'search_words',
  'unsearchable',
  'api_keys',
  'hourly_totals',
  'service_facts',
  'service_keys',
  'instances',
  'groups',
  'group_members',
  'client_access',
  'access_requests',
  'client_owners',
  'reviews',
  'review_applications',
  'review_items',
  'settings',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_deliveries',
  'upstreams',
  'upstream_icons',
  'identities',
  'imported_people',
  'attributes',
  'deleted_ids',
  'deleted_id_keys',
];

/** For refused sign-ins, which would otherwise wait while somebody has a hash of another service. */
const impatient: Stopwatch = { now: () => performance.now(), wait: async () => {} };

/** KB for a password hash in tests that aren't about its cost. */
const cheapMemory = 512;

export async function startTestService(
  environment: Record<string, string> = {},
  options: {
    busyTimeout?: number;
    realPasswordCost?: boolean;
    requestTimeout?: number;
    webhookDeadline?: number;
    upstreamDeadline?: number;
    stopwatch?: Stopwatch;
    clock?: TestClock;
    /** By default, the store's clock is that of the test; with undefined, its own. */
    storeClock?: StoreClock | undefined;
    authorizesInFront?: boolean;
    /** Called while it starts. */
    serveMetrics?: ServeMetrics;
  } = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  const port = await freePort();
  const borrowed =
    environment.DATABASE_URL === undefined && process.env.TEST_ENGINE === 'postgres'
      ? await borrowDatabase()
      : undefined;
  const databaseUrl = environment.DATABASE_URL ?? borrowed?.url;
  const config = readConfig({
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    LATCHKEY_BASE_URL: `http://localhost:${port}`,
    LATCHKEY_PORT: String(port),
    LATCHKEY_DATA_DIR: dataDir,
    ...environment,
  });
  if (databaseUrl === undefined && config.dataDir === dataDir) await copyMigratedStore(dataDir);
  const clock = options.clock ?? movableClock();
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const running = await startService(config, {
    clock,
    storeClock: { now: async () => clock.now() },
    logger: { level: 'trace', stream },
    passwordMemory: options.realPasswordCost ? undefined : cheapMemory,
    stopwatch: impatient,
    // The same suites also run with every authorization request answered by the framework (plan.ts).
    authorizesInFront: process.env.TEST_DOOR !== 'framework',
    ...options,
  });
  const { services } = running;

  async function rowsOf(names: readonly string[]): Promise<Record<string, unknown>[][]> {
    await services.emailQueue.answerRequests();
    const queries = names.map((name) => `SELECT * FROM ${name}`);
    if (borrowed !== undefined) return Promise.all(queries.map((sql) => borrowed.query(sql)));
    if (databaseUrl !== undefined) {
      const { queryPostgres } = await import('./postgres.ts');
      return Promise.all(queries.map((sql) => queryPostgres(databaseUrl, sql)));
    }
    const database = new DatabaseSync(join(config.dataDir, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
    try {
      return queries.map((sql) => database.prepare(sql).all());
    } finally {
      database.close();
    }
  }

  return {
    url: `http://localhost:${port}`,
    baseUrl: config.baseUrl,
    dataDir,
    commandEnvironment: {
      LATCHKEY_BASE_URL: config.baseUrl,
      LATCHKEY_DATA_DIR: dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    clock,
    running,
    log: () => lines.join(''),

    async newClient(overrides = {}) {
      const input = {
        name: 'Test app',
        redirectUris: ['http://localhost:9999/callback'],
        ...overrides,
      };
      const outcome = await createClient(services, input, requester);
      if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
      const { client, secret = '' } = outcome;
      return { id: client.id, secret, redirectUri: client.redirectUris[0] as string, record: client };
    },

    async newUser(overrides = {}) {
      const input = {
        email: `person${++users}@example.test`,
        name: 'Grace Hopper',
        givenName: 'Grace',
        familyName: 'Hopper',
        emailVerified: true,
        password: 'correct horse battery',
        admin: false,
        ...overrides,
      };
      // A millisecond ago, because the clock stands still: a factor that they add isn't one that they were created with.
      const earlier = { ...services, clock: { now: () => clock.now() - 1 } };
      const outcome = await createUser(earlier, input, requester);
      if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
      const { user } = outcome;
      return { id: user.id, email: input.email ?? '', password: input.password ?? '', record: user };
    },

    async events(kind) {
      await services.emailQueue.answerRequests();
      await services.journal.flush();
      const wanted = await services.storage.findEvents({ kind }, 10_000, 'oldest');
      return wanted.map((event) => ({ ...event, detail: detailWithActor(event) }));
    },

    rowsOf,
    async execute(sql) {
      if (borrowed !== undefined) return void (await borrowed.query(sql));
      if (databaseUrl !== undefined)
        return void (await (await import('./postgres.ts')).queryPostgres(databaseUrl, sql));
      // The service may be writing.
      const database = new DatabaseSync(join(config.dataDir, 'latchkey.db'), { timeout: 10_000 });
      try {
        database.exec(sql);
      } finally {
        database.close();
      }
    },
    rows: async (table) => (await rowsOf([table]))[0] ?? [],

    async stop() {
      await running.stop();
      await borrowed?.giveBack();
      rmSync(dataDir, { recursive: true, force: true });
      const isAnsweredTwice = lines.some((line) => line.includes('FST_ERR_REP_ALREADY_SENT'));
      if (isAnsweredTwice) throw new Error('a handler has sent a second response');
    },
  };
}

let migratedStore: Promise<string> | undefined;

/** Puts an empty store into a folder. */
export async function copyMigratedStore(folder: string): Promise<void> {
  migratedStore ??= makeMigratedStore();
  copyFileSync(await migratedStore, join(folder, 'latchkey.db'));
}

/** An empty store that every service of this process begins with a copy of: migrating one takes longer than many tests. */
async function makeMigratedStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'latchkey.db');
  const driver = openSqlite(file);
  await driver.migrate(readMigrations());
  await driver.close();
  return file;
}

/** Loaded on demand: tests on the embedded store need no PostgreSQL. */
async function borrowDatabase() {
  if (process.env.TEST_POSTGRES_PORT === undefined)
    throw new Error('TEST_ENGINE=postgres needs the server that "npm test" starts');
  const { sharedPostgres } = await import('./postgres.ts');
  return (await sharedPostgres()).borrowDatabase();
}

/** Stands still at the moment it was created, until a test moves it. */
export function movableClock(): TestClock {
  let now = Date.now();
  return {
    now: () => now,
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}

/** Has a server listen on a port that the system chooses, and gives its URL. */
export async function listening(server: Server, address: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/**
 * A port that nothing listens on, also for a server that is stopped and started again. It lies below the range for outgoing
 * connections, so that no connection takes it while nothing listens.
 */
export async function freePort(): Promise<number> {
  ownRange ??= claimRange();
  const first = await ownRange;
  for (;;) {
    // The first one is the claim itself.
    const port = first + 1 + (nextPort++ % (portsOfProcess - 1));
    const server = await listenOn(port);
    if (server === undefined) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** The first port of a range that belongs to this process for as long as it runs, because it listens there. */
async function claimRange(): Promise<number> {
  for (let tried = 0; tried < ranges; tried++) {
    const first = 10_100 + ((process.pid + tried) % ranges) * portsOfProcess;
    const claim = await listenOn(first);
    if (claim === undefined) continue;
    claim.unref();
    return first;
  }
  throw new Error('other processes listen on the first port of every range');
}

/** Undefined if the port is taken. */
function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
