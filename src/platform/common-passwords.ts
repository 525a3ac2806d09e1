// Decides whether a password is one that attackers try first: on a list of the most common ones, or a pattern such as a
// keyboard row. How long a password must be is decided in protocol/sign-in/password-rules.ts.

import { readFileSync } from 'node:fs';
import { canonicalPassword } from '../protocol/sign-in/password-rules.ts';

/** The lengths of the listed passwords. */
const listedLength = { least: 8, most: 64 } as const;

// Sequences that people type, forwards or backwards, possibly wrapping around.
const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  // Keyboard rows: English, German, French.
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  '1234567890qwertzuiopasdfghjklyxcvbnm',
  '1234567890azertyuiopqsdfghjklmwxcvbn',
  "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
  '!@#$%^&*()',
  // Keyboard columns.
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
].flatMap((run) => [run, [...run].reverse().join('')]);

let listed: ReadonlySet<string> | undefined;

function list(): ReadonlySet<string> {
  listed ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split(/\r?\n/),
  );
  return listed;
}

/** Expects a password whose length has been checked. */
export function isCommonPassword(password: string): boolean {
  const text = canonicalPassword(password).toLowerCase();
  return isOneCharacterRepeated(text) || isRun(text) || hasListedStem(text);
}

function isOneCharacterRepeated(text: string): boolean {
  return new Set(text).size <= 1;
}

function isRun(text: string): boolean {
  return runs.some((run) => run.repeat(Math.ceil(text.length / run.length) + 1).includes(text));
}

/**
 * Whether the text is a listed password with nothing but digits and exclamation marks around it. Listed passwords contain
 * these themselves ("trustno1!"), so every possible start and end is tried.
 */
function hasListedStem(text: string): boolean {
  const lastStart = /^[0-9!]*/.exec(text)?.[0].length ?? 0;
  const firstEnd = text.length - lengthOfDecorationAfter(text);
  for (let start = 0; start <= lastStart; start++) {
    const longest = Math.min(text.length, start + listedLength.most);
    for (let end = Math.max(firstEnd, start + listedLength.least); end <= longest; end++) {
      if (list().has(text.slice(start, end))) return true;
    }
  }
  return false;
}

/** A loop and not /[0-9!]*$/, which takes quadratic time on a long run of digits. */
function lengthOfDecorationAfter(text: string): number {
  let length = 0;
  while (length < text.length && /[0-9!]/.test(text.charAt(text.length - 1 - length))) length++;
  return length;
}
