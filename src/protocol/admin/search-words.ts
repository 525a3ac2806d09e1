// What a search for users and clients matches. Users are found by the beginning of any word of a name or an email
// address, clients by any part of their name, and by the beginning of their ID or of a host.

import { emailKey } from '../account/email-address.ts';

/** Only this much of a longer word is compared. */
const wordLimit = 64;
const wordsPerName = 6;
const wordsPerEmail = 8;
const hostsPerClient = 10;
const wordsPerSearch = 6;
const longestClientName = 100;

/** The form in which stored words and searches are compared: all spellings of a word have the same. */
export function searchKey(text: string): string {
  return cut(spelled(text));
}

/** Long text is cut off first, because normalizing can take time quadratic in the length. */
function spelled(text: string): string {
  return (
    text
      .slice(0, 4 * wordLimit)
      .normalize('NFKC')
      .toLowerCase()
      // A capital sigma becomes one or the other depending on what follows, which may not be typed yet.
      .replaceAll('ς', 'σ')
      .replace(/[\s\u0000]+/g, ' ')
      .trim()
  );
}

function cut(text: string): string {
  return text.slice(0, wordLimit).trimEnd().toWellFormed();
}

/** The typed words, all of which have to match. */
export function searchedWords(text: string): string[] {
  return distinct(spelled(text).split(' ').map(cut)).slice(0, wordsPerSearch);
}

/** The text from each word on, so that typing the beginning of any word finds it. */
function wordsOf(text: string, boundary: RegExp, limit: number): string[] {
  const starts = [0, ...Array.from(text.matchAll(boundary), ({ index, 0: gap }) => index + gap.length)];
  return starts.slice(0, limit).map((start) => cut(text.slice(start)));
}

export function nameWords(names: readonly (string | null)[]): string[] {
  return distinct(names.flatMap((name) => (name === null ? [] : wordsOf(spelled(name), /[ -]+/g, wordsPerName))));
}

/** Both as a key and as it was typed: an international domain is spelled differently in each. */
export function emailWords(email: string): string[] {
  const spellings = [emailKey(email), email].map(spelled);
  return distinct(spellings.flatMap((text) => wordsOf(text, /[@._+-]+/g, wordsPerEmail)));
}

/** The name from each of its characters on, so that it's found by any part of it. */
export function clientNameWords(name: string): string[] {
  const characters = [...spelled(name)].slice(0, longestClientName);
  return distinct(characters.map((_, start) => cut(characters.slice(start).join('').trimStart())));
}

/** The client ID and the hosts of the redirect URIs. */
export function clientWords(clientId: string, redirectUris: readonly string[]): string[] {
  const hosts = redirectUris.slice(0, hostsPerClient).map((uri) => URL.parse(uri)?.hostname ?? '');
  return distinct([clientId, ...hosts].map(searchKey));
}

/** What ends a word in stored text, besides its end. */
export const wordBoundaries = [' ', '+', '-', '.', '@', '_'] as const;

/** How well something is what was typed: by its whole name or another text, by whole words, or by the beginning of words. */
export type Match = 'exact' | 'whole' | 'beginning';

/** `called` is what something is called as a whole, and `parts` are other texts with words of it. */
export function matchOf(typed: string, called: readonly string[], parts: readonly string[] = []): Match {
  const key = searchKey(typed);
  if (called.some((text) => searchKey(text) === key)) return 'exact';
  const words = [...called, ...parts].flatMap((text) =>
    wordsOf(spelled(text), /[\s@._+-]+/g, wordsPerSearch + wordsPerEmail),
  );
  const isWhole = (word: string) =>
    words.some((text) => text === word || wordBoundaries.some((end) => text.startsWith(word + end)));
  return searchedWords(typed).every(isWhole) ? 'whole' : 'beginning';
}

/** Without words that are the beginning of another: searching for the short one finds the long one. */
function distinct(words: readonly string[]): string[] {
  const isPart = (word: string) => words.some((other) => other !== word && other.startsWith(word));
  return [...new Set(words)].filter((word) => word !== '' && !isPart(word));
}
