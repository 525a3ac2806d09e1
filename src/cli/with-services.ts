// Opens the store for one command. A service may be running on it: both see the same data.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../operations/services.ts';
import { type Config, type Environment, readConfig } from '../platform/config.ts';
import type { Requester } from '../protocol/event.ts';
import { commandRequester } from './command.ts';
import { composeServices } from './compose.ts';
import { type CommandTable, defineCommand, jsonOption, type Said } from './frame/define.ts';
import type { ArgumentSpecs, Command, OptionSpecs } from './frame/spec.ts';
import { databaseFile, type StoreOptions } from './store/open-store.ts';
import { printError } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

type Work = (services: Services, config: Config) => Promise<void>;

/**
 * The embedded store is created only by a command that puts something into it. A dry run of such a command shows what it
 * would do to an empty one.
 */
export async function withServices(
  environment: Environment,
  work: Work,
  { createsStore = false, dryRun = false } = {},
): Promise<void> {
  const given = readConfig(environment);
  const exists = given.databaseUrl !== undefined || existsSync(databaseFile(given));
  if (exists || !createsStore || !dryRun) return withStore(environment, work, createsStore ? 'announce' : 'refuse');
  printError(`There's no store in ${given.dataDir} yet, and a dry run doesn't create it.`);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-dry-run-'));
  const elsewhere = { LATCHKEY_DATA_DIR: folder, LATCHKEY_KEYS_FILE: join(folder, 'keys') };
  try {
    await withStore({ ...environment, ...elsewhere }, work, undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withStore(environment: Environment, work: Work, ifMissing: StoreOptions['ifMissing']): Promise<void> {
  // URLs that a command prints or sends are those of the service that runs on this store, unless the environment says
  // otherwise.
  const configAt = environment.LATCHKEY_BASE_URL
    ? undefined
    : (baseUrl: string) => readConfig({ ...environment, LATCHKEY_BASE_URL: baseUrl });
  // A command can write many rows at once, and needn't be modest: it ends soon.
  const options = { busyTimeout: 10_000, pageCache: 64 * 1024, ifMissing, configAt };
  const { services, config, close } = await composeServices(readConfig(environment), options);
  try {
    await work(services, config);
  } finally {
    await close();
  }
}

interface StoreCommand {
  /** For a command that can be the first one. */
  readonly createsStore?: boolean;
}

interface StoreContext {
  readonly services: Services;
  readonly config: Config;
  /** What the events of the command record. */
  readonly requester: Requester;
}

/** A command that works on the store and can print JSON. The store is opened only if the command was understood. */
export function defineStoreCommand<
  const Options extends OptionSpecs = Record<never, never>,
  const Arguments extends ArgumentSpecs = Record<never, never>,
>(
  table: CommandTable<Options, Arguments, StoreContext & { readonly values: { readonly json: boolean } }> &
    StoreCommand,
): Command {
  return defineCommand({
    ...table,
    options: { ...table.options, ...jsonOption },
    async run({ environment, ...given }) {
      let said: Said | undefined;
      await withServices(
        environment,
        (services, config) =>
          withProgress({ label: 'Working' }, async () => {
            const context = { ...given, services, config, requester: commandRequester() };
            said = (await table.run(context as Parameters<typeof table.run>[0])) ?? undefined;
          }),
        {
          createsStore: table.createsStore === true,
          dryRun: 'dry-run' in given.values && given.values['dry-run'] === true,
        },
      );
      return said;
    },
  });
}
