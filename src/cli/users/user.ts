// `latchkey user …`: everything an administrator does with users, from the command line.

import { linkLifetimes } from '../../operations/mail/links.ts';
import {
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
  verifyEmail,
} from '../../operations/users/disable-user.ts';
import { editUser } from '../../operations/users/edit-user.ts';
import { listIdentities } from '../../operations/users/identities.ts';
import { firstLinkJson, userJson as toJson } from '../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset, setPassword } from '../../operations/users/user-recovery.ts';
import { createUserWithLink, findUser, listUsers } from '../../operations/users/users.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { userFields } from '../../protocol/resources/user.ts';
import type { User } from '../../storage/storage.ts';
import { commandRequester, howLong, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { choosePassword } from '../password-input.ts';
import { searchAll } from '../search.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printFields, printTable } from '../terminal/table.ts';
import { shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { deleteUserCommand } from './delete.ts';
import { importUsersCommand } from './import.ts';
import { invitationCommands } from './invitations.ts';
import { unlinkCommand } from './unlink.ts';

const person = { person: { label: '<email|id>', completes: 'person' } } as const;
const passwordStdin = {
  'password-stdin': { about: 'read the password from the first line of standard input' },
} as const;

const create = defineStoreCommand(
  {
    summary: 'create an account',
    details: `Without --password-stdin you're asked for the password or, if you leave it empty or there's no terminal, one is generated
and printed once. With --no-password, the person gets an email with a link for choosing one; if email isn't set up, the link
is printed.`,
    options: {
      ...fieldOptions(userFields, 'create'),
      ...passwordStdin,
      'no-password': { about: 'let the person choose the password' },
      admin: { about: 'give the person admin access' },
      ...jsonOption,
    },
    examples: [
      'latchkey user create --email ada@example.com --name "Ada Lovelace" --admin',
      'latchkey user create --email bob@example.com --name Bob --no-password',
      'latchkey user create --email bot@example.com --name Bot --password-stdin < password.txt',
    ],
  },
  async (services, { values }) => {
    const letsChoose = values['no-password'];
    if (letsChoose && values['password-stdin']) {
      throw new UsageError("--password-stdin and --no-password can't be combined");
    }
    const { password, generated } = letsChoose
      ? { password: undefined, generated: false }
      : await choosePassword(values['password-stdin'], services.random);
    const input = { ...givenByOptions(userFields, 'create', values), password, admin: values.admin };
    const { user, link } = requireDone(await createUserWithLink(services, input, commandRequester()));
    const shown = generated ? password : undefined;
    if (values.json) {
      const secrets = { ...(shown !== undefined && { password: shown }), ...(link && { link: firstLinkJson(link) }) };
      return printJson({ ...toJson(user), ...secrets });
    }
    print(`Created ${user.name} <${user.email}>.\n\n  id        ${user.id}`);
    printPassword(shown);
    if (link === undefined) return;
    const life = howLong(linkLifetimes.invite);
    if (link.url === undefined)
      return print(`\nSent them a link to choose a password. It works once and expires in ${life}.`);
    print(`\nShare this link with them to choose a password. It works once and expires in ${life}:\n\n  ${link.url}`);
  },
);

const update = defineStoreCommand(
  {
    summary: "correct a person's name or email address",
    details: 'The person is notified by email. A new email address starts out unverified.',
    arguments: person,
    options: { ...fieldOptions(userFields, 'change'), ...jsonOption },
    examples: ['latchkey user update ada@example.com --name "Ada King" --family-name King'],
  },
  async (services, { values, args }) => {
    const change = givenByOptions(userFields, 'change', values);
    if (Object.keys(change).length === 0) throw new UsageError('nothing to change');
    const { user } = requireDone(await editUser(services, args.person, change, commandRequester()));
    if (values.json) return printJson(toJson(user));
    print(`Updated ${user.name} <${user.email}>.`);
  },
);

const list = defineStoreCommand(
  {
    summary: 'list people',
    options: {
      search: { value: 'TEXT', about: 'only those with a word in the name or email address that begins with TEXT' },
      ...jsonOption,
    },
    examples: ['latchkey user list', 'latchkey user list --search ada'],
  },
  async (services, { values }, { dataDir }) => {
    const { search } = values;
    const users =
      search === undefined ? await services.storage.listUsers() : await searchAll(services, listUsers, search);
    if (values.json) return printJson(users.map(toJson));
    if (users.length === 0 && search) return print(`No people match ${JSON.stringify(search)}.`);
    if (users.length === 0) return print(`No people in ${dataDir} yet. Create an account with "latchkey user create".`);
    const rows = users.map((user) => [
      user.id,
      user.disabledAt === null ? styled('green', 'active') : styled('red', 'disabled'),
      user.email,
      user.name,
    ]);
    printTable([['ID', 'STATUS', 'EMAIL', 'NAME'], ...rows]);
  },
);

const show = defineStoreCommand(
  {
    summary: 'show a person',
    arguments: person,
    options: jsonOption,
    examples: ['latchkey user show ada@example.com'],
  },
  async (services, { values, args }) => {
    const { user } = requireDone(await findUser(services, args.person));
    if (values.json) return printJson(toJson(user));
    const imported = await services.storage.findImportOrigin(user.id);
    printFields([
      ['id', user.id],
      ['email', `${user.email}${user.emailVerifiedAt === null ? ' (not verified)' : ''}`],
      ['name', user.name],
      ...(user.preferredUsername === null ? [] : [['username', user.preferredUsername]]),
      [
        'status',
        user.disabledAt === null ? styled('green', 'active') : styled('red', `disabled ${shownTime(user.disabledAt)}`),
      ],
      ['administrator', user.adminSince === null ? 'no' : `since ${shownTime(user.adminSince)}`],
      ...(user.breachedSince === null
        ? []
        : [['password', styled('yellow', `found in a data breach ${shownTime(user.breachedSince)}`)]]),
      ...(await listIdentities(services, user)).map(({ identity, upstream }) => [
        'identity',
        `${upstream?.name ?? identity.issuer} ${identity.subject}${identity.email === null ? '' : ` (${identity.email})`}`,
      ]),
      ['created', shownTime(user.createdAt)],
      ...(imported === undefined ? [] : [['imported', `from ${imported.source}, ${shownTime(imported.importedAt)}`]]),
    ]);
  },
);

const setPasswordCommand = defineStoreCommand(
  {
    summary: "change a person's password and sign them out everywhere",
    arguments: person,
    options: { ...passwordStdin, ...jsonOption },
    examples: [
      'latchkey user set-password ada@example.com',
      'latchkey user set-password ada@example.com --password-stdin < password.txt',
    ],
  },
  async (services, { values, args }) => {
    requireDone(await findUser(services, args.person));
    const { password, generated } = await choosePassword(values['password-stdin'], services.random);
    const { user } = requireDone(await setPassword(services, args.person, password, commandRequester()));
    const shown = generated ? password : undefined;
    if (values.json) return printJson({ ...toJson(user), ...(shown !== undefined && { password: shown }) });
    print(`Changed the password for ${user.email} and signed them out everywhere.`);
    printPassword(shown);
  },
);

const recoveryLink = defineStoreCommand(
  {
    summary: "print a link for choosing a new password, for someone you can't reach by email",
    arguments: person,
    options: jsonOption,
    examples: ['latchkey user recovery-link ada@example.com'],
  },
  async (services, { values, args }) => {
    const outcome = await makeRecoveryLink(services, args.person, commandRequester());
    const { user, url, expiresAt } = requireDone(outcome);
    if (values.json) return printJson({ id: user.id, email: user.email, url, expires_at: isoTime(expiresAt) });
    print(
      `Share this link with ${user.email}, after making sure it's really them. It lets them choose a new password.`,
    );
    print(`It works once and expires in ${howLong(linkLifetimes.recover)}:\n\n  ${url}`);
  },
);

export const user: CommandGroup = {
  summary: 'manage people',
  details: `The last administrator can't be disabled, deleted or lose admin access: make someone else an administrator first.

An ID that begins with a hyphen comes after two: latchkey user show -- -abc`,
  examples: [
    'latchkey user create --email ada@example.com --name "Ada Lovelace" --admin',
    'latchkey user list --search ada',
    'latchkey user disable ada@example.com',
  ],
  commands: {
    create,
    list,
    show,
    ...invitationCommands,
    update,
    import: importUsersCommand,
    'verify-email': changing('verify-email', verifyEmail, "mark a person's email address as verified", (user) => {
      return `Marked ${user.email} as verified.`;
    }),
    disable: changing(
      'disable',
      disableUser,
      'stop all sessions and tokens of a person, starting with the next request',
      (user) => `Disabled ${user.email}. Their sessions and tokens no longer work.`,
    ),
    enable: changing(
      'enable',
      enableUser,
      'let a person sign in again; old sessions and tokens stay invalid',
      (user) => `Enabled ${user.email}. They can sign in again.`,
    ),
    delete: deleteUserCommand,
    'make-admin': changing('make-admin', makeAdministrator, 'give a person admin access', (user) => {
      return `${user.email} is now an administrator.`;
    }),
    'remove-admin': changing('remove-admin', removeAdministrator, "remove a person's admin access", (user) => {
      return `${user.email} is no longer an administrator.`;
    }),
    'end-sessions': changing('end-sessions', endSessions, 'sign a person out everywhere', (user) => {
      return `Signed ${user.email} out everywhere. Applications keep their access.`;
    }),
    'set-password': setPasswordCommand,
    'send-reset': changing('send-reset', sendReset, 'email a link for choosing a new password', (user) => {
      const life = howLong(linkLifetimes.reset_password);
      return `Sent an email to ${user.email}. Its link works once and expires in ${life}.`;
    }),
    'recovery-link': recoveryLink,
    unlink: unlinkCommand,
    'remove-second-factors': changing(
      'remove-second-factors',
      removeSecondFactors,
      'remove two-step verification of someone who has lost their devices and recovery codes',
      (user) => `Removed two-step verification for ${user.email}. They can now sign in with just their password.`,
    ),
  },
};

function changing(
  name: string,
  // Of these operations, it's the one that takes the most services.
  operation: typeof sendReset,
  summary: string,
  sentence: (user: User) => string,
): Command {
  const examples = [`latchkey user ${name} ada@example.com`];
  return defineStoreCommand(
    { summary, arguments: person, options: jsonOption, examples },
    async (services, { values, args }) => {
      const { user } = requireDone(await operation(services, args.person, commandRequester()));
      if (values.json) printJson(toJson(user));
      else print(sentence(user));
    },
  );
}

function printPassword(password: string | undefined): void {
  if (password !== undefined)
    print(`  password  ${password}\n\nCopy the password now. You won't be able to see it again.`);
}
