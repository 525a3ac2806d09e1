// A program on a node, as another user than root, with its output in a file.

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import type { Node } from './network.ts';

export interface ProgramOptions {
  readonly user: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly log: string;
}

export function startProgram(node: Node, command: readonly string[], options: ProgramOptions): ChildProcess {
  const { user, environment, log } = options;
  // Both replace themselves with what they start, so the child is the program itself.
  const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
  const output = openSync(log, 'a');
  const { PATH = '' } = process.env;
  const child = spawn('ip', ['netns', 'exec', node.namespace, ...as, ...command], {
    env: { PATH, LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['ignore', output, output],
  });
  // A program that can't be started is noticed by whoever waits for it.
  child.on('error', () => {});
  return child;
}
