// `latchkey gate …`: runs the gate, and checks and describes its file. None of it loads the service.

import { type GateApplication, gateSchema, readGateConfig } from '../../gate/config-file.ts';
import { defineCommand } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import {
  loadConfigFile,
  printNoProblems,
  printWarnings,
  runStandalone,
  shownAddress,
} from '../standalone/standalone.ts';
import { summaries } from '../summaries.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';

const program = {
  name: 'gate',
  port: 8460,
  store: { file: 'sessions.db', loss: 'everyone signs in again', shared: 'sessions' },
} as const;

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
    const loaded = loadConfigFile(values.config, environment, readGateConfig);
    await runStandalone(program, loaded, values, async (config, log) => {
      const { startGate } = await import('../../gate/gate.ts');
      return startGate(config, { log });
    });
  },
});

const checkConfig = defineCommand({
  summary: "check the gate's file and show what it means",
  details: 'Prints every problem at once and exits with 1. Secrets are read, but never shown.',
  arguments: { file: { label: 'FILE', completes: 'file' } },
  examples: ['latchkey gate check-config /etc/latchkey-gate/gate.json'],
  run({ args: { file }, environment }) {
    const { config, warnings } = loadConfigFile(file, environment, readGateConfig);
    printNoProblems(file);
    printFields([
      ['listens on', shownAddress(config.listen)],
      ...(config.metrics === undefined ? [] : [['metrics', shownAddress(config.metrics)] as const]),
      ['trusted proxies', config.trustedProxies.join(', ')],
      ['Latchkey', config.issuer],
    ]);
    for (const application of config.applications) {
      print('');
      print(styled('bold', application.host));
      printFields(fieldsOf(application));
    }
    printWarnings(warnings);
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
