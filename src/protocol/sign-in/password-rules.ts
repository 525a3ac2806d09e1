// What may be a password. Length, and what everybody would guess: composition rules make passwords worse.

import { hasControlCharacters } from '../reading/control-characters.ts';

export const passwordLength = { least: 8, most: 256 } as const;

export type PasswordProblem = 'too_short' | 'too_long' | 'not_text' | 'common' | 'personal';

export interface Guessable {
  isCommon(password: string): boolean;
  /** Words that are no secret: the person's address and names. */
  readonly personal: readonly (string | null | undefined)[];
}

/** What is wrong with a new password, or undefined. */
export function passwordProblem(password: string, guessable: Guessable): PasswordProblem | undefined {
  if (isTooLong(password)) return 'too_long';
  if ([...canonicalPassword(password)].length < passwordLength.least) return 'too_short';
  if (!password.isWellFormed() || hasControlCharacters(password)) return 'not_text';
  const folded = (text: string) => canonicalPassword(text).toLowerCase();
  const words = guessable.personal.flatMap((text) => (text ? [text, text.split('@')[0] ?? text] : []));
  if (words.some((word) => folded(word) === folded(password))) return 'personal';
  return guessable.isCommon(password) ? 'common' : undefined;
}

/** Counted in the form in which it is hashed; what is far longer is not even brought into it. */
export function isTooLong(password: string): boolean {
  return password.length > 16 * passwordLength.most || [...canonicalPassword(password)].length > passwordLength.most;
}

/** The form in which a password is hashed: keyboards spell the same character in different ways. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFKC');
}
