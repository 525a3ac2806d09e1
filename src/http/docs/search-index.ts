// The search of the documentation: an inverted index of its sections, ranked by BM25 with headings counting more than
// text. The index is made together with the documents, and needs nothing from the network or the browser.

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
const openingWeight = 2;
/** Another word for it counts less, too. */
const synonymWeight = 0.8;

const fields = ['title', 'heading', 'text'] as const;

/** What the search reads, as JSON. */
export interface SearchData {
  readonly sections: readonly SearchSection[];
  /** How many different words each field of each section has. */
  readonly lengths: readonly (readonly number[])[];
  /** Each word, in the order of words, and where it is: a field, a section and how often, again and again. */
  readonly words: readonly (readonly [word: string, places: readonly number[]])[];
}

export function makeSearchIndex(sections: readonly SearchSection[]): SearchData {
  const places = new Map<string, number[]>();
  const lengths = sections.map((section, id) =>
    fields.map((field, position) => {
      const counts = new Map<string, number>();
      for (const word of wordsOf(section[field])) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const [word, count] of counts) {
        const known = places.get(word) ?? [];
        known.push(position, id, count);
        places.set(word, known);
      }
      return counts.size;
    }),
  );
  const words = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  return { sections, lengths, words };
}

/** Of BM25: how soon a word that is repeated stops counting, how much a long field counts less, and what any match counts. */
const [saturation, byLength, atLeast] = [1.2, 0.7, 0.5];

interface Match {
  score: number;
  readonly terms: Set<string>;
}

/** The sections that have any of the terms or, of more than one letter, a word that begins with it. */
function matchesOf(
  { sections, lengths, words }: SearchData,
  means: readonly number[],
  terms: readonly string[],
  boost: (term: string) => number,
): ReadonlyMap<number, Match> {
  const matches = new Map<number, Match>();
  const count = (term: string, weight: number, places: readonly number[]) => {
    fields.forEach((field, position) => {
      let having = 0;
      for (let at = 0; at < places.length; at += 3) if (places[at] === position) having++;
      const rarity = Math.log(1 + (sections.length - having + 0.5) / (having + 0.5));
      for (let at = 0; at < places.length; at += 3) {
        if (places[at] !== position) continue;
        const [id = 0, times = 0] = places.slice(at + 1, at + 3);
        const length = (lengths[id]?.[position] ?? 0) / (means[position] || 1);
        const often = (times * (saturation + 1)) / (times + saturation * (1 - byLength + byLength * length));
        const opening = sections[id]?.anchor === '' ? openingWeight : 1;
        const match = matches.get(id) ?? { score: 0, terms: new Set() };
        match.score += weight * weights[field] * opening * rarity * (atLeast + often);
        match.terms.add(term);
        matches.set(id, match);
      }
    });
  };
  for (const term of terms) {
    // One letter would match half of the words, so it's taken as it is.
    for (let at = firstFrom(words, term); words[at]?.[0].startsWith(term); at++) {
      const [word, places] = words[at] ?? ['', []];
      if (word !== term && term.length < 2) break;
      const likeness = (prefixWeight * word.length) / (word.length + 0.3 * (word.length - term.length));
      count(term, boost(term) * (word === term ? 1 : likeness), places);
    }
  }
  return matches;
}

/** The position of the first word that isn't before the term. */
function firstFrom(words: SearchData['words'], term: string): number {
  let [from, to] = [0, words.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((words[middle]?.[0] ?? '') < term) from = middle + 1;
    else to = middle;
  }
  return from;
}

export function openSearchIndex(data: SearchData): SearchIndex {
  const { sections, lengths } = data;
  const means = fields.map(
    (_, position) => lengths.reduce((sum, each) => sum + (each[position] ?? 0), 0) / lengths.length,
  );
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
      const matched = [...matchesOf(data, means, terms, boostTerm)]
        .map(([id, { score, terms: has }]) => ({
          section: sections[id],
          score: score * has.size,
          words: meanings.filter((each) => each.some((all) => all.every((term) => has.has(term)))).length,
        }))
        .sort((one, other) => other.score - one.score);
      // Sections with all words; if there are none, those with most of them.
      const most = Math.max(0, ...matched.map((each) => each.words));
      const best = matched.filter((each) => each.words === most).flatMap(({ section }) => section ?? []);
      // The changelog mentions everything; it comes after the pages that explain it.
      const found = [...best.filter((each) => !isHistory(each)), ...best.filter(isHistory)];
      const results = found
        .slice(0, mostResults)
        .map((section) => ({ section, excerpt: excerptOf(section.text, terms) }));
      return { results, more: found.length > results.length };
    },
  };
}

function isHistory({ name }: SearchSection): boolean {
  return name === 'changelog';
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
