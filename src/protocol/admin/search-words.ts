// What a search for users and clients matches: the beginning of an email address, a host, an ID, or any word of a name.

import { emailKey } from '../account/email-address.ts';

/** Only this much of a longer word is compared. */
const wordLimit = 64;
const wordsPerText = 6;
const hostsPerClient = 10;

/** The same for every spelling of a word. Stored words and searches are compared in this form. */
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

/** Each word together with everything after it, so that "ada lo" finds Ada Lovelace, and so does "lovelace". */
function wordsOf(text: string): string[] {
  const words = spelled(text).split(' ');
  return words.slice(0, wordsPerText).map((_, index) => cut(words.slice(index).join(' ')));
}

export function nameWords(names: readonly (string | null)[]): string[] {
  return unique(names.flatMap((name) => (name === null ? [] : wordsOf(name))));
}

/** Both as a key and as it was typed: an international domain is spelled differently in each. */
export function emailWords(email: string): string[] {
  return unique([emailKey(email), email].map(searchKey));
}

/** The client ID and the hosts of the redirect URIs. */
export function clientWords(clientId: string, redirectUris: readonly string[]): string[] {
  const hosts = redirectUris.slice(0, hostsPerClient).map((uri) => URL.parse(uri)?.hostname ?? '');
  return unique([clientId, ...hosts].map(searchKey));
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word !== '');
}
