// Links and tickets that work once. Using a link deletes its row; a ticket has no row until it is used.

import { emailKey } from '../../protocol/account/email-address.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Statement, Value } from '../driver.ts';
import type { Link } from '../records.ts';
import { links, type SelectedRow, spentTickets } from '../schema.ts';
import type { Database } from './database.ts';
import { lockUser } from './guards.ts';
import { columns, insertInto, insertNew, required, select } from './query.ts';

const insertRow = insertInto(links);
const insertTicket = insertNew(spentTickets);
const usable = select([columns(links)], 'FROM links l WHERE l.digest = $1 AND l.purpose = $2 AND l.expires_at > $3');

/** Each link works once. A new one ends the earlier ones for the same purpose and user, or email address. */
export function sqlLinks(database: Database) {
  return {
    findLink: (digest: string, purpose: Link['purpose'], now: number) =>
      database.first(usable, [digest, purpose, now], toLink),

    /** For a link that an administrator shares. False if its user is disabled or gone, or the event's guard says so. */
    storeLink(link: Link, event: EventRecord) {
      const { userId } = link;
      const enabled =
        userId === null ? [] : [required('SELECT id FROM users WHERE id = $1 AND disabled_at IS NULL', [userId])];
      return database.writeWith(event, [...lockLinkUser(link), ...enabled, ...replaceLinks(link, event)]);
    },

    /** However many calls race, exactly one returns true. */
    consumeTicket(digest: string, expiresAt: number) {
      return database.write([insertTicket({ digest, expires_at: expiresAt })]);
    },
  };
}

/** Stores a link in place of earlier ones, unless its user is gone. */
export function newLink(link: Link, event?: EventRecord): Statement[] {
  return [...lockLinkUser(link), ...replaceLinks(link, event)];
}

function lockLinkUser({ userId }: Link): Statement[] {
  return userId === null ? [] : [lockUser(userId)];
}

/**
 * Ends earlier links for the same purpose: the user's, the email address's, or every set-up link. Links that undo a
 * factor are about one factor each.
 */
function replaceLinks({ digest, purpose, userId, data, expiresAt }: Link, event: EventRecord | undefined): Statement[] {
  const key = data.email === undefined ? null : emailKey(data.email);
  const insert = insertRow({
    digest,
    purpose,
    user_id: userId,
    detail: JSON.stringify(data),
    expires_at: expiresAt,
    email_key: key,
  });
  if (purpose === 'undo_factor') return [insert];
  if (userId !== null) {
    return [{ sql: 'DELETE FROM links WHERE user_id = $1 AND purpose = $2', params: [userId, purpose] }, insert];
  }
  if (purpose === 'set_up') return [{ sql: 'DELETE FROM links WHERE purpose = $1', params: [purpose] }, insert];
  return [...endOffers('email_key = $1 AND purpose = $2', [key ?? '', purpose], event), insert];
}

/** An invitation to a role. The details of a link are JSON, in which a text from outside can't contain these. */
export const invitesToRole = `purpose = 'invite' AND (detail LIKE '%"admin":"yes"%' OR detail LIKE '%"roles":"%')`;

/**
 * Ends links that were sent to an email address. Only administrators end an invitation to a role: if there's one, and the one who
 * makes the change is none, nothing is changed. It's looked for after the others are gone, because it may be made at the same
 * moment.
 */
export function endOffers(condition: string, params: readonly Value[], event: EventRecord | undefined): Statement[] {
  const end = `DELETE FROM links WHERE ${condition}`;
  if (!event?.limited) return [{ sql: end, params }];
  const invited = `SELECT 1 FROM links WHERE ${condition} AND ${invitesToRole} AND expires_at > $${params.length + 1}`;
  return [
    { sql: `${end} AND NOT (${invitesToRole})`, params },
    required(`SELECT 1 AS one WHERE NOT EXISTS (${invited})`, [...params, event.at]),
  ];
}

/** Consumes a link. If it's no longer valid, the whole write is rolled back. */
export function consumeLink(digest: string, purpose: Link['purpose'], now: number): Statement {
  const sql = 'DELETE FROM links WHERE digest = $1 AND purpose = $2 AND expires_at > $3 RETURNING digest';
  return required(sql, [digest, purpose, now]);
}

/**
 * Links sent before a change of password or address must not work after it, except links that undo a factor: they give no
 * access to the account, and someone who has taken it over could otherwise void them by changing the password.
 */
export function endLinks(userId: string): Statement {
  return { sql: "DELETE FROM links WHERE user_id = $1 AND purpose <> 'undo_factor'", params: [userId] };
}

function toLink(row: SelectedRow<typeof links>): Link {
  return {
    digest: row.l_digest,
    purpose: row.l_purpose,
    userId: row.l_user_id,
    data: JSON.parse(row.l_detail),
    expiresAt: row.l_expires_at,
  };
}
