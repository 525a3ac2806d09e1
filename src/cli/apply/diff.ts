// What `latchkey apply` changes, as a diff: + is added, - goes, ~ is another than before. What stays has no line.

import type { ItemsDifference } from '../../operations/admin/applied-resource.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { print, type Style, styled } from '../terminal/output.ts';

type Sign = '+' | '-' | '~' | '!';

export interface DiffLine {
  readonly sign: Sign;
  readonly text: string;
  /** A line below what it belongs to. */
  readonly nested?: true;
}

const styles: Readonly<Record<Sign, Style>> = { '+': 'green', '-': 'red', '~': 'yellow', '!': 'yellow' };

export function printDiff(lines: readonly DiffLine[]): void {
  for (const { sign, text, nested } of lines) {
    // A line break in a value would forge another line.
    print(styled(styles[sign], `${nested ? '    ' : ''}${sign} ${escapeMisleading(text)}`));
  }
}

export function line(sign: Sign, text: string): DiffLine {
  return { sign, text };
}

/** One member of a thing: `added` for a thing that is new. */
export function memberLine(sign: Sign, name: string, value: unknown): DiffLine {
  return { sign, text: `${name}: ${shown(value)}`, nested: true };
}

export function changeLine(name: string, { from, to }: { readonly from: unknown; readonly to: unknown }): DiffLine {
  return { sign: '~', text: `${name}: ${shown(from)} → ${shown(to)}`, nested: true };
}

/** A line for everything that a list gains or loses. */
export function listLines(name: string, difference: ItemsDifference | undefined): DiffLine[] {
  const { added = [], removed = [] } = difference ?? {};
  return [...added.map((item) => memberLine('+', name, item)), ...removed.map((item) => memberLine('-', name, item))];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '(none)';
  return value === '' ? '(empty)' : String(value);
}
