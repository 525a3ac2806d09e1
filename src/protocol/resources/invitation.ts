// The fields of an invitation.

import { isEmail } from '../account/email-address.ts';
import { cleanName, nameProblem } from '../account/names.ts';
import { type Role, roles } from '../admin/rights.ts';
import { end, flag, Invalid, list, shown, text, time } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';

const mostGroups = 20;

/** What an administrator says about a new one, besides roles. */
export const newInvitationFields = {
  email: text({
    description: '',
    input: 'email',
    longest: 254,
    option: { value: 'EMAIL', about: 'who is invited' },
    clean: (given) => given.trim(),
    problem: (email) => (isEmail(email) ? undefined : `"${email}" is not an email address`),
  }),
  name: text({
    description: '',
    initial: '',
    longest: 100,
    option: { value: 'NAME', about: 'the name that the account starts with' },
    clean: cleanName,
    subject: 'the name',
    problem: (name) => (name === '' ? undefined : nameProblem(name)),
  }),
  groups: list({
    description: 'Groups that the account joins, by name.',
    most: mostGroups,
    names: 'groups',
    option: { name: 'group', value: 'NAME', completes: 'group', about: 'a group that the account joins' },
    items: (given) =>
      given.length > mostGroups ? new Invalid(`an invitation can have at most ${mostGroups} groups`) : given,
  }),
  admin: flag({
    description:
      'Makes the account an administrator, if the inviter is one when the invitation is accepted. A link to share never does.',
    option: { about: 'make the person an administrator, like --role administrator' },
  }),
  account_expires_at: { ...end({ what: "when the account's access ends" }), formName: 'expires' },
};

/** What the account is given. */
const account = {
  groups: shown<readonly string[]>({ kind: 'list', description: 'The groups that the account joins.' }),
  admin: shown<boolean>({
    kind: 'flag',
    description: 'Whether the account is an administrator.',
    find: ({ roles: given }) => Array.isArray(given) && given.includes('administrator'),
  }),
  roles: shown<readonly Role[]>({ kind: 'list', values: roles, description: 'The roles that the account gets.' }),
  account_expires_at: time({ description: "When the account's access ends.", nullable: true }),
};

/** Of one that was just sent. */
export const sentInvitationFields = {
  email: newInvitationFields.email,
  /** Undefined for one that was sent by email. */
  url: shown<string | undefined>({
    kind: 'text',
    description: 'The link to share; null if it was sent by email.',
    nullable: true,
  }),
  expires_at: time(),
  ...account,
};

export const pendingInvitationFields = {
  email: newInvitationFields.email,
  name: newInvitationFields.name,
  /** For an API key, who created that. Undefined for the command line, and for a person who is gone. */
  invited_by: shown<string | undefined, 'inviter'>({
    kind: 'text',
    property: 'inviter',
    description: 'A name; null for the command line.',
    nullable: true,
  }),
  /** Its ID once it's revoked. */
  invited_by_key: shown<string | undefined, 'inviterKey'>({
    kind: 'text',
    property: 'inviterKey',
    description:
      'The API key that the invitation was sent with, by name, or by ID once it’s revoked; null without one.',
    nullable: true,
  }),
  invited_at: time(),
  expires_at: time(),
  ...account,
};

export interface SentInvitation extends Omit<ValuesOf<typeof sentInvitationFields>, 'admin'> {
  /** A link to share gives none. */
  readonly rolesLeftOut: boolean;
}
export type PendingInvitationValues = Omit<ValuesOf<typeof pendingInvitationFields>, 'admin'>;

export interface InvitationInput extends GivenOf<typeof newInvitationFields> {
  readonly roles?: readonly string[] | undefined;
}
