// The program of a client guide, extracted from the guide and run the way its reader runs it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { claimsIn } from '../../src/cli/clients/claim-options.ts';
import type { ClaimJson } from '../../src/protocol/oauth/claim-json.ts';
import { cleanEnvironment, root } from '../harness/command.ts';
import { until } from '../harness/until.ts';

/** The files in a guide, by name: its fenced blocks with `file=`. */
export function filesIn(guide: string): Map<string, string> {
  const text = readFileSync(join(root, 'docs/clients', guide), 'utf8');
  const blocks = text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = '', content = '']) => [name, content]));
}

export interface Registration {
  readonly redirectUri: URL;
  readonly isPublic: boolean;
  /** Undefined when the guide can't sign people out of the service. */
  readonly postLogoutRedirectUri: URL | undefined;
}

/** The registration command of a guide. */
export function registrationIn(guide: string): Registration {
  const text = readFileSync(join(root, 'docs/clients', guide), 'utf8');
  const [, redirectUri, rest = ''] =
    /^\.\/latchkey client create --name .* --redirect-uri (\S+)(.*)$/m.exec(text) ?? [];
  if (redirectUri === undefined) throw new Error(`${guide} does not tell how to register`);
  const [, postLogout] = /--post-logout-redirect-uri (\S+)/.exec(rest) ?? [];
  return {
    redirectUri: new URL(redirectUri),
    isPublic: rest.includes('--public'),
    postLogoutRedirectUri: postLogout === undefined ? undefined : new URL(postLogout),
  };
}

/** The claims that a guide switches on, when it registers the application or afterwards. The groups have to exist. */
export async function claimsOf(guide: string): Promise<readonly ClaimJson[]> {
  const text = readFileSync(join(root, 'docs/clients', guide), 'utf8');
  const [, command] = /^\.\/latchkey (client (?:create|update) .* --claim .*)$/m.exec(text) ?? [];
  if (command === undefined) return [];
  const words = wordsOf(command);
  const given = (option: string) => words.flatMap((word, at) => (word === option ? [words[at + 1] ?? ''] : []));
  const claims = await claimsIn({
    claim: given('--claim'),
    'claim-label': given('--claim-label'),
    'claim-in-id-token': given('--claim-in-id-token'),
  });
  return claims?.({ claims: [] }) ?? [];
}

/** As the reader's shell splits it. */
export function wordsOf(command: string): string[] {
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

export interface Program {
  readonly url: string;
  readonly folder: string;
  /** What it has printed so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

export interface Start {
  readonly guide: string;
  /** Answers once the program is up. */
  readonly url: string;
  readonly environment: Record<string, string>;
  readonly command: (folder: string) => readonly [string, ...string[]];
  /** A file that it logs to instead of its output. */
  readonly logFile?: string;
  /** Runs when the files are in place. */
  readonly prepare?: (folder: string) => void;
  /** Where node_modules is; the project's own folder unless given. */
  readonly packages?: string;
  /** Seconds it may take to start. */
  readonly patience?: number;
}

export async function startProgram(start: Start): Promise<Program> {
  const files = filesIn(start.guide);
  if (files.size === 0) throw new Error(`${start.guide} gives no file`);
  const { packages } = start;
  // Bundlers refuse a node_modules that is a link to somewhere else, so the folder is made beside the packages.
  const folder = mkdtempSync(join(packages ?? tmpdir(), 'latchkey-guide-'));
  // Servers that drop root must still reach their files.
  chmodSync(folder, 0o755);
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  if (packages === undefined) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  start.prepare?.(folder);

  const [command, ...args] = start.command(folder);
  const child = spawn(command, args, { cwd: folder, env: cleanEnvironment(start.environment) });
  let output = '';
  const take = (chunk: unknown) => {
    output += chunk;
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.once('error', take);

  const program = {
    url: start.url,
    folder,
    output: () => output + (start.logFile === undefined ? '' : textOf(join(folder, start.logFile))),
    async stop() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await answering(start.url, child, start.patience ?? 30);
  } catch (error) {
    const printed = program.output();
    await program.stop();
    throw new Error(`the program of ${start.guide} did not start: ${printed}`, { cause: error });
  }
  return program;
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function answering(url: string, child: ChildProcess, seconds: number): Promise<void> {
  const answers = async () => {
    if (child.pid === undefined || child.exitCode !== null) throw new Error('it has ended');
    const response = await fetch(url, { redirect: 'manual' }).catch(() => undefined);
    await response?.body?.cancel();
    return response !== undefined;
  };
  await until(answers, `something answers at ${url}`, seconds);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}
