// A process that runs one command after another, as test/harness/command.ts asks. Most of a command's time is spent on
// loading modules, which this does once. To the command it looks like a process of its own: with its arguments, environment,
// standard input and output, and over when nothing keeps it alive any more.

import { registerHooks } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WriteStream } from 'node:tty';
import { hostWriters } from './hosted-writers.ts';

export interface CommandRequest {
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  readonly input: string;
  /** The width of the terminal that all three streams pretend to be. What is shown is in the answer's stdout. */
  readonly columns?: number;
}

export interface CommandAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether something is left of the command that only the end of the process ends. */
  readonly last: boolean;
}

/** Thrown where a command ends its process. */
class Exit extends Error {}

const endProcess = process.exit;
let commands = 0;
let crash: (error: unknown) => void = () => {};
const handle = (error: unknown) => {
  if (!(error instanceof Exit)) crash(error);
};
process.on('uncaughtException', handle);
hostWriters();
makePasswordsCheap();

async function run({ args, environment, input, columns }: CommandRequest): Promise<CommandAnswer> {
  const stdout = collecting();
  const stderr = collecting();
  const stdin = Readable.from([Buffer.from(input)]);
  const streams = columns === undefined ? { stdout, stderr, stdin } : terminal(stdout, columns, input);
  const timers = replaceTimers();
  const alive = process.getActiveResourcesInfo().length;
  const exit = Promise.withResolvers<void>();
  let exited = false;
  process.exit = (status) => {
    exited = true;
    process.exitCode = status ?? process.exitCode;
    exit.resolve();
    throw new Exit();
  };
  crash = (error) => {
    exited = true;
    process.exitCode = 1;
    stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    exit.resolve();
  };
  process.exitCode = undefined;
  process.argv.splice(1, Number.POSITIVE_INFINITY, 'latchkey', ...args);
  replaceEnvironment(environment);
  for (const [name, stream] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value: stream, configurable: true });
  }
  // The query makes it another module; those that it imports are loaded already.
  await Promise.race([import(`../../src/cli/main.ts?${++commands}`).catch(handle), exit.promise]);
  const isAlive = () => process.getActiveResourcesInfo().length > alive;
  while (!exited && isAlive()) await pause(1);
  const last = isAlive();
  // A start that fails lets go of it, as a worker has to.
  process.channel?.ref();
  timers.restore();
  for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
  return { status: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text(), last };
}

function collecting(): Writable & { text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString() });
}

/** One screen for both outputs, and keys that are there as soon as somebody reads them, without an end. */
function terminal(screen: Writable, columns: number, typed: string) {
  const keys = new Readable({ read() {} });
  keys.push(typed);
  const stdin = Object.assign(keys, { isTTY: true });
  const shown = Object.assign(screen, { isTTY: true, columns, getColorDepth: WriteStream.prototype.getColorDepth });
  return { stdout: shown, stderr: shown, stdin };
}

/** The end of a process is the end of its timers. */
function replaceTimers(): { restore: () => void } {
  const { setTimeout: original } = globalThis;
  const made: NodeJS.Timeout[] = [];
  const replaced = (...args: Parameters<typeof original>) => {
    const timer = original(...args);
    made.push(timer);
    return timer;
  };
  globalThis.setTimeout = Object.assign(replaced, original);
  return {
    restore() {
      globalThis.setTimeout = original;
      for (const timer of made) clearTimeout(timer);
    },
  };
}

/** What opens the services of a command gets another module for passwords. */
function makePasswordsCheap(): void {
  const [composing, passwords] = ['cli/compose.ts', 'platform/passwords/passwords.ts'].map(
    (file) => new URL(`../../src/${file}`, import.meta.url).href,
  );
  const { href: cheap } = new URL('./cheap-passwords.ts', import.meta.url);
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url === passwords && context.parentURL === composing ? { ...found, url: cheap } : found;
    },
  });
}

function replaceEnvironment(environment: Record<string, string>): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

process.on('disconnect', () => endProcess());
process.on('message', async (request: CommandRequest) => {
  const answer = await run(request);
  process.send?.(answer, () => {
    if (answer.last) endProcess();
  });
});
