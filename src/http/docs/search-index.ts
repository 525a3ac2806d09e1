// The search of the documentation: an inverted index of its sections, ranked by BM25 with headings counting more than
// text. It's built once, on the first search, and needs nothing from the network or the browser.

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

/** Longer queries are cut, so that nobody can make a search expensive. */
export const longestQuery = 100;
const mostWords = 8;
const mostResults = 20;
const excerptLength = 200;

// The usual parameters of BM25: how soon repetition stops to count, and how much a long section is held back.
const saturation = 1.2;
const lengthPenalty = 0.75;
const weights = { title: 6, heading: 10, text: 1 };
/** A word that only begins with what was typed counts less than the word itself. */
const prefixWeight = 0.4;
/** Records of old decisions and changes mention everything; they come after the pages that explain it. */
const historyWeight = 0.4;

interface Posting {
  readonly section: number;
  readonly weight: number;
}

export function buildSearchIndex(sections: readonly SearchSection[]): SearchIndex {
  const postings = new Map<string, Posting[]>();
  const lengths: number[] = [];
  for (const [number, section] of sections.entries()) {
    const counts = new Map<string, number>();
    let length = 0;
    for (const field of ['title', 'heading', 'text'] as const) {
      for (const word of wordsOf(section[field])) {
        counts.set(word, (counts.get(word) ?? 0) + weights[field]);
        length++;
      }
    }
    lengths.push(length);
    for (const [word, weight] of counts) {
      const known = postings.get(word);
      if (known === undefined) postings.set(word, [{ section: number, weight }]);
      else known.push({ section: number, weight });
    }
  }
  const vocabulary = [...postings.keys()].sort();
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);

  /** How well each section fits a word. */
  function scoresFor(word: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const candidate of beginningWith(vocabulary, word)) {
      const found = postings.get(candidate) ?? [];
      const rarity = Math.log(1 + (sections.length - found.length + 0.5) / (found.length + 0.5));
      const closeness = candidate === word ? 1 : prefixWeight;
      for (const { section, weight } of found) {
        const length = 1 - lengthPenalty + (lengthPenalty * (lengths[section] ?? 0)) / averageLength;
        const score = (closeness * rarity * weight * (saturation + 1)) / (weight + saturation * length);
        scores.set(section, Math.max(scores.get(section) ?? 0, score));
      }
    }
    return scores;
  }

  return {
    search(query) {
      const words = [...new Set(wordsOf(query.slice(0, longestQuery)))].slice(0, mostWords);
      const perWord = words.map(scoresFor);
      const total = new Map<number, { matched: number; score: number }>();
      for (const scores of perWord) {
        for (const [section, score] of scores) {
          const so = total.get(section) ?? { matched: 0, score: 0 };
          total.set(section, { matched: so.matched + 1, score: so.score + score });
        }
      }
      // Sections with all words; if there are none, those with most of them.
      const best = Math.max(0, ...[...total.values()].map(({ matched }) => matched));
      const found = [...total]
        .filter(([, { matched }]) => matched === best)
        .flatMap(([number, { score }]) => {
          const section = sections[number];
          return section === undefined ? [] : [{ section, score: score * (isHistory(section) ? historyWeight : 1) }];
        })
        .sort((one, other) => other.score - one.score);
      const results = found
        .slice(0, mostResults)
        .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
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

/** The words of a sorted list that begin with a prefix. One letter would match half of them, so it's taken as it is. */
function beginningWith(vocabulary: readonly string[], prefix: string): readonly string[] {
  let low = 0;
  let high = vocabulary.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((vocabulary[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  if (prefix.length === 1) return vocabulary[low] === prefix ? [prefix] : [];
  const found: string[] = [];
  for (let at = low; vocabulary[at]?.startsWith(prefix) === true; at++) found.push(vocabulary[at] ?? '');
  return found;
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
