// What it costs to have events on other servers, with Citus: CPU of the service, of the database that it connects to, and of the workers,
// next to one PostgreSQL of the same version. They take turns. All servers are on the cores of one machine, so this says nothing about
// how much they serve together; what it shows is where work, rows, bytes and log go.

import { CitusCluster, DebianPostgres } from '../faults/citus-cluster.ts';
import { scrape } from '../test/harness/metrics.ts';
import { queryPostgres } from '../test/harness/postgres.ts';
import { freePort } from '../test/harness/service.ts';
import { processTree } from './cpu.ts';
import { startLoadGenerator } from './load.ts';
import type { Server } from './server-process.ts';
import { startLatchkey } from './servers.ts';
import type { Work } from './work.ts';

const works = ['userinfo', 'refresh', 'flow'] as const satisfies readonly Work[];
const steps = 100;
const connections = 16;
/** Slices before anything counts. */
const warmUp = 30;

const failed = 'latchkey_storage_retries_total{reason="failed_batch"}';

/** What a node has, and what it has written to its log since the flows began. */
interface Node {
  readonly name: string;
  readonly events: number;
  readonly bytes: number;
  readonly logPerFlow: number;
}

export interface DistributedCost {
  /** Microseconds of CPU by work: of the service, the database, and the workers. */
  readonly cpu: Readonly<Record<'alone' | 'distributed', Readonly<Record<(typeof works)[number], readonly number[]>>>>;
  readonly errors: number;
  /** Batches that were refused as a whole, and sent one by one. */
  readonly failedBatches: number;
  readonly nodes: readonly Node[];
}

export async function measureDistributed(rounds: number): Promise<DistributedCost> {
  await using cleanup = new AsyncDisposableStack();
  const single = cleanup.adopt(await DebianPostgres.start(), (server) => server.remove());
  const cluster = cleanup.use(await CitusCluster.start());
  const { coordinator, workers } = cluster;
  await queryPostgres(single.urlOf('postgres'), 'CREATE DATABASE latchkey');
  const treesOf =
    (...servers: readonly DebianPostgres[]) =>
    () =>
      servers.flatMap(({ pid }) => processTree(pid));
  const metrics: number[] = [];
  const start = async (url: string, ...processes: (() => readonly number[])[]) => {
    const port = await freePort();
    metrics.push(port);
    const environment = { LATCHKEY_METRICS_PORT: String(port) };
    return startLatchkey('PostgreSQL', { environment, database: { url, processes } });
  };
  const servers: Record<'alone' | 'distributed', Server> = {
    alone: await start(single.urlOf('latchkey'), treesOf(single)),
    distributed: await start(await cluster.newDatabase(), treesOf(coordinator), treesOf(...workers)),
  };
  for (const server of Object.values(servers)) cleanup.defer(() => server.stop());
  // As a database is after its first minute; before, PostgreSQL 15 reads all people for a token.
  for (const server of [single, coordinator]) await queryPostgres(server.urlOf('latchkey'), 'ANALYZE');
  const generator = startLoadGenerator();
  cleanup.defer(() => generator.stop());

  let errors = 0;
  let flows = 0;
  const slice = async (server: Server, work: Work) => {
    const sliced = await generator.slice({ target: await server.target(), work, connections, steps }, server.processes);
    errors += sliced.errors;
    return sliced.cpu;
  };
  const costs = { alone: noCosts(), distributed: noCosts() };
  const nodes = [
    { name: 'PostgreSQL alone', server: single },
    { name: 'coordinator', server: coordinator },
    { name: 'first worker', server: workers[0] },
    { name: 'second worker', server: workers[1] },
  ];
  let before: readonly number[] = [];
  for (const work of works) {
    process.stderr.write(`${work}: ${rounds} rounds\n`);
    for (let round = -warmUp; round < rounds; round++) {
      if (round === 0) before = await Promise.all(nodes.map(({ server }) => logOf(server)));
      for (const [name, server] of Object.entries(servers) as ['alone' | 'distributed', Server][]) {
        const cpu = await slice(server, work);
        if (round >= 0) costs[name][work].push(cpu);
      }
      if (round >= 0 && work === 'flow') flows += steps;
    }
  }
  const scrapes = await Promise.all(metrics.map(scrape));
  const failedBatches = scrapes.reduce((sum, each) => sum + each.of(failed), 0);
  const after = await Promise.all(nodes.map(({ server }) => logOf(server)));
  // Not medians: events are written together, about twice a second, and most slices are shorter.
  const means = (slices: readonly (readonly number[])[]) =>
    (slices[0] ?? []).map((_, group) =>
      Math.round(slices.reduce((sum, each) => sum + (each[group] ?? Number.NaN), 0) / slices.length),
    );
  const byWork = (each: ReturnType<typeof noCosts>) => ({
    userinfo: means(each.userinfo),
    refresh: means(each.refresh),
    flow: means(each.flow),
  });
  return {
    cpu: { alone: byWork(costs.alone), distributed: byWork(costs.distributed) },
    errors,
    failedBatches,
    nodes: await Promise.all(
      nodes.map(async ({ name, server }, index) => ({
        name,
        ...(await contentsOf(server, server === single ? '^events$' : '^events_[0-9]+$')),
        logPerFlow: Math.round(((after[index] ?? 0) - (before[index] ?? 0)) / flows),
      })),
    ),
  };
}

function noCosts(): Record<(typeof works)[number], (readonly number[])[]> {
  return { userinfo: [], refresh: [], flow: [] };
}

async function logOf(server: DebianPostgres): Promise<number> {
  const [row] = await queryPostgres(
    server.urlOf('latchkey'),
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes",
  );
  return Number(row?.bytes);
}

/** Of the tables in this database itself: the coordinator's table of events is that of its workers. */
async function contentsOf(server: DebianPostgres, tables: string): Promise<{ events: number; bytes: number }> {
  const url = new URL(server.urlOf('latchkey'));
  url.searchParams.set('options', '-c citus.override_table_visibility=off');
  const found = await queryPostgres(
    url.href,
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '${tables}'`,
  );
  const counts = found.map(({ name }) =>
    queryPostgres(
      url.href,
      `SELECT COUNT(*)::int AS events, pg_total_relation_size('${name}')::float8 AS bytes FROM ${name}`,
    ),
  );
  const rows = (await Promise.all(counts)).flat();
  const sum = (column: 'events' | 'bytes') => rows.reduce((total, row) => total + Number(row[column]), 0);
  return { events: sum('events'), bytes: sum('bytes') };
}

export function distributedTable({ cpu, errors, failedBatches, nodes }: DistributedCost): string {
  const shown = (parts: readonly number[]) => parts.map((each) => `${each}`).join(' + ');
  const rows = works.map((work) => `| ${work} | ${shown(cpu.alone[work])} | ${shown(cpu.distributed[work])} |`);
  const contents = nodes.map(
    ({ name, events, bytes, logPerFlow }) =>
      `| ${name} | ${events} | ${Math.round(bytes / 1024)} KB | ${logPerFlow} bytes |`,
  );
  return [
    '| CPU in µs | service + PostgreSQL | service + coordinator + workers |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '| node | events | their size | log of a flow |',
    '| --- | --- | --- | --- |',
    ...contents,
    '',
    `Errors: ${errors}. Batches that were sent one by one: ${failedBatches}`,
    '',
  ].join('\n');
}
