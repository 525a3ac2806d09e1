// Usernames: which ones a person may choose, and what makes two of them the same. Whether one is taken is up to
// storage.

const shortest = 3;
const longest = 30;

export type UsernameProblem = TextProblem | 'managed';
type TextProblem = 'too_short' | 'too_long' | 'invalid_start' | 'invalid_characters';

/**
 * Only ASCII, because other scripts have letters that look the same. Without an "@" a username is never an email
 * address, and with a letter first it is never a generated id, which begins with a digit.
 */
export function usernameProblem(text: string): TextProblem | undefined {
  if (/[^a-z0-9._-]/i.test(text)) return 'invalid_characters';
  if (text.length < shortest) return 'too_short';
  if (text.length > longest) return 'too_long';
  return /^[a-z]/i.test(text) ? undefined : 'invalid_start';
}

/** The same for all spellings of a username, which are unique by it. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}
