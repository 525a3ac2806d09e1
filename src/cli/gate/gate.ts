// `latchkey gate …`: runs the gate, and checks and describes its file. None of it loads the service.

import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type GateApplication, type GateConfig, gateSchema, readGateConfig } from '../../gate/config-file.ts';
import { type ListenAddress, listenProblem, readListenAddress } from '../../gate/config-rules.ts';
import type { GateLog, RunningGate } from '../../gate/gate.ts';
import type { Environment } from '../../platform/config.ts';
import { codeOf, isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed, readingFile, UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { logStream } from '../service/log-lines.ts';
import { exitByDeadline, exitSoon, stopSignals } from '../service/process.ts';
import { summaries } from '../summaries.ts';
import { print, printError, printJson, styled } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';

const serve = defineCommand({
  summary: 'run the gate',
  details: `It listens on 127.0.0.1:8460 unless the file says otherwise. Processes on one machine can share a data_dir, each with its
own --listen, and --metrics if the file has metrics.`,
  options: {
    config: { value: 'FILE', required: true, completes: 'file', about: 'what the gate protects, as JSON' },
    listen: { value: 'ADDRESS', about: 'listen here instead, such as 127.0.0.1:8461' },
    metrics: { value: 'ADDRESS', about: 'serve metrics here instead, such as 127.0.0.1:9466' },
  },
  examples: [
    'latchkey gate serve --config /etc/latchkey-gate/gate.json',
    'latchkey gate serve --config /etc/latchkey-gate/gate.json --listen 127.0.0.1:8461',
  ],
  async run({ values, environment }) {
    const { config: inFile, warnings } = loadGateConfig(values.config, environment);
    const config = {
      ...inFile,
      ...(values.listen !== undefined && { listen: addressOf('listen', values.listen) }),
      ...(values.metrics !== undefined && { metrics: addressOf('metrics', values.metrics) }),
    };
    // From the beginning, so that a signal that arrives during the start still stops the gate cleanly.
    const signals = stopSignals();
    signals.first.then(() => exitByDeadline());
    const log = gateLog(process.stdout);
    for (const warning of warnings) log.warn({}, warning);
    const { startGate } = await import('../../gate/gate.ts');
    const gate = await explainStartErrors(config, () => startGate(config, { log }));
    log.info({}, `The gate is running at http://${shown(gate)}`);
    const signal = await signals.first;
    log.info({}, `${signal}: finishing requests in flight`);
    await gate.stop();
    exitSoon();
  },
});

const checkConfig = defineCommand({
  summary: "check the gate's file and show what it means",
  details: 'Prints every problem at once and exits with 1. Secrets are read, but never shown.',
  arguments: { file: { label: 'FILE', completes: 'file' } },
  examples: ['latchkey gate check-config /etc/latchkey-gate/gate.json'],
  run({ args: { file }, environment }) {
    const { config, warnings } = loadGateConfig(file, environment);
    print(`${file} has no problems.`);
    print('');
    printFields([
      ['listens on', shown(config.listen)],
      ...(config.metrics === undefined ? [] : [['metrics', shown(config.metrics)] as const]),
      ['trusted proxies', config.trustedProxies.join(', ')],
      ['Latchkey', config.issuer],
    ]);
    for (const application of config.applications) {
      print('');
      print(styled('bold', application.host));
      printFields(fieldsOf(application));
    }
    if (warnings.length > 0) printError('');
    for (const warning of warnings) printError(styled('yellow', 'Warning: '), `${warning}.`);
  },
});

const schema = defineCommand({
  summary: "print a JSON Schema of the gate's file",
  details: 'For editors: save it next to the file, and add "$schema": "./gate.schema.json" to the file.',
  examples: ['latchkey gate schema > gate.schema.json'],
  run: () => printJson(gateSchema),
});

export const gate: CommandGroup = {
  summary: summaries.gate,
  details: `The gate signs people in to applications that have no sign-in of their own. Your proxy asks it about every request. To
Latchkey it's a client like others: register one for each application with "latchkey client create --for gate".`,
  examples: [
    'latchkey gate check-config /etc/latchkey-gate/gate.json',
    'latchkey gate serve --config /etc/latchkey-gate/gate.json',
  ],
  commands: { serve, 'check-config': checkConfig, schema },
};

function fieldsOf({ clientId, open, programs, require, headers }: GateApplication): [string, string][] {
  const list = (texts: readonly string[]) => texts.join(', ');
  const fields: [string, string][] = [
    ['  client', clientId],
    ['  open to everyone', list(open) || 'nothing'],
    ['  programs', list(programs)],
    ...require.map(({ paths, claim, values }): [string, string] => [
      `  ${claim} is ${values.join(' or ')}`,
      list(paths),
    ]),
    ['  headers', list(Object.entries(headers).map(([name, claim]) => `${name}: ${claim}`))],
  ];
  return fields.filter(([, value]) => value !== '');
}

function addressOf(option: 'listen' | 'metrics', text: string): ListenAddress {
  const address = readListenAddress(text);
  if (address === undefined) throw new UsageError(`--${option} ${listenProblem}`);
  return address;
}

function shown({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Turns what the system refuses into a sentence for the operator. */
async function explainStartErrors(
  { listen, metrics, dataDir }: GateConfig,
  start: () => Promise<RunningGate>,
): Promise<RunningGate> {
  try {
    return await start();
  } catch (error) {
    const code = codeOf(error);
    // A name that can't be looked up comes without a port. That of the metrics is looked up first.
    const failed = error as { port?: number; hostname?: string };
    const isMetrics = metrics !== undefined && (failed.port === metrics.port || failed.hostname === metrics.host);
    const [name, { host, port }] = isMetrics ? ['metrics', metrics] : ['listen', listen];
    if (code === 'EADDRINUSE') {
      throw new CommandFailed(
        `port ${port} on ${host} is in use, perhaps by another gate. Stop that program, or use another ` +
          `address: "${name}" in the file, or --${name} for a second gate on the same sessions.`,
      );
    }
    if (code === 'ERR_SQLITE_ERROR') {
      throw new CommandFailed(
        `can't use sessions.db in ${dataDir}: ${messageOf(error)}. If it's damaged, stop all gates and delete it; everyone signs in again.`,
      );
    }
    if (!isSystemError(error)) throw error;
    const { syscall = '' } = error as NodeJS.ErrnoException;
    const task = ['listen', 'getaddrinfo'].includes(syscall) ? `listen on ${shown({ host, port })}` : 'start the gate';
    throw new CommandFailed(`can't ${task}: ${messageOf(error)}.`);
  }
}

function loadGateConfig(file: string, environment: Environment) {
  const text = readingFile(file, () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
  const readFile = (path: string) => readFileSync(path, 'utf8');
  // Not its group: the one who checks the file may be its owner, and the gate another user.
  const isExposed = (path: string) => (statSync(path).mode & 0o007) !== 0;
  const read = readGateConfig(text, { folder: dirname(file), environment, readFile, isExposed });
  if (read.kind === 'read') return read;
  throw new CommandFailed(`${file} has problems:\n${read.problems.map((problem) => `  - ${problem}`).join('\n')}`);
}

/** JSON as the service's, an entry per line, and text on a terminal. The gate doesn't load what writes the service's. */
export function gateLog(stream: NodeJS.WriteStream): GateLog {
  const destination = stream.isTTY ? logStream(stream) : stream;
  const machine = hostname();
  const at = (level: number) => (facts: object, msg: string) => {
    const entry = { level, time: Date.now(), pid: process.pid, hostname: machine, ...facts, msg };
    destination.write(`${JSON.stringify(entry, errorsAsObjects)}\n`);
  };
  return { info: at(30), warn: at(40), error: at(50) };
}

function errorsAsObjects(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name: type, message, stack, ...more } = value;
  return { ...more, type, message, stack };
}
