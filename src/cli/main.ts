// The command line. Exit status 0 on success, 1 with one clear sentence when a command fails, 2 when it is not understood.

import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../platform/config.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { apiKey } from './api-key.ts';
import { apply } from './apply.ts';
import { backup } from './backup.ts';
import { client } from './client.ts';
import { type Command, CommandFailed, print, UsageError } from './command.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { events } from './events.ts';
import { keys } from './keys.ts';
import { migrate } from './migrate.ts';
import { serve } from './serve.ts';
import { setupLink } from './setup-link.ts';
import { exportCommand, importCommand } from './transfer.ts';
import { user } from './user.ts';

const commands: Readonly<Record<string, Command>> = {
  serve,
  'setup-link': setupLink,
  client,
  user,
  apply,
  'api-key': apiKey,
  events,
  doctor,
  migrate,
  keys,
  backup,
  export: exportCommand,
  import: importCommand,
  demo,
};

const usage = `Usage: latchkey <command> [--help] | --version

  serve       run the service
  setup-link  print the address at which the first administrator is made
  client      applications: create, list, show, update, rotate-secret, retire-secret, revoke, restore, delete
  user        people: create, invite, list, show, disable, enable, delete, make-admin, remove-admin, end-sessions,
              set-password, send-reset, recovery-link, remove-second-factors
  apply       make the applications what a file says
  api-key     keys for /api: create, list, end
  events      what happened; --follow shows it as it happens
  backup      copy the embedded store while it serves
  export      write everything in the store to standard output
  import      read it into another store
  doctor      check configuration, store, clock, keys, mail, proxy and base URL, and say what to do
  migrate     bring the schema of a PostgreSQL store up to date
  keys        rotate the keys of the service
  demo        run the service together with the demo application (what "npm start" does)

"latchkey <command> --help" says more.`;

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(usage);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    print(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return complain(`unknown command "${name}". "latchkey --help" lists the commands.`, 2);
  if (rest.includes('--help') || rest.includes('-h')) {
    print(command.usage);
    return 0;
  }
  try {
    await command.run(rest, process.env);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}. See "latchkey ${name} --help".`, 2);
    if (error instanceof CommandFailed || error instanceof ConfigurationError) return complain(error.message, 1);
    if (error instanceof StorageUnavailable) {
      return complain(`the store cannot be used right now (${error.message}). Nothing was changed.`, 1);
    }
    return complain(`unexpected fault: ${error instanceof Error ? error.stack : error}`, 1);
  }
}

function complain(sentence: string, status: number): number {
  process.stderr.write(`latchkey: ${sentence}\n`);
  return status;
}

process.exitCode = await main(process.argv.slice(2));
