// Runs tests with Node's test runner: all of them, the fast ones (--fast), or the files that are named. Other options go to
// the test runner. `npm test`, `npm run test:fast` and `npm run coverage` come here.

import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fastPlan, type Job, wholePlan } from './harness/plan.ts';
import { startPostgres } from './harness/postgres.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const given = process.argv.slice(2);
const isFast = given.includes('--fast');
const options = given.filter((each) => each.startsWith('-') && each !== '--fast');
const named = given.filter((each) => !each.startsWith('-'));

if (named.length > 0) await runNamed();
else if (isFast) await runJobs(fastPlan(testFiles()));
else await withPostgres(() => runJobs(wholePlan(testFiles())));

function testFiles(): string[] {
  return globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
}

/** On the embedded store, unless TEST_ENGINE says otherwise. */
async function runNamed(): Promise<void> {
  if (process.env.TEST_ENGINE === 'postgres') await withPostgres(() => testRunner(named));
  else await testRunner(named);
}

/** The test runner starts its files by name, one process each, so every job is a numbered file. */
async function runJobs(jobs: readonly Job[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
  const files = jobs.map((job, index) => {
    const number = String(index).padStart(3, '0');
    const file = join(folder, `${number}-${job.name.replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(file, entryOf(job));
    return file;
  });
  await testRunner(files);
  rmSync(folder, { recursive: true });
}

/** Each file of a job is a suite, which keeps the hooks of one from the tests of the others. */
function entryOf({ engine, files }: Job): string {
  const suites = files.map((file) => {
    const url = pathToFileURL(join(root, file)).href;
    return `describe(${JSON.stringify(file)}, () => import(${JSON.stringify(url)}));`;
  });
  const head = [`import { describe } from 'node:test';`, `process.env.TEST_ENGINE = ${JSON.stringify(engine)};`];
  return `${[...head, ...suites].join('\n')}\n`;
}

/** One PostgreSQL for all files: starting one takes longer than most of them. */
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

async function testRunner(files: readonly string[]): Promise<void> {
  // One more than there are cores: tests wait for browsers, mail servers and child processes much of the time.
  const limits = [`--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=600000'];
  const child = spawn(process.execPath, ['--test', ...limits, ...options, ...files], { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
