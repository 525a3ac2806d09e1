// Recovery codes: 80 random bits each, in four groups that are easy to read and to type.

import { crockford, type RandomBytes } from '../identifiers.ts';

export const recoveryCodeCount = 10;

export function newRecoveryCode(random: RandomBytes): string {
  const letters = [...random(16)].map((byte) => crockford[byte & 31]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Accepts capitals, spaces, any kind of dash, o for 0, and i or l for 1. Undefined when it is not a recovery code. */
export function parseRecoveryCode(text: string): string | undefined {
  const letters = text
    .slice(0, 64)
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1');
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(letters) ? letters.replace(/(.{4})(?=.)/g, '$1-') : undefined;
}
