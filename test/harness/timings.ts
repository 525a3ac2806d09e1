// How long each test file takes, so that a run can share out its work. test/timings.json has a time for every file, and why a
// file may take as long as it does; each run also keeps its own times beside the installed packages, and those count first.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Lane = 'quick' | 'release';
export type Seconds = Readonly<Record<string, number>>;

export interface Timings {
  /** Of every file, before a release. An HTTP suite runs several times: what counts is the slowest. */
  readonly seconds: Seconds;
  /** Of the files in `npm test`, without what they leave to a release. */
  readonly quickSeconds: Seconds;
  /** Written by hand. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** A file that takes longer needs a reason. */
export const secondsWithoutReason = 15;

export const timingsFile = new URL('../timings.json', import.meta.url);
const keptFile = new URL('../../node_modules/.cache/test-seconds.json', import.meta.url);

export function readTimings(): Timings {
  return JSON.parse(readFileSync(timingsFile, 'utf8'));
}

type Kept = Readonly<Partial<Record<Lane, Seconds>>>;

/** What runs on this machine have taken; nothing at first. */
function readKept(file: URL): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

export function latestSeconds(lane: Lane, file = keptFile): Seconds {
  const { seconds, quickSeconds } = readTimings();
  return { ...(lane === 'quick' ? quickSeconds : seconds), ...readKept(file)[lane] };
}

/** For the next run on this machine. */
export function keepSeconds(lane: Lane, measured: Seconds, file = keptFile): void {
  const kept = readKept(file);
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...kept, [lane]: { ...kept[lane], ...measured } }));
}

/** The timings after a run of these files. Those that it left out keep theirs; those that no longer exist lose them. */
export function updatedTimings(
  { seconds, quickSeconds, reasons }: Timings,
  lane: Lane,
  measured: Seconds,
  exists: (file: string) => boolean,
): Timings {
  const current = (before: Seconds, isMeasured: boolean) =>
    inOrder(Object.entries({ ...before, ...(isMeasured ? measured : {}) }).filter(([file]) => exists(file)));
  return {
    seconds: current(seconds, lane === 'release'),
    quickSeconds: current(quickSeconds, lane === 'quick'),
    reasons: inOrder(Object.entries(reasons).filter(([file]) => exists(file))),
  };
}

function inOrder<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
