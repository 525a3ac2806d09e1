// What `npm test` runs: nothing is left out, and no HTTP suite forgets an engine.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { engines, fastPlan, type Job, wholePlan } from './harness/plan.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = globSync('test/**/*.test.ts', { cwd: root });

/** On which engines a file runs, once for every time it does. */
const enginesOf = (jobs: readonly Job[], file: string) =>
  jobs.filter((job) => job.files.includes(file)).map(({ engine }) => engine);

test('every HTTP suite runs once on every engine, and every other test once', () => {
  const jobs = wholePlan(files);
  assert.deepEqual(
    jobs.filter((job) => new Set(job.files).size !== job.files.length),
    [],
  );
  for (const file of files) {
    const expected = file.startsWith('test/http/') ? engines : ['embedded'];
    assert.deepEqual(enginesOf(jobs, file).sort(), [...expected].sort(), file);
  }
});

test('no HTTP suite looks into the embedded store itself', () => {
  const suites = files.filter((file) => file.startsWith('test/http/'));
  const embeddedOnly = suites.filter((file) => readFileSync(join(root, file), 'utf8').includes("'node:sqlite'"));
  assert.deepEqual(embeddedOnly, [], 'it belongs into test/sqlite/');
});

test('the fast tests are the rules, storage and HTTP on the embedded store, and open no browser', () => {
  const jobs = fastPlan(files);
  assert.deepEqual([...new Set(jobs.map(({ engine }) => engine))], ['embedded']);
  for (const file of files.filter((each) => /^test\/(protocol|operations|pages|http)\//.test(each))) {
    assert.deepEqual(enginesOf(jobs, file), ['embedded'], file);
  }
  assert.deepEqual(enginesOf(jobs, 'test/storage/sqlite.test.ts'), ['embedded']);
  assert.deepEqual(
    jobs.flatMap((job) => job.files).filter((file) => /^test\/(browser|cli|clients|demo|deploy|postgres)\//.test(file)),
    [],
  );
});
