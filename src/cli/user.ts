// `latchkey user …`: everything an administrator does with users, from the command line.

import { createPerson } from '../operations/admin/people/create-person.ts';
import { verifyEmail } from '../operations/admin/people/edit-person.ts';
import { inviteUser } from '../operations/admin/people/invitations.ts';
import { userJson as toJson } from '../operations/admin/resource-json.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
} from '../operations/admin/user-access.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset, setPassword } from '../operations/admin/user-recovery.ts';
import { findUser, listAllUsers, listUsers } from '../operations/admin/users.ts';
import { linkLifetimes } from '../operations/mail/links.ts';
import { isoTime } from '../protocol/iso-time.ts';
import type { User } from '../storage/storage.ts';
import {
  type Command,
  commandOrigin,
  howLong,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
  UsageError,
} from './command.ts';
import { choosePassword } from './password-input.ts';
import { peopleSubcommands, peopleUsage } from './people.ts';
import { searchAll } from './search.ts';
import { runSubcommand, type Subcommand } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;
const passwordStdin = { 'password-stdin': { type: 'boolean' } } as const;

const usage = `Usage: latchkey user <command> [--json]

  create --email EMAIL --name NAME [--given-name NAME] [--family-name NAME] [--email-verified]
         [--password-stdin | --no-password] [--admin]
  invite --email EMAIL [--name NAME]   emails an invitation, or prints its link if email isn't set up
${peopleUsage}
  list [--search TEXT]
  show <email|id>
  disable <email|id>         stops all sessions and tokens, starting with the next request
  enable <email|id>          lets the person sign in again; old sessions and tokens stay invalid
  delete <email|id>
  make-admin <email|id>      gives the person admin access
  remove-admin <email|id>    removes admin access
  end-sessions <email|id>    signs the person out everywhere
  set-password <email|id> [--password-stdin]   also signs the person out everywhere
  send-reset <email|id>      emails a link for choosing a new password
  recovery-link <email|id>   prints such a link, for someone you can't reach by email
  remove-second-factors <email|id>   for someone who has lost their devices and recovery codes

The last administrator can't be disabled, deleted or lose admin access: make someone else an administrator first.
--password-stdin reads the password from the first line of standard input. Otherwise you're asked for it, or, if you leave
it empty or there's no terminal, one is generated and printed once. With --no-password, the person gets an email with a
link for choosing one; if email isn't set up, the link is printed.
--email-verified marks the email address as verified, which applications can see.`;

const subcommands: Record<string, Subcommand> = {
  ...peopleSubcommands,

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
      'no-password': { type: 'boolean' },
    } as const;
    const { values } = readArguments(args, options, []);
    if (values.email === undefined) throw new UsageError('--email is required');
    if (values.name === undefined) throw new UsageError('--name is required');
    const letsChoose = values['no-password'] === true;
    if (letsChoose && values['password-stdin']) {
      throw new UsageError("--password-stdin and --no-password can't be combined");
    }
    const { password, generated } = letsChoose
      ? { password: undefined, generated: false }
      : await choosePassword(values['password-stdin'] === true, services.random);
    const input = {
      email: values.email,
      name: values.name,
      givenName: values['given-name'],
      familyName: values['family-name'],
      emailVerified: values['email-verified'] === true,
      password,
      admin: values.admin === true,
    };
    const { user, link } = requireDone(await createPerson(services, input, commandOrigin()));
    const shown = generated ? password : undefined;
    if (values.json) {
      const linkJson = link && { link: { url: link.url ?? null, expires_at: isoTime(link.expiresAt) } };
      return printJson({ ...toJson(user), ...(shown !== undefined && { password: shown }), ...linkJson });
    }
    print(`Created ${user.name} <${user.email}>.\n\n  id        ${user.id}`);
    printPassword(shown);
    if (link === undefined) return;
    const life = howLong(linkLifetimes.invite);
    if (link.url === undefined)
      return print(`\nSent them a link to choose a password. It works once and expires in ${life}.`);
    print(`\nShare this link with them to choose a password. It works once and expires in ${life}:\n\n  ${link.url}`);
  },

  async invite(services, args) {
    const options = { ...json, email: { type: 'string' }, name: { type: 'string' } } as const;
    const { values } = readArguments(args, options, []);
    if (values.email === undefined) throw new UsageError('--email is required');
    const input = { email: values.email, name: values.name ?? '' };
    const { email, url, expiresAt } = requireDone(await inviteUser(services, input, commandOrigin()));
    if (values.json) {
      return printJson({ email, mailed: url === undefined, url: url ?? null, expires_at: isoTime(expiresAt) });
    }
    const life = howLong(linkLifetimes.invite);
    if (url === undefined) return print(`Sent an invitation to ${email}. Its link works once and expires in ${life}.`);
    print(`Email isn't set up, so share this link with ${email}. It works once and expires in ${life}:\n\n  ${url}`);
  },

  async list(services, args, { dataDir }) {
    const { values } = readArguments(args, { ...json, search: { type: 'string' } }, []);
    const { search } = values;
    const users = search === undefined ? await listAllUsers(services) : await searchAll(services, listUsers, search);
    if (values.json) return printJson(users.map(toJson));
    if (users.length === 0 && search) return print(`No people match ${JSON.stringify(search)}.`);
    if (users.length === 0) return print(`No people in ${dataDir} yet. Create an account with "latchkey user create".`);
    const rows = users.map((user) => [
      user.id,
      user.disabledAt === null ? 'active' : 'disabled',
      user.email,
      user.name,
    ]);
    printTable([['ID', 'STATUS', 'EMAIL', 'NAME'], ...rows]);
  },

  async show(services, args) {
    const { values, positionals } = readArguments(args, json, ['<email|id>']);
    const [emailOrId = ''] = positionals;
    const { user } = requireDone(await findUser(services, emailOrId));
    if (values.json) return printJson(toJson(user));
    printTable([
      ['id', user.id],
      ['email', `${user.email}${user.emailVerifiedAt === null ? ' (not verified)' : ''}`],
      ['name', user.name],
      ...(user.preferredUsername === null ? [] : [['username', user.preferredUsername]]),
      ['status', user.disabledAt === null ? 'active' : `disabled ${isoTime(user.disabledAt)}`],
      ['administrator', user.adminSince === null ? 'no' : `since ${isoTime(user.adminSince)}`],
      ['created', isoTime(user.createdAt)],
    ]);
  },

  async 'set-password'(services, args) {
    const { values, positionals } = readArguments(args, { ...json, ...passwordStdin }, ['<email|id>']);
    const [emailOrId = ''] = positionals;
    requireDone(await findUser(services, emailOrId));
    const { password, generated } = await choosePassword(values['password-stdin'] === true, services.random);
    const { user } = requireDone(await setPassword(services, emailOrId, password, commandOrigin()));
    const shown = generated ? password : undefined;
    if (values.json) return printJson({ ...toJson(user), ...(shown !== undefined && { password: shown }) });
    print(`Changed the password for ${user.email} and signed them out everywhere.`);
    printPassword(shown);
  },

  async 'recovery-link'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<email|id>']);
    const [emailOrId = ''] = positionals;
    const outcome = await makeRecoveryLink(services, emailOrId, commandOrigin());
    const { user, url, expiresAt } = requireDone(outcome);
    if (values.json) return printJson({ id: user.id, email: user.email, url, expires_at: isoTime(expiresAt) });
    print(
      `Share this link with ${user.email}, after making sure it's really them. It lets them choose a new password.`,
    );
    print(`It works once and expires in ${howLong(linkLifetimes.recover)}:\n\n  ${url}`);
  },

  'send-reset': changing(
    sendReset,
    (user) =>
      `Sent an email to ${user.email}. Its link works once and expires in ${howLong(linkLifetimes.reset_password)}.`,
  ),

  'end-sessions': changing(
    endSessions,
    (user) => `Signed ${user.email} out everywhere. Applications keep their access.`,
  ),

  'make-admin': changing(makeAdministrator, (user) => `${user.email} is now an administrator.`),
  'remove-admin': changing(removeAdministrator, (user) => `${user.email} is no longer an administrator.`),

  'remove-second-factors': changing(
    removeSecondFactors,
    (user) => `Removed two-step verification for ${user.email}. They can now sign in with just their password.`,
  ),

  'verify-email': changing(verifyEmail, (user) => `Marked ${user.email} as verified.`),

  disable: changing(disableUser, (user) => `Disabled ${user.email}. Their sessions and tokens no longer work.`),
  enable: changing(enableUser, (user) => `Enabled ${user.email}. They can sign in again.`),
  delete: changing(deleteUser, (user) => `Deleted ${user.email}.`),
};

export const user: Command = {
  usage,
  run: runSubcommand('user', subcommands),
};

function changing(operation: typeof disableUser, sentence: (user: User) => string): Subcommand {
  return async (services, args) => {
    const { values, positionals } = readArguments(args, json, ['<email|id>']);
    const [emailOrId = ''] = positionals;
    const { user } = requireDone(await operation(services, emailOrId, commandOrigin()));
    if (values.json) printJson(toJson(user));
    else print(sentence(user));
  };
}

function printPassword(password: string | undefined): void {
  if (password !== undefined)
    print(`  password  ${password}\n\nCopy the password now. You won't be able to see it again.`);
}
