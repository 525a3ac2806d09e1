// Which passwords are acceptable: long enough, and not easy to guess. There are no rules about character classes, because
// they lead to worse passwords.

import { hasControlCharacters } from '../reading/control-characters.ts';

export const passwordLength = { least: 8, most: 256 } as const;

export type PasswordProblem =
  | 'too_short'
  | 'too_long'
  | 'not_text'
  | 'common'
  | 'personal'
  | 'breached'
  /** The settings let this person have none. */
  | 'not_allowed';

export interface Guessable {
  isCommon(password: string): boolean;
  /** The user's email address and names, which are not secret. */
  readonly personal: readonly (string | null | undefined)[];
}

/** What is wrong with a new password, or undefined. Breached passwords and the settings are looked at elsewhere. */
export function passwordProblem(
  password: string,
  guessable: Guessable,
): Exclude<PasswordProblem, 'breached' | 'not_allowed'> | undefined {
  if (isTooLong(password)) return 'too_long';
  if ([...canonicalPassword(password)].length < passwordLength.least) return 'too_short';
  if (!password.isWellFormed() || hasControlCharacters(password)) return 'not_text';
  const folded = (text: string) => canonicalPassword(text).toLowerCase();
  const words = guessable.personal.flatMap((text) => (text ? [text, text.split('@')[0] ?? text] : []));
  if (words.some((word) => folded(word) === folded(password))) return 'personal';
  return guessable.isCommon(password) ? 'common' : undefined;
}

/** Counts characters of the form that is hashed, unless the text is too long to be worth normalizing. */
export function isTooLong(password: string): boolean {
  return password.length > 16 * passwordLength.most || [...canonicalPassword(password)].length > passwordLength.most;
}

/** The form of a password that is hashed: different keyboards encode the same character in different ways. */
export function canonicalPassword(password: string): string {
  return password.normalize('NFKC');
}
