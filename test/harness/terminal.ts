// Commands on a real terminal: `script` from util-linux gives them one, and what they write to it is read back. In the quick
// lane, commands that need no more than its width run where all others do, on streams that pretend to be a terminal.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment, isShareable, root, runInTurn } from './command.ts';
import { isReleaseLane } from './lane.ts';

export interface TerminalOptions {
  readonly columns?: number;
  readonly environment?: Record<string, string>;
}

export interface Shown {
  readonly status: number | null;
  readonly shown: string;
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
  const env = onTerminal({ SHELL: '/bin/sh', ...environment });
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

const onTerminal = (environment: Record<string, string>) =>
  cleanEnvironment({ TERM: 'xterm-256color', ...environment });

/** Runs a command of Latchkey on a terminal. The keys are typed when it asks its question; without any, nobody types. */
export function runOnTerminal(args: readonly string[], options: TerminalOptions = {}, keys = ''): Promise<Shown> {
  return (!isReleaseLane && runOnPretendedTerminal(args, options, keys)) || runOnRealTerminal(args, options, keys);
}

export async function runOnRealTerminal(args: readonly string[], options: TerminalOptions, keys = ''): Promise<Shown> {
  const terminal = openTerminal(['./latchkey', ...args].map(quoted).join(' '), options);
  if (keys !== '') {
    await terminal.until(/\[y\/N\] /);
    terminal.type(keys);
  }
  const status = await terminal.ended;
  return { status, shown: linesOf(terminal.shown()) };
}

/** Undefined if the command needs a process of its own. */
export function runOnPretendedTerminal(
  args: readonly string[],
  { columns = 80, environment = {} }: TerminalOptions,
  keys = '',
): Promise<Shown> | undefined {
  if (!isShareable(environment)) return undefined;
  return runInTurn({ args, environment: onTerminal(environment), input: keys, columns }).then(({ status, stdout }) => ({
    status,
    shown: linesOf(stdout),
  }));
}

/** Both the terminal and whoever asks on it add a carriage return to the end of a line. */
const linesOf = (shown: string) => shown.replaceAll(/\r+\n/g, '\n');

/** The word for a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
