// Opens the store for one command. A service may be running on it: both see the same data.

import type { Services } from '../operations/services.ts';
import { type Config, type Environment, readConfig } from '../platform/config.ts';
import { type Command, UsageError } from './command.ts';
import { composeServices } from './compose.ts';

export async function withServices(
  environment: Environment,
  work: (services: Services, config: Config) => Promise<void>,
): Promise<void> {
  // URLs that a command prints or sends are those of the service that runs on this store, unless the environment says
  // otherwise.
  const configAt = environment.LATCHKEY_BASE_URL
    ? undefined
    : (baseUrl: string) => readConfig({ ...environment, LATCHKEY_BASE_URL: baseUrl });
  const options = { busyTimeout: 10_000, announceNewStore: true, configAt };
  const { services, config, close } = await composeServices(readConfig(environment), options);
  try {
    await work(services, config);
  } finally {
    await close();
  }
}

export type Subcommand = (services: Services, args: string[], config: Config) => Promise<void>;

/** A command with subcommands, chosen by the first argument. */
export function runSubcommand(command: string, subcommands: Readonly<Record<string, Subcommand>>): Command['run'] {
  return async ([name, ...args], environment) => {
    const subcommand = Object.hasOwn(subcommands, name ?? '') ? subcommands[name ?? ''] : undefined;
    if (subcommand === undefined) {
      throw new UsageError(name ? `unknown command "${command} ${name}"` : 'missing command');
    }
    await withServices(environment, (services, config) => subcommand(services, args, config));
  };
}
