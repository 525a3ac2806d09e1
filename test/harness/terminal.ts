// Commands on a real terminal: `script` from util-linux gives them one, and what they write to it is read back.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment, root } from './command.ts';

export interface TerminalOptions {
  readonly columns?: number;
  readonly environment?: Record<string, string>;
}

export interface Terminal {
  /** Everything that was shown so far, control sequences included. */
  shown(): string;
  type(keys: string): void;
  /** Resolves when the pattern is shown after the last `type` or `until`. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with the exit status. */
  readonly ended: Promise<number | null>;
}

const deadline = 60_000;

/** Starts a command line of a shell, in the project's folder. */
export function openTerminal(commandLine: string, { columns = 80, environment = {} }: TerminalOptions = {}): Terminal {
  const inside = `stty cols ${columns} rows 50; exec ${commandLine}`;
  const env = { ...cleanEnvironment(environment), TERM: 'xterm-256color', SHELL: '/bin/sh', ...environment };
  const child = spawn('script', ['-qefc', inside, '/dev/null'], { cwd: root, env });
  let shown = '';
  let seen = 0;
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  const ended = endOf(child);
  return {
    shown: () => shown,
    type(keys) {
      seen = shown.length;
      child.stdin.write(keys);
    },
    async until(pattern) {
      const giveUpAt = Date.now() + deadline;
      for (;;) {
        const found = pattern.exec(shown.slice(seen));
        if (found !== null) {
          seen += found.index + found[0].length;
          return found[0];
        }
        if (child.exitCode !== null || Date.now() > giveUpAt) {
          throw new Error(`${pattern} was not shown: ${JSON.stringify(shown)}`);
        }
        await Promise.race([once(child.stdout, 'data', { signal: AbortSignal.timeout(1000) }).catch(() => {}), ended]);
      }
    },
    ended,
  };
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const timer = setTimeout(() => child.kill('SIGKILL'), deadline);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return status;
}

/** Runs a command of Latchkey on a terminal that nobody types on. */
export async function runOnTerminal(args: readonly string[], options?: TerminalOptions) {
  const terminal = openTerminal(['./latchkey', ...args].map(quoted).join(' '), options);
  const status = await terminal.ended;
  return { status, shown: terminal.shown().replaceAll('\r\n', '\n') };
}

/** The word for a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
