// Runs the load generator as a process of its own, and pins processes to cores, so that the generator and the server
// don't compete for one.

import { execFileSync, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { countCpu } from './cpu.ts';
import type { Figures, Job, SliceJob } from './load-generator.ts';
import type { Target } from './work.ts';

export const serverCore = '0';
const generatorCore = '1';

/** The command that runs another command on one core, where the system can do that. */
export function onCore(core: string, command: string, args: readonly string[]): [string, string[]] {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return ['taskset', ['-c', core, command, ...args]];
  } catch {
    return [command, [...args]];
  }
}

/** With the CPU that a request has cost, in microseconds, of each group of processes that was asked about. */
export interface Measured extends Figures {
  readonly cpu: readonly number[];
}

export interface LoadGenerator {
  measure(job: Job, groups?: readonly (() => readonly number[])[]): Promise<Measured>;
  /** The CPU of one step, and how many failed. */
  slice(
    slice: Slice,
    groups: readonly (() => readonly number[])[],
  ): Promise<{ cpu: readonly number[]; errors: number }>;
  stop(): void;
}

export type Slice = Omit<SliceJob['slice'], 'number' | 'target'> & { readonly target: Target };

/** On a core of its own, unless the server uses every core anyway. */
export function startLoadGenerator({ everyCore = false } = {}): LoadGenerator {
  const file = fileURLToPath(new URL('load-generator.ts', import.meta.url));
  const [command, args] = everyCore ? [process.execPath, []] : onCore(generatorCore, process.execPath, []);
  const child = fork(file, [], { execPath: command, execArgv: args });
  /** By the first port of the server. */
  const sent = new Map<number, Target>();
  const nextMessage = () => new Promise((resolve) => child.once('message', resolve));
  return {
    async measure(job, groups = []) {
      const begun = nextMessage();
      child.send(job);
      await begun;
      const counters = groups.map(countCpu);
      const figures = (await nextMessage()) as Figures;
      return { ...figures, cpu: counters.map((used) => used() / figures.requests) };
    },
    async slice({ target, ...slice }, groups) {
      const port = target.ports[0] ?? 0;
      const isKnown = sent.get(port) === target;
      sent.set(port, target);
      const answer = nextMessage();
      const counters = groups.map(countCpu);
      child.send({ slice: { ...slice, number: port, target: isKnown ? undefined : target } } satisfies SliceJob);
      const { errors } = (await answer) as { errors: number };
      return { errors, cpu: counters.map((used) => used() / slice.steps) };
    },
    stop: () => child.kill(),
  };
}
