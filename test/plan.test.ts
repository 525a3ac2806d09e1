// What `npm test` and `npm run test:release` run: a release leaves nothing out, and no test is in neither lane.

import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  engines,
  fastPlan,
  httpSuite,
  type Job,
  onCitusToo,
  quickPlan,
  releaseOnly,
  releasePlan,
  throughBothDoors,
} from './harness/plan.ts';
import { keepSeconds, latestSeconds, readTimings, secondsWithoutReason, updatedTimings } from './harness/timings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = globSync('test/**/*.test.ts', { cwd: root });
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** On which engines a file runs, once for every time it does as in production. */
const enginesOf = (jobs: readonly Job[], file: string) =>
  jobs.filter((job) => job.files.includes(file) && !job.throughFramework).map(({ engine }) => engine);

const filesOf = (jobs: readonly Job[]) => new Set(jobs.flatMap((job) => job.files));

describe('the release lane', () => {
  test('runs every HTTP suite once on every engine, and every other test once', () => {
    const jobs = releasePlan(files);
    assert.deepEqual(
      jobs.filter((job) => new Set(job.files).size !== job.files.length),
      [],
    );
    for (const file of files) {
      const expected = httpSuite.test(file) ? engines : ['embedded'];
      assert.deepEqual(enginesOf(jobs, file).sort(), [...expected].sort(), file);
    }
  });

  test('runs suites with authorization requests through both doors', () => {
    const again = filesOf(releasePlan(files).filter(({ throughFramework }) => throughFramework));
    assert.deepEqual(
      files.filter((file) => throughBothDoors.test(file)).filter((file) => !again.has(file)),
      [],
    );
    const names = [
      'draining',
      'trace-context',
      'oauth/authorize',
      'oauth/consent',
      'oauth/approval-limit',
      'sign-in/keep',
    ];
    for (const name of names) assert.ok(again.has(`test/http/${name}.test.ts`), name);
    assert.match(read('test/run.ts'), /throughFramework \? \[`process\.env\.TEST_DOOR = 'framework';`\]/);
    assert.match(read('test/harness/service.ts'), /authorizesInFront: process\.env\.TEST_DOOR !== 'framework'/);
  });

  test('runs suites on a distributed database if there is one', () => {
    const distributed = releasePlan(files, undefined, true).filter(({ isDistributed }) => isDistributed);
    assert.deepEqual([...filesOf(distributed)].sort(), files.filter((file) => onCitusToo.test(file)).sort());
    for (const name of [
      'oauth/access',
      'sign-in/sign-in',
      'webhooks/messages',
      'scim/users',
      'ends/ends',
      'api/access',
    ]) {
      assert.match(`test/http/${name}.test.ts`, onCitusToo);
    }
    assert.ok(releasePlan(files).every(({ isDistributed }) => !isDistributed));
    assert.match(read('test/run.ts'), /isDistributed \? \[`process\.env\.TEST_DISTRIBUTED = 'citus';`\]/);
  });

  test('runs what a test file leaves out of the quick one, and nothing else decides what runs', () => {
    const decidingFiles = globSync('{test,scripts}/**/*.{ts,js}', { cwd: root }).filter((file) =>
      /\bTEST_LANE\b/.test(read(file)),
    );
    assert.deepEqual(decidingFiles.sort(), ['test/harness/lane.ts', 'test/plan.test.ts', 'test/run.ts']);
    assert.match(read('test/harness/lane.ts'), /isReleaseLane = process\.env\.TEST_LANE !== 'quick'/);
    assert.match(read('test/run.ts'), /if \(isFast \|\| isQuick\) process\.env\.TEST_LANE = 'quick'/);
    assert.match(read('scripts/test.js'), /runTestsAndChecks\(\['--quick', \.\.\.given\]/);
    assert.doesNotMatch(read('scripts/test-release.js'), /--quick|--fast/);
    const leftOut = files.filter((file) =>
      /\b(test|describe|it)\.(skip|only|todo)\(|\b(skip|only|todo): true\b/.test(read(file)),
    );
    assert.deepEqual(leftOut, [], 'in neither lane');
    // What only the quick lane runs would be in neither once a file is named.
    const quickOnly = files.filter((file) => /if \(!isReleaseLane\) (test|describe)\(/.test(read(file)));
    assert.deepEqual(quickOnly, []);
  });
});

describe('the quick lane', () => {
  const jobs = quickPlan(files);

  test('runs every file once on the embedded store that does not wait for a release', () => {
    for (const file of files) {
      const waits = releaseOnly.some(([pattern]) => pattern.test(file));
      const engine = enginesOf(jobs, file).filter((each) => each === 'embedded');
      assert.deepEqual(engine, waits ? [] : ['embedded'], file);
    }
    for (const [pattern] of releaseOnly) {
      assert.ok(
        files.some((file) => pattern.test(file)),
        String(pattern),
      );
    }
  });

  test('runs on PostgreSQL what a second engine can break over HTTP', () => {
    const again = [...filesOf(jobs.filter(({ engine }) => engine === 'postgres'))];
    assert.ok(again.every((file) => file.startsWith('test/http/')));
    for (const name of ['engine', 'operations', 'oauth/logout-race']) {
      assert.ok(again.includes(`test/http/${name}.test.ts`), name);
    }
    const waiting = files.filter((file) => releaseOnly.some(([pattern]) => pattern.test(file)));
    const ran = new Set([...filesOf(jobs), ...waiting]);
    for (const file of files.filter((each) => /^test\/(postgres|storage)\//.test(each))) assert.ok(ran.has(file), file);
  });

  test('has one of each kind of what waits for a release', () => {
    const ran = filesOf(jobs);
    const smoke = [
      'browser/engines/chromium',
      'clients/openid-client',
      'demo/demo-app',
      'deploy/nginx',
      'deploy/systemd',
      'metrics/series',
    ];
    for (const name of smoke) assert.ok(ran.has(`test/${name}.test.ts`), name);
  });
});

describe('test/timings.json', () => {
  const { seconds, quickSeconds, reasons } = readTimings();

  test('is about files that there are', () => {
    const named = [seconds, quickSeconds, reasons].flatMap((each) => Object.keys(each));
    for (const file of named) assert.ok(files.includes(file), file);
  });

  test('has a time for every file', () => {
    const measure = 'run "npm run test:release -- --timings", or "npm test -- --timings" for those of npm test';
    const missing = files.filter((file) => seconds[file] === undefined);
    assert.deepEqual(missing, [], measure);
    const missingInQuick = [...filesOf(quickPlan(files))].filter((file) => quickSeconds[file] === undefined);
    assert.deepEqual(missingInQuick, [], measure);
  });

  test('has a reason for every file that takes long', () => {
    for (const [file, taken] of Object.entries(seconds)) {
      if (taken > secondsWithoutReason) assert.ok((reasons[file] ?? '') !== '', `${file} takes ${taken} s: why?`);
    }
  });

  test('keeps its reasons and what was not measured when it is written', () => {
    const before = {
      seconds: { a: 3, b: 20.1, gone: 5 },
      quickSeconds: { b: 2, gone: 1 },
      reasons: { b: 'a browser', gone: 'x' },
    };
    const measured = { b: 18.4, c: 1.6 };
    const exists = (file: string) => file !== 'gone';
    const reasons = { b: 'a browser' };
    assert.deepEqual(updatedTimings(before, 'release', measured, exists), {
      seconds: { a: 3, b: 18.4, c: 1.6 },
      quickSeconds: { b: 2 },
      reasons,
    });
    assert.deepEqual(updatedTimings(before, 'quick', measured, exists), {
      seconds: { a: 3, b: 20.1 },
      quickSeconds: { b: 18.4, c: 1.6 },
      reasons,
    });
  });
});

describe('the work is shared out by the latest times', () => {
  const httpFiles = files.filter((file) => file.startsWith('test/http/')).slice(0, 12);
  const [first = '', ...others] = httpFiles;

  test('what takes longest comes first, and no process gets much more than another', () => {
    const seconds = { ...Object.fromEntries(others.map((file) => [file, 10])), [first]: 140 };
    const jobs = quickPlan(httpFiles, seconds).filter(({ engine }) => engine === 'embedded');
    const taken = jobs.map((job) => job.files.reduce((sum, file) => sum + (seconds[file] ?? 0), 0));
    assert.deepEqual(jobs[0]?.files, [first]);
    assert.deepEqual(taken, [140, 60, 50]);
  });

  test('those that this machine has measured count before those that are checked in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-seconds-'));
    const file = pathToFileURL(join(folder, 'cache', 'seconds.json'));
    const checkedIn = latestSeconds('quick', file);
    assert.deepEqual(checkedIn, readTimings().quickSeconds);
    keepSeconds('quick', { [first]: 12_345.6 }, file);
    keepSeconds('release', { [first]: 1 }, file);
    assert.deepEqual(latestSeconds('quick', file), { ...checkedIn, [first]: 12_345.6 });
    assert.equal(quickPlan(files, latestSeconds('quick', file))[0]?.files[0], first);
    rmSync(folder, { recursive: true });
  });

  test('every run keeps its times, unless its options leave something out', () => {
    const run = read('test/run.ts');
    assert.match(
      run,
      /if \(options\.length === 0\) options\.push\(\.\.\.reporters\('spec', '.*timings-reporter\.ts'\)\);/,
    );
  });
});

test('no HTTP suite looks into the embedded store itself', () => {
  const suites = files.filter((file) => httpSuite.test(file));
  const embeddedOnly = suites.filter((file) => read(file).includes("'node:sqlite'"));
  assert.deepEqual(embeddedOnly, [], 'it belongs into test/sqlite/');
});

test('the fast tests are the rules, storage and HTTP on the embedded store, and open no browser', () => {
  const jobs = fastPlan(files);
  assert.deepEqual([...new Set(jobs.map(({ engine }) => engine))], ['embedded']);
  for (const file of files.filter((each) => /^test\/(protocol|operations|pages|http|hostile)\//.test(each))) {
    assert.deepEqual(enginesOf(jobs, file), ['embedded'], file);
  }
  assert.deepEqual(enginesOf(jobs, 'test/storage/sqlite.test.ts'), ['embedded']);
  assert.deepEqual(
    jobs.flatMap((job) => job.files).filter((file) => /^test\/(browser|cli|clients|demo|deploy|postgres)\//.test(file)),
    [],
  );
});
