// Rows in aligned columns. A terminal that's too narrow for them gets the last column broken into lines, or a block per
// row: nothing is cut off, because what a table shows is often copied.

import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { type Part, plainText, print, styled, terminalWidth } from './output.ts';
import { displayWidth, padTo, wrapped } from './width.ts';

const gap = '  ';
/** Columns that the last column needs to be worth breaking. */
const leastForText = 24;

type Row = readonly Part[];

/** A list: the first row names the columns. */
export function printTable(rows: readonly Row[]): void {
  const [titles = [], ...others] = rows.map(escaped);
  const heading = titles.map((title) => styled('bold', plainText(title)));
  const width = terminalWidth();
  const layout = layOut([heading, ...others], width);
  if (layout !== 'too narrow') {
    printLines(layout);
    return;
  }
  const label = Math.max(...titles.map((title) => displayWidth(plainText(title))));
  for (const [index, row] of others.entries()) {
    if (index > 0) print('');
    for (const [column, cell] of row.entries()) {
      const title = styled('dim', plainText(titles[column] ?? ''));
      printLines(beside(padded(title, label), cell, label + gap.length, width));
    }
  }
}

/** What is known about one thing: each row is a name and a value, or a few names. */
export function printFields(rows: readonly Row[]): void {
  const fields = rows
    .map(escaped)
    .map(([name = '', ...cells]) => [typeof name === 'string' ? styled('dim', name) : name, ...cells]);
  const width = terminalWidth();
  const layout = layOut(fields, width);
  if (layout === 'too narrow') printLines(fields.flatMap((row) => below(row, width)));
  else printLines(layout);
}

/** The rows as lines of aligned cells. */
function layOut(rows: readonly Row[], width = Number.POSITIVE_INFINITY): Row[] | 'too narrow' {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => displayWidth(plainText(row[column] ?? '')))),
  );
  const last = columns - 1;
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + gap.length, 0);
  const room = width - before;
  if (room < Math.min(leastForText, widths[last] ?? 0)) return 'too narrow';
  return rows.flatMap((row) => {
    const start = Array.from({ length: last }, (_, column) => padded(row[column] ?? '', widths[column] ?? 0));
    const end = row[last] ?? '';
    const lines = Number.isFinite(room) ? wrapped(plainText(end), room) : [plainText(end)];
    return lines.map((line, index) => [...(index === 0 ? start : [' '.repeat(before)]), withText(end, line)]);
  });
}

/** A value beside its name, for narrow terminals. */
function beside(name: Part, value: Part, indent: number, width = 80): Row[] {
  return broken(value, width - indent).map((line, index) => [index === 0 ? name : ' '.repeat(indent), line]);
}

/** A value below its names, for narrow terminals. */
function below(row: Row, width = 80): Row[] {
  const names = row.slice(0, -1).flatMap((name) => [name, gap]);
  return [names, ...broken(row.at(-1) ?? '', width - gap.length).map((line) => [gap, line])];
}

function broken(value: Part, width: number): Part[] {
  return wrapped(plainText(value), Math.max(10, width)).map((line) => withText(value, line));
}

function padded(cell: Part, width: number): Part {
  return withText(cell, padTo(plainText(cell), width) + gap);
}

function withText(cell: Part, text: string): Part {
  return typeof cell === 'string' ? text : { ...cell, text };
}

function escaped(row: Row): Row {
  return row.map((cell) => withText(cell, escapeMisleading(plainText(cell))));
}

function printLines(lines: readonly Row[]): void {
  for (const line of lines) print(...trimmed(line));
}

/** Without the spaces after the last text. */
function trimmed(line: Row): Row {
  const parts = [...line];
  while (parts.length > 0) {
    const last = parts.pop() ?? '';
    const text = plainText(last).trimEnd();
    if (text !== '') return [...parts, withText(last, text)];
  }
  return parts;
}
