// Reports ended grants to endpoints and, by back-channel logout, to their clients, in the transaction that ends them. A change can end those of many people and applications:
// one statement inserts the messages, from the consents at that time.
//
// Consents count, not grants: an application's own session can outlast its tokens, and the application still has to be told that
// the person lost access. No grant is valid without a consent. What has ended by itself counts until that is written, which
// reports it.

import type { EventRecord } from '../../protocol/event.ts';
import { grantEndReasonOf } from '../../protocol/events/kinds.ts';
import { grantEnded } from '../../protocol/webhooks/messages.ts';
import { deliveryLifetime, waitingLimit } from '../../protocol/webhooks/schedule.ts';
import type { Statement, Value } from '../driver.ts';
import { accessIsUnbroken, accessWasUnbroken, hasAccess, lastChange, lasting } from '../groups/access-conditions.ts';
import { logoutsWhere } from './logout-messages.ts';
import { concerns, insertMessages, messageId, queueMessage, wants } from './outbox-sql.ts';

/** One grant, by its own end. */
export function grantHasEnded(event: EventRecord, grantId: string): Statement {
  const { userId = null, clientId = '' } = event;
  return queueMessage(event, grantEnded({ id: grantId, userId, clientId, reason: grantEndReasonOf(event) }));
}

/**
 * Everyone's, because the client is revoked or deleted: one message, however many there are. Comes before that, and says
 * nothing for a client that is revoked already.
 */
export function grantsOfClientEnd(event: EventRecord, clientId: string): Statement {
  const data = JSON.stringify(grantEnded({ id: null, userId: null, clientId, reason: grantEndReasonOf(event) }).data);
  const { at } = event;
  return { sql: ofClient, params: [`${messageId(event)}_grants`, at, at + deliveryLifetime, data, clientId] };
}

const type = `'grant.ended'`;
/** Placeholders for IDs, which have letters, digits, hyphens and underscores. */
const inPlaceOf = { user: ':user', client: ':client' };

function paramsOf(event: EventRecord): Value[] {
  const { user, client } = inPlaceOf;
  const { data } = grantEnded({ id: null, userId: user, clientId: client, reason: grantEndReasonOf(event) });
  return [messageId(event), event.at, event.at + deliveryLifetime, JSON.stringify(data)];
}

/** Skips the search if no endpoint subscribes to it. */
const isWanted = `EXISTS (SELECT 1 FROM webhook_endpoints wh WHERE ${wants(type)})`;
const isConnected = `c.id = k.client_id AND c.generation = k.client_generation AND c.revoked_at IS NULL`;

/**
 * `condition` has the IDs as parameters from `$5` on, and `grants` says which grants were alive. No more than may wait for an
 * endpoint.
 */
function endedWhere<Ids extends readonly string[]>(condition: string, grants = accessWasUnbroken) {
  const connectedIf = (
    isWanted: string,
  ) => `SELECT k.user_id, k.client_id FROM consents k JOIN clients c ON ${isConnected}
    JOIN users u ON u.id = k.user_id AND u.disabled_at IS NULL
    WHERE ${isWanted} AND ${condition} LIMIT ${waitingLimit}`;
  const sql = insertMessages(`SELECT wh.id AS endpoint_id,
      CAST($1 AS TEXT) || '_' || p.user_id || '_' || p.client_id AS id, ${type} AS type, CAST($2 AS BIGINT) AS at,
      p.user_id, p.client_id, CAST($3 AS BIGINT) AS delete_after,
      REPLACE(REPLACE(CAST($4 AS TEXT), '${inPlaceOf.user}', p.user_id), '${inPlaceOf.client}', p.client_id) AS data
    FROM (${connectedIf(isWanted)}) AS p CROSS JOIN webhook_endpoints wh
    WHERE ${concerns('p.client_id')} AND ${wants(type)}`);
  const logouts = logoutsWhere(connectedIf, grants);
  return (event: EventRecord, ...ids: Ids): Statement[] => [
    { sql, params: [...paramsOf(event), ...ids] },
    logouts(event, ...ids),
  ];
}

const hasLostAccess = `c.access = 'listed' AND NOT ${hasAccess('k.user_id')}`;
const endedNow = (alias: string) => `${alias}.ended_by = ${lastChange} AND ${alias}.began_with < ${alias}.ended_by`;
const lasts = (alias: string) => `${alias}.ended_by = ${lasting}`;
const listing = (kind: 'everyone' | 'person' | 'group', subject: string) =>
  `SELECT 1 FROM client_access ca WHERE ca.client_id = $5 AND ca.kind = '${kind}' AND ca.subject_id = ${subject}
    AND ${endedNow('ca')}`;
const clientsOfGroup = `SELECT ca.client_id FROM client_access ca
  WHERE ca.kind = 'group' AND ca.subject_id = $5 AND ${lasts('ca')}`;
const membersOf = (group: string) =>
  `SELECT gm.user_id FROM group_members gm WHERE gm.group_id = ${group} AND ${lasts('gm')}`;

/** All of the user's connected apps. Has to come before anything ends. */
export const grantsOfUserEnd = endedWhere<[userId: string]>(
  `k.user_id = $5 AND ${hasAccess('k.user_id')}`,
  accessIsUnbroken(),
);
/** The user's grants for one client. Has to come before anything ends. */
export const grantsOfPairEnd = endedWhere<[userId: string, clientId: string]>(
  `k.user_id = $5 AND k.client_id = $6 AND ${hasAccess('k.user_id')}`,
  accessIsUnbroken(),
);
/** Those of a user who was on the client's list. This and the following come after a change of access, at its end. */
export const personLosesAccess = endedWhere<[clientId: string, userId: string]>(
  `k.client_id = $5 AND k.user_id = $6 AND EXISTS (${listing('person', '$6')}) AND ${hasLostAccess}`,
);
export const groupLosesAccess = endedWhere<[clientId: string, groupId: string]>(
  `k.client_id = $5 AND k.user_id IN (${membersOf('$6')}) AND EXISTS (${listing('group', '$6')}) AND ${hasLostAccess}`,
);
/** Those of users who aren't on the list, when the client was open to everyone before. */
export const everyoneLosesAccess = endedWhere<[clientId: string]>(
  `k.client_id = $5 AND EXISTS (${listing('everyone', "''")}) AND ${hasLostAccess}`,
);
export const memberLosesAccess = endedWhere<[groupId: string, userId: string]>(
  `k.user_id = $6 AND k.client_id IN (${clientsOfGroup})
    AND EXISTS (SELECT 1 FROM group_members gm WHERE gm.group_id = $5 AND gm.user_id = $6 AND ${endedNow('gm')})
    AND ${hasLostAccess}`,
);
/** Those whom this change removes from the group. What it ended is found by that: the group can have many members. */
export const removedLoseAccess = endedWhere<[groupId: string]>(
  `k.client_id IN (${clientsOfGroup}) AND k.user_id IN (SELECT gm.user_id FROM group_members gm
      WHERE gm.group_id || '' = $5 AND ${endedNow('gm')} AND gm.ended_by < ${lasting})
    AND ${hasLostAccess}`,
);
export const membersLoseAccess = endedWhere<[groupId: string]>(
  `k.client_id IN (${clientsOfGroup}) AND k.user_id IN (${membersOf('$5')}) AND ${hasLostAccess}`,
);
const ofClient = insertMessages(`SELECT wh.id AS endpoint_id, CAST($1 AS TEXT) AS id, ${type} AS type,
    CAST($2 AS BIGINT) AS at, CAST(NULL AS TEXT) AS user_id, CAST($5 AS TEXT) AS client_id,
    CAST($4 AS TEXT) AS data, CAST($3 AS BIGINT) AS delete_after
  FROM webhook_endpoints wh WHERE ${concerns('$5')} AND ${wants(type)}
    AND EXISTS (SELECT 1 FROM clients c JOIN consents k ON ${isConnected} WHERE c.id = $5)`);
