// Whether a user has access to a client, and whether a grant has had it without a gap, as conditions of a query. Every change
// has a number, the next one whichever client or group it concerns, and a grant lives while its user has had access without a
// gap since the change that was the last one when it began. A row that gives access lasts from the change `began_with` until
// the change `ended_by`, and is kept until no grant is left from before that; a member of a group on the list has access
// while the membership, the group and its place on the list all last.
//
// A row can also have a time at which it ends by itself, which counts from that moment on, whether or not it has been written
// as a change by then. No other change begins access before all such ends are written (`noneExpired`), so a row that has expired
// and isn't written has ended after the last change.

import type { Engine } from '../driver.ts';

/** The `ended_by` of rows that haven't ended. */
export const lasting = Number.MAX_SAFE_INTEGER;

/** The number of the last change; in a write that begins with `nextChange`, the number of this one. */
export const lastChange = `(SELECT cn.value FROM counters cn WHERE cn.name = 'access_changes')`;

/**
 * Gives the write a number. It comes first: it also makes changes of access wait for each other, and nothing that they
 * lock later may be locked by someone who waits here.
 */
export const nextChange = {
  sql: `UPDATE counters SET value = value + 1 WHERE name = 'access_changes'`,
  params: [],
};

/** Whether a row that can end by itself hasn't, at a time given as an expression. */
export function isInForce(alias: string, at: string): string {
  return `(${alias}.expires_at IS NULL OR ${alias}.expires_at > ${at})`;
}

const earliest = `CASE WHEN gr.ended_by < ca.ended_by AND gr.ended_by < gm.ended_by THEN gr.ended_by
  WHEN ca.ended_by < gm.ended_by THEN ca.ended_by ELSE gm.ended_by END`;

const lasts = (alias: string, at: string | undefined) =>
  `${alias}.ended_by = ${lasting}${at === undefined ? '' : ` AND ${isInForce(alias, at)}`}`;

/**
 * By way of the user's groups, which are few, to those on the client's list. CROSS JOIN keeps an engine that has counted
 * nothing in this order.
 */
function groupsOf(user: string, client = 'c.id'): string {
  return `group_members gm CROSS JOIN groups gr CROSS JOIN client_access ca
    WHERE gm.user_id = ${user} AND gr.id = gm.group_id
      AND ca.client_id = ${client} AND ca.kind = 'group' AND ca.subject_id = gm.group_id`;
}

/** The user's own entry on the client's list, `ca`. */
export function directly(user: string, client: string, at?: string): string {
  return `client_access ca WHERE ca.client_id = ${client} AND ca.kind = 'person' AND ca.subject_id = ${user}
    AND ${lasts('ca', at)}`;
}

/** The user's memberships `gm` in groups `gr` on the client's list, with the entry `ca`. */
export function throughGroups(user: string, client: string, at?: string): string {
  return `${groupsOf(user, client)} AND ${lasts('gm', at)} AND gr.ended_by = ${lasting} AND ${lasts('ca', at)}`;
}

/** The IDs of all whom the client's list lets in by an entry of their own, which meets a condition on `ca`. */
export function everyoneDirectly(client: string, at: string, entry: string): string {
  return `SELECT ca.subject_id AS id FROM client_access ca
    WHERE ca.client_id = ${client} AND ca.kind = 'person' AND ${lasts('ca', at)} AND ${entry}`;
}

/** The IDs of all members of groups on the client's list; the entries and the memberships meet conditions on `ca` and `gm`. */
export function everyoneThroughGroups(engine: Engine, client: string, at: string, entry: string, membership: string) {
  const groups = `client_access ca CROSS JOIN groups gr WHERE ca.client_id = ${client} AND ca.kind = 'group'
    AND ${lasts('ca', at)} AND ${entry} AND gr.id = ca.subject_id AND gr.ended_by = ${lasting}`;
  const members = `group_members gm WHERE gm.group_id = l.id AND ${lasts('gm', at)} AND ${membership}`;
  // A server would rather read all memberships there are.
  return engine === 'server'
    ? `SELECT m.id FROM (SELECT ca.subject_id AS id FROM ${groups} OFFSET 0) AS l
        CROSS JOIN LATERAL (SELECT gm.user_id AS id FROM ${members} OFFSET 0) AS m`
    : `SELECT gm.user_id FROM (SELECT ca.subject_id AS id FROM ${groups}) AS l CROSS JOIN ${members}`;
}

/** The ranges of changes in which the grant's user had access to the client `c`. */
const intervals = `SELECT ca.began_with, ca.ended_by FROM client_access ca
    WHERE ca.client_id = c.id AND ca.kind = 'everyone' AND ca.subject_id = ''
  UNION ALL SELECT ca.began_with, ca.ended_by FROM client_access ca
    WHERE ca.client_id = c.id AND ca.kind = 'person' AND ca.subject_id = g.user_id
  UNION ALL SELECT CASE WHEN ca.began_with > gm.began_with THEN ca.began_with ELSE gm.began_with END, ${earliest}
    FROM ${groupsOf('g.user_id')}`;

/**
 * Whether the user has access to the client `c` at a time, both given as expressions. Without a time, what has ended by itself
 * counts until that is written.
 */
export function hasAccess(user: string, at?: string): string {
  return `(c.access = 'everyone' OR ${isOnList(user, at)})`;
}

/**
 * Whether the list of the client `c` lets the user in, directly or through a group, whether or not it counts now. `without`
 * leaves out a person and a group, given as expressions, as if they weren't on it.
 */
export function isOnList(
  user: string,
  at?: string,
  without?: { readonly person: string; readonly group: string },
): string {
  const other = (subject: 'person' | 'group') =>
    without === undefined ? '' : ` AND ca.subject_id <> ${without[subject]}`;
  return `(EXISTS (SELECT 1 FROM ${directly(user, 'c.id', at)}${other('person')})
    OR EXISTS (SELECT 1 FROM ${throughGroups(user, 'c.id', at)}${other('group')}))`;
}

/**
 * Whether nothing that gave the user of grant `g` access has ended since the grant began without something else that goes
 * on. What began with the very change that ended the other leaves no gap; what began later doesn't bring the grant back. A
 * version that knows no lists may have stored the grant of a user who never had access, so they must have it now as well.
 */
export function accessIsUnbroken(at?: string): string {
  return `(c.was_listed = 0 OR ${hasAccess('g.user_id', at)} AND ${noGapBefore(String(lasting))})`;
}
/** Whether access was unbroken until the change that this write makes, which may have ended it. */
export const accessWasUnbroken = noGapBefore(lastChange);

function noGapBefore(change: string): string {
  return `NOT EXISTS (SELECT 1 FROM (${intervals}) AS lost
  WHERE lost.ended_by > g.access_change AND lost.ended_by < ${change} AND lost.began_with < lost.ended_by
    AND NOT EXISTS (SELECT 1 FROM (${intervals}) AS kept
      WHERE kept.began_with <= lost.ended_by AND kept.ended_by > lost.ended_by))`;
}

/** The two conditions, as they are asked of an engine. */
interface AccessConditions {
  hasAccess(user: string, at: string): string;
  isUnbroken(at: string): string;
}

const isListed = (user: string, at: string) => `(c.access = 'everyone' OR is_on_list(c.id, ${user}, ${at}))`;

/**
 * A database server sets up all parts of a statement whenever it executes it, and those that only matter to clients with a list
 * take longer than the rest. There they're functions of the database, which cost nothing until they're called. They have to
 * say the same, so a change here is a migration as well.
 */
export const access: Readonly<Record<Engine, AccessConditions>> = {
  embedded: { hasAccess, isUnbroken: accessIsUnbroken },
  server: {
    hasAccess: isListed,
    isUnbroken: (at) => `(c.was_listed = 0
      OR ${isListed('g.user_id', at)} AND access_is_unbroken(c.id, g.user_id, g.access_change))`,
  },
};
