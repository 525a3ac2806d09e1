// The statements that end access, made from the table in protocol/account/what-ends.ts.

import {
  type Access,
  type Extent,
  type Occasion,
  proofs,
  suspendedFrom,
  whatEnds,
} from '../../protocol/account/what-ends.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { endApiKeys } from '../api-keys/api-keys-sql.ts';
import type { Statement } from '../driver.ts';
import type { Claim } from '../records.ts';
import { endScimTokens } from '../scim/scim-tokens-sql.ts';
import { hasFactor } from '../sql/guards.ts';
import { endLinks } from '../sql/links.ts';
import { required } from '../sql/query.ts';
import { keepAWayIn, unlinkAddedSince, unlinkEverything } from '../upstreams/ways-in-sql.ts';
import { grantsOfUserEnd } from '../webhooks/ended-grants.ts';
import { sessionsOfUserEnd } from '../webhooks/logout-messages.ts';
import { endRoleInvitations } from './given-rights-sql.ts';
import { endSignUpLinks } from './sign-up-links-sql.ts';

export interface Ending {
  readonly userId: string;
  readonly now: number;
  /** The reason that clients and webhooks are told. */
  readonly event: EventRecord;
  /** The browser that goes on: its mark, and its session's digest, or the ID if the session gets another digest. */
  readonly kept?: { readonly device?: string | undefined; readonly digest?: string; readonly id?: string | null };
}

/**
 * The tables of each kind of access in which a row belongs to a user (`user_id`). What a user has made for others says so as
 * `created_by`; an invitation does in its details.
 */
export const accessTables = {
  grants: ['grants'],
  consents: ['consents'],
  identities: ['identities'],
  factors: ['authenticators', 'passkeys'],
  recovery_codes: ['recovery_codes'],
  sessions: ['sessions'],
  known_browsers: ['known_devices'],
  links: ['links'],
  access_requests: ['access_requests'],
} as const satisfies { readonly [Column in Access]?: readonly string[] };

/** In this order: clients are told first, while what ends is still there. */
const columns: Readonly<Record<Access, (ending: Ending, extent: Extent) => readonly Statement[]>> = {
  grants: ({ event, userId }) => grantsOfUserEnd(event, userId),
  sessions: ({ event, userId, kept }) => [
    sessionsOfUserEnd(event, userId, kept),
    {
      sql: 'DELETE FROM sessions WHERE user_id = $1 AND digest <> $2 RETURNING digest',
      params: [userId, kept?.digest ?? ''],
    },
  ],
  consents: ({ userId }) => [deletion('consents', userId)],
  factors: (ending, extent) => accessTables.factors.flatMap((table) => endFactors(table, ending, extent)),
  recovery_codes: (ending, extent) => [
    ...endFactors('recovery_codes', ending, extent),
    deletion(
      'recovery_codes',
      ending.userId,
      `NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = $1)
        AND NOT EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = $1)`,
    ),
  ],
  identities: ({ userId, now }, extent) => {
    if (extent === 'recent') return [unlinkAddedSince(userId, suspendedFrom(now))];
    if (extent === 'spare') return [unlinkEverything(userId), keepAWayIn(userId)];
    return extent === 'all' ? [deletion('identities', userId)] : [];
  },
  known_browsers: ({ userId, kept }) => [
    { sql: 'DELETE FROM known_devices WHERE user_id = $1 AND digest <> $2', params: [userId, kept?.device ?? ''] },
  ],
  trust: ({ userId }) => [
    {
      sql: 'UPDATE known_devices SET trusted_until = NULL WHERE user_id = $1 AND trusted_until IS NOT NULL',
      params: [userId],
    },
  ],
  links: ({ userId }) => [endLinks(userId)],
  api_keys: ({ userId }) => [endApiKeys(userId)],
  scim_tokens: ({ userId }) => [endScimTokens(userId)],
  sign_up_links: ({ userId, now }) => [endSignUpLinks(userId, now)],
  role_invitations: ({ userId }) => [endRoleInvitations({ kind: 'administrator', id: userId })],
  access_requests: ({ userId }) => [deletion('access_requests', userId)],
  // These are in the user's row.
  password: () => [],
  waiting_sign_ins: () => [],
};

/** Ends what this ends. The user's row has to be locked, and what the change itself does comes after it. */
export function endedBy(occasion: Occasion, ending: Ending): Statement[] {
  const ends: { readonly [Column in Access]?: Extent } = whatEnds[occasion];
  const { userId, kept } = ending;
  const isKept = ends.grants !== undefined && kept?.digest !== undefined;
  return [
    ...(Object.keys(columns) as Access[]).flatMap((column) => {
      const extent = ends[column];
      return extent === undefined ? [] : columns[column](ending, extent);
    }),
    ...raise(ends, userId),
    ...(isKept ? [goOn(userId, kept.digest)] : []),
  ];
}

function raise(ends: { readonly [Column in Access]?: Extent }, userId: string): Statement[] {
  const changes = [
    ...(ends.grants === undefined ? [] : ['generation = generation + 1']),
    ...(ends.waiting_sign_ins === undefined ? [] : ['session_generation = session_generation + 1']),
    ...(ends.password === undefined ? [] : ["password_hash = ''", 'breached_since = NULL']),
  ];
  return changes.length === 0
    ? []
    : [{ sql: `UPDATE users SET ${changes.join(', ')} WHERE id = $1`, params: [userId] }];
}

/** The session that is kept belongs to the user's new generation. */
function goOn(userId: string, digest: string): Statement {
  const sql = `UPDATE sessions SET user_generation = (SELECT u.generation FROM users u WHERE u.id = $1)
    WHERE user_id = $1 AND digest = $2`;
  return { sql, params: [userId, digest] };
}

/**
 * The person who had the mailbox then has set it up: the account was created with it, and in the same moment its address was
 * verified.
 */
const isOfCreation = (table: string) => `EXISTS (SELECT 1 FROM users u
  WHERE u.id = $1 AND u.created_at = ${table}.created_at AND u.email_verified_at = u.created_at)`;

function endFactors(table: string, { userId, now }: Ending, extent: Extent): Statement[] {
  switch (extent) {
    case 'all':
      return [deletion(table, userId)];
    case 'recent':
      return [
        {
          sql: `UPDATE ${table} SET suspended_at = $2
            WHERE user_id = $1 AND created_at >= $3 AND suspended_at IS NULL AND NOT ${isOfCreation(table)}`,
          params: [userId, now, suspendedFrom(now)],
        },
      ];
    case 'paused':
      return [deletion(table, userId, 'suspended_at IS NOT NULL')];
    case 'spare': {
      const isNeeded = `EXISTS (SELECT 1 FROM users u
        WHERE u.id = $1 AND u.password_hash = '' AND u.review_since <= ${table}.created_at)`;
      return [deletion(table, userId, `(suspended_at IS NOT NULL OR NOT ${isNeeded})`)];
    }
    default:
      return [];
  }
}

function deletion(table: string, userId: string, condition = 'true'): Statement {
  return { sql: `DELETE FROM ${table} WHERE user_id = $1 AND ${condition}`, params: [userId] };
}

/** Rolls back if the address is verified by now, or a second factor is in force. The user's row has to be locked. */
export function claimAccount(userId: string, { events: [event], proof, review }: Claim, now: number): Statement[] {
  const { ends, verifies } = proofs[proof];
  const isOpen = `SELECT u.id FROM users u WHERE u.id = $1 AND u.email_verified_at IS NULL AND NOT ${hasFactor('u.id')}`;
  const claim = `UPDATE users SET email_verified_at = CAST($2 AS BIGINT), review_since = CAST($3 AS BIGINT), updated_at = $4
    WHERE id = $1`;
  return [
    required(isOpen, [userId]),
    ...endedBy(ends, { userId, now, event }),
    { sql: claim, params: [userId, verifies ? now : null, review ? now : null, now] },
  ];
}
