// node bench/scaling.ts: estimates what one million, one hundred million and one billion people need. It measures
// nothing: the costs of the service come from bench/results.json, the others are below. docs/scaling.md discusses the
// output.

import { readFileSync } from 'node:fs';
import type { Results } from './results.ts';
import type { Work } from './work.ts';

/** What people and applications do. These are assumptions: replace them with your own figures. */
const assumed = {
  /** The share of all people who are active on a given day. */
  activeShare: 0.2,
  /** Applications that a person has consented to. */
  applicationsPerPerson: 5,
  peoplePerClient: 1000,
  /** Words that a person is found by: with a given and a family name, and both in an email address. */
  wordsPerPerson: 8,
  /** Per active person and day: passwords entered, and how often an application sends them to sign in. */
  signIns: 0.4,
  authorizations: 3,
  /** The share of sign-ins that start with a wrong password, and of authorizations that show the consent page. */
  failedShare: 0.15,
  askedShare: 0.05,
  /** Grants that an active person uses per day, and what the applications do with each. */
  activeGrants: 2,
  refreshesPerGrant: 8,
  userinfoPerGrant: 6,
  /** Hours of the day in which an active grant is used: "last used" is written once in each of them. */
  usedHoursPerGrant: 4,
  revocations: 0.05,
  /** From sign-in to the sweep: a day or two for most, weeks for those that are kept. */
  sessionDays: 6,
  peakToMean: 3,
  /** How busy a core may be at the peak. */
  utilisation: 0.6,
  coresPerInstance: 8,
  /** The pages, forms and redirects of a sign-in, without the password hash. */
  signInServiceMs: 2,
  /** A primary and two standbys, or three replicas. */
  replication: 3,
  /** After each checkpoint, PostgreSQL writes the first change of a page to the log as a whole page. */
  checkpointSeconds: 900,
  fullPageBytes: 4096,
};

/** Limits in the code: lifetimes, the sweep, the connection pool. */
const built = {
  grantDays: 30,
  eventDays: 90,
  revokedTokenDays: 900 / 86_400,
  failureDays: 900 / 86_400,
  /** The sweep works half of the time until nothing is left; so many events were deleted on PostgreSQL, on two busy cores. */
  sweepRowsPerSecond: 14_000,
  connectionsPerProcess: 10,
};

/**
 * Table and indexes, PostgreSQL 18. Measured with 20,000 people, 40,000 grants and 92,000 events, written through
 * src/storage: pg_total_relation_size divided by rows, with the dead row versions that updates leave and no vacuum has
 * removed yet. Freshly rewritten (VACUUM FULL): users 403, clients 348, consents 213, grants 553, sessions 269,
 * events 276, revoked tokens 146, failures 178. The same rows on SQLite (dbstat, table and indexes): users 338,
 * clients 272, consents 167, grants 522, sessions 270, events 240, revoked tokens 95, failures 135. The words of a search were
 * measured with a million people: 231 on PostgreSQL, 137 on SQLite.
 */
const bytesPerRow = {
  users: 429,
  search_words: 231,
  clients: 389,
  consents: 373,
  grants: 927,
  sessions: 510,
  events: 277,
  revoked_tokens: 158,
  sign_in_failures: 213,
};
type Table = keyof typeof bytesPerRow;

/** Argon2id as platform/passwords does it: CPU time of one verification (52 to 61 ms on a busy machine). */
const hashMs = 45;

interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly commits: number;
  /** CPU of all PostgreSQL processes (/proc) and log (pg_current_wal_insert_lsn), from the run of bytesPerRow. */
  readonly cpuMicroseconds: number;
  readonly walBytes: number;
  /** Pages of heap and indexes that are changed in a place of their own, far from what was changed just before. */
  readonly pages?: Partial<Record<Table, number>>;
}

/** The statements that the code sends. */
const costs = {
  // countFailures, addFailures (three rows, a count), findUserByEmail, startSession, takeBackFailures, answerRequest.
  'sign-in': { reads: 3, writes: 9, commits: 4, cpuMicroseconds: 850, walBytes: 2900, pages: { sessions: 2 } },
  authorize: { reads: 1, writes: 1, commits: 1, cpuMicroseconds: 278, walBytes: 811, pages: { grants: 1 } },
  // The page and the decision: findAuthorizationContext twice, then consent, grant and event in one transaction.
  'authorize, asked': {
    reads: 2,
    writes: 3,
    commits: 1,
    cpuMicroseconds: 670,
    walBytes: 880,
    pages: { consents: 1, grants: 1 },
  },
  exchange: { reads: 1, writes: 1, commits: 1, cpuMicroseconds: 266, walBytes: 1182 },
  refresh: { reads: 1, writes: 0, commits: 0, cpuMicroseconds: 100, walBytes: 0 },
  userinfo: { reads: 1, writes: 0, commits: 0, cpuMicroseconds: 93, walBytes: 0 },
  revoke: { reads: 1, writes: 2, commits: 1, cpuMicroseconds: 242, walBytes: 747 },
  // In the background, in batches of up to 500.
  'event rows': { reads: 0, writes: 1, commits: 1 / 500, cpuMicroseconds: 33, walBytes: 382 },
  // Heap and every index: only 15 % of 20,000 such updates were heap-only, because pages had no room left. The CPU time
  // is from a run with 5,000 people.
  '"last used"': {
    reads: 0,
    writes: 2,
    commits: 1 / 500,
    cpuMicroseconds: 100,
    walBytes: 1932,
    pages: { grants: 4, consents: 2 },
  },
  // The exchange has updated the grant already, so only the consent changes. The log bytes are estimated.
  '"last used", exchange': {
    reads: 0,
    writes: 2,
    commits: 1 / 500,
    cpuMicroseconds: 100,
    walBytes: 700,
    pages: { consents: 2 },
  },
  '"last seen"': { reads: 0, writes: 1, commits: 1 / 500, cpuMicroseconds: 57, walBytes: 744, pages: { sessions: 3 } },
  'swept rows': { reads: 0, writes: 1, commits: 1 / 500, cpuMicroseconds: 8, walBytes: 239 },
} satisfies Record<string, Cost>;
type Operation = keyof typeof costs;

/** A large PostgreSQL primary. All of these are assumptions. */
const primary = {
  cores: 32,
  commitsPerSecond: 20_000,
  walBytesPerSecond: 200e6,
  /** As much as can be vacuumed, backed up and restored within a working day. */
  storageBytes: 8e12,
  connections: 500,
};

interface Layout {
  /** With Citus, events are on workers, and everything else on the coordinator. */
  readonly eventsOnWorkers?: boolean;
  /** "Last used" is good to the day: LATCHKEY_LAST_USED_HOURS=24. */
  readonly usesByTheDay?: boolean;
}

/** Log of an event on its worker, with the two phases of its commit: half of what \`--only distributed\` measured for the two of a flow. */
const walBytesOfEventOnWorker = 1200;

const serviceMs = readServiceCosts();
print();

/** CPU milliseconds of the service per request, from the latest benchmark on PostgreSQL. */
function readServiceCosts(): Partial<Record<Operation, number>> {
  const file = new URL('results.json', import.meta.url);
  const { servers } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  const ms = (work: Work) => {
    const cost = servers.find((candidate) => candidate.work === work && candidate.server === 'Latchkey, PostgreSQL');
    if (cost === undefined) throw new Error(`bench/results.json has no ${work} on PostgreSQL; run "npm run bench"`);
    return cost.cpuMicroseconds / 1000;
  };
  // A flow is an authorization, an exchange and userinfo. The first two are assumed to cost the same.
  const half = (ms('flow') - ms('userinfo')) / 2;
  return {
    'sign-in': assumed.signInServiceMs,
    authorize: half,
    'authorize, asked': 2 * half,
    exchange: half,
    refresh: ms('refresh'),
    userinfo: ms('userinfo'),
    revoke: ms('refresh'),
  };
}

function simulate(people: number, layout: Layout = {}) {
  const active = people * assumed.activeShare;
  const attempts = active * assumed.signIns * (1 + assumed.failedShare);
  const authorizations = active * assumed.authorizations;
  const grantsUsed = active * assumed.activeGrants;
  const revocations = active * assumed.revocations;
  // Sign-ins, approvals and exchanges are events of their own; consents and revocations write theirs in the same
  // transaction.
  const eventsApart = active * assumed.signIns + authorizations * (2 - assumed.askedShare);
  const events = eventsApart + authorizations * assumed.askedShare + revocations;
  const eventsHere = layout.eventsOnWorkers ? 0 : events;

  const ended: Partial<Record<Table, number>> = {
    grants: authorizations,
    events: eventsHere,
    sessions: active * assumed.signIns,
    revoked_tokens: revocations,
    sign_in_failures: attempts * 3,
  };
  const swept = Object.values(ended).reduce((sum, rows) => sum + rows, 0);
  const perDay: Record<Operation, number> = {
    'sign-in': attempts,
    authorize: authorizations * (1 - assumed.askedShare),
    'authorize, asked': authorizations * assumed.askedShare,
    exchange: authorizations,
    refresh: grantsUsed * assumed.refreshesPerGrant,
    userinfo: authorizations + grantsUsed * assumed.userinfoPerGrant,
    revoke: revocations,
    'event rows': layout.eventsOnWorkers ? 0 : eventsApart,
    '"last used"': grantsUsed * (layout.usesByTheDay ? 1 : assumed.usedHoursPerGrant),
    '"last used", exchange': authorizations,
    '"last seen"': authorizations,
    'swept rows': swept,
  };

  const rows: Record<Table, number> = {
    users: people,
    search_words: people * assumed.wordsPerPerson,
    clients: people / assumed.peoplePerClient,
    consents: people * assumed.applicationsPerPerson,
    grants: authorizations * built.grantDays,
    sessions: active * assumed.signIns * assumed.sessionDays,
    events: eventsHere * built.eventDays,
    revoked_tokens: revocations * built.revokedTokenDays,
    sign_in_failures: attempts * 3 * built.failureDays,
  };
  const storage = mapValues(rows, (count, table) => count * bytesPerRow[table]);
  const storageTotal = total(storage);

  const mean = mapValues(perDay, (count) => count / 86_400);
  // The sweep runs evenly; everything else has a peak.
  const peak = mapValues(mean, (rate, name) => (name === 'swept rows' ? rate : rate * assumed.peakToMean));
  const sum = (rates: Record<Operation, number>, of: (cost: Cost, name: Operation) => number) =>
    total(mapValues(rates, (rate, name) => rate * of(costs[name], name)));

  const serviceCores = sum(peak, (_cost, name) => serviceMs[name] ?? 0) / 1000 / assumed.utilisation;
  const hashCores = (peak['sign-in'] * hashMs) / 1000 / assumed.utilisation;
  const instances = Math.max(2, Math.ceil((serviceCores + hashCores) / assumed.coresPerInstance));
  // A process uses one core itself and up to two for passwords, in the thread pool.
  const processes = Math.max(2, Math.ceil(Math.max(serviceCores, hashCores / 2)));

  const fullPages = total(
    mapValues(storage, (bytes, table) => {
      const touches = sum(peak, (cost) => cost.pages?.[table] ?? 0) * assumed.checkpointSeconds;
      const pages = bytes / 8192;
      const distinct = pages === 0 ? 0 : pages * (1 - Math.exp(-touches / pages));
      return (distinct / assumed.checkpointSeconds) * assumed.fullPageBytes;
    }),
  );
  const wal = sum(peak, (cost) => cost.walBytes) + fullPages;
  const databaseCores = sum(peak, (cost) => cost.cpuMicroseconds) / 1e6 / assumed.utilisation;
  const commits = sum(peak, (cost) => cost.commits);
  const mostSwept = Math.max(...Object.values(ended)) / 86_400;
  const connections = processes * built.connectionsPerProcess;

  const loads = {
    cores: databaseCores / primary.cores,
    commits: commits / primary.commitsPerSecond,
    log: wal / primary.walBytesPerSecond,
    storage: storageTotal / primary.storageBytes,
  };
  const eventsPerSecond = ((events - eventsHere) / 86_400) * assumed.peakToMean;
  const onWorkers = {
    commits: eventsPerSecond,
    wal: eventsPerSecond * walBytesOfEventOnWorker,
    storage: (events - eventsHere) * built.eventDays * bytesPerRow.events,
  };
  const limits = {
    ...loads,
    connections: connections / primary.connections,
    sweep: mostSwept / built.sweepRowsPerSecond,
  };
  return {
    mean,
    peak,
    storage,
    storageTotal,
    serviceCores,
    hashCores,
    instances,
    processes,
    connections,
    databaseCores,
    commits,
    wal,
    fullPages,
    mostSwept,
    limits,
    reads: { mean: sum(mean, (cost) => cost.reads), peak: sum(peak, (cost) => cost.reads) },
    writes: { mean: sum(mean, (cost) => cost.writes), peak: sum(peak, (cost) => cost.writes) },
    swept: swept / 86_400,
    onWorkers,
    workers: Math.ceil(
      Math.max(
        onWorkers.commits / primary.commitsPerSecond,
        onWorkers.wal / primary.walBytesPerSecond,
        onWorkers.storage / primary.storageBytes,
      ),
    ),
    /** What one primary, or coordinator, can serve. */
    capacity: people / Math.max(...Object.values(loads)),
  };
}

function print(): void {
  const sizes = [1e6, 1e8, 1e9];
  const now = sizes.map((people) => simulate(people));
  const spread = sizes.map((people) => simulate(people, { eventsOnWorkers: true }));
  const byTheDay = sizes.map((people) => simulate(people, { usesByTheDay: true }));
  const both = sizes.map((people) => simulate(people, { eventsOnWorkers: true, usesByTheDay: true }));
  type Result = (typeof now)[number];
  const row = (label: string, of: (result: Result) => string, results = now): string[] => [label, ...results.map(of)];
  const rates = (name: Operation) =>
    row(`  ${name}`, ({ mean, peak }) => `${short(mean[name])} / ${short(peak[name])}`);
  const requests = ['sign-in', 'authorize', 'authorize, asked', 'exchange', 'refresh', 'userinfo', 'revoke'] as const;
  const background = ['event rows', '"last used"', '"last used", exchange', '"last seen"'] as const;
  const all = (rated: Record<Operation, number>) => requests.reduce((sum, name) => sum + rated[name], 0);
  const limit = (place: number) => (result: Result) => {
    const [name, load] = Object.entries(result.limits).sort((a, b) => b[1] - a[1])[place] ?? ['', 0];
    return `${name} ${load < 0.995 ? `${Math.ceil(load * 100)} %` : `× ${load.toFixed(1)}`}`;
  };
  const database = (results: Result[]) => [
    row('database cores', ({ databaseCores }) => short(Math.ceil(databaseCores)), results),
    row('log a second (whole pages), peak', (r) => `${bytes(r.wal)} (${bytes(r.fullPages)})`, results),
    row('storage, one copy', ({ storageTotal }) => bytes(storageTotal), results),
    row(`storage, × ${assumed.replication}`, (r) => bytes(r.storageTotal * assumed.replication), results),
    row('rows swept a second', ({ swept }) => short(swept), results),
    row('  of one table at most', ({ mostSwept }) => short(mostSwept), results),
    row('first limit', limit(0), results),
    row('second', limit(1), results),
    row('third', limit(2), results),
    row('people it could serve', ({ capacity }) => short(capacity), results),
  ];
  const ofWorkers = (results: Result[]) => [
    row('workers', ({ workers }) => short(workers), results),
    row('  log a second, peak, all', ({ onWorkers }) => bytes(onWorkers.wal), results),
    row('  commits a second, peak, all', ({ onWorkers }) => short(onWorkers.commits), results),
    row('  storage, one copy, all', ({ onWorkers }) => bytes(onWorkers.storage), results),
  ];
  table([
    ['people', ...sizes.map((people) => people.toLocaleString('en'))],
    row('requests a second, mean / peak', ({ mean, peak }) => `${short(all(mean))} / ${short(all(peak))}`),
    ...requests.map(rates),
    ['in the background, rows a second'],
    ...background.map(rates),
    row('service cores', ({ serviceCores }) => short(Math.ceil(serviceCores))),
    row('password cores', ({ hashCores }) => short(Math.ceil(hashCores))),
    row(`instances of ${assumed.coresPerInstance} cores`, ({ instances }) => short(instances)),
    row('connections', ({ connections }) => short(connections)),
    row('read statements a second', ({ reads }) => `${short(reads.mean)} / ${short(reads.peak)}`),
    row('write statements a second', ({ writes }) => `${short(writes.mean)} / ${short(writes.peak)}`),
    row('commits a second, peak', ({ commits }) => short(commits)),
    ['storage by table, one copy'],
    ...(Object.keys(bytesPerRow) as Table[]).map((name) => row(`  ${name}`, ({ storage }) => bytes(storage[name]))),
    ...database(now),
    [],
    ['"last used" by the day'],
    ...database(byTheDay),
    [],
    ['events on workers: the coordinator'],
    ...database(spread),
    ...ofWorkers(spread),
    [],
    ['both: the coordinator'],
    ...database(both),
  ]);
}

function table(lines: readonly string[][]): void {
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.filter((line) => line.length > 1).map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

function mapValues<Key extends string>(
  record: Record<Key, number>,
  of: (value: number, key: Key) => number,
): Record<Key, number> {
  const entries = (Object.entries(record) as [Key, number][]).map(([key, value]) => [key, of(value, key)]);
  return Object.fromEntries(entries) as Record<Key, number>;
}

function total(record: Record<string, number>): number {
  return Object.values(record).reduce((sum, value) => sum + value, 0);
}

/** Two significant digits: the assumptions aren't more precise than that. */
function short(value: number): string {
  if (value === 0) return '0';
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 3 });
}

function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3)));
  return `${short(value / 1000 ** power)} ${units[power]}`;
}
