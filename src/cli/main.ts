// The command line: finds the command and turns its errors into a sentence and an exit status: 0 for success, 1 if the
// command failed, 2 if it wasn't understood.

import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../platform/config.ts';
import { OutcomeUnknown, StorageUnavailable, StoreUnusable } from '../storage/storage.ts';
import { type Command, CommandFailed, print, safeLines, UsageError } from './command.ts';

/** Loaded on demand, because a command starts faster without the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./service/serve.ts')).serve,
  'setup-link': async () => (await import('./setup-link.ts')).setupLink,
  client: async () => (await import('./client.ts')).client,
  user: async () => (await import('./user.ts')).user,
  group: async () => (await import('./access/group.ts')).group,
  settings: async () => (await import('./settings.ts')).settings,
  apply: async () => (await import('./apply/apply.ts')).apply,
  'api-key': async () => (await import('./api-key.ts')).apiKey,
  events: async () => (await import('./events/events.ts')).events,
  doctor: async () => (await import('./doctor.ts')).doctor,
  sweep: async () => (await import('./sweep.ts')).sweep,
  migrate: async () => (await import('./store/migrate.ts')).migrate,
  keys: async () => (await import('./keys.ts')).keys,
  backup: async () => (await import('./store/backup.ts')).backup,
  export: async () => (await import('./store/transfer.ts')).exportCommand,
  import: async () => (await import('./store/transfer.ts')).importCommand,
  demo: async () => (await import('./service/demo.ts')).demo,
};

const usage = `Usage: latchkey <command> [--help] | --version

  serve       run the service
  setup-link  print a link for creating the first administrator
  client      manage applications: create, list, show, update, allow, disallow, rotate-secret, retire-secret, revoke,
              restore, delete
  user        manage people: create, invite, invitations, resend-invitation, withdraw-invitation, list, show, update,
              verify-email, disable, enable, delete, make-admin, remove-admin, end-sessions, set-password, send-reset,
              recovery-link, remove-second-factors
  group       manage groups of people who can use applications: create, list, show, add, remove, delete
  settings    view and change settings, such as who needs two-step verification: get, set
  apply       apply a file that describes applications, groups and settings
  api-key     manage keys for /api: create, list, end
  events      show recent events; --follow keeps showing new ones
  backup      copy the embedded store while it's in use
  export      write everything in the store to standard output
  import      read an export into another store
  doctor      check the configuration, store, clock, keys, email, proxy and base URL
  sweep       show whether expired data is being deleted; --resume if it was paused and the clock is right
  migrate     update the schema of a PostgreSQL store
  keys        rotate the service's keys and retire old ones
  demo        run the service together with the demo application (what "npm start" does)

Run "latchkey <command> --help" for details.`;

/** Milliseconds: enough to write what has been printed. */
const exitAfterFailure = 1000;

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
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (command === undefined) return complain(`unknown command "${name}". Run "latchkey --help" for a list.`, 2);
  if (rest.includes('--help') || rest.includes('-h')) {
    print(command.usage);
    return 0;
  }
  try {
    await command.run(rest, process.env);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}. Run "latchkey ${name} --help" for usage.`, 2);
    if (error instanceof CommandFailed || error instanceof ConfigurationError || error instanceof StoreUnusable) {
      return complain(error.message, 1);
    }
    if (error instanceof OutcomeUnknown) {
      return complain(
        `lost the connection to the store (${error.message}). The change may have been saved: check before you try again.`,
        1,
      );
    }
    if (error instanceof StorageUnavailable) {
      return complain(`the store isn't available right now (${error.message}). Nothing was changed.`, 1);
    }
    return complain(`unexpected error: ${error instanceof Error ? error.stack : error}`, 1);
  }
}

function complain(sentence: string, status: number): number {
  process.stderr.write(`latchkey: ${safeLines(sentence)}\n`);
  // A command that has failed ends, even if something that it has opened would keep the process alive.
  setTimeout(() => process.exit(), exitAfterFailure).unref();
  return status;
}

// The reader has closed the pipe (`latchkey events | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await main(process.argv.slice(2));
