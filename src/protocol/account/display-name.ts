// Names that people read: of persons and of applications.

import { hasControlCharacters } from '../reading/control-characters.ts';

const nameLimit = 100;
/** Space, and what stands for nothing that can be seen: a name of it alone is none. */
const notSeen = /[\p{Z}\p{Cc}\p{Cf}\p{DI}\p{Mn}\u2800]/gu;

/** A sentence that says what is wrong with a name, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.replace(notSeen, '') === '') return 'is empty';
  if ([...name].length > nameLimit) return `is longer than ${nameLimit} characters`;
  return hasControlCharacters(name) || !name.isWellFormed() ? 'has control characters' : undefined;
}

/** Marks that turn text around, and invisible characters: a name must not be able to rearrange the page around it. */
const invisible = /[\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0001}]/gu;

/** A name as a person has typed it, without what cannot be seen. Joiners stay: some scripts and emoji need them. */
export function cleanName(text: string): string {
  // Far more than a name has: normalising can take time in the square of the length, and the rest is refused anyway.
  return text
    .slice(0, 10 * nameLimit)
    .replace(invisible, '')
    .normalize('NFC')
    .trim();
}
