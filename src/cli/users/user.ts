// `latchkey user …`: everything an administrator does with users, from the command line.

import { refused } from '../../operations/admin/outcome.ts';
import { linkLifetimes } from '../../operations/email-links/links.ts';
import { maySetPassword } from '../../operations/passwords/password-policy.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
  verifyEmail,
} from '../../operations/users/disable-user.ts';
import { readGivenRoles } from '../../operations/users/given-roles.ts';
import { revokeIdentities } from '../../operations/users/identities.ts';
import { editUserAndRoles } from '../../operations/users/set-roles.ts';
import { firstLinkJson, userJson } from '../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset, setPassword } from '../../operations/users/user-recovery.ts';
import {
  createUserWithLink,
  findUser,
  type NamedUser,
  passwordProblems,
  userDetails,
} from '../../operations/users/users.ts';
import type { GivenAttributes } from '../../protocol/account/attribute-values.ts';
import { holderOf, rolesOf } from '../../protocol/account/roles.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { userFields } from '../../protocol/resources/user.ts';
import type { User } from '../../storage/storage.ts';
import { requireDone, UsageError } from '../command.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { choosePassword } from '../secret-input.ts';
import { summaries } from '../summaries.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { howLong } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { approvalCommands } from './approval.ts';
import { importUsersCommand } from './import.ts';
import { invitationCommands } from './invitations.ts';
import { list } from './list.ts';
import { changedRoleOption, roleOption, rolesExplained, rolesIn } from './role-option.ts';
import { person, show } from './show.ts';

const attributeOption = {
  attribute: {
    value: 'NAME=VALUE',
    many: true,
    about: 'the value of an attribute; an empty one removes it; a list is comma separated',
  },
} as const;
const passwordStdin = {
  'password-stdin': { about: 'read the password from the first line of standard input' },
} as const;

const commands: Record<string, Command> = {
  create: defineStoreCommand({
    summary: 'create an account',
    createsStore: true,
    details: `Without --password-stdin, you're asked for the password. If you leave it empty, or there's no terminal, one is generated
and printed once. With --no-password, the person gets an email with a link for choosing one; if email isn't set up, the link
is printed. If the setting "passwords" turns passwords off for the person, an invitation link for creating a passkey
is printed instead.\n\n${rolesExplained}`,
    options: {
      ...fieldOptions(userFields, 'create'),
      ...attributeOption,
      ...passwordStdin,
      'no-password': { about: 'let the person choose the password' },
      admin: { about: 'make the person an administrator, like --role administrator' },
      ...roleOption,
    },
    examples: [
      'latchkey user create --email ada@example.com --name "Ada Lovelace" --admin',
      'latchkey user create --email bob@example.com --name Bob --no-password',
      'latchkey user create --email temp@example.com --name Temp --no-password --expires 2027-01-31',
      'latchkey user create --email bot@example.com --name Bot --password-stdin < password.txt',
    ],
    async run({ services, values, requester }) {
      const letsChoose = values['no-password'];
      if (letsChoose && values['password-stdin']) {
        throw new UsageError("--password-stdin and --no-password can't be combined");
      }
      const given = { admin: values.admin, roles: rolesIn(values.role) };
      const { roles } = requireDone(readGivenRoles(given, requester));
      const isAllowed = await maySetPassword(services, holderOf(roles, 0));
      // One that was given is refused, with the reason.
      const getsLink = letsChoose || !(isAllowed || values['password-stdin']);
      const { password, generated } = getsLink
        ? { password: undefined, generated: undefined }
        : await choosePassword(values['password-stdin'], services.random);
      const attributes = attributesIn(values.attribute);
      const input = {
        ...givenByOptions(userFields, 'create', values),
        attributes,
        password,
        roles,
      };
      const share = letsChoose ? undefined : true;
      const { user, link } = requireDone(await createUserWithLink(services, input, requester, share));
      const once = `It works once and expires in ${howLong(linkLifetimes.invite)}`;
      const what = isAllowed ? 'link with them to choose a password' : 'invitation link with them to create a passkey';
      const sentence =
        link?.url === undefined
          ? `\n\nSent them a link to ${isAllowed ? 'choose a password' : 'create a passkey'}. ${once}.`
          : `\n\nShare this ${what}. ${once}:\n\n  ${link.url}`;
      return {
        json: {
          ...(await userJson(services, user)),
          ...(generated && { password: generated }),
          ...(link && { link: firstLinkJson(link) }),
        },
        text: `Created ${user.name} <${user.email}>.\n\n  id        ${user.id}${rolesText(user)}${passwordText(generated)}${link ? sentence : ''}`,
      };
    },
  }),
  list,
  show,
  ...invitationCommands,
  ...approvalCommands,
  update: defineStoreCommand({
    summary: "change a person's name, email address, attributes, roles or when their access ends",
    details: `The person gets an email about a new name, email address or role. A new email address starts out unverified. The roles that you name replace those that the person has.\n\n${rolesExplained}`,
    arguments: person,
    options: { ...fieldOptions(userFields, 'change'), ...attributeOption, ...changedRoleOption },
    examples: [
      'latchkey user update ada@example.com --name "Ada King" --family-name King',
      'latchkey user update ada@example.com --attribute department=Sales --attribute skills=chess,piano',
      'latchkey user update ada@example.com --expires 90d',
      'latchkey user update ada@example.com --role people --role auditor',
    ],
    async run({ services, values, args, requester }) {
      const attributes = attributesIn(values.attribute);
      const change = {
        ...givenByOptions(userFields, 'change', values),
        ...(attributes && { attributes }),
      };
      const roles = rolesIn(values.role);
      if (Object.keys(change).length === 0 && roles === undefined) throw new UsageError('nothing to change');
      const { user } = requireDone(await editUserAndRoles(services, args.person, { ...change, roles }, requester));
      return { json: await userJson(services, user), text: updatedText(user, roles !== undefined) };
    },
  }),
  import: importUsersCommand,
  'verify-email': changing('verify-email', verifyEmail, "mark a person's email address as verified", (email) => {
    return `Marked ${email} as verified.`;
  }),
  disable: changing(
    'disable',
    disableUser,
    'stop all sessions and tokens of a person, starting with the next request',
    (email) => `Disabled ${email}. Their sessions and tokens no longer work.`,
  ),
  enable: changing(
    'enable',
    enableUser,
    'let a person sign in again; old sessions and tokens stay invalid',
    (email) => `Enabled ${email}. They can sign in again.`,
  ),
  delete: defineStoreCommand({
    summary: 'delete a person and all data about them',
    details: 'To stop someone who may come back, use "latchkey user disable" instead.',
    arguments: person,
    options: yesOption,
    examples: ['latchkey user delete ada@example.com', 'latchkey user delete ada@example.com --yes'],
    async run({ services, values, args, requester }) {
      let deleted: NamedUser = args.person;
      await confirmLoss(values.yes, async () => {
        const { user, sessions, apps } = requireDone(await userDetails(services, args.person));
        // The person that the question names, even if the email address is someone else's by the time of the answer.
        deleted = { id: user.id };
        return {
          what: `${user.name} <${user.email}>`,
          with: [
            [sessions.length, 'session', 'sessions'],
            [apps.length, 'connected application', 'connected applications'],
          ],
        };
      });
      const { user } = requireDone(await deleteUser(services, deleted, requester));
      return { json: await userJson(services, user), text: `Deleted ${user.email}.` };
    },
  }),
  'make-admin': changing('make-admin', makeAdministrator, 'give a person admin access', (email) => {
    return `${email} is now an administrator.`;
  }),
  'remove-admin': changing('remove-admin', removeAdministrator, "remove a person's admin access", (email) => {
    return `${email} is no longer an administrator.`;
  }),
  'end-sessions': changing('end-sessions', endSessions, 'sign a person out everywhere', (email) => {
    return `Signed ${email} out everywhere. Applications keep their access.`;
  }),
  'set-password': defineStoreCommand({
    summary: "change a person's password and sign them out everywhere",
    arguments: person,
    options: passwordStdin,
    examples: [
      'latchkey user set-password ada@example.com',
      'latchkey user set-password ada@example.com --password-stdin < password.txt',
    ],
    async run({ services, values, args, requester }) {
      const found = requireDone(await findUser(services, args.person));
      // Nobody is asked for one that can't be set.
      if (!(await maySetPassword(services, found.user))) {
        requireDone(refused(`the password ${passwordProblems.not_allowed}; use "latchkey user recovery-link" instead`));
      }
      const { password, generated } = await choosePassword(values['password-stdin'], services.random);
      const { user } = requireDone(await setPassword(services, args.person, password, requester));
      const changed = `Changed the password for ${user.email} and signed them out everywhere.`;
      const json = { ...(await userJson(services, user)), ...(generated && { password: generated }) };
      return { json, text: `${changed}${passwordText(generated)}` };
    },
  }),
  'send-reset': changing('send-reset', sendReset, 'email a link for choosing a new password', (email) => {
    return `Sent an email to ${email}. Its link works once and expires in ${howLong(linkLifetimes.reset_password)}.`;
  }),
  'recovery-link': defineStoreCommand({
    summary: "print a link for choosing a new password, for someone you can't reach by email",
    arguments: person,
    examples: ['latchkey user recovery-link ada@example.com'],
    async run({ services, args, requester }) {
      const { user, url, expiresAt } = requireDone(await makeRecoveryLink(services, args.person, requester));
      return {
        json: { id: user.id, email: user.email, url, expires_at: isoTime(expiresAt) },
        text: `Share this link with ${user.email}, after making sure it's really them. It lets them choose a new password.
It works once and expires in ${howLong(linkLifetimes.recover)}:

  ${url}`,
      };
    },
  }),
  unlink: defineStoreCommand({
    summary: "unlink a person's identities at an identity provider, and sign the person out everywhere",
    details:
      "Use it if someone's account there is compromised. A person without another way to sign in can get a password by email.",
    arguments: person,
    options: {
      upstream: { value: 'NAME', required: true, completes: 'upstream', about: 'the identity provider' },
      subject: { value: 'SUB', about: 'only the identity with this subject' },
    },
    examples: ['latchkey user unlink ada@example.com --upstream google'],
    async run({ services, values, args, requester }) {
      const { user, unlinked } = requireDone(await revokeIdentities(services, args.person, values, requester));
      const what = unlinked === 1 ? 'an identity' : `${unlinked} identities`;
      return {
        json: await userJson(services, user),
        text: `Unlinked ${what} from ${user.email}, and signed them out everywhere.`,
      };
    },
  }),
  'remove-second-factors': changing(
    'remove-second-factors',
    removeSecondFactors,
    'remove two-step verification of someone who has lost their devices and recovery codes',
    (email) => `Removed two-step verification for ${email}. They can now sign in with just their password.`,
  ),
};

export const user: CommandGroup = {
  summary: summaries.user,
  details: `The last administrator can't be disabled, deleted or lose admin access, and their access can't end: make someone else an
administrator first.

Put two hyphens before an ID that begins with one: latchkey user show -- -abc`,
  examples: [
    'latchkey user create --email ada@example.com --name "Ada Lovelace" --admin',
    'latchkey user list --search ada',
    'latchkey user disable ada@example.com',
  ],
  commands,
};

function attributesIn(given: readonly string[] | undefined): GivenAttributes | undefined {
  if (given === undefined) return undefined;
  const entries = given.map((text): [string, string] => {
    const equals = text.indexOf('=');
    if (equals < 1) throw new UsageError('--attribute must be NAME=VALUE');
    return [text.slice(0, equals), text.slice(equals + 1)];
  });
  const values = Object.fromEntries(entries);
  if (Object.keys(values).length < entries.length) throw new UsageError('--attribute names an attribute twice');
  return { as: 'text', values };
}

function changing(
  name: string,
  // Of these operations, it's the one that takes the most services.
  operation: typeof sendReset,
  summary: string,
  sentence: (email: string) => string,
): Command {
  return defineStoreCommand({
    summary,
    arguments: person,
    examples: [`latchkey user ${name} ada@example.com`],
    async run({ services, args, requester }) {
      const { user } = requireDone(await operation(services, args.person, requester));
      return { json: await userJson(services, user), text: sentence(user.email) };
    },
  });
}

function rolesText(user: User): string {
  const roles = rolesOf(user);
  return roles.length === 0 ? '' : `\n  roles     ${roles.join(', ')}`;
}

function updatedText(user: User, withRoles: boolean): string {
  const text = `Updated ${user.name} <${user.email}>.`;
  return withRoles ? `${text} Roles: ${rolesOf(user).join(', ') || 'none'}.` : text;
}

function passwordText(generated: string | undefined): string {
  if (generated === undefined) return '';
  return `\n  password  ${generated}\n\nCopy the password now. You won't be able to see it again.`;
}
