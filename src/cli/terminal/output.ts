// What commands print. On a terminal it can have color; a file or a pipe gets the text alone. Names and email addresses
// are printed as people have stored them, so nothing in a text may command the terminal.

import { styleText } from 'node:util';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A text in a style. */
export interface Styled {
  readonly text: string;
  readonly style: Style;
}

export type Part = string | Styled;

export function styled(style: Style, text: string): Styled {
  return { style, text };
}

/** Prints the parts as one text, with a line break at the end. */
export function print(...parts: readonly Part[]): void {
  clearStatus();
  process.stdout.write(`${render(parts, process.stdout)}\n`);
}

/** Prints to standard error: questions, complaints, and notes beside the result. */
export function printError(...parts: readonly Part[]): void {
  clearStatus();
  process.stderr.write(`${render(parts, process.stderr)}\n`);
}

/** Prints a program that people copy, with the tabs that are part of it. */
export function printProgram(text: string): void {
  clearStatus();
  process.stdout.write(`${text.split('\t').map(safeLines).join('\t')}\n`);
}

/** For a person who watches; a script's standard error stays empty. */
export function noteOnTerminal(text: string): void {
  if (process.stderr.isTTY) printError(text);
}

/** Writes to standard output as it is, and waits for a slow reader, so that nothing piles up in memory. */
export async function writeOut(text: string): Promise<void> {
  if (text === '' || process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** The parts as the stream gets them: escaped first, so that the only control sequences are those of the styles. */
export function render(parts: readonly Part[], stream: NodeJS.WriteStream): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return safeLines(part);
      return part.text === '' ? '' : styleText(part.style, safeLines(part.text), { stream });
    })
    .join('');
}

export function plainText(part: Part): string {
  return typeof part === 'string' ? part : part.text;
}

/** The text with its line breaks, and with every other control character as an escape. */
export function safeLines(text: string): string {
  return text.split('\n').map(escapeMisleading).join('\n');
}

/** How wide lines may be; undefined for a file or a pipe, where it doesn't matter. */
export function terminalWidth(): number | undefined {
  const { stdout } = process;
  // Some terminals say 0 until they know.
  return stdout.isTTY ? Math.max(20, stdout.columns || 80) : undefined;
}

let shown = false;

/** Whether a line can be rewritten at all. */
export function hasStatusLine(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== 'dumb';
}

export function showStatus(text: string): void {
  if (!hasStatusLine()) return;
  process.stderr.write(`\r${text}\u001b[K`);
  shown = true;
}

export function clearStatus(): void {
  if (!shown) return;
  process.stderr.write('\r\u001b[K');
  shown = false;
}

let changing = false;

/** Finishes the work, whether or not anyone reads what it prints meanwhile. */
export async function finishing<Result>(work: () => Promise<Result>): Promise<Result> {
  changing = true;
  try {
    return await work();
  } finally {
    changing = false;
  }
}

export function isChanging(): boolean {
  return changing;
}
