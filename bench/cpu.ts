// How much CPU processes have used, as Linux counts it: to the nanosecond, for every thread.

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

/** Microseconds of all threads of these processes. A thread that has ended no longer counts. */
export function cpuOf(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const thread of list(`/proc/${pid}/task`)) {
      nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0);
    }
  }
  return nanoseconds / 1000;
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
