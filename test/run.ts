// Runs tests with Node's test runner: all of them, the quick ones (--quick), the fast ones (--fast), or the files that are
// named. --timings also writes test/timings.json. Other options are passed on to the test runner. `npm test`, `npm run
// test:release`, `npm run test:fast` and `npm run coverage` call this.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fastPlan, type Job, quickPlan, releasePlan } from './harness/plan.ts';
import { startPostgres } from './harness/postgres.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const given = process.argv.slice(2);
const own = ['--fast', '--quick', '--timings'];
const options = given.filter((each) => each.startsWith('-') && !own.includes(each));
const named = given.filter((each) => !each.startsWith('-'));
const isFast = given.includes('--fast');
const isQuick = given.includes('--quick');

// test/harness/lane.ts reads it in the process of each test.
if (isFast || isQuick) process.env.TEST_LANE = 'quick';
if (given.includes('--timings')) process.env.TEST_TIMINGS = 'write';
// Options may leave out tests or choose other reporters.
if (options.length === 0) options.push(...reporters('spec', './test/harness/timings-reporter.ts'));

await inScratchFolder(async (folder) => {
  if (named.length > 0) await runNamed(folder);
  else if (isFast) await runJobs(folder, fastPlan(testFiles()));
  else {
    const hasCitus = process.env.TEST_CITUS_URL !== undefined;
    const plan = () => (isQuick ? quickPlan(testFiles()) : releasePlan(testFiles(), undefined, hasCitus));
    await withPostgres(() => runJobs(folder, plan()));
  }
});

function testFiles(pattern = 'test/**/*.test.ts'): string[] {
  return globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
}

function reporters(...names: readonly string[]): string[] {
  return names.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']);
}

/** Runs files on the embedded store, or with TEST_ENGINE=postgres or citus on PostgreSQL, each in a process of its own. */
async function runNamed(folder: string): Promise<void> {
  const isDistributed = process.env.TEST_ENGINE === 'citus';
  const engine = isDistributed || process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'embedded';
  const jobs = named.flatMap((pattern) => {
    const files = testFiles(pattern);
    if (files.length === 0) throw new Error(`There is no test file ${pattern}.`);
    return files.map((file): Job => ({ name: file, engine, isDistributed, files: [file] }));
  });
  if (engine === 'postgres') await withPostgres(() => runJobs(folder, jobs));
  else await runJobs(folder, jobs);
}

/** The test runner starts one process per file, in the order of their names, so each job becomes a numbered file. */
async function runJobs(folder: string, jobs: readonly Job[]): Promise<void> {
  const files = jobs.map((job, index) => {
    const number = String(index).padStart(3, '0');
    const file = join(folder, `${number}-${job.name.replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(file, entryOf(job));
    return file;
  });
  await testRunner(files);
}

/** Makes a suite of each test file, so that its hooks apply to its own tests only. */
function entryOf({ engine, throughFramework, isDistributed, files }: Job): string {
  const suites = files.map((file) => {
    const url = pathToFileURL(resolve(root, file)).href;
    return `describe(${JSON.stringify(file)}, () => import(${JSON.stringify(url)}));`;
  });
  const head = [
    `import { describe } from 'node:test';`,
    `import ${JSON.stringify(new URL('harness/at-end.ts', import.meta.url))};`,
    `process.env.TEST_ENGINE = ${JSON.stringify(engine)};`,
    ...(isDistributed ? [`process.env.TEST_DISTRIBUTED = 'citus';`] : []),
    ...(throughFramework ? [`process.env.TEST_DOOR = 'framework';`] : []),
  ];
  return `${[...head, ...suites].join('\n')}\n`;
}

/** One server for all files: starting one takes longer than most of them. */
async function withPostgres(work: () => Promise<void>): Promise<void> {
  const server = await startPostgres();
  try {
    await server.makeTemplate();
    process.env.TEST_POSTGRES_PORT = String(server.port);
    await work();
  } finally {
    await server.remove();
  }
}

/**
 * The folder for the temporary files of the whole run, in memory where there's room: every commit of a store waits for its
 * disk, and no test survives a power cut. Nothing is left of it, however the run ends.
 */
async function inScratchFolder(work: (folder: string) => Promise<void>): Promise<void> {
  if (process.env.TMPDIR === undefined && hasRoom('/dev/shm')) process.env.TMPDIR = '/dev/shm';
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
  // A PostgreSQL that root starts runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasRoom(memory: string): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  const mayRunPrograms = !new RegExp(`^\\S+ ${memory} \\S+ \\S*noexec`, 'm').test(readFileSync('/proc/mounts', 'utf8'));
  return bavail * bsize > 4 * 2 ** 30 && mayRunPrograms;
}

async function testRunner(files: readonly string[]): Promise<void> {
  // More than there are cores: tests wait for browsers, mail servers and child processes much of the time.
  const limits = [`--test-concurrency=${2 * availableParallelism()}`, '--test-timeout=1200000'];
  // Test processes are short and allocate a lot: with more room for what is new, they collect garbage less often, and without
  // threads of its own that takes less CPU.
  const room = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
  const flags = [...room, '--single-threaded-gc', '--test', ...limits];
  const child = spawn(process.execPath, [...flags, ...options, ...files], { cwd: root, stdio: 'inherit' });
  // What is left to do after the tests is done when they are broken off, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
