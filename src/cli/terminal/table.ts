// Rows in aligned columns. On a terminal that's too narrow for them, each row of a list stays one line, whose longest cells are cut.
// Other tables get the last column broken into lines, or a block per row: nothing is cut off, because what they show is often copied.

import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { type Part, plainText, print, styled, terminalWidth } from './output.ts';
import { displayWidth, padTo, shortened, wrapped } from './width.ts';

const gap = '  ';
/** Columns that the last column needs to be worth breaking. */
const leastForText = 24;

export type Row = readonly Part[];

/** Columns that a cell keeps. */
const leastForCell = 8;

/** One line for each of many: the first row names the columns, and the first column, by which others name them, isn't cut. */
export function printList(rows: readonly Row[]): void {
  const lines = rows.map(escaped);
  const [titles = []] = lines;
  const natural = titles.map((_, column) =>
    Math.max(...lines.map((line) => displayWidth(plainText(line[column] ?? '')))),
  );
  const widths = fitted(natural, terminalWidth());
  if (widths === 'too narrow') {
    printTable(rows);
    return;
  }
  printLines(
    lines.map((line, index) =>
      line.map((cell, column) => {
        const most = widths[column] ?? 0;
        const text = padTo(shortened(plainText(cell), most), most) + gap;
        return index === 0 ? styled('bold', text) : withText(cell, text);
      }),
    ),
  );
}

/** The widest columns become narrower until all of them fit. */
function fitted(natural: readonly number[], width = Number.POSITIVE_INFINITY): readonly number[] | 'too narrow' {
  const [first = 0, ...widths] = natural;
  let over = natural.reduce((sum, each) => sum + each, gap.length * widths.length) - width;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= leastForCell) return 'too narrow';
    widths[widths.indexOf(widest)] = widest - 1;
    over--;
  }
  return [first, ...widths];
}

/** A table whose cells are all shown: the first row names the columns. */
export function printTable(rows: readonly Row[]): void {
  const [titles = [], ...others] = rows.map(escaped);
  const heading = titles.map((title) => styled('bold', plainText(title)));
  const width = terminalWidth();
  const layout = layOut([heading, ...others], width, others.length / 2);
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

/**
 * The rows as lines of aligned cells. So many rows that are too long may stick out, instead of pulling all the others
 * apart.
 */
function layOut(rows: readonly Row[], width = Number.POSITIVE_INFINITY, mayStickOut = 0): Row[] | 'too narrow' {
  const last = rows.reduce((most, row) => Math.max(most, row.length), 0) - 1;
  const before = (widths: readonly number[]) => widths.slice(0, last).reduce((sum, each) => sum + each + gap.length, 0);
  const fits = (widths: readonly number[]) => width - before(widths) >= Math.min(leastForText, widths[last] ?? 0);
  let widths: readonly number[] = Array.from({ length: last + 1 }, () => 0);
  let long = 0;
  for (const row of rows.toSorted((one, other) => lengthOf(one) - lengthOf(other))) {
    const wider = widths.map((each, column) => Math.max(each, displayWidth(plainText(row[column] ?? ''))));
    if (!fits(wider)) long++;
    // Of a row that's too long, the cells that fit are aligned all the same.
    for (const [column, cell] of wider.entries()) {
      const widened = fits(wider) ? wider : widths.with(column, cell);
      if (fits(widened)) widths = widened;
    }
  }
  if (long > mayStickOut) return 'too narrow';
  const indent = before(widths);
  return rows.flatMap((row) => {
    const start = Array.from({ length: last }, (_, column) => padded(row[column] ?? '', widths[column] ?? 0));
    const end = row[last] ?? '';
    const isLong = lengthOf(start) > indent;
    const lines = Number.isFinite(width) && !isLong ? wrapped(plainText(end), width - indent) : [plainText(end)];
    return lines.map((line, index) => [...(index === 0 ? start : [' '.repeat(indent)]), withText(end, line)]);
  });
}

function lengthOf(row: Row): number {
  return row.reduce((sum, cell) => sum + displayWidth(plainText(cell)), 0);
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
