// `latchkey user …`: people, from the command line.

import { userJson as toJson } from '../operations/json.ts';
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  findPerson,
  removeSecondFactors,
  setPassword,
} from '../operations/manage-users.ts';
import type { Services } from '../operations/services.ts';
import type { Config } from '../platform/config.ts';
import type { User } from '../storage/storage.ts';
import {
  type Command,
  commandOrigin,
  isoTime,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
  UsageError,
} from './command.ts';
import { choosePassword } from './password-input.ts';
import { withServices } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;
const passwordStdin = { 'password-stdin': { type: 'boolean' } } as const;

const usage = `Usage: latchkey user <command> [--json]

  create --email ADDRESS --name NAME [--given-name NAME] [--family-name NAME] [--email-verified]
         [--password-stdin] [--admin]
  list
  show <email|id>
  set-password <email|id> [--password-stdin]   also ends the person's sessions
  remove-second-factors <email|id>   for somebody who has lost their devices and recovery codes
  disable <email|id>     ends the person's sessions and tokens with the next request
  enable <email|id>      lets a disabled person sign in again; revives no session and no token
  delete <email|id>

--password-stdin reads the password from the first line of standard input. Without it the password is asked for on a
terminal, and otherwise (or when nothing is entered) generated and shown once.
--email-verified says that somebody has made sure of the address; applications are told so.`;

type Subcommand = (services: Services, args: string[], config: Config) => Promise<void>;

const subcommands: Record<string, Subcommand> = {
  async create(services, args) {
    const options = {
      ...json,
      ...passwordStdin,
      email: { type: 'string' },
      name: { type: 'string' },
      'given-name': { type: 'string' },
      'family-name': { type: 'string' },
      'email-verified': { type: 'boolean' },
      admin: { type: 'boolean' },
    } as const;
    const { values } = readArguments(args, options, []);
    if (values.email === undefined) throw new UsageError('--email is missing');
    if (values.name === undefined) throw new UsageError('--name is missing');
    const { password, generated } = await choosePassword(values['password-stdin'] === true, services.random);
    const input = {
      email: values.email,
      name: values.name,
      givenName: values['given-name'],
      familyName: values['family-name'],
      emailVerified: values['email-verified'] === true,
      password,
      admin: values.admin === true,
    };
    const { user } = requireDone(await createUser(services, input, commandOrigin()));
    const shown = generated ? password : undefined;
    if (values.json) return printJson({ ...toJson(user), ...(shown !== undefined && { password: shown }) });
    print(`Created ${user.name} <${user.email}>.\n\n  id        ${user.id}`);
    printPassword(shown);
  },

  async list(services, args, { dataDir }) {
    const { values } = readArguments(args, json, []);
    const users = await services.storage.listUsers();
    if (values.json) return printJson(users.map(toJson));
    if (users.length === 0) return print(`There is nobody in ${dataDir} yet. "latchkey user --help" shows how.`);
    const rows = users.map((user) => [
      user.id,
      user.disabledAt === null ? 'active' : 'disabled',
      user.email,
      user.name,
    ]);
    printTable([['ID', 'STATE', 'E-MAIL', 'NAME'], ...rows]);
  },

  async show(services, args) {
    const { values, positionals } = readArguments(args, json, ['<email|id>']);
    const { user } = requireDone(await findPerson(services, positionals[0] as string));
    if (values.json) return printJson(toJson(user));
    printTable([
      ['id', user.id],
      ['e-mail', `${user.email}${user.emailVerifiedAt === null ? ' (not verified)' : ''}`],
      ['name', user.name],
      ['state', user.disabledAt === null ? 'active' : `disabled ${isoTime(user.disabledAt)}`],
      ['administrator', user.adminSince === null ? 'no' : `since ${isoTime(user.adminSince)}`],
      ['created', isoTime(user.createdAt) ?? ''],
    ]);
  },

  async 'set-password'(services, args) {
    const { values, positionals } = readArguments(args, { ...json, ...passwordStdin }, ['<email|id>']);
    const name = positionals[0] as string;
    requireDone(await findPerson(services, name));
    const { password, generated } = await choosePassword(values['password-stdin'] === true, services.random);
    const { user } = requireDone(await setPassword(services, name, password, commandOrigin()));
    const shown = generated ? password : undefined;
    if (values.json) return printJson({ ...toJson(user), ...(shown !== undefined && { password: shown }) });
    print(`Set the password of ${user.email} and ended their sessions.`);
    printPassword(shown);
  },

  'remove-second-factors': changing(
    removeSecondFactors,
    (user) => `Removed the second factors of ${user.email}. Their password alone signs them in now.`,
  ),

  disable: changing(disableUser, (user) => `Disabled ${user.email}. Their sessions and tokens work no more.`),
  enable: changing(enableUser, (user) => `Enabled ${user.email}. They can sign in again.`),
  delete: changing(deleteUser, (user) => `Deleted ${user.email}.`),
};

export const user: Command = {
  usage,
  async run([name, ...args], environment) {
    const subcommand = Object.hasOwn(subcommands, name ?? '') ? subcommands[name ?? ''] : undefined;
    if (subcommand === undefined)
      throw new UsageError(name ? `unknown command "user ${name}"` : 'a command is missing');
    await withServices(environment, (services, config) => subcommand(services, args, config));
  },
};

function changing(operation: typeof disableUser, sentence: (user: User) => string): Subcommand {
  return async (services, args) => {
    const { values, positionals } = readArguments(args, json, ['<email|id>']);
    const { user } = requireDone(await operation(services, positionals[0] as string, commandOrigin()));
    if (values.json) printJson(toJson(user));
    else print(sentence(user));
  };
}

function printPassword(password: string | undefined): void {
  if (password !== undefined) print(`  password  ${password}\n\nThe password is shown this once.`);
}
