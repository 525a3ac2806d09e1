// The messages of back-channel logout, inserted in the transaction that ends a session or takes an application from a person: one
// for each live grant that notes its session. Only grants for clients with a URI for such messages do, so for everyone else these
// statements find nothing. A message has the grant; what it says is put together and signed when it's sent.

import type { EventRecord } from '../../protocol/event.ts';
import { deliveryLifetime, waitingLimit } from '../../protocol/webhooks/schedule.ts';
import type { Statement, Value } from '../driver.ts';
import { accessIsUnbroken } from '../groups/access-conditions.ts';
import { logoutEndpointOf } from './logout-endpoints.ts';
import { insertMessages, messageId } from './outbox-sql.ts';

const type = 'backchannel_logout';

/** The `data` of a message. IDs of grants and keys have no character that JSON would quote. */
export interface LogoutData {
  readonly grant: string;
  readonly sid_key: string;
}
const data = `'{"grant":"' || g.id || '","sid_key":"' || g.sid_key || '"}'`;

/** A code that is about to be exchanged counts: its client may start a session with it at this very moment. */
const isLive = `g.session_id IS NOT NULL AND g.sid_key IS NOT NULL AND g.ended_at IS NULL
  AND (g.expires_at > CAST($2 AS BIGINT) OR (g.exchanged_at IS NULL AND g.code_expires_at > CAST($2 AS BIGINT)))`;
const parties = `JOIN users u ON u.id = g.user_id AND u.generation = g.user_generation AND u.disabled_at IS NULL
  JOIN clients c ON c.id = g.client_id AND c.generation = g.client_generation AND c.revoked_at IS NULL
  JOIN webhook_endpoints wh ON wh.id = ${logoutEndpointOf('g.client_id')}`;

/** `from` ends with the table of grants; parameters of the conditions follow from `$5` on. One event has one message for a grant. */
function insertWhere(from: string, ...conditions: readonly string[]): string {
  const messages = `SELECT wh.id AS endpoint_id, CAST($1 AS TEXT) || '_' || g.id AS id, CAST($4 AS TEXT) AS type,
      CAST($2 AS BIGINT) AS at, g.user_id, g.client_id, ${data} AS data, CAST($3 AS BIGINT) AS delete_after
    FROM ${from} ${parties} WHERE ${[isLive, ...conditions].join(' AND ')}`;
  return `${insertMessages(messages)} WHERE true LIMIT ${waitingLimit} ON CONFLICT (endpoint_id, id) DO NOTHING`;
}

function statement(sql: string, event: EventRecord, params: readonly Value[]): Statement {
  const { at } = event;
  return { sql, params: [messageId(event), at, at + deliveryLifetime, type, ...params] };
}

/** Whether any client is told: without one, nothing else is looked up. */
const anyoneIsTold = `EXISTS (SELECT 1 FROM webhook_endpoints wh WHERE wh.purpose = 'logout')`;

/**
 * `pairs` selects users and clients, `k.user_id` and `k.client_id`, given a condition; its parameters start at `$5`. `grants` is
 * the condition of a grant `g` to have been alive until now.
 */
export function logoutsWhere(pairs: (isWanted: string) => string, grants: string) {
  const sql = insertWhere(
    `(${pairs(anyoneIsTold)}) AS p JOIN grants g ON g.user_id = p.user_id AND g.client_id = p.client_id`,
    grants,
  );
  return (event: EventRecord, ...ids: readonly string[]) => statement(sql, event, ids);
}

const ofSession = (condition: string) =>
  insertWhere('sessions s JOIN grants g ON g.session_id = s.id', condition, accessIsUnbroken());
const one = ofSession('s.digest = $5');
const ofOthers = ofSession('s.digest = $5 AND s.user_id <> $6');
const ofUser = ofSession('s.user_id = $5 AND s.digest <> $6 AND s.id <> $7');

/** These come before the sessions are deleted. */
export function sessionEnds(event: EventRecord, digest: string): Statement {
  return statement(one, event, [digest]);
}

/** Only if it's another user's: for a person who signs in again, their session goes on. */
export function sessionOfOtherEnds(event: EventRecord, digest: string, userId: string): Statement {
  return statement(ofOthers, event, [digest, userId]);
}

/** All of the user's sessions but one, which is kept under its digest, or under its ID with another digest. */
export function sessionsOfUserEnd(
  event: EventRecord,
  userId: string,
  kept: { readonly digest?: string; readonly id?: string | null } = {},
): Statement {
  return statement(ofUser, event, [userId, kept.digest ?? '', kept.id ?? '']);
}
