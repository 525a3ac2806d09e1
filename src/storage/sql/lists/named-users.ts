// The few people who are most likely meant by a text: those of whom it's a whole name or address, or whole words, or the
// beginning of words, and of these those who signed in last. It isn't a list that could be read on.

import { type Match, wordBoundaries } from '../../../protocol/admin/search-words.ts';
import type { Value } from '../../driver.ts';
import type { Database } from '../database.ts';
import { plannedAnew, type Selection, select } from '../query.ts';
import type { ListLimits } from './list-page.ts';
import { rangeOf } from './list-page.ts';

/** Of words in the form in which they're stored. Of more people than are looked up, those are chosen who come first by their words. */
export function usersNamed<Row extends object>(
  database: Database,
  selection: Selection<Row>,
  { words, match, limit }: { readonly words: readonly string[]; readonly match: Match; readonly limit: number },
  { lookedUp }: Pick<ListLimits, 'lookedUp'>,
): Promise<Row[]> {
  const typed = match === 'exact' ? [words.join(' ')] : words;
  const [first, ...others] = typed.toSorted((a, b) => b.length - a.length);
  if (first === undefined) return Promise.resolve([]);
  const params: Value[] = [];
  const place = (value: Value) => `$${params.push(value)}`;
  const isOneOf = (alias: string, word: string) =>
    rangesOf(word, match).map(([from, to]) => `${alias}.word >= ${place(from)} AND ${alias}.word < ${place(to)}`);
  const ranges = isOneOf('w', first).map(
    (range) =>
      `SELECT * FROM (SELECT w.ref FROM search_words w WHERE w.kind = 'person' AND ${range}
        ORDER BY w.word LIMIT ${lookedUp}) AS r`,
  );
  const refs = `SELECT ref FROM (${ranges.join(' UNION ALL ')}) AS x LIMIT ${lookedUp}`;
  const isAmong = database.engine === 'server' ? `u.id = ANY (ARRAY(${refs}))` : `u.id IN (${refs})`;
  const hasOthers = others.map(
    (word) =>
      `EXISTS (SELECT 1 FROM search_words o WHERE o.ref = u.id AND o.kind || '' = 'person'
        AND (${isOneOf('o', word).join(' OR ')}) IS TRUE LIMIT 1 OFFSET 0)`,
  );
  const where = [isAmong, ...hasOthers].join(' AND ');
  const query = select(
    [selection],
    `FROM users u WHERE ${where} ORDER BY +u.last_sign_in_at DESC, u.id LIMIT ${place(limit)}`,
  );
  return database.read(plannedAnew(query), params);
}

/** Of stored text that begins with the word, and goes on as the match allows. */
function rangesOf(word: string, match: Match): (readonly [Buffer, Buffer])[] {
  if (match === 'beginning') return [rangeOf(word)];
  const alone = Buffer.from(word, 'utf8');
  const goesOn = match === 'exact' ? (['@'] as const) : wordBoundaries;
  // Nothing stored has the character 0.
  return [[alone, Buffer.concat([alone, Buffer.of(0)])], ...goesOn.map((end) => rangeOf(word + end))];
}
