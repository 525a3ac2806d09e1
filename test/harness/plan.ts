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
  ...['test/browser', 'test/demo', 'test/clients', 'test/cli/serve', 'test/http', 'test/cli/durability'],
  ...['test/architecture', 'test/storage', 'test/deploy', 'test/metrics', 'test/cli', 'test/postgres'],
];

const httpSuite = /^test\/http\//;
/** So many processes share the HTTP suites of an engine. */
const httpProcesses = 3;

/** The name of the process for each of these files; any other file has one to itself. */
const together: readonly [RegExp, string][] = [
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
  const suites = files.filter((file) => httpSuite.test(file)).sort();
  // The others choose their engine themselves, whichever they are about.
  const others = engine === 'embedded' ? files.filter((file) => !httpSuite.test(file)).sort() : [];
  const groups = [
    ...suites.map((file, index) => [`http on ${engine}, ${1 + (index % httpProcesses)}`, file] as const),
    ...others.map((file) => [together.find(([pattern]) => pattern.test(file))?.[1] ?? file, file] as const),
  ];
  return [...Map.groupBy(groups, ([name]) => name)].map(([name, grouped]) => {
    return { name, engine, files: grouped.map(([, file]) => file) };
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
