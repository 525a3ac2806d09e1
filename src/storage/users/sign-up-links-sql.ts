// Links with which several people can sign up. A use is counted in the write that creates the account, by one statement:
// however many people use a link at once, no more accounts are created than it allows.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { ListPart } from '../paging.ts';
import type { SignUpLink } from '../records.ts';
import { signUpLinks } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { letsPeopleIn, lockWhoLetsPeopleIn } from '../sql/guards.ts';
import { timeAndId } from '../sql/lists/time-walk.ts';
import { pageOf, type Walk, walk } from '../sql/lists/walk.ts';
import { computed, countOf, insertInto, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

const { columns, decode, encode } = recordColumns(signUpLinks, 'digest');
const insertRow = insertInto(signUpLinks);
const all = countOf('FROM sign_up_links');
const below = 'SELECT 1 AS below WHERE (SELECT COUNT(*) FROM sign_up_links) < CAST($1 AS BIGINT)';

/** Whether the person who made link `sl` may still do so. The time is an expression. */
const creatorStands = (link: string, now: string) => `(${link}.created_by IS NULL OR EXISTS (SELECT 1 FROM users o
  WHERE o.id = ${link}.created_by AND ${letsPeopleIn('o')} AND o.disabled_at IS NULL
    AND (o.expires_at IS NULL OR o.expires_at > ${now})))`;
const selections = [
  columns,
  computed<{ stands: number }>(`CASE WHEN ${creatorStands('sl', '$1')} THEN 1 ELSE 0 END AS stands`),
] as const;
const byDigest = select(selections, 'FROM sign_up_links sl WHERE sl.digest = $2');
const byId = select(selections, 'FROM sign_up_links sl WHERE sl.id = $2');
const lastingOf = select(
  [columns],
  'FROM sign_up_links sl WHERE sl.created_by = $1 AND sl.revoked_at IS NULL AND sl.expires_at > $2 AND sl.used < sl.uses',
);

const newestFirst: Walk = {
  from: 'sign_up_links sl',
  key: ['sl.created_at', 'sl.id'],
  descending: true,
  valuesAt: timeAndId,
};

export function sqlSignUpLinks(database: Database) {
  return {
    /** False if its creator may not let people sign up, or there are as many as `limit`. */
    createSignUpLink(link: SignUpLink, digest: string, limit: number, event: EventRecord) {
      const creator = link.createdBy === null ? [] : [lockWhoLetsPeopleIn(link.createdBy, link.createdAt)];
      return database.writeWith(event, [...creator, required(below, [limit]), insertRow({ ...encode(link), digest })]);
    },

    /** With those that have ended. */
    countSignUpLinks: () => database.count(all, []),

    /** One whose creator may not let people sign up any more counts as revoked. */
    findSignUpLink: (by: { readonly digest: string } | { readonly id: string }, now: number) =>
      'id' in by
        ? database.first(byId, [now, by.id], toSignUpLink(now))
        : database.first(byDigest, [now, by.digest], toSignUpLink(now)),

    /** The newest first, with those that have ended. */
    async pageSignUpLinks(part: ListPart) {
      const rows = await walk(database, columns, newestFirst, part);
      return pageOf(rows, part, decode, (row, { id }) => [String(row.sl_created_at), id]);
    },

    /** Those of an administrator that can still be used. */
    listSignUpLinksOf: (userId: string, now: number) => database.list(lastingOf, [userId, now], decode),

    /** False for one that is unknown or was revoked before. */
    revokeSignUpLink(id: string, now: number, event: EventRecord) {
      const sql = 'UPDATE sign_up_links SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id';
      return database.writeWith(event, [required(sql, [id, now])]);
    },
  };
}

/** Counts a use. If the link doesn't allow one, the whole write is rolled back. */
export function useSignUpLink(id: string, now: number): Statement {
  const sql = `UPDATE sign_up_links SET used = used + 1 WHERE id = $1 AND used < uses AND revoked_at IS NULL
    AND expires_at > CAST($2 AS BIGINT) AND ${creatorStands('sign_up_links', 'CAST($2 AS BIGINT)')} RETURNING id`;
  return required(sql, [id, now]);
}

/** Those that a user made. */
export function endSignUpLinks(userId: string, now: number): Statement {
  return {
    sql: 'UPDATE sign_up_links SET revoked_at = $2 WHERE created_by = $1 AND revoked_at IS NULL',
    params: [userId, now],
  };
}

function toSignUpLink(now: number) {
  return (row: Parameters<typeof decode>[0] & { readonly stands: number }): SignUpLink => {
    const link = decode(row);
    return { ...link, revokedAt: link.revokedAt ?? (row.stands === 1 ? null : now) };
  };
}
