// A server that is measured: a process of its own, on the server's core unless it may use every core.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, outputMatching, root } from '../test/harness/command.ts';
import type { Person } from '../test/harness/person.ts';
import { processTree } from './cpu.ts';
import { onCore, serverCore } from './load.ts';
import type { Target, Work } from './work.ts';

export interface Server {
  /** Two processes with the same code have the same name. */
  readonly name: string;
  /** What it can do. */
  readonly works: readonly Work[];
  /** Where to send what. Called before every measurement, because a server may have dropped its tokens. */
  target(): Promise<Target>;
  stop(): Promise<void>;
  /** The processes of the service, and then those of its database. */
  readonly processes: readonly (() => readonly number[])[];
  readonly pid?: number | undefined;
  readonly dataDir?: string;
  /** From the start of the process to its first response. */
  readonly readyAfterMs?: number;
}

/** Approvals are limited for each person, so a flow is spread over many. */
export const people = 60;

export const redirectUri = 'http://localhost:9999/callback';

interface ProcessOptions {
  readonly environment?: Record<string, string>;
  readonly program?: string;
  readonly everyCore?: boolean;
}

export async function startProcess(
  args: readonly string[],
  ready: RegExp,
  { environment = {}, program = process.execPath, everyCore = false }: ProcessOptions = {},
): Promise<ChildProcess> {
  const [command, commandArgs] = everyCore ? [program, [...args]] : onCore(serverCore, program, args);
  const child = spawn(command, commandArgs, { cwd: root, env: cleanEnvironment(environment) });
  // It must not outlive a run that fails.
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await outputMatching(child, ready);
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

export const treeOf = (child: ChildProcess) => () => (child.pid === undefined ? [] : processTree(child.pid));

export const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export function cookieHeader(person: Person): string {
  return [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
