// People from another service, many in one write.

import type { EventRecord } from '../../protocol/event.ts';
import { valueGuards } from '../attributes/values-sql.ts';
import type { Statement } from '../driver.ts';
import { beforeImportedJoin, type ImportedGroup, joinImported } from '../groups/import-groups-sql.ts';
import { namedIds, textList } from '../groups/named-ids.ts';
import type { Attribute, IdentityKey, User } from '../records.ts';
import { authenticators, identities, importedPeople, type RecordOf, users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { endOffers, invitesToRole } from '../sql/links.ts';
import { insertNewWords } from '../sql/lists/words.ts';
import { computed, countOf, insertRows, perEngine, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { fromUser } from '../sql/rows.ts';
import type { DeletedIds } from './deleted-ids-sql.ts';
import { idKeys, nameKeys, refuseTaken } from './names-sql.ts';

export interface ImportedUser {
  readonly oldId: string;
  readonly user: User;
  readonly authenticator?: { readonly sealedSecret: string; readonly createdAt: number } | undefined;
  readonly identities?: readonly IdentityKey[];
}

/** What else the write depends on, and does. */
export interface ImportDetails {
  /** By which values were checked. */
  readonly checkedBy?: readonly Attribute[];
  /** Whether people can get the IDs of people who were deleted. */
  readonly restoresIds?: boolean;
  readonly groups?: readonly ImportedGroup[];
  /** When the import began, of which this write may be a part. */
  readonly since?: number;
}

/** Keys by which a person is a duplicate of, or conflicts with, another. */
export interface ImportKeys {
  readonly oldId: string;
  readonly id: string | undefined;
  readonly email: string;
  readonly username: string | null;
  readonly identities?: readonly IdentityKey[];
}

/** Which of the given keys are in the store. An ID is looked for among email addresses and usernames as well, and the other way round. */
export interface TakenKeys {
  /** Old IDs that were imported from this source. */
  readonly oldIds: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** As `emailKey` and `usernameKey` make them. */
  readonly emailKeys: ReadonlySet<string>;
  readonly usernameKeys: ReadonlySet<string>;
  /** Email addresses that are invited to a role. */
  readonly invitedKeys: ReadonlySet<string>;
  /** As `identityKey` makes them. */
  readonly identityKeys: ReadonlySet<string>;
  readonly deletedIds: ReadonlySet<string>;
  /** Whether IDs may have been deleted that aren't among those. */
  readonly mayLackDeleted: boolean;
}

export type ImportOrigin = RecordOf<typeof importedPeople, 'source' | 'old_id' | 'imported_at'>;

type Kind = 'old_id' | 'id' | 'email' | 'username' | 'invited' | 'identity';
const taken = perEngine((engine) =>
  select(
    [computed<{ kind: Kind; value: string }>('t.kind AS kind, t.value AS value')],
    `FROM (
      SELECT 'old_id' AS kind, ip.old_id AS value FROM ${namedIds(engine, '$2')} n
        JOIN imported_people ip ON ip.source = $1 AND ip.old_id = n.id
      UNION ALL SELECT 'id', u.id FROM ${namedIds(engine, '$3')} n JOIN users u ON u.id = n.id
      UNION ALL SELECT 'email', u.email_key FROM ${namedIds(engine, '$4')} n JOIN users u ON u.email_key = n.id
      UNION ALL SELECT 'username', u.username_key FROM ${namedIds(engine, '$4')} n JOIN users u ON u.username_key = n.id
      UNION ALL SELECT 'invited', l.email_key FROM ${namedIds(engine, '$4')} n JOIN links l ON l.email_key = n.id
        WHERE ${invitesToRole} AND l.expires_at > CAST($5 AS BIGINT)
      UNION ALL SELECT 'identity', i.issuer || ' ' || i.subject FROM ${namedIds(engine, '$6')} a CROSS JOIN ${namedIds(engine, '$7')} n
        JOIN identities i ON i.issuer = a.id AND i.subject = n.id
    ) AS t`,
  ),
);
/** This many keys are written at once, so that there's one prepared statement; the last batch is padded. */
const chunk = 250;
const places = (first: number) => Array.from({ length: chunk }, (_, index) => `$${first + index}`).join(', ');
const offered = `user_id IS NULL AND email_key IN (${places(1)})`;
const originRows = recordColumns(importedPeople, 'user_id');
const originOf = select([originRows.columns], 'FROM imported_people ip WHERE ip.user_id = $1 ORDER BY ip.imported_at');
const insertUsers = insertRows(users);
const insertImported = insertRows(importedPeople);
const insertIdentities = insertRows(identities);
const ofIssuer = 'SELECT name FROM upstreams WHERE issuer = $1';
const insertAuthenticators = insertRows(authenticators);

// Written exactly like the index's condition, so that engines use the index.
const foreign = "FROM users WHERE SUBSTR(password_hash, 1, 8) = 'foreign:'";
const oneForeign = select([computed<{ id: string }>('id')], `${foreign} LIMIT 1`);
const foreignCount = countOf(foreign);

export function sqlImports(database: Database, deletedIds: DeletedIds) {
  return {
    /** Whether anyone has a password hash of another service. */
    async hasForeignHashes() {
      return (await database.read(oneForeign, [])).length > 0;
    },

    /** Whether the IDs of some deleted people can't be recognized, because a key is lost. */
    lacksDeletedIds: () => deletedIds.isIncomplete(),

    /** Those of these IDs that belonged to people who were deleted. */
    findDeletedIds: (ids: readonly string[]) => deletedIds.find(ids),

    countForeignHashes: () => database.count(foreignCount, []),

    async findTaken(source: string, people: readonly ImportKeys[], now: number): Promise<TakenKeys> {
      const ids = people.flatMap(({ id }) => id ?? []);
      const named = people.flatMap(nameKeys);
      const linked = people.flatMap(({ identities: theirs = [] }) => theirs);
      const [issuers, subjects] = [linked.map(({ issuer }) => issuer), linked.map(({ subject }) => subject)].map(
        (texts) => textList([...new Set(texts)]),
      ) as [string, string];
      const lists = [people.map(({ oldId }) => oldId), [...ids, ...named], [...ids.flatMap(idKeys), ...named]];
      const [rows, deleted, mayLackDeleted] = await Promise.all([
        database.read(taken, [source, ...lists.map(textList), now, issuers, subjects]),
        deletedIds.find(ids),
        deletedIds.isIncomplete(),
      ]);
      const values = (kind: Kind) => new Set(rows.flatMap((row) => (row.kind === kind ? [row.value] : [])));
      return {
        oldIds: values('old_id'),
        ids: values('id'),
        emailKeys: values('email'),
        usernameKeys: values('username'),
        invitedKeys: values('invited'),
        identityKeys: values('identity'),
        deletedIds: deleted,
        mayLackDeleted,
      };
    },

    /**
     * Atomic. A StorageConflict if one was imported before, or has an ID, email address or username that's taken, or the ID of
     * a person who was deleted, unless `restoresIds`, a group has the name or the ID of a new one, or an identity is somebody's. Ends pending sign-up links and
     * invitations for their email addresses. False if the attributes are no longer those that values were checked by, a group or
     * an identity provider is gone, a group decides about something by now, or the event's guard says so.
     */
    async importUsers(
      source: string,
      people: readonly ImportedUser[],
      now: number,
      event: EventRecord,
      { checkedBy = [], restoresIds = false, groups = [], since = now }: ImportDetails = {},
    ) {
      const rows = people.map(({ user }) => fromUser(user, now));
      const ids = rows.map(({ id }) => id);
      return database.writeWith(event, [
        ...beforeImportedJoin(groups),
        ...valueGuards(checkedBy),
        ...refuseTaken(people.map(({ user: { id, email, preferredUsername: username } }) => ({ id, email, username }))),
        ...insertUsers(rows),
        ...(restoresIds ? [await deletedIds.forget(ids)] : await deletedIds.refuse(ids)),
        ...insertImported(people.map(({ oldId, user }) => importedRow(source, oldId, user.id, now))),
        ...insertNewWords(people.map(({ user }) => user)),
        ...insertAuthenticators(people.flatMap(authenticatorRows)),
        ...upstreamGuards(people),
        ...insertIdentities(people.flatMap((each) => identityRows(each, now))),
        ...joinImported(groups, now, since),
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

/** An issuer is a URL, which has no spaces. */
export function identityKey({ issuer, subject }: IdentityKey): string {
  return `${issuer} ${subject}`;
}

/** Rolls back if an identity provider is gone, with whose identities these would have gone. */
function upstreamGuards(people: readonly ImportedUser[]): Statement[] {
  const issuers = new Set(people.flatMap(({ identities: theirs = [] }) => theirs.map(({ issuer }) => issuer)));
  return [...issuers].sort().map((issuer) => ({ ...required(ofIssuer, [issuer]), serverSql: `${ofIssuer} FOR SHARE` }));
}

function identityRows({ user, identities: theirs = [] }: ImportedUser, now: number) {
  return theirs.map(({ issuer, subject }) => {
    return { issuer, subject, user_id: user.id, email: null, linked_at: now, last_used_at: null };
  });
}

function authenticatorRows({ user, authenticator }: ImportedUser) {
  if (authenticator === undefined) return [];
  const { sealedSecret: sealed_secret, createdAt: created_at } = authenticator;
  return [{ user_id: user.id, sealed_secret, last_step: 0, created_at, suspended_at: null }];
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / chunk);
  return Array.from({ length: count }, (_, index) => items.slice(index * chunk, (index + 1) * chunk));
}

function padded(values: readonly string[]): string[] {
  return [...values, ...Array<string>(chunk - values.length).fill(values.at(-1) ?? '')];
}
