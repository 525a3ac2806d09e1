// What `latchkey apply` changes, as a diff: + is added, - goes, ~ is another than before. What stays has no line.

import type { Change, FileSection, ItemsDifference, Step } from '../../operations/apply/file-section.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { itemLine } from '../../protocol/resources/field.ts';
import { rowsOf } from '../../protocol/resources/resource.ts';
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

type Shown = NonNullable<FileSection['shown']>;
const asItIs: Shown = (_, value) => value;

/** The members of what is new, and what changes about the rest. */
export function linesOf(section: FileSection, step: Step): DiffLine[] {
  const { more = {}, shown = asItIs } = section;
  if (step.kind === 'update') return step.changes.flatMap((change) => changeLines(change, shown));
  if (step.kind !== 'create') return [];
  const { described, changes = [] } = step;
  const flags = Object.keys(more).filter(
    (name) => described.item[name] === true && !changes.some((change) => change.name === name),
  );
  return [
    ...newFieldLines(section, described.given, shown),
    ...changes.flatMap((change) => changeLines(change, shown)),
    ...flags.map((name) => memberLine('+', name, true)),
  ];
}

function newFieldLines({ fields }: FileSection, given: Readonly<Record<string, unknown>>, shown: Shown): DiffLine[] {
  return rowsOf(fields).flatMap(({ name, property, field }) => {
    const value = given[property] ?? null;
    if (field.kind === 'secret' || name === 'name') return [];
    if (field.kind === 'image') return value === null ? [] : [memberLine('+', name, 'added')];
    if (!Array.isArray(value)) {
      const text = shown(name, value, 'new');
      return text === null ? [] : [memberLine('+', name, text)];
    }
    if (field.comparedWhole) return value.length === 0 ? [] : [memberLine('+', name, value.join(' '))];
    return listLines(name, { added: value.map((item) => itemLine(field, item)), removed: [] });
  });
}

const imageSigns = { added: '+', changed: '~', removed: '-' } as const;

export function changeLines(change: Change, shown = asItIs): DiffLine[] {
  const { name } = change;
  if ('items' in change) return listLines(name, change.items);
  if ('image' in change) return [memberLine(imageSigns[change.image], name, change.image)];
  const inOne = (value: unknown, when: 'before' | 'after') =>
    inWords(Array.isArray(value) ? value.join(' ') : shown(name, value, when));
  return [memberLine('~', name, `${inOne(change.from, 'before')} → ${inOne(change.to, 'after')}`)];
}

/** One member of a thing: `+` for a thing that is new. */
function memberLine(sign: Sign, name: string, value: unknown): DiffLine {
  return { sign, text: `${name}: ${inWords(value)}`, nested: true };
}

/** A line for everything that a list gains or loses. */
function listLines(name: string, { added, removed }: ItemsDifference): DiffLine[] {
  return [...added.map((item) => memberLine('+', name, item)), ...removed.map((item) => memberLine('-', name, item))];
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return '(none)';
  return value === '' ? '(empty)' : String(value);
}

export function changesJson(changes: readonly Change[]): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const { name, path = name, ...change } of changes) {
    const [member = '', inner] = path.split('.');
    const value = 'items' in change ? change.items : 'image' in change ? change.image : change;
    json[member] = inner === undefined ? value : { ...(json[member] as object), [inner]: value };
  }
  return json;
}
