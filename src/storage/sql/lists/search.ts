// Lists of users and clients a page at a time, sorted or as the result of a search. The words that a search looks for
// have a table of their own.

import type { Match } from '../../../protocol/admin/search-words.ts';
import { totalOf } from '../../../protocol/admin/totals.ts';
import { amongClients, lastUseOfClient, peopleOfClient } from '../../clients/client-filters-sql.ts';
import type { Statement } from '../../driver.ts';
import type { ListedClient, ListedUser } from '../../listed-records.ts';
import type { ClientQuery, ListPart, UserQuery } from '../../paging.ts';
import { clients, unsearchable, users } from '../../schema.ts';
import { peopleFilter } from '../../users/filters-sql.ts';
import type { Database } from '../database.ts';
import { both, columns, computed, type Query, required, type Selection, select } from '../query.ts';
import { clientColumns, listedUserRows, toClient, toUser, userColumns } from '../rows.ts';
import { countFiltered, listLimits, pageOfList } from './list-page.ts';
import { usersNamed } from './named-users.ts';
import { timeWalk } from './time-walk.ts';
import { pageOf, walk } from './walk.ts';
import { setClientWords, setEmailWords, setNameWords } from './words.ts';

const listedUserColumns = both(
  listedUserRows.columns,
  columns(users, 'last_sign_in_at', 'last_active_at', 'has_factor'),
);
const listedClientColumns = both(
  clientColumns,
  computed<{ people: number; last_used_at: number | null }>(`${peopleOfClient}, ${lastUseOfClient} AS last_used_at`),
);
const listedUser = select([listedUserColumns], 'FROM users u WHERE u.id = $1');
const waiting = select([columns(unsearchable)], 'FROM unsearchable n ORDER BY n.kind, n.ref LIMIT $1');
const userById = select([userColumns], 'FROM users u WHERE u.id = $1');
const clientById = select([clientColumns], 'FROM clients c WHERE c.id = $1');
/** Lock the row, and roll back if the fields its words come from have changed. */
const unchangedUser = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND name IS NOT DISTINCT FROM $2
  AND given_name IS NOT DISTINCT FROM $3 AND family_name IS NOT DISTINCT FROM $4 AND email IS NOT DISTINCT FROM $5
  RETURNING id`;
const unchangedClient = `UPDATE clients SET updated_at = updated_at WHERE id = $1 AND name IS NOT DISTINCT FROM $2
  AND redirect_uris IS NOT DISTINCT FROM $3 RETURNING id`;

/** Lists a page at a time. With smaller limits, short lists are read as long ones are. */
export function sqlSearch(database: Database, limits = listLimits) {
  const people = { kind: 'person', table: users, columns: listedUserColumns, limits, toItem: toListedUser } as const;
  const applications = { kind: 'client', table: clients, limits } as const;
  return {
    pageUsers: (query: UserQuery) => pageOfList(database, people, query, query.filter && peopleFilter(query.filter)),

    /** How many people meet the filters, counted as far as for their list. */
    countFilteredUsers: (filter: NonNullable<UserQuery['filter']>) =>
      countFiltered(database, people, peopleFilter(filter)),

    pageClients: (query: ClientQuery) =>
      pageOfList(
        database,
        { ...applications, ...amongClients(query), columns: clientColumns, toItem: toClient },
        query,
      ),

    /** Clients, with who uses them. */
    pageListedClients: (query: ClientQuery) =>
      pageOfList(
        database,
        { ...applications, ...amongClients(query), columns: listedClientColumns, toItem: toListedClient },
        query,
      ),

    /** Those who wait for approval, the longest first. */
    async pageWaiting(part: ListPart) {
      const waiting = [() => 'u.pending_since IS NOT NULL'];
      const oldestFirst = timeWalk(() => 'users u', waiting, ['u.pending_since', 'u.id'], false);
      const rows = await walk(database, listedUserColumns, oldestFirst, part);
      return pageOf(rows, part, toListedUser, (_, { id, pendingSince }) => [String(pendingSince), id]);
    },

    /** Those who are most likely meant, the last to sign in first. A whole word that begins another one of theirs isn't known as one. */
    async findUsersNamed(words: readonly string[], match: Match, limit: number): Promise<ListedUser[]> {
      const rows = await usersNamed(database, listedUserColumns, { words, match, limit }, limits);
      return rows.map(toListedUser);
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

function toListedUser(row: typeof listedUser extends Query<infer Row> ? Row : never): ListedUser {
  const { u_last_sign_in_at: lastSignInAt, u_last_active_at: lastActiveAt, u_has_factor: hasFactor } = row;
  return {
    ...listedUserRows.decode(row),
    lastSignInAt: lastSignInAt || null,
    lastActiveAt,
    hasSecondFactor: hasFactor === 1,
  };
}

type ClientRow = typeof listedClientColumns extends Selection<infer Row> ? Row : never;

function toListedClient(row: ClientRow): ListedClient {
  return { ...toClient(row), people: totalOf(row.people), lastUsedAt: row.last_used_at };
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
