// Runs the load generator as a process of its own, and pins processes to cores, so that the generator and the server
// don't compete for one.

import { execFileSync, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figures, Job } from './load-generator.ts';

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

export interface LoadGenerator {
  measure(job: Job): Promise<Figures>;
  stop(): void;
}

/** On a core of its own, unless the server uses every core anyway. */
export function startLoadGenerator({ everyCore = false } = {}): LoadGenerator {
  const file = fileURLToPath(new URL('load-generator.ts', import.meta.url));
  const [command, args] = everyCore ? [process.execPath, []] : onCore(generatorCore, process.execPath, []);
  const child = fork(file, [], { execPath: command, execArgv: args });
  return {
    measure: (job) =>
      new Promise((resolve) => {
        child.once('message', (message) => resolve(message as Figures));
        child.send(job);
      }),
    stop: () => child.kill(),
  };
}
