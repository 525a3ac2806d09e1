// Lists a page at a time, and search by the beginning of a word. The words of users and clients have a table of their
// own.

import { clientWords, emailWords, nameWords } from '../../protocol/admin/search-words.ts';
import type { Statement } from '../driver.ts';
import type { PagePosition, PageQuery } from '../paging.ts';
import type { Client, User } from '../records.ts';
import { type SearchKind, type SelectedRow, searchWords, unsearchable } from '../schema.ts';
import type { Search } from '../storage.ts';
import type { Database } from './database.ts';
import { columns, insertRows, type Query, required, select } from './query.ts';
import { clientColumns, pageOf, toClient, toUser, userColumns } from './rows.ts';

const newestUsers = select([userColumns], 'FROM users u ORDER BY u.created_at DESC, u.id DESC LIMIT $1');
const olderUsers = select(
  [userColumns],
  'FROM users u WHERE (u.created_at, u.id) < ($2, $3) ORDER BY u.created_at DESC, u.id DESC LIMIT $1',
);
const foundUsers = select(
  [columns(searchWords, 'word'), userColumns],
  fromWords('person', 'JOIN users u ON u.id = w.ref'),
);

const newestClients = select([clientColumns], 'FROM clients c ORDER BY c.created_at DESC, c.id DESC LIMIT $1');
const olderClients = select(
  [clientColumns],
  'FROM clients c WHERE (c.created_at, c.id) < ($2, $3) ORDER BY c.created_at DESC, c.id DESC LIMIT $1',
);
const foundClients = select(
  [columns(searchWords, 'word'), clientColumns],
  fromWords('client', 'JOIN clients c ON c.id = w.ref'),
);

/** Lists a record once, at its first matching word. */
function fromWords(kind: SearchKind, join: string): string {
  return `FROM search_words w ${join}
    WHERE w.kind = '${kind}' AND w.word >= $1 AND w.word < $2 AND (w.word, w.ref) > ($3, $4)
      AND NOT EXISTS (SELECT 1 FROM search_words o WHERE o.kind = '${kind}' AND o.ref = w.ref AND o.word >= $1
        AND (o.word, o.source) < (w.word, w.source))
    ORDER BY w.word, w.ref LIMIT $5`;
}

const waiting = select([columns(unsearchable)], 'FROM unsearchable n ORDER BY n.kind, n.ref LIMIT $1');
const userById = select([userColumns], 'FROM users u WHERE u.id = $1');
const clientById = select([clientColumns], 'FROM clients c WHERE c.id = $1');
/** Lock the row, and give up when what its words are made of has changed. */
const unchangedUser = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND name IS NOT DISTINCT FROM $2
  AND given_name IS NOT DISTINCT FROM $3 AND family_name IS NOT DISTINCT FROM $4 AND email IS NOT DISTINCT FROM $5
  RETURNING id`;
const unchangedClient = `UPDATE clients SET updated_at = updated_at WHERE id = $1 AND name IS NOT DISTINCT FROM $2
  AND redirect_uris IS NOT DISTINCT FROM $3 RETURNING id`;
const insertWords = insertRows(searchWords);

export function sqlSearch(database: Database): Search {
  async function newest<Row extends object>(
    first: Query<Row>,
    later: Query<Row>,
    { after, limit }: PageQuery,
  ): Promise<Row[]> {
    if (after === undefined) return database.read(first, [limit + 1]);
    const createdAt = Number(after[0]);
    // The end of a page of a search is no position in this list.
    return Number.isSafeInteger(createdAt) ? database.read(later, [limit + 1, createdAt, after[1]]) : [];
  }

  function found<Row extends object>(query: Query<Row>, { prefix, after, limit }: PageQuery): Promise<Row[]> {
    const begin = Buffer.from(prefix, 'utf8');
    // No text in UTF-8 contains this byte, so everything that begins with the prefix comes before it.
    const end = Buffer.concat([begin, Buffer.of(255)]);
    const start = after === undefined ? begin : Buffer.from(after[0], 'hex');
    return database.read(query, [begin, end, start, after?.[1] ?? '', limit + 1]);
  }

  return {
    async pageUsers(query) {
      return query.prefix === ''
        ? pageOf(await newest(newestUsers, olderUsers, query), query.limit, toUser, byCreation)
        : pageOf(await found(foundUsers, query), query.limit, toUser, byWord);
    },

    async pageClients(query) {
      return query.prefix === ''
        ? pageOf(await newest(newestClients, olderClients, query), query.limit, toClient, byCreation)
        : pageOf(await found(foundClients, query), query.limit, toClient, byWord);
    },

    async makeSearchable(limit) {
      const rows = await database.read(waiting, [limit]);
      for (const { n_kind: kind, n_ref: ref } of rows) {
        const words = kind === 'person' ? await wordsOfUser(database, ref) : await wordsOfClient(database, ref);
        const done = { sql: 'DELETE FROM unsearchable WHERE kind = $1 AND ref = $2', params: [kind, ref] };
        // What has changed since it was read is left for the next round.
        await database.write([...words, done]);
      }
      return rows.length;
    },
  };
}

function byCreation(_row: object, { createdAt, id }: User | Client): PagePosition {
  return [String(createdAt), id];
}

function byWord({ w_word }: SelectedRow<typeof searchWords, 'word'>, { id }: User | Client): PagePosition {
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

export function setNameWords(userId: string, names: readonly (string | null)[]): Statement[] {
  return setWords('person', userId, 'name', nameWords(names));
}

export function setEmailWords(userId: string, email: string): Statement[] {
  return setWords('person', userId, 'email', emailWords(email));
}

/** What is not given keeps its words. */
export function setClientWords(
  clientId: string,
  { name, redirectUris }: { readonly name?: string; readonly redirectUris?: readonly string[] },
): Statement[] {
  return [
    ...(name === undefined ? [] : setWords('client', clientId, 'name', nameWords([name]))),
    ...(redirectUris === undefined ? [] : setWords('client', clientId, 'host', clientWords(clientId, redirectUris))),
  ];
}

export function forgetWords(kind: SearchKind, ref: string): Statement {
  return { sql: 'DELETE FROM search_words WHERE kind = $1 AND ref = $2', params: [kind, ref] };
}

function setWords(kind: SearchKind, ref: string, source: string, words: readonly string[]): Statement[] {
  return [
    { sql: 'DELETE FROM search_words WHERE kind = $1 AND ref = $2 AND source = $3', params: [kind, ref, source] },
    ...insertWords(words.map((word) => ({ kind, word: Buffer.from(word, 'utf8'), ref, source }))),
  ];
}
