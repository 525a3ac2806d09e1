// npm run bench: what a version costs, judged by CPU per request, because throughput on shared cores says more about the neighbors and
// the load generator. Prints the figures, and writes them to bench/results.json.
//   --before FOLDER   next to another checkout with its dependencies, in turns
//   --large           random grants of 5,000,000 instead of 500,000: needs several gigabytes
//   --quick           a smoke run of a few minutes, without peers
//   --no-peers        without oidc-provider and better-auth
//   --only PARTS      some of requests, gate, grants, sign-ins, downloads and footprint, with commas between them; scim, lists,
//                     migration, bridge and distributed only if they're named
//   --people N        whom a directory pushes or who is in lists, 1,000 by default, or how many are there when a store is migrated, 50,000
//   --rounds N        of requests; 150 by default
//   --engines NAMES   of requests and lists: SQLite,PostgreSQL by default
// It ends with the status 1 if downloads, lists or a migration miss their limit.
//   --output FILE     instead of bench/results.json

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../test/harness/command.ts';
import { bridgeTable, measureBridge } from './bridge.ts';
import { bareServer, type ControlledPair, measureRequests, RequestCosts, unmeasuredRatio } from './cpu-per-request.ts';
import { distributedTable, measureDistributed } from './distributed.ts';
import { downloadedPeople, downloadLimits, measureDownloads } from './downloads.ts';
import { type Footprint, measureFootprint } from './footprint.ts';
import { measureGate } from './gate.ts';
import { listLimit, listsTable, measureLists } from './lists.ts';
import { measureMigration, migrationTable, problemsOf } from './migration.ts';
import { startBetterAuth, startOidcProvider } from './peers.ts';
import { type Results, type Row, rowsTable, type ServerCost, serversTable } from './results.ts';
import { measureScim, scimTable } from './scim.ts';
import type { Server } from './server-process.ts';
import { responseSizes, startBare, startLatchkey } from './servers.ts';
import { measureRandomGrants } from './store-size.ts';
import { measureDuringSignIns } from './userinfo-during-sign-ins.ts';
import { inTurns, medians, type Pair, twice, unmeasured, versionsOf } from './versions.ts';
import type { Work } from './work.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    large: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    only: { type: 'string', default: 'requests,gate,grants,sign-ins,downloads,footprint' },
    people: { type: 'string' },
    rounds: { type: 'string' },
    engines: { type: 'string', default: 'SQLite,PostgreSQL' },
    output: { type: 'string', default: join(root, 'bench/results.json') },
  },
});
const { quick } = values;
const rounds = Number(values.rounds ?? (quick ? 30 : 150));
const sliceMs = quick ? 500 : 1000;
const grants = values.large ? 5_000_000 : quick ? 50_000 : 500_000;
const engines = (['SQLite', 'PostgreSQL'] as const).filter((engine) => values.engines.split(',').includes(engine));
const versions = versionsOf(values.before === undefined ? undefined : resolve(values.before));

const parts = values.only.split(',');

const { costs, servers } = parts.includes('requests') ? await requests() : { costs: new RequestCosts(), servers: [] };
const gate = parts.includes('gate')
  ? await measureGate(versions, rounds)
  : { cpu: unmeasuredRatio, memory: unmeasured, servers: [] };
const random = parts.includes('grants') ? await measureRandomGrants(versions, { grants, rounds }) : unmeasuredRatio;
const signIns = parts.includes('sign-ins')
  ? await measureDuringSignIns(versions, { rounds: quick ? 2 : 5, sliceMs: 3 * sliceMs })
  : unmeasured;
const downloads = parts.includes('downloads')
  ? await measureDownloads({ rounds: quick ? 2 : 5, sliceMs: 3 * sliceMs })
  : undefined;
const footprintRounds = parts.includes('footprint') ? (quick ? 1 : 3) : 0;
const footprints = await inTurns(versions, footprintRounds, ({ name, checkout }) => {
  process.stderr.write(`memory, start and commands ${name}\n`);
  return measureFootprint(checkout);
});

const results: Results = {
  date: new Date().toISOString(),
  machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
  quick,
  rounds,
  rows: rowsOf(costs, random, signIns),
  servers: [...servers, ...gate.servers],
};
if (parts.some((part) => !['bridge', 'distributed', 'lists', 'migration', 'scim'].includes(part))) {
  process.stdout.write(`${rowsTable(results)}\n${serversTable(results)}`);
  writeFileSync(values.output, `${JSON.stringify(results, null, 2)}\n`);
}
if (downloads !== undefined && (downloads.cpuMs > downloadLimits.cpuMs || downloads.p99 > downloadLimits.p99))
  process.exitCode = 1;
if (parts.includes('distributed')) process.stdout.write(distributedTable(await measureDistributed(rounds)));
if (parts.includes('bridge')) process.stdout.write(bridgeTable(await measureBridge(rounds)));
if (parts.includes('scim')) process.stdout.write(scimTable(await measureScim(Number(values.people ?? 1000))));
if (parts.includes('lists')) {
  const costs = await measureLists(Number(values.people ?? 1000), engines);
  process.stdout.write(listsTable(costs));
  if (costs.some(({ cost }) => cost > listLimit)) process.exitCode = 1;
}
if (parts.includes('migration')) {
  const figures = await measureMigration(Number(values.people ?? 50_000));
  process.stdout.write(migrationTable(figures));
  for (const problem of problemsOf(figures)) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
}

async function requests(): Promise<{ costs: RequestCosts; servers: ServerCost[] }> {
  const running: Server[] = [];
  try {
    for (const engine of engines) {
      for (const { checkout } of twice(versions)) running.push(await startLatchkey(engine, { checkout }));
    }
    const [first] = running;
    if (first === undefined) throw new Error('nothing was started');
    const sizes = await responseSizes(await first.target());
    running.unshift(await startBare(sizes), await startBare(sizes));
    if (!quick && !values['no-peers']) {
      running.push(await startOidcProvider('memory'), await startOidcProvider('PostgreSQL'), await startBetterAuth());
    }
    const costs = await measureRequests(running, rounds);
    return { costs, servers: costs.summary(running) };
  } finally {
    for (const server of running) await server.stop();
  }
}

function rowsOf(costs: RequestCosts, random: ControlledPair, signIns: Pair): Row[] {
  const [ours, before] = ['Latchkey, SQLite', 'Latchkey before, SQLite'];
  const ofBare = (work: 'userinfo' | 'first' | 'refresh') => costs.pair(work, [bareServer, ours], [bareServer, before]);
  const ofBefore = (work: Work, engine: 'SQLite' | 'PostgreSQL') =>
    costs.pair(work, [`Latchkey, ${engine}`, `Latchkey before, ${engine}`]);
  const used = (figure: keyof Footprint) =>
    medians(new Map([...footprints].map(([name, rounds]) => [name, rounds.map((round) => round[figure])])));
  const ratio = { unit: 'ratio', better: 'lower' } as const;
  const megabytes = { unit: 'MB', better: 'lower' } as const;
  const milliseconds = { unit: 'ms', better: 'lower' } as const;
  const flow = 'authorize + exchange + userinfo';
  const postgres = 'PostgreSQL, service + database, share of before';
  return [
    { name: 'userinfo, embedded: bare / ours', ...ratio, better: 'higher', ...ofBare('userinfo'), must: 0.55 },
    {
      name: "userinfo, a token's first use, embedded: bare / ours",
      ...ratio,
      better: 'higher',
      ...ofBare('first'),
      must: 0.52,
    },
    { name: 'refresh, embedded: bare POST / ours', ...ratio, better: 'higher', ...ofBare('refresh'), must: 0.33 },
    { name: `${flow}, embedded: share of before`, ...ratio, ...ofBefore('flow', 'SQLite'), must: 0.65 },
    { name: 'authorize, embedded: share of before', ...ratio, ...ofBefore('authorize', 'SQLite'), must: 0.65 },
    { name: 'exchange, embedded: share of before', ...ratio, ...ofBefore('exchange', 'SQLite'), must: 0.65 },
    { name: `userinfo, ${postgres}`, ...ratio, ...ofBefore('userinfo', 'PostgreSQL'), must: 0.7 },
    { name: `refresh, ${postgres}`, ...ratio, ...ofBefore('refresh', 'PostgreSQL'), must: 0.7 },
    { name: `${flow}, ${postgres}`, ...ratio, ...ofBefore('flow', 'PostgreSQL'), must: 0.6 },
    {
      name: `userinfo of random grants of ${grants.toLocaleString('en')}, against one hot grant`,
      ...ratio,
      ...random,
      must: 1.5,
    },
    { name: 'userinfo p99 while 50 people sign in, against idle', ...ratio, ...signIns, must: 3 },
    {
      name: `people.csv of ${downloadedPeople.toLocaleString('en')} people, embedded`,
      ...milliseconds,
      now: downloads?.cpuMs ?? null,
      before: null,
      must: downloadLimits.cpuMs,
    },
    {
      name: 'userinfo p99 while people.csv is downloaded, against idle',
      ...ratio,
      now: downloads?.p99 ?? null,
      before: null,
      must: downloadLimits.p99,
    },
    { name: 'check of the gate / bare GET with the same headers', ...ratio, ...gate.cpu, must: 2 },
    { name: 'resident memory of the gate above the bare server', ...megabytes, ...gate.memory, must: 30 },
    { name: 'resident memory, idle', ...megabytes, ...used('idleMb'), must: 115 },
    {
      name: 'resident memory after 2,000 flows, 100 sign-ins, all docs and languages',
      ...megabytes,
      ...used('docsMb'),
      must: 160,
    },
    { name: 'start to first response, warm', ...milliseconds, ...used('startMs'), must: 400 },
    { name: 'CPU of the start', ...milliseconds, ...used('startCpuMs'), must: 600 },
    { name: '`latchkey --help`', ...milliseconds, ...used('helpMs'), must: 150 },
    { name: '`latchkey client list`', ...milliseconds, ...used('clientListMs'), must: 250 },
  ];
}
