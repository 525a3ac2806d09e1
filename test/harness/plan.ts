// Which process runs which test files, and on which engine. Starting the first service costs a process more than most
// suites take, and so does a browser. So suites share a process, unless what they start would make it one of the last.

export const engines = ['embedded', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** The test files of one process. */
export interface Job {
  readonly name: string;
  readonly engine: Engine;
  /** Relative to the project's folder, with slashes. */
  readonly files: readonly string[];
}

/** Longest first, so that none of them is left over at the end. */
const slowFirst = [
  'test/browser',
  'test/demo',
  'test/clients',
  'test/cli/serve',
  'test/http',
  'test/cli/durability',
  'test/architecture',
  'test/storage',
  'test/deploy',
  'test/metrics',
  'test/cli',
  'test/postgres',
];

const httpSuite = /^test\/http\//;

/** The name for the processes of these files, and how many share them; any other file has one to itself. */
const together: readonly [RegExp, string, number?][] = [
  [httpSuite, 'http', 3],
  [/^test\/cli\/(?!serve|durability)/, 'cli', 4],
  [/^test\/postgres\//, 'postgres', 2],
  [/^test\/(deploy\/(?!haproxy)|metrics|scripts)/, 'deploy and metrics', 2],
  [/^test\/(sqlite|storage\/(?!postgres|pgbouncer|sqlite))/, 'stores'],
  [/^test\/browser\/(account|second-factors)/, 'browser: the account'],
  [/^test\/browser\//, 'browser: the rest'],
  [/^test\/demo\//, 'demo'],
  [/^test\/clients\//, 'clients'],
  [/^test\/(protocol|operations|pages|platform)\/|^test\/[^/]+$/, 'rules'],
];

/** What `npm run test:fast` leaves out: browsers, child processes, PostgreSQL, and passwords hashed at full cost. */
const slow =
  /^test\/(browser|cli|clients|demo|deploy|metrics|postgres|scripts)\/|^test\/docs\.|^test\/storage\/(postgres|pgbouncer|(landed-)?migrations)\.|passwords-queue/;

/** Every test on every engine it is for: the HTTP suites on each, the others once. */
export function wholePlan(files: readonly string[]): Job[] {
  return inOrder(engines.flatMap((engine) => jobsOn(engine, files)));
}

export function fastPlan(files: readonly string[]): Job[] {
  return inOrder(
    jobsOn('embedded', files)
      .map(withoutSlowFiles)
      .filter((job) => job.files.length > 0),
  );
}

function jobsOn(engine: Engine, files: readonly string[]): Job[] {
  // All but the HTTP suites choose their engine themselves, whichever they are about.
  const chosen = files.filter((file) => engine === 'embedded' || httpSuite.test(file)).sort();
  const groups = Map.groupBy(chosen, (file) => together.findIndex(([pattern]) => pattern.test(file)));
  return [...groups].flatMap(([index, grouped]) => {
    const [, name, processes = 1] = together[index] ?? [undefined, undefined, grouped.length];
    return Array.from({ length: processes }, (_, number) => {
      const own = grouped.filter((_file, place) => place % processes === number);
      return { name: `${name ?? own[0]} on ${engine}, ${1 + number}`, engine, files: own };
    });
  });
}

const withoutSlowFiles = (job: Job): Job => ({ ...job, files: job.files.filter((file) => !slow.test(file)) });

function inOrder(jobs: readonly Job[]): Job[] {
  const rank = ({ files: [file = ''] }: Job) => {
    const found = slowFirst.findIndex((start) => file.startsWith(start));
    return found === -1 ? slowFirst.length : found;
  };
  return jobs.toSorted((one, other) => rank(one) - rank(other));
}
