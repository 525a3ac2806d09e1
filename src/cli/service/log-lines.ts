// The log as people read it on a terminal. Everywhere else it's JSON, an entry per line, as pino writes it.

import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { type Part, render, type Style, styled } from '../terminal/output.ts';
import { localTime } from '../terminal/times.ts';

const levels: Readonly<Record<number, readonly [name: string, style: Style]>> = {
  10: ['TRACE', 'dim'],
  20: ['DEBUG', 'dim'],
  30: ['INFO ', 'green'],
  40: ['WARN ', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
};

/** Without what a reader at a terminal knows, and what has a fixed place in the line. */
const shownElsewhere = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'reqId']);
const partsOfRequest = new Set(['method', 'route', 'status', 'ms']);

type Entry = Readonly<Record<string, unknown>>;

/** Takes entries as JSON and writes them as lines. */
export function logStream(stream: NodeJS.WriteStream): { write(entry: string): void } {
  return {
    write: (entry) => void stream.write(`${render(logLine(entry), stream)}\n`),
  };
}

/** An entry of the log as the parts of a line. What isn't JSON stays as it is. */
export function logLine(text: string): Part[] {
  const entry = readEntry(text);
  if (entry === undefined) return [text.trimEnd()];
  const { level, time, reqId, err } = entry;
  const [name, style] = levels[Number(level)] ?? ['     ', 'dim'];
  const isRequest = typeof entry.method === 'string' && typeof entry.status === 'number';
  const facts = Object.entries(entry).filter(
    ([key]) => !shownElsewhere.has(key) && !(isRequest && partsOfRequest.has(key)),
  );
  return [
    styled('dim', localTime(Number(time)).slice(11, 19)),
    ' ',
    styled(style, name),
    ' ',
    ...(isRequest ? requestParts(entry) : [oneLine(entry.msg)]),
    ...facts.map(([key, value]) => styled('dim', `  ${key}=${oneLine(value)}`)),
    ...(reqId === undefined ? [] : [styled('dim', `  ${oneLine(reqId)}`)]),
    ...errorParts(err),
  ];
}

function readEntry(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** GET /sign-in 200 12 ms */
function requestParts({ method, route, status, ms }: Entry): Part[] {
  const style = Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'green';
  const took = ms === undefined ? '' : ` ${oneLine(ms)} ms`;
  return [`${oneLine(method)} ${oneLine(route)} `, styled(style, oneLine(status)), took];
}

/** The stack below the line, indented: it's the only part of an entry that isn't on the line. */
function errorParts(error: unknown): Part[] {
  if (typeof error !== 'object' || error === null) return [];
  const { stack, message } = error as Entry;
  const lines = String(stack ?? message ?? '').split('\n');
  return lines.map((line) => styled('dim', `\n    ${escapeMisleading(line.trim())}`));
}

/** A line break in a value would forge another entry. */
function oneLine(value: unknown): string {
  return escapeMisleading(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
