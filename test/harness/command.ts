// The command line as a child process, as an operator runs it.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const notInherited = /^(LATCHKEY_(?!NODE$)|DATABASE_URL|NODE_(?!COMPILE_CACHE$)|(CI|NO_COLOR|FORCE_COLOR)$)/;

/**
 * The environment of a command under test: no setting of Latchkey or Node is inherited, except which Node to use and where
 * it keeps compiled modules, and nothing that turns colours on or off, as build machines do. A service that is asked to stop doesn't wait for a load balancer, unless the test has one.
 */
export function cleanEnvironment(environment: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notInherited.test(entry[0]),
  );
  return { ...Object.fromEntries(inherited), LATCHKEY_DRAIN_SECONDS: '0', ...environment };
}

/** A command that goes on when it should have ended fails its test, instead of holding up the whole run. */
const commandDeadline = 60_000;

export async function runCommand(
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
