// How much CPU processes have used, as Linux counts it: to the nanosecond, for every thread. And how much memory they have.

import { readdirSync, readFileSync } from 'node:fs';

/** The process and everything that it has started. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

/**
 * Starts to count, and returns a function that says how many microseconds all threads of these processes have used since:
 * also those of processes that have started meanwhile, but not of threads that have ended.
 */
export function countCpu(pids: () => readonly number[]): () => number {
  const before = threadTimes(pids());
  return () => {
    let nanoseconds = 0;
    for (const [thread, time] of threadTimes(pids())) nanoseconds += time - (before.get(thread) ?? 0);
    return nanoseconds / 1000;
  };
}

/** Resident megabytes (millions of bytes). */
export function residentOf(pids: readonly number[]): number {
  return megabytes(pids, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most that they have had so far, each on its own. */
export function peakOf(pids: readonly number[]): number {
  return megabytes(pids, /^VmHWM:\s+(\d+) kB$/m);
}

function megabytes(pids: readonly number[], line: RegExp): number {
  const kilobytes = pids.map((pid) => Number(line.exec(read(`/proc/${pid}/status`))?.[1] ?? 0));
  return (kilobytes.reduce((sum, each) => sum + each, 0) * 1024) / 1e6;
}

function threadTimes(pids: readonly number[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of list(`/proc/${pid}/task`)) {
      times.set(thread, Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0));
    }
  }
  return times;
}

function parentOf(pid: number): number | undefined {
  // The name of the program, in parentheses, may contain anything.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ');
  return fields?.[1] === undefined ? undefined : Number(fields[1]);
}

/** A process may end while it is looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
