// Databases on a coordinator and workers with Citus, beside the one that TEST_CITUS_URL names.

import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { atEnd } from './at-end.ts';
import { queryPostgres } from './postgres.ts';

export const coordinator = process.env.TEST_CITUS_URL;
/** For the options of a test. */
export const skip = coordinator === undefined && 'TEST_CITUS_URL names no coordinator with Citus';

/** Few, so that tables are made quickly, and more than workers. */
const shards = 4;
let count = 0;
const made: { name: string; urls: readonly string[] }[] = [];

function urlOn({ host = '', port = '' }, database: string): string {
  const url = new URL(coordinator ?? '');
  url.pathname = database;
  if (host !== '') url.hostname = host;
  if (port !== '') url.port = port;
  return url.href;
}

/** Of each worker. */
export async function workerUrls(database: string): Promise<string[]> {
  const rows = await queryPostgres(
    coordinator ?? '',
    'SELECT nodename AS host, nodeport::text AS port FROM pg_dist_node WHERE groupid <> 0 ORDER BY nodeport',
  );
  return rows.map(({ host, port }) => urlOn({ host: String(host), port: String(port) }, database));
}

/** Empty, without the extension on the coordinator. */
async function newBareDatabase(): Promise<string> {
  const name = `test_${process.pid}_${++count}`;
  const workers = await workerUrls(name);
  const urls = [urlOn({}, name), ...workers];
  if (made.length === 0) atEnd(removeCitusDatabases);
  made.push({ name, urls });
  for (const url of urls) {
    const { hostname: host, port } = new URL(url);
    await queryPostgres(urlOn({ host, port }, 'postgres'), `CREATE DATABASE ${name}`);
    await queryPostgres(url, `ALTER DATABASE ${name} SET citus.shard_count = ${shards}`);
  }
  for (const worker of workers) await queryPostgres(worker, 'CREATE EXTENSION citus');
  return urls[0] ?? '';
}

export async function addWorkers(url: string): Promise<void> {
  const nodeOf = (node: string) => `'${new URL(node).hostname}', ${new URL(node).port}`;
  await queryPostgres(url, 'CREATE EXTENSION citus');
  await queryPostgres(url, `SELECT citus_set_coordinator_host(${nodeOf(url)})`);
  for (const worker of await workerUrls(new URL(url).pathname)) {
    await queryPostgres(url, `SELECT citus_add_node(${nodeOf(worker)})`);
  }
}

async function migrated(url: string, isDistributed: boolean): Promise<string> {
  const driver = openPostgres(url);
  await driver.migrate(readMigrations());
  if (isDistributed) await driver.spread?.('out');
  await driver.close();
  return url;
}

/** The events are on the workers, or nothing is, or there are none yet. */
export async function newCitusDatabase(state: 'distributed' | 'alone' | 'without workers' = 'distributed') {
  const url = await newBareDatabase();
  if (state !== 'without workers') await addWorkers(url);
  return migrated(url, state === 'distributed');
}

async function removeCitusDatabases(): Promise<void> {
  for (const { name, urls } of made) {
    for (const url of urls) {
      const { hostname: host, port } = new URL(url);
      await queryPostgres(urlOn({ host, port }, 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
    }
  }
}
