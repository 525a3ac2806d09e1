// Pending invitations, and corrections that administrators make to a user.

import { emailKey } from '../../protocol/account/email-address.ts';
import { invitedRoles } from '../../protocol/account/roles.ts';
import { proofs } from '../../protocol/account/what-ends.ts';
import { placeOf, textAt } from '../../protocol/admin/cursor.ts';
import type { Role } from '../../protocol/admin/rights.ts';
import type { Actor, EventRecord } from '../../protocol/event.ts';
import { changeValues } from '../attributes/values-sql.ts';
import type { ListPart, PagePosition } from '../paging.ts';
import type { AttributeChange, LinkData, User } from '../records.ts';
import { links, type SelectedRow } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { invitesToRole } from '../sql/links.ts';
import { pageOf, walk } from '../sql/lists/walk.ts';
import { setNameWords } from '../sql/lists/words.ts';
import { columns, required, select } from '../sql/query.ts';
import { refuseTaken } from './names-sql.ts';
import { setUserEnd } from './standing-sql.ts';
import { otherAddress } from './users-sql.ts';
import { endedBy } from './what-ends-sql.ts';

export interface PendingInvitation {
  /** The digest of its link. */
  readonly id: string;
  readonly email: string;
  /** The account's initial name; empty if none was given. */
  readonly name: string;
  readonly expiresAt: number;
  /** Undefined for the command line, and for invitations from before this was recorded. */
  readonly invitedBy: Actor | undefined;
  /** The IDs of groups that the account joins. */
  readonly groupIds: readonly string[];
  readonly roles: readonly Role[];
  /** When the account's access ends; null for never. */
  readonly accountExpiresAt: number | null;
}

/** A user's name and email address. */
export type UserIdentity = Pick<User, 'name' | 'givenName' | 'familyName' | 'email'>;

const linkColumns = columns(links);
const pendingFor = select(
  [linkColumns],
  "FROM links l WHERE l.email_key = $1 AND l.purpose = 'invite' AND l.expires_at > $2",
);
const withdraw = "DELETE FROM links WHERE email_key = $1 AND purpose = 'invite' AND expires_at > $2";
const edit = `UPDATE users SET name = $6, given_name = $7, family_name = $8, email = $9, email_key = $10,
    email_verified_at = CASE WHEN email_key = $10 THEN email_verified_at ELSE NULL END, updated_at = $11
  WHERE id = $1 AND name = $2 AND given_name IS NOT DISTINCT FROM $3 AND family_name IS NOT DISTINCT FROM $4
    AND email = $5 RETURNING id`;
const verify = `UPDATE users SET email_verified_at = $3, updated_at = $3
  WHERE id = $1 AND email_key = $2 AND email_verified_at IS NULL RETURNING id`;

export function sqlUserAdministration(database: Database) {
  return {
    /** The newest first. */
    async pageInvitations(part: ListPart, now: number) {
      const pending = {
        from: 'links l',
        conditions: [(place: (value: number) => string) => `l.purpose = 'invite' AND l.expires_at > ${place(now)}`],
        key: ['l.expires_at', 'l.digest'],
        descending: true,
        valuesAt: valuesAt,
      };
      return pageOf(await walk(database, linkColumns, pending, part), part, toInvitation, position);
    },

    findInvitation: (email: string, now: number) => database.first(pendingFor, [emailKey(email), now], toInvitation),

    /** False when there is none, or the event's guard says so. */
    withdrawInvitation(email: string, now: number, event: EventRecord) {
      const sql = event.limited ? `${withdraw} AND NOT (${invitesToRole})` : withdraw;
      return database.writeWith(event, [required(`${sql} RETURNING digest`, [emailKey(email), now])]);
    },

    /**
     * A new email address is unverified, and voids the user's links. False if the user is not, or no longer, as in
     * `basis`, the attributes not those that values were checked by, the last administrator would get an end, or the event's
     * guard says so; a StorageConflict if the address is taken.
     */
    editUser(
      userId: string,
      basis: UserIdentity,
      identity: UserIdentity,
      now: number,
      event: EventRecord,
      attributes?: AttributeChange,
      expiresAt?: number | null,
    ) {
      const { name, givenName, familyName, email } = identity;
      const key = emailKey(email);
      const before = [basis.name, basis.givenName, basis.familyName, basis.email];
      return database.writeWith(event, [
        ...(expiresAt === undefined ? [] : setUserEnd(userId, expiresAt, now)),
        ...(attributes === undefined ? [] : changeValues(userId, attributes, now)),
        ...refuseTaken([{ email }], userId),
        required(edit, [userId, ...before, name, givenName, familyName, email, key, now]),
        ...setNameWords(userId, [name, givenName, familyName]),
        ...(email === basis.email ? [] : otherAddress(userId, email, event)),
      ]);
    },

    /** False if the email address is already verified, or has changed. */
    verifyEmail(userId: string, email: string, now: number, event: EventRecord) {
      const ended = endedBy(proofs.administrator.ends, { userId, now, event });
      return database.writeWith(event, [required(verify, [userId, emailKey(email), now]), ...ended]);
    },
  };
}

/** A digest has capital letters, which the ID in a position can't have. */
function position({ l_expires_at, l_digest }: SelectedRow<typeof links>): PagePosition {
  return [placeOf(`${l_expires_at} ${l_digest}`), '0'];
}

function valuesAt([place]: PagePosition): readonly [number, string] | undefined {
  const [expiresAt, digest = ''] = textAt(place)?.split(' ') ?? [];
  const at = Number(expiresAt);
  return Number.isSafeInteger(at) && /^[\w-]+$/.test(digest) ? [at, digest] : undefined;
}

function toInvitation(row: SelectedRow<typeof links>): PendingInvitation {
  const {
    email = '',
    name = '',
    invitedBy,
    groups = [],
    accountExpiresAt,
    ...link
  }: LinkData = JSON.parse(row.l_detail);
  const account = { groupIds: groups, roles: invitedRoles(link), accountExpiresAt: accountExpiresAt ?? null };
  return { id: row.l_digest, email, name, expiresAt: row.l_expires_at, invitedBy, ...account };
}
