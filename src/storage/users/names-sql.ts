// A text names one person. Each kind of name has its own unique index; that no ID is the email address or the username of
// somebody else is held here. IDs that the service makes can't be either; those that come with an import can.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey, usernameProblem } from '../../protocol/account/username.ts';
import type { Engine, Statement } from '../driver.ts';
import { namedIds } from '../groups/named-ids.ts';

/** What a person gets. An ID is given for somebody new alone. */
export interface NewNames {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
  readonly username?: string | null | undefined;
}

/** Any number that nothing else in the database uses as a lock, as in migration.ts. */
const lock = 7_288_302;
/**
 * A server would let two writes give the same text to two people at once. Such an ID waits for everyone who gets a name, and they
 * for it, and nobody else waits.
 */
const lockNames = (mode: '' | '_shared'): Statement => ({
  sql: 'SELECT 1 AS one',
  serverSql: `SELECT pg_advisory_xact_lock${mode}(${lock})`,
  params: [],
});

/** Inserts whoever is called so a second time, which is a StorageConflict. What the person is called already may stay. */
const refuse = (column: 'id' | 'email_key' | 'username_key') => {
  const textFor = (engine: Engine) => `INSERT INTO users SELECT o.* FROM ${namedIds(engine, '$2')} n
    JOIN users o ON o.${column} = n.id WHERE o.id <> $1 AND NOT EXISTS
      (SELECT 1 FROM users u WHERE u.id = $1 AND (u.email_key = n.id OR u.username_key = n.id)) LIMIT 1`;
  const texts = { sql: textFor('embedded'), serverSql: textFor('server') };
  return (userId: string, names: readonly string[]): Statement[] =>
    names.length === 0 ? [] : [{ ...texts, params: [userId, JSON.stringify(names)] }];
};
const refuseIds = refuse('id');
const refuseEmails = refuse('email_key');
const refuseUsernames = refuse('username_key');

/** What an ID, and what the other names, look like as the other kinds: what looks the same to a person is the same. */
export const idKeys = (id: string) => [emailKey(id), usernameKey(id)];
export const nameKeys = ({ email, username }: NewNames) => [
  ...(email == null ? [] : [email, emailKey(email)]),
  ...(username == null ? [] : [username, usernameKey(username)]),
];

/** Those that the service makes begin with a digit and have no `@`. */
const mayBeAName = (id: string) => id.includes('@') || usernameProblem(id) === undefined;

/**
 * Comes before the change: a StorageConflict if another person has one of the names as another kind of name. `userId` is whoever
 * gets it, if they're there. An email address has an `@`, which a username can't have.
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
