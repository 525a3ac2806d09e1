// The decision records: each says whether it still holds, and the records and the index agree about it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './harness/command.ts';

interface DecisionRecord {
  readonly file: string;
  readonly text: string;
}

const folder = join(root, 'docs/decisions');
const records: readonly DecisionRecord[] = readdirSync(folder)
  .filter((file) => /^\d+-.*\.md$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
const index = readFileSync(join(folder, 'README.md'), 'utf8');

const link = String.raw`\[\d+\]\([^)]+\)`;
const statusForm = new RegExp(`^(accepted|(?:amended|superseded) by ${link}(?:, ${link})*)$`);

/** The text after `Status: `, directly under the title. */
const statusOf = ({ text }: DecisionRecord): string | undefined => /^# [^\n]+\n\nStatus: ([^\n]+)\n/.exec(text)?.[1];

const linksIn = (text: string) =>
  [...text.matchAll(/\[(\d+)\]\(([^)]+)\)/g)].map(([, number = '', file = '']) => ({ number, file }));

/** What is wrong with the statuses of these records and with the index, as sentences. */
function problemsIn(all: readonly DecisionRecord[], list: string): string[] {
  const recordIn = (file: string) => all.find((record) => record.file === file);
  const problemsOf = (record: DecisionRecord): string[] => {
    const status = statusOf(record) ?? '';
    if (!statusForm.test(status)) return ['has no status under its title'];
    const problems = linksIn(status).flatMap(({ number, file }) => {
      const later = recordIn(file);
      if (later === undefined || Number.parseInt(file, 10) !== Number(number)) return [`names ${number}, ${file}`];
      if (Number(number) <= Number.parseInt(record.file, 10)) return [`is changed by ${file}, which isn't later`];
      return later.text.includes(`](${record.file})`) ? [] : [`isn't mentioned by ${file}`];
    });
    if (status.startsWith('superseded') && record.text.trimEnd().split('\n').length > 3)
      problems.push('is more than its status');
    const [, amended = ''] = /^Amends ([^\n]+)\.$/m.exec(record.text) ?? [];
    for (const { file } of linksIn(amended)) {
      const earlier = recordIn(file);
      if (!statusOf(earlier ?? record)?.includes(`](${record.file})`))
        problems.push(`amends ${file}, which doesn't say so`);
    }
    const row = list.split('\n').find((line) => line.split(' | ')[1]?.endsWith(`](${record.file})`));
    if (row?.endsWith(` | ${status} |`) !== true) problems.push(`isn't "${status}" in the index`);
    return problems;
  };
  return all.flatMap((record) => problemsOf(record).map((problem) => `${record.file} ${problem}`));
}

test('every decision record has a status, and the index and the records it names agree', () => {
  assert.ok(records.length >= 90);
  assert.deepEqual(problemsIn(records, index), []);
});

test('the index has each record once, in order', () => {
  const files = [...index.matchAll(/^\| \d+ \| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, file = '']) => file);
  const sorted = records.map(({ file }) => file).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  assert.deepEqual(files, sorted);
});

test('the rule notices a missing status, an unknown record, a missing mention and another status in the index', () => {
  const first = (status: string) => ({ file: '01-a.md', text: `# 1. A\n\n${status}\n\n## Choice\n` });
  const second = (text: string) => ({ file: '02-b.md', text: `# 2. B\n\nStatus: accepted\n\n${text}\n` });
  const rows = (status: string) =>
    `| 1 | [A](01-a.md) | Choice | ${status} |\n| 2 | [B](02-b.md) | Choice | accepted |`;
  const amended = 'amended by [2](02-b.md)';
  const amends = second('Amends [1](01-a.md).');
  assert.deepEqual(problemsIn([first(`Status: ${amended}`), amends], rows(amended)), []);
  assert.deepEqual(problemsIn([first('Accepted.'), second('')], rows('accepted')), [
    '01-a.md has no status under its title',
  ]);
  const unknown = 'amended by [3](03-c.md)';
  assert.deepEqual(problemsIn([first(`Status: ${unknown}`), second('')], rows(unknown)), ['01-a.md names 3, 03-c.md']);
  const gone = 'superseded by [2](02-b.md)';
  const replaces = second('Instead of [1](01-a.md).');
  assert.deepEqual(problemsIn([first(`Status: ${gone}`), replaces], rows(gone)), ['01-a.md is more than its status']);
  const short = { file: '01-a.md', text: `# 1. A\n\nStatus: ${gone}\n` };
  assert.deepEqual(problemsIn([short, replaces], rows(gone)), []);
  assert.deepEqual(problemsIn([first(`Status: ${amended}`), second('')], rows(amended)), [
    "01-a.md isn't mentioned by 02-b.md",
  ]);
  assert.deepEqual(problemsIn([first('Status: accepted'), amends], rows('accepted')), [
    "02-b.md amends 01-a.md, which doesn't say so",
  ]);
  assert.deepEqual(problemsIn([first(`Status: ${amended}`), amends], rows('accepted')), [
    `01-a.md isn't "${amended}" in the index`,
  ]);
});
