// What the commands of the gate and the bridge have in common: reading their file, running until a signal comes, and
// explaining what keeps them from starting. None of it loads the service.

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from '../../platform/config.ts';
import type { ConfigReading, ConfigSurroundings } from '../../platform/config-file/kinds.ts';
import { type ListenAddress, listenProblem, readListenAddress } from '../../platform/config-file/rules.ts';
import { codeOf, isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed, readingFile, UsageError } from '../command.ts';
import { exitByDeadline, exitSoon, stopSignals } from '../service/process.ts';
import { type Log, logTo } from './log.ts';

export interface Addresses {
  readonly listen: ListenAddress;
  readonly metrics: ListenAddress | undefined;
}

interface Loaded<Config> {
  readonly config: Config;
  readonly warnings: readonly string[];
}

export interface Running {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** What the commands say about the program. */
export interface Program {
  readonly name: 'gate' | 'bridge';
  /** Of the standard address. */
  readonly port: number;
  /** Of the address for metrics of a second process in the help. */
  readonly metricsPort: number;
  /** The file in data_dir, what happens to people if it's deleted, and what a second process shares. */
  readonly store: { readonly file: string; readonly loss: string; readonly shared: string };
}

export type ReadConfig<Config> = (content: string, surroundings: ConfigSurroundings) => ConfigReading<Config>;

export function loadConfigFile<Config>(
  file: string,
  environment: Environment,
  read: ReadConfig<Config>,
): Loaded<Config> {
  const content = readingFile(file, () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
  const readFile = (path: string) => readFileSync(path, 'utf8');
  // Not its group: the one who checks the file may be its owner, and the program another user.
  const isExposed = (path: string) => (statSync(path).mode & 0o007) !== 0;
  const reading = read(content, { folder: dirname(file), environment, readFile, isExposed });
  if (reading.kind === 'read') return reading;
  throw new CommandFailed(`${file} has problems:\n${reading.problems.map((problem) => `  - ${problem}`).join('\n')}`);
}

export function shownAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Runs it until SIGTERM or SIGINT. */
export async function runStandalone<Config extends Addresses & { readonly dataDir: string }>(
  program: Program,
  { config: inFile, warnings }: Loaded<Config>,
  given: { readonly listen: string | undefined; readonly metrics: string | undefined },
  start: (config: Config, log: Log) => Promise<Running>,
): Promise<void> {
  const addressOf = (option: 'listen' | 'metrics', text: string) => {
    const address = readListenAddress(text);
    if (address === undefined) throw new UsageError(`--${option} ${listenProblem(program.port)}`);
    return { [option]: address };
  };
  const config = {
    ...inFile,
    ...(given.listen !== undefined && addressOf('listen', given.listen)),
    ...(given.metrics !== undefined && addressOf('metrics', given.metrics)),
  };
  // From the beginning, so that a signal that arrives during the start still stops it cleanly.
  const signals = stopSignals();
  signals.first.then(() => exitByDeadline());
  const log = logTo(process.stdout);
  for (const warning of warnings) log.warn({}, warning);
  const running = await start(config, log).catch((error: unknown) => {
    throw explained(error, program, config);
  });
  log.info({}, `The ${program.name} is running at http://${shownAddress(running)}`);
  const signal = await signals.first;
  log.info({}, `${signal}: finishing requests in flight`);
  await running.stop();
  exitSoon();
}

/** Turns what the system refuses into a sentence for the operator. */
function explained(
  error: unknown,
  { name, store }: Program,
  { listen, metrics, dataDir }: Addresses & { readonly dataDir: string },
): unknown {
  const code = codeOf(error);
  // A name that can't be looked up comes without a port. That of the metrics is looked up first.
  const failed = error as { port?: number; hostname?: string };
  const isMetrics = metrics !== undefined && (failed.port === metrics.port || failed.hostname === metrics.host);
  const [member, { host, port }] = isMetrics ? ['metrics', metrics] : ['listen', listen];
  if (code === 'EADDRINUSE') {
    return new CommandFailed(
      `port ${port} on ${host} is in use, perhaps by another ${name}. Stop that program, or use another ` +
        `address: "${member}" in the file, or --${member} for a second ${name} on the same ${store.shared}.`,
    );
  }
  if (code === 'ERR_SQLITE_ERROR') {
    return new CommandFailed(
      `can't use ${store.file} in ${dataDir}: ${messageOf(error)}. If it's damaged, stop all ${name}s and delete it; ${store.loss}.`,
    );
  }
  if (!isSystemError(error)) return error;
  const { syscall = '' } = error as NodeJS.ErrnoException;
  const listens = ['listen', 'getaddrinfo'].includes(syscall);
  const task = listens ? `listen on ${shownAddress({ host, port })}` : `start the ${name}`;
  return new CommandFailed(`can't ${task}: ${messageOf(error)}.`);
}
