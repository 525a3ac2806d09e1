// How long each test file takes, as test/timings.json keeps it: whole seconds of the last release run that measured it,
// and why a file may take as long as it does.

import { readFileSync } from 'node:fs';

export interface Timings {
  /** Of files that take a second or longer. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Written by hand. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** A file that takes longer needs a reason. */
export const secondsWithoutReason = 15;

export const timingsFile = new URL('../timings.json', import.meta.url);

export function readTimings(): Timings {
  return JSON.parse(readFileSync(timingsFile, 'utf8'));
}

/** The timings after a run of these files. Those that it left out keep theirs; those that no longer exist lose them. */
export function updatedTimings(
  { seconds, reasons }: Timings,
  milliseconds: ReadonlyMap<string, number>,
  exists: (file: string) => boolean,
): Timings {
  const measured = [...milliseconds].map(([file, duration]): [string, number] => [file, Math.round(duration / 1000)]);
  const all = Object.entries({ ...seconds, ...Object.fromEntries(measured) });
  return {
    seconds: inOrder(all.filter(([file, taken]) => taken > 0 && exists(file))),
    reasons: inOrder(Object.entries(reasons).filter(([file]) => exists(file))),
  };
}

function inOrder<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
