// Which process runs which test files, and on which engine. Starting the first service costs a process more than most
// suites take, and so does a browser. So suites share a process, unless what they start would make it one of the last.

import { readTimings } from './timings.ts';

const { seconds } = readTimings();

export const engines = ['embedded', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** The test files of one process. */
export interface Job {
  readonly name: string;
  readonly engine: Engine;
  /** Whether the framework answers authorization requests that need no page, too. */
  readonly throughFramework?: boolean;
  /** Relative to the project's folder, with slashes. */
  readonly files: readonly string[];
}

/** What runs against a service over HTTP, and so on every engine. */
export const httpSuite = /^test\/(http|hostile)\//;

/** The name for the processes of these files, and how many share them; any other file has one to itself. */
const together: readonly [RegExp, string, number?][] = [
  [/^test\/hostile\//, 'hostile'],
  [httpSuite, 'http', 3],
  [/^test\/cli\/(?!serve|durability)/, 'cli', 4],
  [/^test\/postgres\//, 'postgres', 2],
  [/^test\/(deploy\/(?!haproxy)|metrics|scripts)/, 'deploy and metrics', 2],
  [/^test\/(sqlite|storage\/(?!postgres|pgbouncer|sqlite))/, 'stores'],
  [/^test\/browser\/engines\/(?!chromium)/, 'other browsers'],
  [/^test\/browser\/(account|second-factors)/, 'browser: the account'],
  [/^test\/browser\//, 'browser: the rest'],
  [/^test\/demo\//, 'demo'],
  [/^test\/clients\//, 'clients'],
  [/^test\/(protocol|operations|pages|platform|gate\/pages|histories\/checker)[/.]|^test\/[^/]+$/, 'rules'],
];

/** What `npm run test:fast` leaves out: browsers, child processes, PostgreSQL, and passwords hashed at full cost. */
const slow =
  /^test\/(browser|cli|clients|demo|deploy|metrics|postgres|scripts)\/|^test\/docs\.|^test\/storage\/(postgres|pgbouncer|(landed-)?migrations)\.|passwords-queue/;

/** What `npm test` leaves to a release, file by file, and why it can wait. releaseTest is for single tests. */
export const releaseOnly: readonly (readonly [RegExp, string])[] = [
  [/^test\/clients\/guides/, "what other people's libraries make of it; openid-client signs in without a browser"],
  [
    /^test\/demo\/(documents|fresh-clone|inspector)\./,
    'the demo and documents, step by step; demo-app signs in with it',
  ],
  [/^test\/deploy\/(caddy|gate-caddy|haproxy)\./, 'the same rules behind other proxies than nginx'],
  [/^test\/deploy\/(docker|upgrade)\./, 'images and upgrades are made of releases'],
  [/^test\/deploy\/prometheus\./, 'alerts and dashboards change rarely; metrics are tested as they are scraped'],
  [/^test\/scripts\/release\./, 'the files of a release'],
  [/^test\/(metrics\/workers|sqlite\/shared-writer)\./, 'workers that die; cli/serve starts and replaces one'],
  [/^test\/cli\/(mail|webhooks-killed)\./, 'killed processes; the queues are storage rules, cli/durability kills one'],
  [/^test\/browser\/engines\/(firefox|webkit)\./, 'other browsers; Chromium goes on the same journeys'],
  [/^test\/browser\/outgoing-connections\./, 'a whole journey; http/account/passkeys sends what opened a connection'],
  [
    /^test\/browser\/(account|console)-notices\./,
    'every notice; the types have an action for each, http/ looks at some',
  ],
  [
    /^test\/cli\/(stop-while-sending|instances)\./,
    'servers that hang, and heartbeats; the rules are tested by themselves',
  ],
  [/^test\/cli\/secret-files\./, 'every secret in a file; platform/config reads them'],
  [
    /^test\/platform\/breached-passwords\/filter\./,
    'files of millions; cli/breached-passwords makes and asks a small one',
  ],
  [/^test\/histories\/recorded\./, 'a killed service and broken ones; the checker is a rule, cli/durability kills one'],
  [/^test\/cli\/(demo|import\/guides)\./, 'guides followed with real processes; each command is tested by itself'],
];

const isQuick = (file: string) => !releaseOnly.some(([pattern]) => pattern.test(file));

/** What a second engine can break over HTTP: batches, 503 and races. The suites with several instances are in test/postgres. */
const onPostgresToo =
  /^test\/http\/(engine|operations|oauth\/(access|token|logout-race)|sign-in\/second-step|webhooks\/delivery)\./;

/** What sends authorization requests with a session, so that most are answered in front of the framework. */
export const throughBothDoors =
  /^test\/http\/((draining|hardening|language|lost-store|metrics|trace-context)\.|oauth\/(?!same-answers|key-rotation)|sign-in\/(keep|required-second-factor|second-factor-in-a-session|sign-in)\.)/;

/** Every test on every engine it is for: the HTTP suites on each, the others once. Some also through the other door. */
export function releasePlan(files: readonly string[]): Job[] {
  const otherDoor = jobsOn(
    'embedded',
    files.filter((file) => throughBothDoors.test(file)),
  );
  return inOrder([
    ...engines.flatMap((engine) => jobsOn(engine, files)),
    ...otherDoor.map((job) => ({ ...job, name: `${job.name}, through the framework`, throughFramework: true })),
  ]);
}

/** What `npm test` runs. */
export function quickPlan(files: readonly string[]): Job[] {
  const chosen = files.filter(isQuick);
  const again = chosen.filter((file) => onPostgresToo.test(file));
  return inOrder([...jobsOn('embedded', chosen), ...jobsOn('postgres', again)]);
}

/** What `npm run test:fast` runs. */
export function fastPlan(files: readonly string[]): Job[] {
  return inOrder(
    jobsOn(
      'embedded',
      files.filter((file) => isQuick(file) && !slow.test(file)),
    ),
  );
}

function jobsOn(engine: Engine, files: readonly string[]): Job[] {
  // All but the HTTP suites choose their engine themselves, whichever they are about.
  const chosen = files.filter((file) => engine === 'embedded' || httpSuite.test(file));
  const groups = Map.groupBy(chosen, (file) => together.findIndex(([pattern]) => pattern.test(file)));
  return [...groups].flatMap(([index, grouped]) => {
    const [, name, processes = 1] = together[index] ?? [undefined, undefined, grouped.length];
    return shared(grouped, Math.min(processes, grouped.length)).map((own, number) => ({
      name: `${name ?? own[0]} on ${engine}, ${1 + number}`,
      engine,
      files: own,
    }));
  });
}

/** Shares files out so that each process takes about as long: the longest first, to whoever has the least to do. */
function shared(files: readonly string[], processes: number): string[][] {
  const parts = Array.from({ length: processes }, (): string[] => []);
  for (const file of longestFirst(files, (each) => [each])) {
    const [least = []] = parts.toSorted((one, other) => secondsOf(one) - secondsOf(other) || one.length - other.length);
    least.push(file);
  }
  return parts;
}

/** So that none of the long ones is left over at the end. */
const inOrder = (jobs: readonly Job[]): Job[] => longestFirst(jobs, (job) => job.files);

const longestFirst = <T>(all: readonly T[], filesOf: (each: T) => readonly string[]): T[] =>
  all.toSorted((one, other) => secondsOf(filesOf(other)) - secondsOf(filesOf(one)));

const secondsOf = (files: readonly string[]) => files.reduce((sum, file) => sum + (seconds[file] ?? 0), 0);
