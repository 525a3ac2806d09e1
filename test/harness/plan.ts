// Which process runs which test files, and on which engine. Starting the first service costs a process more than most
// suites take, so suites that keep to themselves share one; what starts browsers, commands or servers gets its own.

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
  ...['test/cli/durability', 'test/storage/postgres', 'test/browser', 'test/clients', 'test/demo', 'test/cli'],
  ...['test/postgres', 'test/deploy', 'test/http', 'test/platform', 'test/storage'],
];

/** Pure rules and pages: one process for all of them. */
const rules = /^test\/(protocol|operations|pages)\//;
const httpSuite = /^test\/(http(?:\/[\w-]+)?)\/[^/]+$/;

/** What `npm run test:fast` leaves out: browsers, child processes, PostgreSQL, and passwords hashed at full cost. */
const slow =
  /^test\/(browser|cli|clients|demo|deploy|postgres|scripts)\/|^test\/storage\/(postgres|(landed-)?migrations)\.|passwords-queue/;

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
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const [, folder] = httpSuite.exec(file) ?? [];
    // The others choose their engine themselves, whichever they are about.
    if (folder === undefined && engine !== 'embedded') continue;
    const group = folder === undefined ? (rules.test(file) ? 'rules' : file) : `${folder} on ${engine}`;
    groups.set(group, [...(groups.get(group) ?? []), file]);
  }
  return [...groups].map(([name, grouped]) => ({ name, engine, files: grouped.sort() }));
}

const withoutSlowFiles = (job: Job): Job => ({ ...job, files: job.files.filter((file) => !slow.test(file)) });

function inOrder(jobs: readonly Job[]): Job[] {
  const rank = ({ files: [file = ''] }: Job) => {
    const found = slowFirst.findIndex((start) => file.startsWith(start));
    return found === -1 ? slowFirst.length : found;
  };
  return jobs.toSorted((one, other) => rank(one) - rank(other));
}
