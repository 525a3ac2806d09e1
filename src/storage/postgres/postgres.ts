// PostgreSQL, for many instances on one database. Every query and every transition of a grant is one statement, so most
// requests take one round trip; several statements are one transaction.

import { type Driver, type DriverObserver, nobody } from '../driver.ts';
import { readApplied } from '../migrating.ts';
import { Connections } from './connections.ts';
import { findOtherServers, spreadDatabase } from './distribution.ts';
import { isCollision, stateOf, storageError } from './errors.ts';
import { migrateDatabase } from './migration.ts';
import { ReadBatches } from './read-batches.ts';
import { fillDatabase, readSnapshot } from './whole-store.ts';
import { WriteBatches } from './write-batches.ts';

export interface PostgresOptions {
  /** How long connecting, and an answer, may take, in milliseconds. */
  readonly timeout?: number;
  readonly observer?: DriverObserver | undefined;
}

const attempts = 3;

export function openPostgres(url: string, options: PostgresOptions = {}): Driver {
  const observer = options.observer ?? nobody;
  const connections = new Connections(url, options.timeout ?? 5000, observer);
  const takenApart = () => observer.retried('failed_batch');
  const reads = new ReadBatches(connections, takenApart);
  const repeatOnCollision = repeating(observer);
  const singleWrites = new WriteBatches(
    connections,
    (statement) => repeatOnCollision(() => connections.write(statement)),
    takenApart,
  );

  const driver: Driver = {
    engine: 'server',
    timeSql: 'CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)',

    read: (sql, params, anew) => (anew ? reads.alone(sql, params, anew) : reads.read(sql, params)),

    async write(statements) {
      const [only] = statements;
      if (only === undefined) return [];
      if (statements.length > 1) return repeatOnCollision(() => connections.transact(statements));
      const rows = await singleWrites.write(only);
      return only.mustReturn === true && rows.length === 0 ? undefined : [rows];
    },

    async appliedMigrations() {
      try {
        return readApplied(await connections.askOnce('SELECT version, checksum FROM schema_version'));
      } catch (error) {
        if (stateOf(error) === '42P01') return [];
        throw storageError(error);
      }
    },

    migrate: (migrations, onStep) => migrateDatabase(connections, migrations, onStep),

    snapshot: (work) => readSnapshot(connections, work),

    fill: (work) => fillDatabase(connections, (session) => work({ ...driver, ...session })),

    isSpread: () => connections.isSpread,

    spread: (where) => spreadDatabase(connections, where),

    otherServers: () => findOtherServers(connections),

    load: () => ({
      waitingReads: reads.waiting,
      waitingWrites: singleWrites.waiting,
      connections: connections.load(),
    }),

    close: () => connections.close(),
  };
  return driver;
}

function repeating(observer: DriverObserver) {
  return async <Result>(write: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (attempt === attempts || !isCollision(error)) throw storageError(error);
        observer.retried('collision');
      }
    }
  };
}
