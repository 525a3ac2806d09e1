// Which process runs which test files, and on which engine. Starting the first service costs a process more than most
// suites take, and so does a browser. So suites share a process, and as many processes share them as it takes to end together.

import { latestSeconds, type Seconds } from './timings.ts';

export const engines = ['embedded', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** The test files of one process. */
export interface Job {
  readonly name: string;
  readonly engine: Engine;
  /** Whether the framework answers authorization requests that need no page, too. */
  readonly throughFramework?: boolean;
  /** Whether events are on other servers, with Citus. */
  readonly isDistributed?: boolean;
  /** Relative to the project's folder, with slashes. */
  readonly files: readonly string[];
}

/** What runs against a service over HTTP, and so on every engine. */
export const httpSuite = /^test\/(http|hostile)\//;

/** The name for the processes that these files share. */
const together: readonly [RegExp, string][] = [
  [httpSuite, 'http'],
  [/^test\/(bridge|gate)\//, 'gate and bridge'],
  [/^test\/cli\//, 'cli'],
  [/^test\/postgres\//, 'postgres'],
  [/^test\/(deploy|metrics|scripts)\//, 'deploy and metrics'],
  [/^test\/(sqlite|storage)\//, 'stores'],
  [/^test\/browser\/engines\/(?!chromium)/, 'other browsers'],
  [/^test\/browser\//, 'browser'],
  [/^test\/(demo|clients)\//, 'demo and clients'],
  [/^test\//, 'rules'],
];

/** Seconds of tests that are worth starting another process, which takes about two. */
const secondsOfProcess = 120;

/** What a file takes that nobody has measured yet. */
const secondsOfNewFile = 2;

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
  [
    /^test\/cli\/(bridge-killed|mail|webhooks-killed)\./,
    'killed processes; the queues are storage rules, cli/durability kills one',
  ],
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
  [
    /^test\/postgres\/(list|group)-plans\./,
    'large stores on PostgreSQL; storage/query-plans has the same lists on the embedded engine',
  ],
  [/^test\/postgres\/rehearse\./, 'whole upgrades of copied databases; cli/rehearse has them on the embedded store'],
  [/^test\/postgres\/restore\./, 'a transaction that is killed; cli/restore has the rules of restoring'],
  [/^test\/histories\/recorded\./, 'a killed service and broken ones; the checker is a rule, cli/durability kills one'],
  [/^test\/cli\/(demo|import\/guides)\./, 'guides followed with real processes; each command is tested by itself'],
];

const isQuick = (file: string) => !releaseOnly.some(([pattern]) => pattern.test(file));

/** What a second engine can break over HTTP: batches, 503 and races. The suites with several instances are in test/postgres. */
const onPostgresToo = /^test\/http\/(engine|operations|oauth\/logout-race)\./;

/** What sends authorization requests with a session, so that most are answered in front of the framework. */
export const throughBothDoors =
  /^test\/http\/((draining|hardening|language|lost-store|metrics|trace-context)\.|oauth\/(?!same-answers|key-rotation)|sign-in\/(keep|required-second-factor|second-factor-in-a-session|sign-in)\.)/;

/** What reads and writes events in most ways. */
export const onCitusToo = /^test\/http\/((oauth|sign-in|webhooks|scim|ends)\/|api\/access|access-requests)/;

/** Every test on every engine it is for: the HTTP suites on each, the others once. Some also through the other door, or with Citus. */
export function releasePlan(files: readonly string[], seconds = latestSeconds('release'), hasCitus = false): Job[] {
  const otherDoor = jobsOn(
    'embedded',
    files.filter((file) => throughBothDoors.test(file)),
    seconds,
  );
  const distributed = hasCitus ? files.filter((file) => onCitusToo.test(file)) : [];
  return inOrder(
    [
      ...jobsOn('postgres', distributed, seconds).map((job) => ({
        ...job,
        name: `${job.name}, Citus`,
        isDistributed: true,
      })),
      ...engines.flatMap((engine) => jobsOn(engine, files, seconds)),
      ...otherDoor.map((job) => ({ ...job, name: `${job.name}, through the framework`, throughFramework: true })),
    ],
    seconds,
  );
}

/** What `npm test` runs. */
export function quickPlan(files: readonly string[], seconds = latestSeconds('quick')): Job[] {
  const chosen = files.filter(isQuick);
  const again = chosen.filter((file) => onPostgresToo.test(file));
  return inOrder([...jobsOn('embedded', chosen, seconds), ...jobsOn('postgres', again, seconds)], seconds);
}

/** What `npm run test:fast` runs. */
export function fastPlan(files: readonly string[], seconds = latestSeconds('quick')): Job[] {
  const chosen = files.filter((file) => isQuick(file) && !slow.test(file));
  return inOrder(jobsOn('embedded', chosen, seconds), seconds);
}

function jobsOn(engine: Engine, files: readonly string[], seconds: Seconds): Job[] {
  // All but the HTTP suites choose their engine themselves, whichever they are about.
  const chosen = files.filter((file) => engine === 'embedded' || httpSuite.test(file));
  const groups = Map.groupBy(chosen, (file) => together.find(([pattern]) => pattern.test(file))?.[1] ?? file);
  return [...groups].flatMap(([name, grouped]) =>
    shared(grouped, seconds).map((own, number) => ({
      name: `${name} on ${engine}, ${1 + number}`,
      engine,
      files: own,
    })),
  );
}

/** Shares files out so that each process takes about as long: the longest first, to whoever has the least to do. */
function shared(files: readonly string[], seconds: Seconds): string[][] {
  const processes = Math.ceil(secondsOf(files, seconds) / secondsOfProcess);
  const parts = Array.from({ length: Math.min(processes, files.length) }, (): string[] => []);
  for (const file of longestFirst(files, (each) => [each], seconds)) {
    const [least = []] = parts.toSorted((one, other) => secondsOf(one, seconds) - secondsOf(other, seconds));
    least.push(file);
  }
  return parts;
}

/** So that none of the long ones is left over at the end. */
const inOrder = (jobs: readonly Job[], seconds: Seconds): Job[] => longestFirst(jobs, (job) => job.files, seconds);

const longestFirst = <T>(all: readonly T[], filesOf: (each: T) => readonly string[], seconds: Seconds): T[] =>
  all.toSorted((one, other) => secondsOf(filesOf(other), seconds) - secondsOf(filesOf(one), seconds));

const secondsOf = (files: readonly string[], seconds: Seconds) =>
  files.reduce((sum, file) => sum + (seconds[file] ?? secondsOfNewFile), 0);
