// What people and groups, clients, API keys and passkeys can be called, which IDs and usernames people can have, and when two
// names are the same. Whether one is taken is up to storage.

import { hasControlCharacters, withoutInvisible } from '../reading/control-characters.ts';

const nameLimit = 100;
/** Whitespace and invisible characters. A name of nothing else would be invisible. */
const blank = /[\p{Z}\p{Cc}\p{Cf}\p{DI}\p{Mn}\u2800]/gu;

/** What is wrong with a name, completing a sentence that starts with "the name"; undefined if it's valid. */
export function nameProblem(name: string): string | undefined {
  if (name.replace(blank, '') === '') return 'is empty';
  if ([...name].length > nameLimit) return `is longer than ${nameLimit} characters`;
  return hasControlCharacters(name) || !name.isWellFormed() ? 'has control characters' : undefined;
}

/** A name as it is stored. It must not rearrange the page around it. */
export function cleanName(text: string): string {
  // Normalizing can take time quadratic in the length. What is cut off here is too long for a name anyway.
  return withoutInvisible(text.slice(0, 10 * nameLimit))
    .normalize('NFC')
    .trim();
}

const usernameLength = { least: 3, most: 30 };

export type UsernameProblem = TextProblem | 'managed';
type TextProblem = 'too_short' | 'too_long' | 'invalid_start' | 'invalid_characters';

/**
 * Only ASCII, because other scripts have letters that look the same. Without an "@" a username is never an email
 * address, and with a letter first it is never a generated id, which begins with a digit.
 */
export function usernameProblem(text: string): TextProblem | undefined {
  if (/[^a-z0-9._-]/i.test(text)) return 'invalid_characters';
  if (text.length < usernameLength.least) return 'too_short';
  if (text.length > usernameLength.most) return 'too_long';
  return /^[a-z]/i.test(text) ? undefined : 'invalid_start';
}

/** Usernames are unique by this: all spellings of one have the same. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}

const userIdForm = /^[A-Za-z0-9._|:@-]{1,255}$/;

/**
 * An ID that URLs, commands and files can hold. The service generates IDs that start with a digit; people imported from elsewhere
 * can keep the ID that their applications know. `.` and `..` mean a directory in a URL.
 */
export function isUserId(text: string): boolean {
  return userIdForm.test(text) && text !== '.' && text !== '..';
}

/** Names of groups are unique by this: all spellings of one have the same. */
export function groupKey(name: string): string {
  // Names are at most 100 characters long; normalizing can take time quadratic in the length.
  return name.slice(0, 1000).trim().normalize('NFKC').toLowerCase();
}
