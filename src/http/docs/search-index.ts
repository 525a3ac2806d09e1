// The search of the documentation: an inverted index of its sections, ranked by BM25 with headings counting more than
// text. It's built once, on the first search, and needs nothing from the network or the browser.

import { setImmediate as nextTurn } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { phraseIn, synonymsOf } from './synonyms.ts';

/** A section of a document, as the search sees it. */
export interface SearchSection {
  readonly name: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

export interface SearchResult {
  readonly section: SearchSection;
  /** An excerpt in pieces; those that match are marked. */
  readonly excerpt: readonly { readonly text: string; readonly matches: boolean }[];
}

export interface SearchIndex {
  /** The best results first; `more` says whether there are others. */
  search(query: string): { readonly results: readonly SearchResult[]; readonly more: boolean };
}

/** Longer queries are cut, so that no search is expensive. */
export const longestQuery = 100;
const mostWords = 8;
const mostResults = 20;
const excerptLength = 200;

const weights = { title: 6, heading: 10, text: 1 };
/** A word that only begins with what was typed counts less than the word itself. */
const prefixWeight = 0.4;
/** The beginning of a page says what it's about: it comes before a section elsewhere with the same word. */
const openingWeight = 2.5;
/** Another word for it counts less, too. */
const synonymWeight = 0.8;

/** Takes one document after the other, so that requests don't wait for all of them and what is left over can be collected. */
export async function buildSearchIndex(documents: Iterable<readonly SearchSection[]>): Promise<SearchIndex> {
  const sections: SearchSection[] = [];
  const index = new MiniSearch<SearchSection & { id: number }>({
    fields: Object.keys(weights),
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: {
      boost: weights,
      // One letter would match half of the words, so it's taken as it is.
      prefix: (word) => word.length > 1,
      weights: { prefix: prefixWeight, fuzzy: 0 },
      boostDocument: (id: number) => (sections[id]?.anchor === '' ? openingWeight : 1),
    },
  });
  for (const document of documents) {
    index.addAll(document.map((section, position) => ({ id: sections.length + position, ...section })));
    sections.push(...document);
    await nextTurn();
  }
  return {
    search(query) {
      const words = [...new Set(wordsOf(query.slice(0, longestQuery)))].slice(0, mostWords);
      const phrase = phraseIn(words);
      // What stands for the phrase stands for its words; other words for each of them mean something else there.
      const meanings = words.map((word) =>
        phrase?.words.includes(word) ? [[word], phrase.instead] : [word, ...synonymsOf(word)].map((term) => [term]),
      );
      const terms = [...new Set(meanings.flat(2))];
      const boostTerm = (term: string) => (words.includes(term) ? 1 : synonymWeight);
      const matched = index.search(terms.join(' '), { tokenize: () => terms, boostTerm }).map(({ id, queryTerms }) => ({
        section: sections[Number(id)],
        words: meanings.filter((each) => each.some((all) => all.every((term) => queryTerms.includes(term)))).length,
      }));
      // Sections with all words; if there are none, those with most of them.
      const most = Math.max(0, ...matched.map((each) => each.words));
      const best = matched.filter((each) => each.words === most).flatMap(({ section }) => section ?? []);
      // Records of old decisions and changes mention everything; they come after the pages that explain it.
      const found = [...best.filter((each) => !isHistory(each)), ...best.filter(isHistory)];
      const results = found
        .slice(0, mostResults)
        .map((section) => ({ section, excerpt: excerptOf(section.text, terms) }));
      return { results, more: found.length > results.length };
    },
  };
}

function isHistory({ name }: SearchSection): boolean {
  return name.startsWith('decisions') || name === 'changelog';
}

/** Lower-case words; an identifier such as OAUTH_INVALID_GRANT is found as a whole and by its parts. */
function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)*/gu)].flatMap(([word]) => {
    const parts = word.split(/[_.-]/);
    return parts.length === 1 ? [word] : [word, ...parts];
  });
}

/** The stretch of the text with the most matches, cut at words. */
function excerptOf(text: string, words: readonly string[]): SearchResult['excerpt'] {
  const matches = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .map(({ 0: word, index }) => ({ word: word.toLowerCase(), start: index, end: index + word.length }))
    .filter(({ word }) => words.some((wanted) => startsLike(word, wanted)));
  let start = 0;
  let most = 0;
  for (const [first, { start: at }] of matches.entries()) {
    let last = first;
    const within = new Set<string>();
    while (matches[last] !== undefined && (matches[last]?.end ?? 0) <= at + excerptLength * 0.8) {
      within.add(matches[last]?.word ?? '');
      last++;
    }
    if (within.size > most) {
      most = within.size;
      start = at;
    }
  }
  const from = start < 40 ? 0 : Math.min(start, text.indexOf(' ', start - 40) + 1);
  const cut = text.lastIndexOf(' ', from + excerptLength);
  const to = text.length <= from + excerptLength ? text.length : cut > from ? cut : from + excerptLength;
  const pieces: { text: string; matches: boolean }[] = [];
  let at = from;
  const add = (end: number, isMatch: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), matches: isMatch });
    at = end;
  };
  if (from > 0) pieces.push({ text: '… ', matches: false });
  for (const match of matches.filter((each) => each.start >= from && each.end <= to)) {
    add(match.start, false);
    add(match.end, true);
  }
  add(to, false);
  if (to < text.length) pieces.push({ text: ' …', matches: false });
  return pieces;
}

function startsLike(word: string, wanted: string): boolean {
  return wanted.length === 1
    ? word === wanted
    : wanted.split(/[_.-]/).some((part) => part !== '' && word.startsWith(part));
}
