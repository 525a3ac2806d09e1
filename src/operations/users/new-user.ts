// Builds the record of a new user for every way an account is created: sign-up, invitation, set-up link, command line
// and demo. The rules of form are checked here; storing the record, and finding that the email address is taken, is
// left to the caller.

import { newId, newSecret } from '../../protocol/identifiers.ts';
import { readFields } from '../../protocol/resources/resource.ts';
import { type UserInput, userFields } from '../../protocol/resources/user.ts';
import { type PasswordProblem, passwordLength } from '../../protocol/sign-in/password-rules.ts';
import type { User } from '../../storage/storage.ts';
import { type AdminOutcome, refusedFields } from '../admin/outcome.ts';
import { newPasswordProblem } from '../passwords/new-password.ts';
import type { Services } from '../services.ts';

export interface NewUserInput extends UserInput {
  /** Undefined for one that nobody knows, so that nobody can sign in with it. */
  readonly password: string | undefined;
  readonly admin: boolean;
  readonly locale?: string | undefined;
}

/** Each completes a sentence that starts with "the password". */
export const passwordProblems: Record<PasswordProblem, string> = {
  too_short: `must have at least ${passwordLength.least} characters`,
  too_long: `must have at most ${passwordLength.most} characters`,
  not_text: 'has characters that are not allowed',
  common: 'is too common',
  personal: "is the person's own name or email address",
  breached: 'is known from a data breach: choose one that is used nowhere else',
};

/** Everything that is wrong with the input, by field, so that it can be corrected at once. */
export async function newUserProblems(
  services: Pick<Services, 'isCommonPassword' | 'isBreachedPassword'>,
  input: NewUserInput,
) {
  const { values, problems } = readFields(userFields, input);
  const { password, email = '', name = '', givenName = null, familyName = null } = { ...input, ...values };
  const personal = [email, name, givenName, familyName];
  const problem = password === undefined ? undefined : await newPasswordProblem(services, password, personal);
  return { ...problems, ...(problem && { password: [`the password ${passwordProblems[problem]}`] }) };
}

export async function newUser(
  services: Pick<Services, 'clock' | 'random' | 'passwords' | 'isCommonPassword' | 'isBreachedPassword'>,
  input: NewUserInput,
): Promise<AdminOutcome<{ user: User }>> {
  const { clock, random, passwords } = services;
  const refusal = refusedFields(await newUserProblems(services, input));
  if (refusal !== undefined) return refusal;
  const { email = '', name = '', givenName = null, familyName = null } = readFields(userFields, input).values;
  const now = clock.now();
  const user: User = {
    id: newId(random),
    email,
    emailVerifiedAt: input.emailVerified ? now : null,
    name,
    givenName,
    familyName,
    preferredUsername: null,
    picture: null,
    locale: input.locale ?? null,
    passwordHash: await passwords.hash(input.password ?? newSecret('', random)),
    adminSince: input.admin ? now : null,
    disabledAt: null,
    generation: 0,
    createdAt: now,
    updatedAt: now,
    reviewSince: null,
    breachedSince: null,
  };
  return { kind: 'done', user };
}
