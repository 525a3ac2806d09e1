// Judges a password that somebody wants to set, wherever passwords are set.

import { type PasswordProblem, passwordProblem } from '../../protocol/sign-in/password-rules.ts';
import type { User } from '../../storage/storage.ts';
import type { PasswordRules } from '../services.ts';

/** `personal` is what others know about the user. */
export async function newPasswordProblem(
  { isCommonPassword, isBreachedPassword }: PasswordRules,
  password: string,
  personal: readonly (string | null)[],
): Promise<PasswordProblem | undefined> {
  const problem = passwordProblem(password, { isCommon: isCommonPassword, personal });
  if (problem !== undefined) return problem;
  return (await isBreachedPassword(password)) ? 'breached' : undefined;
}

export function personalOf({ email, name, givenName, familyName }: User): readonly (string | null)[] {
  return [email, name, givenName, familyName];
}
