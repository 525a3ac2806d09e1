// Lists of users and clients a page at a time, sorted or as the result of a search. The words that a search looks for
// have a table of their own.

import type { Statement, Value } from '../../driver.ts';
import type { ListOrder, ListPart, Page, PagePosition, PageQuery, Span } from '../../paging.ts';
import type { Client, ListedUser, User } from '../../records.ts';
import {
  clients,
  type SearchKind,
  type SelectedRow,
  searchWords,
  type Table,
  unsearchable,
  users,
} from '../../schema.ts';
import type { Database } from '../database.ts';
import { both, columns, computed, countOf, type Query, required, type Selection, select } from '../query.ts';
import { clientColumns, toClient, toUser, userColumns } from '../rows.ts';
import { hasFactor } from '../second-factors.ts';
import { endsIn, pageOf, type Walk, type WalkCondition, walk } from './walk.ts';
import { setClientWords, setEmailWords, setNameWords } from './words.ts';

type WordRow = SelectedRow<typeof searchWords, 'word'>;

/** A search for several words compares at most so many records that have the rarest of them. */
const mostCandidates = 10_000;

const wordColumn = columns(searchWords, 'word');
const wordAndRef = columns(searchWords, 'word', 'ref');
const listedUserColumns = both(
  both(userColumns, columns(users, 'last_sign_in_at')),
  computed<{ has_factor: number }>(`CASE WHEN ${hasFactor('u.id')} THEN 1 ELSE 0 END AS has_factor`),
);
const listedUser = select([listedUserColumns], 'FROM users u WHERE u.id = $1');
const matches = countOf(`FROM (SELECT 1 FROM search_words w WHERE w.kind = $1 AND w.word >= $2 AND w.word < $3
    ORDER BY w.word LIMIT ${mostCandidates}) AS counted`);

const waiting = select([columns(unsearchable)], 'FROM unsearchable n ORDER BY n.kind, n.ref LIMIT $1');
const userById = select([userColumns], 'FROM users u WHERE u.id = $1');
const clientById = select([clientColumns], 'FROM clients c WHERE c.id = $1');
/** Lock the row, and roll back if the fields its words come from have changed. */
const unchangedUser = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND name IS NOT DISTINCT FROM $2
  AND given_name IS NOT DISTINCT FROM $3 AND family_name IS NOT DISTINCT FROM $4 AND email IS NOT DISTINCT FROM $5
  RETURNING id`;
const unchangedClient = `UPDATE clients SET updated_at = updated_at WHERE id = $1 AND name IS NOT DISTINCT FROM $2
  AND redirect_uris IS NOT DISTINCT FROM $3 RETURNING id`;

/** Lists a page at a time. */
export function sqlSearch(database: Database) {
  return {
    pageUsers: (query: PageQuery<'created' | 'name' | 'last_sign_in'>) =>
      page(database, { kind: 'person', table: users, columns: listedUserColumns, toItem: toListedUser }, query),

    /** Those whose account ends in a span of time, and who can sign in until then; the first end first. */
    async pageEndingUsers(part: ListPart, span: Span) {
      const ending = byTime('users u', 'u.expires_at', 'u.id', { by: 'expires', descending: false });
      const conditions = [() => 'u.disabled_at IS NULL', ...endsIn('u.expires_at', span)];
      const rows = await walk(database, listedUserColumns, { ...ending, conditions }, part);
      return pageOf(rows, part, toListedUser, (row, { id }) => [String(row.u_expires_at), id]);
    },

    pageClients: (query: PageQuery<'created' | 'name'>) =>
      page(database, { kind: 'client', table: clients, columns: clientColumns, toItem: toClient }, query),

    /** Those who wait for approval, the longest first. */
    async pageWaiting(part: ListPart) {
      const oldestFirst = byTime('users u', 'u.pending_since', 'u.id', { by: 'pending', descending: false });
      const waiting = { ...oldestFirst, conditions: [() => 'u.pending_since IS NOT NULL'] };
      const rows = await walk(database, listedUserColumns, waiting, part);
      return pageOf(rows, part, toListedUser, (_, { id, pendingSince }) => [String(pendingSince), id]);
    },

    findListedUser: (userId: string) => database.first(listedUser, [userId], toListedUser),

    /**
     * Indexes again some users and clients of 0.3.0, which were found by fewer words; returns how many it looked at.
     */
    async makeSearchable(limit: number) {
      const rows = await database.read(waiting, [limit]);
      for (const { n_kind: kind, n_ref: ref } of rows) {
        const words = kind === 'person' ? await wordsOfUser(database, ref) : await wordsOfClient(database, ref);
        const done = { sql: 'DELETE FROM unsearchable WHERE kind = $1 AND ref = $2', params: [kind, ref] };
        // Records that changed since they were read are left for the next round.
        await database.write([...words, done]);
      }
      return rows.length;
    },
  };
}

const newestFirst = { by: 'created', descending: true } as const;

interface List<Row extends object, Item> {
  readonly kind: SearchKind;
  readonly table: Table;
  readonly columns: Selection<Row>;
  toItem(row: Row): Item;
}

async function page<Row extends object, Item extends User | Client>(
  database: Database,
  { kind, table: { name, alias }, columns, toItem }: List<Row, Item>,
  query: PageQuery,
): Promise<Page<Item>> {
  const { words, order = newestFirst } = query;
  const join = `JOIN ${name} ${alias} ON ${alias}.id = w.ref`;
  if (words.length > 0 || order.by === 'name') {
    const selected = both(wordColumn, columns);
    if (words.length === 0) {
      return pageOf(await walk(database, selected, byName(kind, join, order), query), query, toItem, byWord);
    }
    const { rows, stoppedAt } = await found(database, selected, kind, join, query);
    const page = pageOf(rows, query, toItem, byWord);
    if (stoppedAt === undefined) return page;
    // The next page goes on from there, so that a list that is read to its end is whole.
    const end = query.before === undefined ? { next: stoppedAt } : { previous: stoppedAt };
    return { ...page, ...end, truncated: true };
  }
  const time = `${order.by}_at`;
  const selected = both(columns, computed<{ time: number }>(`${alias}.${time} AS time`));
  const rows = await walk(
    database,
    selected,
    byTime(`${name} ${alias}`, `${alias}.${time}`, `${alias}.id`, order),
    query,
  );
  return pageOf(rows, query, toItem, (row, { id }) => [String(row.time), id]);
}

function byTime(from: string, time: string, id: string, { descending }: ListOrder): Walk {
  const valuesAt = ([place, ref]: PagePosition) => {
    const at = Number(place);
    // In a list by name, the position isn't a time.
    return Number.isSafeInteger(at) ? [at, ref] : undefined;
  };
  return { from, key: [time, id], descending, valuesAt };
}

function byName(kind: SearchKind, join: string, { descending }: ListOrder): Walk {
  const from = `search_words w ${join}`;
  return {
    from,
    conditions: [() => `w.kind = '${kind}_name'`],
    key: ['w.word', 'w.ref'],
    descending,
    valuesAt: bytesAt,
  };
}

function bytesAt([place, ref]: PagePosition): readonly Value[] {
  return [Buffer.from(place, 'hex'), ref];
}

/**
 * Walks the words that begin with the rarest one that was typed. A record is listed once, at its first such word, if
 * every other one that was typed begins a word of it as well. If few have all of several words, the walk stops after
 * `mostCandidates`, with fewer rows than a page has: it would otherwise read everyone.
 */
async function found<Row extends object>(
  database: Database,
  selection: Selection<Row>,
  kind: SearchKind,
  join: string,
  { words, after, before, limit }: PageQuery,
): Promise<{ readonly rows: Row[]; readonly stoppedAt?: PagePosition | undefined }> {
  const walked = await rarestOf(database, kind, words, before ?? after);
  const [begin, end] = rangeOf(walked);
  const others = words.filter((word) => word !== walked).map(rangeOf);
  // With an offset, this is looked up for one row after the other, and without an index by kind or word, it's looked up by record.
  // Otherwise, an engine that doesn't know the table yet, or as it was in the middle of an import, may read all words for each of them.
  const ofSame = (condition: string) =>
    `EXISTS (SELECT 1 FROM search_words o
      WHERE o.ref = w.ref AND o.kind || '' = '${kind}' AND (${condition}) IS TRUE LIMIT 1 OFFSET 0)`;
  const inRange: WalkCondition = (place) =>
    `w.kind = '${kind}' AND w.word >= ${place(begin)} AND w.word < ${place(end)}`;
  const conditions: WalkCondition[] = [
    inRange,
    ...others.map(
      ([from, to]): WalkCondition =>
        (place) =>
          ofSame(`o.word >= ${place(from)} AND o.word < ${place(to)}`),
    ),
    (place) => `NOT ${ofSame(`o.word >= ${place(begin)} AND (o.word, o.source) < (w.word, w.source)`)}`,
  ];
  const start: PagePosition = [Buffer.from(walked, 'utf8').toString('hex'), ''];
  const part: ListPart = { after: before === undefined ? (after ?? start) : undefined, before, limit };
  const key = ['w.word', 'w.ref'];
  const candidates = { from: 'search_words w', conditions: [inRange], key, valuesAt: bytesAt };
  const onlyLast = { ...part, limit: 0, skip: mostCandidates - 1 };
  const [last] = others.length === 0 ? [] : await walk(database, wordAndRef, candidates, onlyLast);
  const until = last && byWord(last, { id: last.w_ref });
  const rows = await walk(
    database,
    selection,
    { from: `search_words w ${join}`, conditions, key, valuesAt: bytesAt },
    { ...part, until },
  );
  return rows.length > limit ? { rows } : { rows, stoppedAt: until };
}

/** On a later page, the word at the end of the previous page decides which one is walked. */
async function rarestOf(
  database: Database,
  kind: SearchKind,
  words: readonly string[],
  position: PagePosition | undefined,
): Promise<string> {
  const [only = '', ...more] = words;
  if (more.length === 0) return only;
  const place = position === undefined ? undefined : Buffer.from(position[0], 'hex').toString();
  const walked = words.find((word) => place?.startsWith(word));
  if (walked !== undefined) return walked;
  const counts = await Promise.all(words.map((word) => database.read(matches, [kind, ...rangeOf(word)])));
  const counted = words.map((word, index) => ({ word, n: counts[index]?.[0]?.n ?? 0 }));
  return counted.toSorted((a, b) => a.n - b.n || b.word.length - a.word.length)[0]?.word ?? only;
}

/** No text in UTF-8 contains the byte 255, so everything that begins with the word comes before the end. */
function rangeOf(word: string): readonly [Buffer, Buffer] {
  const begin = Buffer.from(word, 'utf8');
  return [begin, Buffer.concat([begin, Buffer.of(255)])];
}

function toListedUser(row: typeof listedUser extends Query<infer Row> ? Row : never): ListedUser {
  return { ...toUser(row), lastSignInAt: row.u_last_sign_in_at || null, hasSecondFactor: row.has_factor === 1 };
}

function byWord({ w_word }: WordRow, { id }: { readonly id: string }): PagePosition {
  return [Buffer.from(w_word).toString('hex'), id];
}

async function wordsOfUser(database: Database, userId: string): Promise<Statement[]> {
  const [row] = await database.read(userById, [userId]);
  if (row === undefined) return [];
  const { id, name, givenName, familyName, email } = toUser(row);
  return [
    required(unchangedUser, [id, name, givenName, familyName, email]),
    ...setNameWords(id, [name, givenName, familyName]),
    ...setEmailWords(id, email),
  ];
}

async function wordsOfClient(database: Database, clientId: string): Promise<Statement[]> {
  const [row] = await database.read(clientById, [clientId]);
  if (row === undefined) return [];
  const client = toClient(row);
  return [
    required(unchangedClient, [client.id, client.name, row.c_redirect_uris]),
    ...setClientWords(client.id, client),
  ];
}
