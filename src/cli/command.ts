// What the commands share: reading arguments, failing, printing, and the origin that their events record.

import { userInfo } from 'node:os';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { AdminOutcome } from '../operations/admin/outcome.ts';
import type { Environment } from '../platform/config.ts';
import type { Origin } from '../protocol/event.ts';
import { escapeMisleading } from '../protocol/reading/control-characters.ts';

/** The command wasn't understood (exit status 2). */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command was understood but couldn't be carried out (exit status 1). */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

export interface Command {
  readonly usage: string;
  run(args: string[], environment: Environment): Promise<void>;
}

export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  positionalNames: readonly string[],
) {
  let parsed: ReturnType<typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true; strict: true }>>;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\. |\.?\n/)[0]);
  }
  if (parsed.positionals.length < positionalNames.length) {
    throw new UsageError(`${positionalNames[parsed.positionals.length]} is required`);
  }
  // A name that ends with an ellipsis stands for one or more.
  const takesMore = positionalNames.at(-1)?.endsWith('…') === true;
  if (parsed.positionals.length > positionalNames.length && !takesMore) {
    throw new UsageError(`unexpected argument "${parsed.positionals[positionalNames.length]}"`);
  }
  return parsed;
}

/** Events record which system user ran the command. */
export function commandOrigin(): Origin {
  let user = 'unknown';
  try {
    user = userInfo().username;
  } catch {
    // In a container, the user id may have no name.
  }
  return { address: 'command line', requestId: `cli-${user}-${process.pid}` };
}

export function requireDone<Result>(outcome: AdminOutcome<Result>): Result {
  if (outcome.kind === 'refused') throw new CommandFailed(`${outcome.problem}.`);
  return outcome;
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Names and email addresses are printed as people have stored them, so nothing in a text may command the terminal. */
export function print(text: string): void {
  process.stdout.write(`${safeLines(text)}\n`);
}

/** The text with its line breaks, and with every other control character as an escape. */
export function safeLines(text: string): string {
  return text.split('\n').map(escapeMisleading).join('\n');
}

/** Prints rows in aligned columns. */
export function printTable(given: readonly (readonly string[])[]): void {
  const rows = given.map((row) => row.map(escapeMisleading));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a link works, in words. */
export function howLong(milliseconds: number): string {
  if (milliseconds < 2 * HOUR) return `${milliseconds / MINUTE} minutes`;
  return milliseconds <= 48 * HOUR ? `${milliseconds / HOUR} hours` : `${milliseconds / (24 * HOUR)} days`;
}
