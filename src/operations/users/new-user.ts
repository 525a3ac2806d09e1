// Builds the record of a new user for every way an account is created: sign-up, invitation, set-up link, command line
// and demo. The rules of form are checked here; storing the record, and finding that the email address is taken, is
// left to the caller.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import { newId, newSecret } from '../../protocol/identifiers.ts';
import type { PasswordProblem } from '../../protocol/sign-in/password-rules.ts';
import type { User } from '../../storage/storage.ts';
import { newPasswordProblem } from '../passwords/new-password.ts';
import type { Services } from '../services.ts';

export interface NewUserInput {
  readonly email: string;
  readonly name: string;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  /** Undefined for one that nobody knows, so that nobody can sign in with it. */
  readonly password: string | undefined;
  readonly admin: boolean;
  /** Somebody has made sure that the address belongs to this user. Clients are told, and may rely on it. */
  readonly emailVerified: boolean;
  readonly locale?: string | undefined;
}

export type NewUserOutcome =
  | { kind: 'valid'; user: User }
  | { kind: 'invalid_email' }
  | { kind: 'invalid_name'; problem: string }
  | { kind: 'invalid_password'; problem: PasswordProblem };

/** What is wrong with each part of the input; those of names complete a sentence that starts with the part. */
export interface NewUserProblems {
  readonly email: 'not_an_address' | undefined;
  readonly name: string | undefined;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly password: PasswordProblem | undefined;
}

export async function newUserProblems(
  services: Pick<Services, 'isCommonPassword' | 'isBreachedPassword'>,
  input: NewUserInput,
): Promise<NewUserProblems> {
  const { email, name, givenName, familyName } = cleaned(input);
  const { password } = input;
  const personal = [email, name, givenName, familyName];
  return {
    email: isEmail(email) ? undefined : 'not_an_address',
    name: nameProblem(name),
    givenName: givenName === null ? undefined : nameProblem(givenName),
    familyName: familyName === null ? undefined : nameProblem(familyName),
    password: password === undefined ? undefined : await newPasswordProblem(services, password, personal),
  };
}

function cleaned(input: NewUserInput) {
  return {
    email: input.email.trim(),
    name: cleanName(input.name),
    givenName: input.givenName === undefined ? null : cleanName(input.givenName),
    familyName: input.familyName === undefined ? null : cleanName(input.familyName),
  };
}

export async function newUser(
  services: Pick<Services, 'clock' | 'random' | 'passwords' | 'isCommonPassword' | 'isBreachedPassword'>,
  input: NewUserInput,
): Promise<NewUserOutcome> {
  const { clock, random, passwords } = services;
  const problems = await newUserProblems(services, input);
  if (problems.email !== undefined) return { kind: 'invalid_email' };
  const ofName = problems.name ?? problems.givenName ?? problems.familyName;
  if (ofName !== undefined) return { kind: 'invalid_name', problem: ofName };
  if (problems.password !== undefined) return { kind: 'invalid_password', problem: problems.password };

  const { email, name, givenName, familyName } = cleaned(input);
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
  return { kind: 'valid', user };
}
