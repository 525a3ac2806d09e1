// How people and applications are found: by the beginning of an address, a host, an id, or any word of a name.

import { emailKey } from '../account/email-address.ts';

/** Longer words are compared by their beginning. */
const wordLimit = 64;
const wordsPerText = 6;
const hostsPerClient = 10;

/** What two spellings of a word share, and what a search begins with. */
export function searchKey(text: string): string {
  return cut(spelled(text));
}

/** Only a beginning of long text is looked at: normalising can take time in the square of the length. */
function spelled(text: string): string {
  return (
    text
      .slice(0, 4 * wordLimit)
      .normalize('NFKC')
      .toLowerCase()
      // Which of the two a capital becomes depends on what follows, and that is not typed yet.
      .replaceAll('ς', 'σ')
      .replace(/[\s\u0000]+/g, ' ')
      .trim()
  );
}

function cut(text: string): string {
  return text.slice(0, wordLimit).trimEnd().toWellFormed();
}

/** Each word of a text with all that follows it: "ada lo" finds Ada Lovelace, and so does "lovelace". */
function wordsOf(text: string): string[] {
  const words = spelled(text).split(' ');
  return words.slice(0, wordsPerText).map((_, index) => cut(words.slice(index).join(' ')));
}

export function nameWords(names: readonly (string | null)[]): string[] {
  return unique(names.flatMap((name) => (name === null ? [] : wordsOf(name))));
}

/** As accounts are unique by it, and as it is written: a domain of other letters has a name in each. */
export function emailWords(email: string): string[] {
  return unique([emailKey(email), email].map(searchKey));
}

/** The hosts that an application lives at, and its id. */
export function clientWords(clientId: string, redirectUris: readonly string[]): string[] {
  const hosts = redirectUris.slice(0, hostsPerClient).map((uri) => URL.parse(uri)?.hostname ?? '');
  return unique([clientId, ...hosts].map(searchKey));
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word !== '');
}
