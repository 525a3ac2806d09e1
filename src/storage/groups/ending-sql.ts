// Access that ends soon: whom to tell of it, and how many of the emails about it were queued. A mark is set in the write that
// queues the email, and only if it's as it was read, so that of several instances one sends it.

import type { Statement } from '../driver.ts';
import type { Span } from '../paging.ts';
import type { Database } from '../sql/database.ts';
import { insertEmail, type NewEmail } from '../sql/mail.ts';
import { computed, required, select } from '../sql/query.ts';
import { lasting } from './access-conditions.ts';

/** An account, a membership, or an entry on an application's list. */
export interface EndingAccess {
  readonly kind: 'account' | 'membership' | 'person' | 'group';
  /** Undefined for a group on a list. */
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | undefined;
  /** Of a membership, and of a group on a list. */
  readonly group: { readonly id: string; readonly name: string } | undefined;
  readonly client: { readonly id: string; readonly name: string } | undefined;
  readonly expiresAt: number;
  /** How many of the emails about it were queued. */
  readonly notices: number;
}

interface EndingRow {
  readonly kind: EndingAccess['kind'];
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly email: string | null;
  readonly group_id: string | null;
  readonly group_name: string | null;
  readonly client_id: string | null;
  readonly client_name: string | null;
  readonly expires_at: number;
  readonly notices: number;
}

const inSpan = (alias: string) => `${alias}.expires_at > $1 AND ${alias}.expires_at <= $2`;
/** Nobody is told about an account that nobody can use. */
const canSignIn = 'u.disabled_at IS NULL AND (u.expires_at IS NULL OR u.expires_at > $1)';
const nothing = (...names: string[]) => names.map((name) => `CAST(NULL AS TEXT) AS ${name}`).join(', ');
const person = 'u.id AS user_id, u.name AS user_name, u.email AS email';
/** A list means something only while the application isn't open to everyone. */
const listed = `JOIN clients c ON c.id = ca.client_id AND c.access = 'listed' AND c.revoked_at IS NULL`;

/** What ends in a span of time, of people that meet a condition on `u`. */
function ofPeople(condition = ''): string[] {
  return [
    `SELECT 'account' AS kind, ${person}, ${nothing('group_id', 'group_name', 'client_id', 'client_name')},
      u.expires_at AS expires_at, u.end_notices AS notices
      FROM users u WHERE ${inSpan('u')} AND u.disabled_at IS NULL ${condition}`,
    `SELECT 'membership', ${person}, gr.id, gr.name, ${nothing('client_id', 'client_name')}, gm.expires_at, gm.end_notices
      FROM group_members gm JOIN users u ON u.id = gm.user_id
        JOIN groups gr ON gr.id = gm.group_id AND gr.ended_by = ${lasting}
      WHERE gm.ended_by = ${lasting} AND ${inSpan('gm')} AND ${canSignIn} ${condition}`,
    `SELECT 'person', ${person}, ${nothing('group_id', 'group_name')}, c.id, c.name, ca.expires_at, ca.end_notices
      FROM client_access ca ${listed} JOIN users u ON u.id = ca.subject_id
      WHERE ca.ended_by = ${lasting} AND ${inSpan('ca')} AND ca.kind = 'person' AND ${canSignIn} ${condition}`,
  ];
}
const ofGroups = `SELECT 'group', ${nothing('user_id', 'user_name', 'email')}, gr.id, gr.name, c.id, c.name, ca.expires_at,
    ca.end_notices
  FROM client_access ca ${listed} JOIN groups gr ON gr.id = ca.subject_id AND gr.ended_by = ${lasting}
  WHERE ca.ended_by = ${lasting} AND ${inSpan('ca')} AND ca.kind = 'group'`;
const union = (parts: readonly string[]) => `FROM (${parts.join(' UNION ALL ')}) AS e`;

const peopleToTell = select(
  [computed<{ user_id: string }>('DISTINCT e.user_id AS user_id')],
  `${union(ofPeople())} WHERE e.notices < CASE WHEN e.expires_at <= $3 THEN 2 ELSE 1 END AND e.user_id > $4
    ORDER BY e.user_id LIMIT $5`,
);
const ofPerson = select([computed<EndingRow>('e.*')], `${union(ofPeople('AND u.id = $3'))} ORDER BY e.expires_at`);
const everything = select(
  [computed<EndingRow>('e.*')],
  `${union([...ofPeople(), ofGroups])} ORDER BY e.expires_at, e.user_id, e.group_id, e.client_id LIMIT $3`,
);
const count = select([computed<{ n: number }>('COUNT(*) AS n')], union([...ofPeople(), ofGroups]));

const mark = {
  account: 'UPDATE users SET end_notices = $1 WHERE end_notices = $2 AND expires_at = $3 AND id = $4 RETURNING id',
  membership: `UPDATE group_members SET end_notices = $1 WHERE end_notices = $2 AND expires_at = $3 AND ended_by = ${lasting}
    AND user_id = $4 AND group_id = $5 RETURNING user_id`,
  person: `UPDATE client_access SET end_notices = $1 WHERE end_notices = $2 AND expires_at = $3 AND ended_by = ${lasting}
    AND kind = 'person' AND subject_id = $4 AND client_id = $5 RETURNING subject_id`,
};

export interface EndMark {
  readonly access: EndingAccess;
  readonly notices: number;
}

export function sqlEnding(database: Database) {
  return {
    /**
     * The IDs of people with something that ends in the span and wasn't told to them yet, or only once although it ends by
     * `second`; from the first ID after `after`.
     */
    listPeopleToTell: ({ after, until }: Span, second: number, afterId: string, limit: number) =>
      database.list(peopleToTell, [after, until, second, afterId, limit], (row) => row.user_id),

    /** What a person has that ends in the span, the first end first. */
    listEndingOf: (userId: string, { after, until }: Span) => database.list(ofPerson, [after, until, userId], toAccess),

    /** What ends in the span, the first end first, and how much that is altogether. */
    async listEnding({ after, until }: Span, limit: number) {
      const [items, [counted]] = await Promise.all([
        database.list(everything, [after, until, limit], toAccess),
        database.read(count, [after, until]),
      ]);
      return { items, count: counted?.n ?? 0 };
    },

    /** Queues the email that tells of it. False if anything about it has changed meanwhile, or was told by another process. */
    queueEndNotice(marks: readonly EndMark[], emails: readonly NewEmail[]) {
      return database.write([...marks.map(markStatement), ...emails.map(insertEmail)]);
    },
  };
}

function markStatement({ access, notices }: EndMark): Statement {
  const { kind, user, group, client, expiresAt } = access;
  if (kind === 'group') throw new Error('a group on a list is told to nobody');
  const of = group?.id ?? client?.id;
  return required(mark[kind], [notices, access.notices, expiresAt, user?.id ?? '', ...(of === undefined ? [] : [of])]);
}

function toAccess(row: EndingRow): EndingAccess {
  const { user_id: userId, group_id: groupId, client_id: clientId } = row;
  return {
    kind: row.kind,
    user: userId === null ? undefined : { id: userId, name: row.user_name ?? '', email: row.email ?? '' },
    group: groupId === null ? undefined : { id: groupId, name: row.group_name ?? '' },
    client: clientId === null ? undefined : { id: clientId, name: row.client_name ?? '' },
    expiresAt: row.expires_at,
    notices: row.notices,
  };
}
