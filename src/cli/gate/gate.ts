// `latchkey gate …`: runs the gate, and checks and describes its file. None of it loads the service.

import { type GateApplication, gateSchema, readGateConfig } from '../../gate/config-file.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { standaloneCommands } from '../standalone/commands.ts';
import { summaries } from '../summaries.ts';

const { commands } = standaloneCommands({
  program: {
    name: 'gate',
    port: 8460,
    metricsPort: 9466,
    store: { file: 'sessions.db', loss: 'everyone signs in again', shared: 'sessions' },
  },
  read: readGateConfig,
  schema: gateSchema,
  async start(config, log) {
    const { startGate } = await import('../../gate/gate.ts');
    return startGate(config, { log });
  },
  fields: () => [],
  nameOf: ({ host }) => host,
  fieldsOf,
});

export const gate: CommandGroup = {
  summary: summaries.gate,
  details: `The gate signs people in to applications that have no sign-in of their own. Your proxy asks it about every request. To
Latchkey, it's a client like any other: register one for each application with "latchkey client create --for gate".`,
  examples: [
    'latchkey gate check-config /etc/latchkey-gate/gate.json',
    'latchkey gate serve --config /etc/latchkey-gate/gate.json',
  ],
  commands,
};

function fieldsOf({ clientId, open, programs, require, headers }: GateApplication): [string, string][] {
  const list = (texts: readonly string[]) => texts.join(', ');
  return [
    ['  client', clientId],
    ['  open to everyone', list(open) || 'nothing'],
    ['  programs', list(programs)],
    ...require.map(({ paths, claim, values }): [string, string] => [
      `  ${claim} is ${values.join(' or ')}`,
      list(paths),
    ]),
    ['  headers', list(Object.entries(headers).map(([name, claim]) => `${name}: ${claim}`))],
  ];
}
