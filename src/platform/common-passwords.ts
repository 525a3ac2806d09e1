// Passwords that whoever guesses tries first: a list of the most common ones, and the patterns that no list completes.

import { readFileSync } from 'node:fs';
import { canonicalPassword } from '../protocol/sign-in/password-rules.ts';

/** As long as the entries of the list are. */
const listedLength = { least: 8, most: 64 } as const;

// Each is read round and round, forwards and backwards.
const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  // Keyboards row by row: English, German, French.
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  '1234567890qwertzuiopasdfghjklyxcvbnm',
  '1234567890azertyuiopqsdfghjklmwxcvbn',
  "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
  '!@#$%^&*()',
  // And column by column.
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

/** Of a password that is neither too short nor too long: whether it is among the first that are guessed. */
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
 * Whether digits and exclamation marks around a listed password, or none, make up the whole. Where they begin is not
 * known, as listed passwords have some themselves ("trustno1!"), so every place is tried.
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

/** Counted from the end: a pattern that is tied to the end would be tried from every digit on the way there. */
function lengthOfDecorationAfter(text: string): number {
  let length = 0;
  while (length < text.length && /[0-9!]/.test(text.charAt(text.length - 1 - length))) length++;
  return length;
}
