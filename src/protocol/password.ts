// What may be a password. Length alone: composition rules make passwords worse.

import { hasControlCharacters } from './text.ts';

export const passwordLength = { least: 8, most: 256 } as const;

/** A sentence that says what is wrong with a new password, or undefined. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length;
  if (length < passwordLength.least) return `must have at least ${passwordLength.least} characters`;
  if (length > passwordLength.most) return `must have at most ${passwordLength.most} characters`;
  if (!password.isWellFormed() || hasControlCharacters(password)) return 'has characters that are not allowed';
  return undefined;
}

/** The form in which a password is hashed: keyboards spell the same character in different ways. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFKC');
}
