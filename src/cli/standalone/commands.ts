// The commands of both the gate and the bridge: run it, and check and describe its file.

import { defineCommand } from '../frame/define.ts';
import { print, printError, printJson, styled } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';
import type { Log } from './log.ts';
import {
  type Addresses,
  loadConfigFile,
  type Program,
  type ReadConfig,
  type Running,
  runStandalone,
  shownAddress,
} from './standalone.ts';

type Fields = readonly (readonly [name: string, value: string])[];

interface Common extends Addresses {
  readonly dataDir: string;
  readonly issuer: string;
  readonly trustedProxies: readonly string[];
}

interface Described<Application, Config> {
  readonly program: Program;
  readonly read: ReadConfig<Config>;
  readonly schema: object;
  /** Loads the program itself, which no other command does. */
  start(config: Config, log: Log): Promise<Running>;
  /** What check-config says first. */
  fields(config: Config): Fields;
  nameOf(application: Application): string;
  /** Those without a value are left out. */
  fieldsOf(application: Application): Fields;
}

export function standaloneCommands<
  Application,
  Config extends Common & { readonly applications: readonly Application[] },
>({ program, read, schema, start, fields, nameOf, fieldsOf }: Described<Application, Config>) {
  const { name, port, metricsPort } = program;
  const example = `/etc/latchkey-${name}/${name}.json`;
  const config = { value: 'FILE', required: true, completes: 'file', about: `the ${name}'s file, as JSON` } as const;

  const serve = defineCommand({
    summary: `run the ${name}`,
    details: `It listens on 127.0.0.1:${port} unless the file says otherwise. Processes on one machine can share a data_dir, each with its
own --listen, and --metrics if the file has metrics.`,
    options: {
      config,
      listen: { value: 'ADDRESS', about: `listen here instead, such as 127.0.0.1:${port + 1}` },
      metrics: { value: 'ADDRESS', about: `serve metrics here instead, such as 127.0.0.1:${metricsPort}` },
    },
    examples: [
      `latchkey ${name} serve --config ${example}`,
      `latchkey ${name} serve --config ${example} --listen 127.0.0.1:${port + 1}`,
    ],
    run: ({ values, environment }) =>
      runStandalone(program, loadConfigFile(values.config, environment, read), values, start),
  });

  const checkConfig = defineCommand({
    summary: `check the ${name}'s file and show what it means`,
    details: 'Prints every problem at once and exits with 1. Secrets are read, but never shown.',
    arguments: { file: { label: 'FILE', completes: 'file' } },
    examples: [`latchkey ${name} check-config ${example}`],
    run({ args: { file }, environment }) {
      const { config, warnings } = loadConfigFile(file, environment, read);
      print(`${file} has no problems.\n`);
      printFields([
        ...fields(config),
        ['listens on', shownAddress(config.listen)],
        ...(config.metrics === undefined ? [] : [['metrics', shownAddress(config.metrics)] as const]),
        ['trusted proxies', config.trustedProxies.join(', ')],
        ['Latchkey', config.issuer],
      ]);
      for (const application of config.applications) {
        print('');
        print(styled('bold', nameOf(application)));
        printFields(fieldsOf(application).filter(([, value]) => value !== ''));
      }
      if (warnings.length > 0) printError('');
      for (const warning of warnings) printError(styled('yellow', 'Warning: '), `${warning}.`);
    },
  });

  const describe = defineCommand({
    summary: `print a JSON Schema of the ${name}'s file`,
    details: `For editors: save it next to the file, and add "$schema": "./${name}.schema.json" to the file.`,
    examples: [`latchkey ${name} schema > ${name}.schema.json`],
    run: () => printJson(schema),
  });

  return { config, commands: { serve, 'check-config': checkConfig, schema: describe } };
}
