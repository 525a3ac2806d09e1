// Codes that people type: recovery codes, and codes that are sent by email. How they are made, read and stored.

import { digestOf } from '../digest.ts';
import { MINUTE } from '../durations.ts';
import { crockford, type RandomBytes } from '../identifiers.ts';

/** Without what is easily mistaken for something else: 0 and O, 1, I and L, U and V. */
const emailLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const emailCodeLength = 8;

export const emailCodeLifetime = 10 * MINUTE;

/** As it is shown: in two groups of four. */
export function newEmailCode(random: RandomBytes): string {
  // Of 128 bits, what a remainder makes more likely is less than one in 2^88.
  let rest = BigInt(`0x${Buffer.from(random(16)).toString('hex')}`);
  let code = '';
  while (code.length < emailCodeLength) {
    code += emailLetters[Number(rest % BigInt(emailLetters.length))];
    rest /= BigInt(emailLetters.length);
  }
  return `${code.slice(0, emailCodeLength / 2)}-${code.slice(emailCodeLength / 2)}`;
}

/** Accepts any case, spaces and any kind of dash. Undefined when it can't be a code. */
export function parseEmailCode(text: string): string | undefined {
  const typed = text
    .slice(0, 64)
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return typed.length === emailCodeLength && [...typed].every((letter) => emailLetters.includes(letter))
    ? typed
    : undefined;
}

/**
 * What is stored of a code by email, which alone is worth nothing: this also covers `mark`, the digest of a secret that only the
 * browser has that asked for it. Text that can't be a code has the digest of none.
 */
export function emailCodeDigest(mark: string, text: string): string {
  return digestOf(`email code ${mark} ${parseEmailCode(text) ?? ''}`);
}

export const recoveryCodeCount = 10;

/** 80 random bits, in four groups that are easy to read and to type. */
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
