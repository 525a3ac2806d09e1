// The processes that a service consists of.

import { existsSync, readFileSync } from 'node:fs';
import type { Served } from '../test/harness/served.ts';

/** A process and all that it has started, and they. */
export function processesFrom(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children.map(Number).flatMap(processesFrom)];
}

export function pidOf({ child }: Served): number {
  if (child?.pid === undefined) throw new Error('it does not run');
  return child.pid;
}

/** Why processes can't be found here; undefined when they can. */
export function processesUnavailable(): string | undefined {
  return existsSync('/proc/self/task') ? undefined : 'processes can be found only on Linux';
}
