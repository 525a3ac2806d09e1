// What surrounds the benchmark: the comparison of two results, and the page about them. Measuring is left to npm run bench.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RequestCosts } from '../bench/cpu-per-request.ts';
import { type MigrationFigures, problemsOf } from '../bench/migration.ts';
import { published, readResults } from '../bench/publish.ts';
import { type Results, type Row, rowsTable } from '../bench/results.ts';
import { root } from './harness/command.ts';

const row: Row = {
  name: 'userinfo',
  unit: 'ratio',
  now: 0.5,
  before: 0.4,
  control: 1.02,
  must: 0.55,
  better: 'higher',
};
const start: Row = { name: 'start', unit: 'ms', now: 400, before: null, must: 400, better: 'lower' };
const results: Results = {
  date: '2026-11-17T00:00:00.000Z',
  machine: { cpu: 'a CPU', cores: 2, node: 'v26.0.0' },
  quick: false,
  rounds: 15,
  rows: [row, start, { ...row, name: 'share of before', now: null, before: null, control: null }],
  servers: [
    { work: 'userinfo', server: 'node:http', cpuMicroseconds: 20, databaseMicroseconds: null, ofBare: 1, errors: 0 },
    { work: 'userinfo', server: 'Latchkey', cpuMicroseconds: 30, databaseMicroseconds: 10, ofBare: 2, errors: 0 },
  ],
};

test('a row says whether its figure is good enough, unless it takes a version before that was not measured', () => {
  assert.equal(
    rowsTable(results),
    `|  | now | before | control | must | met |
| --- | --- | --- | --- | --- | --- |
| userinfo | 0.50 | 0.40 | 1.02 | 0.55 | no |
| start | 400 ms |  |  | 400 ms | yes |
| share of before |  |  |  | 0.55 |  |
`,
  );
});

test('servers are compared slice by slice, with their databases and their memory', () => {
  const costs = new RequestCosts();
  for (const [ours, database, theirs] of [
    [10, 10, 10],
    [30, 30, 20],
    [400, 400, 100],
  ] as const) {
    costs.add('refresh', 'ours', 0, { service: ours, database, errors: 0, residentMb: ours });
    costs.add('refresh', 'theirs', 0, { service: theirs, database: undefined, errors: 0, residentMb: theirs });
  }
  assert.equal(costs.ratio('refresh', 'ours', 'theirs'), 3);
  assert.equal(costs.ratio('refresh', 'ours', 'nobody'), null);
  assert.equal(costs.memoryAbove('refresh', 'ours', 'theirs'), 10, 'in the round in the middle');
  assert.equal(costs.memoryAbove('refresh', 'ours', 'nobody'), null);
});

describe('two processes with the same code', () => {
  function costsOf(first: number, second: number): RequestCosts {
    const costs = new RequestCosts();
    for (const cpu of [10, 20, 300]) {
      for (const [copy, times] of [first, second].entries()) {
        costs.add('flow', 'ours', copy, { service: times * cpu, database: undefined, errors: 0, residentMb: 1 });
      }
      costs.add('flow', 'theirs', 0, { service: 2 * cpu, database: undefined, errors: 0, residentMb: 1 });
    }
    return costs;
  }

  test('are compared with another together', () => {
    const costs = costsOf(1.02, 0.98);
    assert.equal(costs.ratio('flow', 'ours', 'theirs'), 0.5);
    const { control, ...pair } = costs.pair('flow', ['ours', 'theirs']);
    assert.deepEqual(pair, { now: 0.5, before: 1 });
    assert.equal(control?.toFixed(3), '1.041');
  });

  test('that differ by more than 5 % give no ratio', () => {
    const costs = costsOf(1.06, 1);
    assert.equal(costs.ratio('flow', 'ours', 'theirs'), null);
    assert.equal(costs.ratio('flow', 'theirs', 'ours'), null);
    const pair = costs.pair('flow', ['ours', 'theirs']);
    assert.deepEqual(pair, { now: null, before: null, control: 1.06 });
    const rows = [{ ...row, ...pair }];
    assert.match(rowsTable({ rows }), /^\| userinfo \| {2}\| {2}\| 1\.06 \| 0\.55 \| control is off \|$/m);
  });
});

test('a migration that a request notices is a problem, and so is one that nobody watched', () => {
  const quiet: MigrationFigures = {
    people: 1000,
    seconds: 5,
    requests: 10,
    failures: [],
    slowestRequest: 2000,
    longestWait: { milliseconds: 999, statement: 'SELECT 1' },
    samples: 10,
  };
  assert.deepEqual(problemsOf(quiet), []);
  assert.deepEqual(problemsOf({ ...quiet, failures: ['refresh: 503', 'refresh: 503'] }), ['refresh: 503']);
  const late = { milliseconds: 1001, statement: 'SELECT 1' };
  assert.deepEqual(problemsOf({ ...quiet, longestWait: late }), ['waited for a lock: SELECT 1']);
  assert.deepEqual(problemsOf({ ...quiet, requests: 0 }), ['nothing was checked']);
  assert.deepEqual(problemsOf({ ...quiet, samples: 0 }), ['nothing was checked']);
});

describe('node bench/compare.js', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-compare-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const compare = (...files: string[]) =>
    spawnSync(process.execPath, [join(root, 'bench/compare.js'), ...files], { cwd: folder, encoding: 'utf8' });

  test('shows two results side by side, with ratios where both have a figure', () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(results));
    const [bare, ours] = results.servers;
    const later = {
      ...results,
      rows: [{ ...row, now: 0.6 }],
      servers: [bare, { ...ours, databaseMicroseconds: null }],
    };
    writeFileSync(join(folder, 'b.json'), JSON.stringify(later));
    const { status, stdout } = compare('a.json', 'b.json');
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split('\n').slice(3), [
      '| | A | B | B / A |',
      '| --- | --- | --- | --- |',
      '| userinfo | 0.5 | 0.6 | 1.20 |',
      '| start, ms | 400 |  |  |',
      '| userinfo, node:http, CPU µs | 20 | 20 | 1.00 |',
      '| userinfo, Latchkey, CPU µs | 40 | 30 | 0.75 |',
      '| userinfo, Latchkey, × bare | 2 | 2 | 1.00 |',
    ]);
  });

  test('explains itself without two files', () => {
    const { status, stderr } = compare('a.json');
    assert.equal(status, 2);
    assert.match(stderr, /^usage: node bench\/compare\.js A\.json B\.json$/m);
  });
});

test('the pages about performance and the chart are up to date; run "node bench/publish.ts" to update them', () => {
  const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
  const goals = readFileSync(join(root, 'bench/goals.md'), 'utf8');
  const expected = published(readResults(), { page, goals });
  assert.equal(page, expected.page);
  assert.equal(goals, expected.goals);
  assert.doesNotMatch(page, /before|must/i, 'what the benchmark aims for is in bench/goals.md');
  assert.equal(readFileSync(join(root, 'docs/images/performance.svg'), 'utf8'), expected.image);
});
