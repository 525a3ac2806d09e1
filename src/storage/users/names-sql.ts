// A text names one person. Each kind of name has its own unique index; that no ID is the email address or the username of
// another person is held here. IDs that the service makes can't be either; those that come with an import can. A new ID is compared
// without regard to case. One that's there is compared with a new name as both are written, and with its key: an ID with capitals
// keeps others from that spelling only.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey, usernameProblem } from '../../protocol/account/names.ts';
import { advisoryLocks, type Engine, type Statement } from '../driver.ts';
import { lasting } from '../groups/access-conditions.ts';
import { namedIds } from '../groups/named-ids.ts';
import type { Database } from '../sql/database.ts';
import { computed, type Query, select } from '../sql/query.ts';

/** What a person gets. An ID is given only for a new person. */
export interface NewNames {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
  readonly username?: string | null | undefined;
}

/**
 * A server would let two writes give the same text to two people at once. Such an ID waits for everyone who gets a name, and they
 * for it, and nobody else waits.
 */
const lockNames = (mode: '' | '_shared'): Statement => ({
  sql: 'SELECT 1 AS one',
  serverSql: `SELECT pg_advisory_xact_lock${mode}(${advisoryLocks.names})`,
  params: [],
});

/** Inserts a person who is called so a second time, which is a StorageConflict. What the person is called already may stay. */
const refuse = (column: 'id' | 'email_key' | 'username_key') => {
  const textFor = (engine: Engine) => `INSERT INTO users SELECT o.* FROM ${namedIds(engine, '$2')} n
    JOIN users o ON o.${column} = n.id WHERE o.id <> $1 AND NOT EXISTS
      (SELECT 1 FROM users u WHERE u.id = $1 AND n.id IN (u.email, u.email_key, u.preferred_username, u.username_key))
      LIMIT 1`;
  const texts = { sql: textFor('embedded'), serverSql: textFor('server') };
  return (userId: string, names: readonly string[]): Statement[] =>
    names.length === 0 ? [] : [{ ...texts, params: [userId, JSON.stringify(names)] }];
};
const refuseIds = refuse('id');
const refuseEmails = refuse('email_key');
const refuseUsernames = refuse('username_key');

/** What an ID, and what the other names, are compared as with the other kinds. */
export const idKeys = (id: string) => [emailKey(id), usernameKey(id)];
export const nameKeys = ({ email, username }: NewNames) => [
  ...(email == null ? [] : [email, emailKey(email)]),
  ...(username == null ? [] : [username, usernameKey(username)]),
];

/** Those that the service makes begin with a digit and have no `@`. */
const mayBeAName = (id: string) => id.includes('@') || usernameProblem(id) === undefined;

/**
 * Comes before the change: a StorageConflict if another person has one of the names as another kind of name. `userId` is the person
 * who gets it, if they're there. An email address has an `@`, which a username can't have.
 */
export function refuseTaken(people: readonly NewNames[], userId = ''): Statement[] {
  const ids = people.flatMap(({ id }) => (id !== undefined && mayBeAName(id) ? idKeys(id) : []));
  return [
    lockNames(ids.length > 0 ? '' : '_shared'),
    ...refuseIds(userId, people.flatMap(nameKeys)),
    ...refuseEmails(userId, ids),
    ...refuseUsernames(userId, ids),
  ];
}

/** A text that is the ID of one and a name of another, from before that was refused. */
export interface SharedName {
  readonly kind: 'email' | 'username' | 'group';
  readonly text: string;
  readonly idOf: string;
  readonly nameOf: string;
}

type SharedRow = {
  readonly kind: SharedName['kind'];
  readonly text: string;
  readonly id_of: string;
  readonly name_of: string;
};
/** From the IDs, because few can be names. `condition` is about both, `o` with the ID and `u` with the name. */
const shared = (kind: SharedName['kind'], from: string, condition = 'true', limit = ''): Query<SharedRow> =>
  select(
    [computed<SharedRow>(`'${kind}' AS kind, o.id AS text, o.id AS id_of, u.id AS name_of`)],
    `FROM ${from} AND u.id <> o.id AND ${condition} ${limit}`,
  );
const kinds = {
  email: "users o JOIN users u ON u.email_key = LOWER(o.id) WHERE o.id LIKE '%@%'",
  username:
    "users o JOIN users u ON u.username_key = LOWER(o.id) WHERE LENGTH(o.id) <= 30 AND SUBSTR(o.id, 1, 1) > '9'",
  group: `groups o JOIN groups u ON u.name_key = o.id WHERE o.ended_by = ${lasting} AND u.ended_by = ${lasting}`,
} as const;
const everyone = Object.entries(kinds).map(([kind, from]) =>
  shared(kind as SharedName['kind'], from, 'true', 'LIMIT $1'),
);
const ofOne = [
  ...Object.entries(kinds).map(([kind, from]) => shared(kind as SharedName['kind'], from, 'o.id = $1')),
  shared('email', "users u JOIN users o ON o.id IN (u.email, u.email_key) WHERE o.id LIKE '%@%'", 'u.id = $1'),
  shared('username', 'users u JOIN users o ON o.id IN (u.preferred_username, u.username_key) WHERE true', 'u.id = $1'),
  shared('group', kinds.group, 'u.id = $1'),
];

export function sqlNames(database: Database) {
  const listEach = async (queries: readonly Query<SharedRow>[], param: string | number): Promise<SharedName[]> => {
    const rows = await Promise.all(queries.map((query) => database.read(query, [param])));
    return rows.flat().map(({ kind, text, id_of, name_of }) => ({ kind, text, idOf: id_of, nameOf: name_of }));
  };
  return {
    /** At most so many of each kind. Reads everyone whose ID could be a name. */
    listSharedNames: (limit: number) => listEach(everyone, limit),

    /** Those of one person or group. */
    sharedNamesOf: (id: string) => listEach(ofOne, id),
  };
}
