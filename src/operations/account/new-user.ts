// Builds the record of a new user for every way an account is created: sign-up, invitation, set-up link, command line
// and demo. The rules of form are checked here; storing the record, and finding that the email address is taken, is
// left to the caller.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import { newId } from '../../protocol/identifiers.ts';
import { type PasswordProblem, passwordProblem } from '../../protocol/sign-in/password-rules.ts';
import type { User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

export interface NewUserInput {
  readonly email: string;
  readonly name: string;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly password: string;
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

export async function newUser(services: Services, input: NewUserInput): Promise<NewUserOutcome> {
  const { clock, random, passwords, isCommonPassword } = services;
  const email = input.email.trim();
  if (!isEmail(email)) return { kind: 'invalid_email' };
  const name = cleanName(input.name);
  const givenName = input.givenName === undefined ? null : cleanName(input.givenName);
  const familyName = input.familyName === undefined ? null : cleanName(input.familyName);
  for (const each of [name, givenName, familyName]) {
    const problem = each === null ? undefined : nameProblem(each);
    if (problem !== undefined) return { kind: 'invalid_name', problem };
  }
  const personal = [email, name, givenName, familyName];
  const problem = passwordProblem(input.password, { isCommon: isCommonPassword, personal });
  if (problem !== undefined) return { kind: 'invalid_password', problem };

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
    passwordHash: await passwords.hash(input.password),
    adminSince: input.admin ? now : null,
    disabledAt: null,
    generation: 0,
    createdAt: now,
    updatedAt: now,
    reviewSince: null,
  };
  return { kind: 'valid', user };
}
