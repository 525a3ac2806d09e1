// The rules for names that people read: of users, clients, API keys and passkeys.

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
