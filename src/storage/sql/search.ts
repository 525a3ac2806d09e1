// Lists a page at a time, in the order of a key, and search by the beginning of a word.

import { clientWords, emailWords, nameWords } from '../../protocol/admin/search-words.ts';
import type { Driver, Row, Statement } from '../driver.ts';
import type { Page, PageQuery, Storage } from '../storage.ts';
import { columns, toClient, toUser } from './rows.ts';

type Search = Pick<Storage, 'pageUsers' | 'pageClients' | 'makeSearchable'>;
type Kind = 'person' | 'client';

export function sqlSearch(driver: Driver): Search {
  /** `alias` is also the prefix of the columns. */
  async function page<Item>(
    kind: Kind,
    from: { table: string; alias: 'u' | 'c'; columns: string },
    query: PageQuery,
    toItem: (row: Row) => Item,
  ): Promise<Page<Item>> {
    const rows = query.prefix === '' ? await newest(from, query) : await found(kind, from, query);
    const items = rows.slice(0, query.limit).map(toItem);
    const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
    if (last === undefined) return { items, next: undefined };
    const id = last[`${from.alias}_id`] as string;
    const place = query.prefix === '' ? String(last[`${from.alias}_created_at`]) : toHex(last.word as Uint8Array);
    return { items, next: [place, id] };
  }

  async function newest({ table, alias, columns }: Parameters<typeof page>[1], query: PageQuery): Promise<Row[]> {
    const { after, limit } = query;
    const place = after === undefined ? [] : [Number(after[0]), after[1]];
    // Where a search has ended is no place in this list.
    if (after !== undefined && !Number.isSafeInteger(place[0])) return [];
    const where = after === undefined ? '' : `WHERE (${alias}.created_at, ${alias}.id) < ($2, $3)`;
    const sql = `SELECT ${columns} FROM ${table} ${alias} ${where}
      ORDER BY ${alias}.created_at DESC, ${alias}.id DESC LIMIT $1`;
    return driver.read(sql, [limit + 1, ...place]);
  }

  function found(kind: Kind, { table, alias, columns }: Parameters<typeof page>[1], query: PageQuery): Promise<Row[]> {
    const { prefix, after, limit } = query;
    const begin = Buffer.from(prefix, 'utf8');
    // No text in UTF-8 has this byte: all that begins with the prefix lies before it.
    const end = Buffer.concat([begin, Buffer.of(255)]);
    const start = after === undefined ? begin : Buffer.from(after[0], 'hex');
    // Whoever is found by several words stands where the first of them does, and only there.
    const sql = `SELECT w.word AS word, ${columns} FROM search_words w JOIN ${table} ${alias} ON ${alias}.id = w.ref
      WHERE w.kind = '${kind}' AND w.word >= $1 AND w.word < $2 AND (w.word, w.ref) > ($3, $4)
        AND NOT EXISTS (SELECT 1 FROM search_words o WHERE o.kind = '${kind}' AND o.ref = w.ref AND o.word >= $1
          AND (o.word, o.source) < (w.word, w.source))
      ORDER BY w.word, w.ref LIMIT $5`;
    return driver.read(sql, [begin, end, start, after?.[1] ?? '', limit + 1]);
  }

  return {
    pageUsers: (query) => page('person', { table: 'users', alias: 'u', columns: columns.user }, query, toUser),
    pageClients: (query) => page('client', { table: 'clients', alias: 'c', columns: columns.client }, query, toClient),

    async makeSearchable(limit) {
      const waiting = await driver.read('SELECT kind, ref FROM unsearchable ORDER BY kind, ref LIMIT $1', [limit]);
      for (const { kind, ref } of waiting) {
        const settle = {
          sql: 'DELETE FROM unsearchable WHERE kind = $1 AND ref = $2',
          params: [kind, ref] as string[],
        };
        const words = kind === 'person' ? await wordsOfUser(driver, ref) : await wordsOfClient(driver, ref);
        // Changed since it was read, it is left for the next round.
        await driver.write([...words, settle]);
      }
      return waiting.length;
    },
  };
}

async function wordsOfUser(driver: Driver, ref: Row[string] | undefined): Promise<Statement[]> {
  const [row] = await driver.read(`SELECT ${columns.user} FROM users u WHERE u.id = $1`, [ref as string]);
  if (row === undefined) return [];
  const { id, name, givenName, familyName, email } = toUser(row);
  return [
    unchanged('users', id, { name, given_name: givenName, family_name: familyName, email }),
    ...setNameWords(id, [name, givenName, familyName]),
    ...setEmailWords(id, email),
  ];
}

async function wordsOfClient(driver: Driver, ref: Row[string] | undefined): Promise<Statement[]> {
  const [row] = await driver.read(`SELECT ${columns.client} FROM clients c WHERE c.id = $1`, [ref as string]);
  if (row === undefined) return [];
  const client = toClient(row);
  const facts = { name: client.name, redirect_uris: row.c_redirect_uris as string };
  return [unchanged('clients', client.id, facts), ...setClientWords(client.id, client)];
}

/** Holds the row, and gives up when what its words are made of is not what it was. */
function unchanged(table: 'users' | 'clients', id: string, facts: Readonly<Record<string, string | null>>): Statement {
  const conditions = Object.keys(facts).map((column, index) => `${column} IS NOT DISTINCT FROM $${index + 2}`);
  const sql = `UPDATE ${table} SET updated_at = updated_at WHERE id = $1 AND ${conditions.join(' AND ')} RETURNING id`;
  return { sql, params: [id, ...Object.values(facts)], mustReturn: true };
}

export function setNameWords(userId: string, names: readonly (string | null)[]): Statement[] {
  return setWords('person', userId, 'name', nameWords(names));
}

export function setEmailWords(userId: string, email: string): Statement[] {
  return setWords('person', userId, 'email', emailWords(email));
}

export function setClientWords(
  clientId: string,
  change: { readonly name?: string; readonly redirectUris?: readonly string[] },
): Statement[] {
  return [
    ...(change.name === undefined ? [] : setWords('client', clientId, 'name', nameWords([change.name]))),
    ...(change.redirectUris === undefined
      ? []
      : setWords('client', clientId, 'host', clientWords(clientId, change.redirectUris))),
  ];
}

export function forgetWords(kind: Kind, ref: string): Statement {
  return { sql: 'DELETE FROM search_words WHERE kind = $1 AND ref = $2', params: [kind, ref] };
}

function setWords(kind: Kind, ref: string, source: string, words: readonly string[]): Statement[] {
  const places = words.map((_, index) => `($1, $${index + 4}, $2, $3)`).join(', ');
  return [
    {
      sql: 'DELETE FROM search_words WHERE kind = $1 AND ref = $2 AND source = $3',
      params: [kind, ref, source],
    },
    ...(words.length === 0
      ? []
      : [
          {
            sql: `INSERT INTO search_words (kind, word, ref, source) VALUES ${places}`,
            params: [kind, ref, source, ...words.map((word) => Buffer.from(word, 'utf8'))],
          },
        ]),
  ];
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
