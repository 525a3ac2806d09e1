// The command line as a child process, as an operator runs it.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CommandAnswer, CommandRequest } from './command-process.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const notInherited = /^(LATCHKEY_(?!NODE$)|DATABASE_URL|NODE_(?!COMPILE_CACHE$)|(CI|NO_COLOR|FORCE_COLOR)$)/;

/**
 * The environment of a command under test: no setting of Latchkey or Node is inherited, except which Node to use and where
 * it keeps compiled modules, and nothing that turns colors on or off, as build machines do. A service that is asked to stop doesn't wait for a load balancer, unless the test has one.
 */
export function cleanEnvironment(environment: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notInherited.test(entry[0]),
  );
  return { ...Object.fromEntries(inherited), LATCHKEY_DRAIN_SECONDS: '0', ...environment };
}

/** A command that goes on when it should have ended fails its test, instead of holding up the whole run. */
const commandDeadline = 60_000;

/** What a command can be given without a process of its own: what is read anew each time, and not when Node starts. */
const readEachTime = /^(LATCHKEY_(?!NODE$)|(DATABASE_URL|TZ|TERM|NO_COLOR|FORCE_COLOR|[A-Z]+_SECRET)$)/;

export const isShareable = (environment: Record<string, string>) =>
  (environment.LATCHKEY_WORKERS ?? '1') === '1' && Object.keys(environment).every((name) => readEachTime.test(name));

/** Runs a command in the process that runs one after another, unless it needs its own. */
export function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  input = '',
): Promise<CommandResult> {
  return isShareable(environment)
    ? runInTurn({ args, environment: cleanEnvironment(environment), input })
    : runInOwnProcess(args, environment, input);
}

/** As an operator runs it: with the shell script, in a process that nothing has run in before. */
export async function runInOwnProcess(
  args: readonly string[],
  environment: Record<string, string>,
  input = '',
): Promise<CommandResult> {
  const child = startCommand(args, environment);
  const deadline = setTimeout(() => child.kill('SIGKILL'), commandDeadline);
  try {
    return await finished(child, input);
  } finally {
    clearTimeout(deadline);
  }
}

let commandProcess: ChildProcess | undefined;
let lastCommand: Promise<unknown> = Promise.resolve();

/** Commands that are run at the same time wait for each other. For those that have to overlap, there's runInOwnProcess. */
export function runInTurn(request: CommandRequest): Promise<CommandResult> {
  const result = lastCommand.then(() => runNext(request));
  lastCommand = result;
  return result;
}

function runNext(request: CommandRequest): Promise<CommandResult> {
  const child = commandProcess?.connected ? commandProcess : startCommandProcess();
  commandProcess = child;
  // While it has nothing to do, it doesn't keep this process alive.
  child.ref();
  child.channel?.ref();
  return new Promise<CommandResult>((resolve) => {
    let killed = false;
    const deadline = setTimeout(() => {
      killed = child.kill('SIGKILL');
    }, commandDeadline);
    const end = (result: CommandResult, isLast: boolean) => {
      clearTimeout(deadline);
      child.off('message', take);
      child.off('exit', die);
      child.unref();
      child.channel?.unref();
      if (isLast) commandProcess = undefined;
      resolve(result);
    };
    const take = ({ last, ...result }: CommandAnswer) => end(result, last);
    const die = () => end({ status: null, stdout: '', stderr: killed ? 'not within the deadline' : 'it died' }, true);
    child.on('message', take);
    child.once('exit', die);
    child.send(request);
  });
}

function startCommandProcess(): ChildProcess {
  const file = fileURLToPath(new URL('./command-process.ts', import.meta.url));
  return spawn(process.execPath, ['--max-semi-space-size=32', file], {
    cwd: root,
    env: cleanEnvironment({}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

export function startCommand(args: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn('./latchkey', [...args], { cwd: root, env: cleanEnvironment(environment) });
}

export async function finished(child: ChildProcess, input = ''): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  // A command that has ended already doesn't read it.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, stdout, stderr };
}

/** Resolves with the output once it matches the pattern; rejects when the process ends before that. */
export function outputMatching(child: ChildProcess, pattern: RegExp, timeout = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`${pattern} did not appear in: ${output}`)), timeout);
    const take = (chunk: unknown) => {
      output += chunk;
      if (!pattern.test(output)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code} before ${pattern} appeared: ${output}`));
    });
  });
}
