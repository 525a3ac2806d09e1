// Codes that are sent by email: how they are made, read and stored. A code alone is worth nothing: its digest also covers a secret
// that only the browser has that asked for it.

import { digestOf } from '../digest.ts';
import type { RandomBytes } from '../identifiers.ts';

/** Without what is easily mistaken for something else: 0 and O, 1, I and L, U and V. */
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 8;

export const emailCodeLifetime = 10 * 60 * 1000;

/** As it is shown: in two groups of four. */
export function newEmailCode(random: RandomBytes): string {
  // Of 128 bits, what a remainder makes more likely is less than one in 2^88.
  let rest = BigInt(`0x${Buffer.from(random(16)).toString('hex')}`);
  let code = '';
  while (code.length < length) {
    code += letters[Number(rest % BigInt(letters.length))];
    rest /= BigInt(letters.length);
  }
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** Accepts any case, spaces and any kind of dash. Undefined when it can't be a code. */
export function parseEmailCode(text: string): string | undefined {
  const typed = text
    .slice(0, 64)
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return typed.length === length && [...typed].every((letter) => letters.includes(letter)) ? typed : undefined;
}

/** What is stored. `mark` is the digest of the browser's secret. Text that can't be a code has the digest of none. */
export function emailCodeDigest(mark: string, text: string): string {
  return digestOf(`email code ${mark} ${parseEmailCode(text) ?? ''}`);
}
