// The fields of a person. A password isn't one: its rule needs the other fields, and the list of breached passwords.

import type { GivenAttributes } from '../account/attribute-values.ts';
import { isEmail } from '../account/email-address.ts';
import { cleanName, nameProblem } from '../account/names.ts';
import { type Role, roles } from '../admin/rights.ts';
import { end, flag, shown, text, time } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';

const longestName = 100;

export const userFields = {
  id: shown<string>({ kind: 'text', description: 'What applications get as sub.' }),
  name: text({
    description: 'The full name.',
    longest: longestName,
    option: { value: 'NAME' },
    clean: cleanName,
    subject: 'the name',
    problem: nameProblem,
  }),
  given_name: partOfName('given name', 'given_name'),
  family_name: partOfName('family name', 'family_name'),
  email: text({
    description: 'The email address to sign in with.',
    longest: 254,
    input: 'email',
    // Anyone who has someone's email address can reset their password.
    needsProof: true,
    option: { value: 'EMAIL', change: 'the new email address' },
    clean: (given) => given.trim(),
    problem: (email) => (isEmail(email) ? undefined : `"${email}" is not an email address`),
  }),
  email_verified: flag({
    description: 'Whether applications are told that the email address is verified.',
    settable: 'create',
    // Applications rely on it, and give the owner of a verified address what belongs to it.
    needsProof: true,
    option: { about: 'mark the email address as verified, which applications can see' },
  }),
  preferred_username: shown<string | null>({ kind: 'text', description: 'The username.', nullable: true }),
  admin: shown<boolean>({ kind: 'flag', description: 'Whether the person is an administrator.' }),
  roles: shown<readonly Role[]>({
    kind: 'list',
    values: roles,
    description: 'What the person can do in administration.',
  }),
  managed_by: shown<string | null>({
    kind: 'text',
    description:
      'The directory that the person belongs to, which decides their names and email address; null for none.',
    nullable: true,
  }),
  password_breached_at: time({ property: 'breachedSince', nullable: true }),
  disabled_at: time({ nullable: true }),
  disabled_reason: shown<'inactive' | null>({
    kind: 'choice',
    values: ['inactive'],
    description: 'Why the account is disabled, if not by an administrator or a directory.',
    nullable: true,
  }),
  // An end that comes at once is the same as disabling a person. Changing it has a form of its own.
  expires_at: end({ needsProof: true, inForm: 'create', eventName: 'expires_at' }),
  pending_since: time({ nullable: true }),
  created_at: time(),
  updated_at: time(),
};

export type UserValues = ValuesOf<typeof userFields>;

/** What an administrator can say about a user. Undefined stays as it is; an empty given or family name removes it. */
export interface UserInput extends GivenOf<typeof userFields> {
  /** Of the attributes that administrators have defined; others stay as they are. */
  readonly attributes?: GivenAttributes | undefined;
}

function partOfName<const Name extends string>(words: string, eventName: Name) {
  return text({
    description: `The ${words}.`,
    longest: longestName,
    nullable: true,
    eventName,
    option: { value: 'NAME', about: `the ${words}` },
    clean: cleanName,
    subject: `the ${words}`,
    problem: nameProblem,
  });
}
