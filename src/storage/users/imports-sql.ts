// People from another service, many in one write.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/username.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { valueGuards } from '../attributes/values-sql.ts';
import type { Attribute, User } from '../records.ts';
import { importedPeople, type RecordOf, users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { endOffers, invitesToRole } from '../sql/links.ts';
import { insertNewWords } from '../sql/lists/words.ts';
import { computed, countOf, insertRows, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { fromUser } from '../sql/rows.ts';

export interface ImportedUser {
  readonly oldId: string;
  readonly user: User;
}

/** Keys by which a person is a duplicate of, or conflicts with, another. */
export interface ImportKeys {
  readonly oldId: string;
  readonly id: string | undefined;
  readonly email: string;
  readonly username: string | null;
}

/** Which of the given keys are in the store. */
export interface TakenKeys {
  /** Old IDs that were imported from this source. */
  readonly oldIds: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** As `emailKey` and `usernameKey` make them. */
  readonly emailKeys: ReadonlySet<string>;
  readonly usernameKeys: ReadonlySet<string>;
  /** Email addresses that are invited to a role. */
  readonly invitedKeys: ReadonlySet<string>;
}

export type ImportOrigin = RecordOf<typeof importedPeople, 'source' | 'old_id' | 'imported_at'>;

/** This many keys are looked up at once, so that there's one prepared statement; the last batch is padded. */
const chunk = 250;

const places = (first: number) => Array.from({ length: chunk }, (_, index) => `$${first + index}`).join(', ');
type Kind = 'old_id' | 'id' | 'email' | 'username' | 'invited';
const taken = select(
  [computed<{ kind: Kind; value: string }>('t.kind AS kind, t.value AS value')],
  `FROM (
    SELECT 'old_id' AS kind, old_id AS value FROM imported_people WHERE source = $1 AND old_id IN (${places(2)})
    UNION ALL SELECT 'id', id FROM users WHERE id IN (${places(2 + chunk)})
    UNION ALL SELECT 'email', email_key FROM users WHERE email_key IN (${places(2 + 2 * chunk)})
    UNION ALL SELECT 'username', username_key FROM users WHERE username_key IN (${places(2 + 3 * chunk)})
    UNION ALL SELECT 'invited', email_key FROM links
      WHERE email_key IN (${places(2 + 2 * chunk)}) AND ${invitesToRole} AND expires_at > CAST($${2 + 4 * chunk} AS BIGINT)
  ) AS t`,
);
const offered = `user_id IS NULL AND email_key IN (${places(1)})`;
const originRows = recordColumns(importedPeople, 'user_id');
const originOf = select([originRows.columns], 'FROM imported_people ip WHERE ip.user_id = $1 ORDER BY ip.imported_at');
const insertUsers = insertRows(users);
const insertImported = insertRows(importedPeople);

// Written exactly like the index's condition, so that engines use the index.
const foreign = "FROM users WHERE SUBSTR(password_hash, 1, 8) = 'foreign:'";
const oneForeign = select([computed<{ id: string }>('id')], `${foreign} LIMIT 1`);
const foreignCount = countOf(foreign);

export function sqlImports(database: Database) {
  return {
    /** Whether anyone has a password hash of another service. */
    async hasForeignHashes() {
      return (await database.read(oneForeign, [])).length > 0;
    },

    countForeignHashes: () => database.count(foreignCount, []),

    async findTaken(source: string, people: readonly ImportKeys[], now: number) {
      const found = await Promise.all(
        chunks(people).map((each) => database.read(taken, [source, ...keysOf(each), now])),
      );
      const values = (kind: Kind) => new Set(found.flat().flatMap((row) => (row.kind === kind ? [row.value] : [])));
      return {
        oldIds: values('old_id'),
        ids: values('id'),
        emailKeys: values('email'),
        usernameKeys: values('username'),
        invitedKeys: values('invited'),
      };
    },

    /**
     * Atomic. A StorageConflict if one was imported before, or has an ID, email address or username that's taken. Ends
     * pending sign-up links and invitations for their email addresses. False if the attributes are no longer those that
     * values were checked by, or the event's guard says so.
     */
    importUsers(
      source: string,
      people: readonly ImportedUser[],
      now: number,
      event: EventRecord,
      checkedBy: readonly Attribute[] = [],
    ) {
      const rows = people.map(({ user }) => fromUser(user));
      return database.writeWith(event, [
        ...valueGuards(checkedBy),
        ...insertUsers(rows),
        ...insertImported(people.map(({ oldId, user }) => importedRow(source, oldId, user.id, now))),
        ...insertNewWords(people.map(({ user }) => user)),
        ...chunks(rows.map((row) => row.email_key)).flatMap((keys) => endOffers(offered, padded(keys), event)),
      ]);
    },

    /** Where the user came from, if from another service. */
    findImportOrigin: (userId: string) => database.first(originOf, [userId], originRows.decode),
  };
}

function importedRow(source: string, oldId: string, userId: string, now: number) {
  return { source, old_id: oldId, user_id: userId, imported_at: now };
}

function keysOf(people: readonly ImportKeys[]): string[] {
  return [
    ...padded(people.map(({ oldId }) => oldId)),
    ...padded(people.map(({ id }) => id ?? '')),
    ...padded(people.map(({ email }) => emailKey(email))),
    ...padded(people.map(({ username }) => (username === null ? '' : usernameKey(username)))),
  ];
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / chunk);
  return Array.from({ length: count }, (_, index) => items.slice(index * chunk, (index + 1) * chunk));
}

function padded(values: readonly string[]): string[] {
  return [...values, ...Array<string>(chunk - values.length).fill(values.at(-1) ?? '')];
}
