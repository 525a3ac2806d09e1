// Requests for access to an application. Each is decided about once: of an approval and a decline at the same moment, on any
// instances, one takes place. A person's row is locked first, so that of several requests at once each sees the others, and so that
// nobody is let in who is being disabled.

import type { RequestStatus } from '../../protocol/account/access-requests.ts';
import type { Actor, EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { access, nextChange } from '../groups/access-conditions.ts';
import type { ListPart, PagePosition } from '../paging.ts';
import type { AccessChange, AccessRequest } from '../records.ts';
import { accessRequests, clients, users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { pageOf, type Walk, type WalkCondition, walk } from '../sql/lists/walk.ts';
import { insertEmail, type NewEmail } from '../sql/mail.ts';
import { columns, computed, countOf, insertInto, required, select, statementFor } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { insertEvent } from '../webhooks/outbox-sql.ts';
import { changeStatements } from './access-list-sql.ts';

const request = recordColumns(accessRequests, 'told');
const insertRow = insertInto(accessRequests);
const people = columns(users, 'id', 'name', 'email', 'locale');
const applications = columns(clients, 'id', 'name');
const listed = [request.columns, people, applications] as const;
type ListedRow = Parameters<typeof request.decode>[0] & {
  readonly u_id: string;
  readonly u_name: string;
  readonly u_email: string;
  readonly u_locale: string | null;
  readonly c_id: string;
  readonly c_name: string;
};
const joined = 'access_requests ar CROSS JOIN users u CROSS JOIN clients c';
const isJoined = 'u.id = ar.user_id AND c.id = ar.client_id';
const isOpen = "status = 'open'";

const byId = select(listed, `FROM ${joined} WHERE ar.id = $1 AND ${isJoined}`);
const ofUser = select(
  [request.columns, applications],
  'FROM access_requests ar JOIN clients c ON c.id = ar.client_id WHERE ar.user_id = $1 ORDER BY ar.id DESC',
);
const latest = select(
  [request.columns],
  'FROM access_requests ar WHERE ar.user_id = $1 AND ar.client_id = $2 ORDER BY ar.id DESC LIMIT 1',
);
const askedSince = countOf('FROM access_requests ar WHERE ar.user_id = $1 AND ar.asked_at > $2');
const overdue = select(
  [request.columns],
  `FROM access_requests ar WHERE ar.${isOpen} AND ar.asked_at <= $1 ORDER BY ar.id LIMIT $2`,
);
const untold = select(
  [computed<{ one: number }>('1 AS one')],
  `FROM access_requests ar WHERE ar.${isOpen} AND ar.told = 0 AND ar.asked_at <= $1 LIMIT 1`,
);
const waitingByClient = select(
  [
    computed<{ client_id: string; waiting: number; newest: number; untold: number }>(
      `ar.client_id AS client_id, CAST(COUNT(*) AS BIGINT) AS waiting, MAX(ar.asked_at) AS newest,
      CAST(SUM(CASE WHEN ar.told = 0 THEN 1 ELSE 0 END) AS BIGINT) AS untold`,
    ),
  ],
  `FROM access_requests ar WHERE ar.${isOpen} AND ar.asked_at <= $1 GROUP BY ar.client_id`,
);
const toldAt = select([columns(users, 'requests_told_at')], 'FROM users u WHERE u.id = $1');

/** Rolls back unless the user can sign in. */
function lockActive(userId: string, now: number): Statement {
  const sql = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND disabled_at IS NULL
    AND (expires_at IS NULL OR expires_at > CAST($2 AS BIGINT)) RETURNING id`;
  return required(sql, [userId, now]);
}

/** Rolls back unless the client lets people ask who can't use it, and the user can't. Nobody deletes it until the write is over. */
const lockAskable = statementFor(
  (engine) => `UPDATE clients AS c SET updated_at = updated_at WHERE c.id = $1 AND c.access_requests = 'on'
    AND c.revoked_at IS NULL AND NOT ${access[engine].hasAccess('$2', '$3')} RETURNING id`,
);
const mayAsk = `SELECT 1 AS one WHERE NOT EXISTS (SELECT 1 FROM access_requests ar WHERE ar.user_id = $1 AND ar.client_id = $2
    AND (ar.${isOpen} OR (ar.status = 'declined' AND ar.decided_at > CAST($3 AS BIGINT))))
  AND (SELECT COUNT(*) FROM access_requests ar WHERE ar.user_id = $1 AND ar.asked_at > CAST($4 AS BIGINT)) < CAST($5 AS BIGINT)`;
const decide = `UPDATE access_requests SET status = $2, decided_at = $3, decided_by_kind = $4, decided_by_id = $5, expires_at = $6
  WHERE id = $1 AND ${isOpen} AND asked_at > $7 RETURNING id`;
const expire = `UPDATE access_requests SET status = 'expired', decided_at = $2
  WHERE id = $1 AND ${isOpen} AND asked_at <= $3 RETURNING id`;
const takeTurn = `UPDATE users SET requests_told_at = $2
  WHERE id = $1 AND (requests_told_at <= $3 OR requests_told_at > $4) AND disabled_at IS NULL RETURNING id`;
const noteTold = `UPDATE access_requests SET told = 1 WHERE client_id = $1 AND ${isOpen} AND told = 0 AND asked_at <= $2`;

/** What a list is limited to. */
export interface RequestFilters {
  readonly status?: RequestStatus | undefined;
  readonly clientId?: string | undefined;
  readonly userId?: string | undefined;
  /** Those that were asked later. */
  readonly askedAfter?: number | undefined;
  /** Those of these clients alone. */
  readonly among?: readonly string[] | undefined;
}

export interface ListedRequest extends AccessRequest {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly locale: string | null;
  };
  readonly application: { readonly id: string; readonly name: string };
}

/** What keeps someone from asking too often. */
export interface AskLimits {
  /** A request that was declined at this time or before can be repeated. */
  readonly declinedBefore: number;
  /** So many can be asked since then. */
  readonly since: number;
  readonly most: number;
}

export interface RequestDecision {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly by: Actor | undefined;
  readonly at: number;
  /** One that was asked at this time or before has ended. */
  readonly askedAfter: number;
  /** Of the access that is given. */
  readonly expiresAt: number | null;
}

export function sqlAccessRequests(database: Database) {
  return {
    /**
     * False if the client doesn't let people ask, or the user can use it, can't sign in, has an open request for it, was declined
     * lately or has asked too often.
     */
    askForAccess(asked: AccessRequest, { declinedBefore, since, most }: AskLimits, event: EventRecord) {
      const { userId, clientId, askedAt } = asked;
      return database.writeWith(event, [
        { ...lockAskable(clientId, userId, askedAt), mustReturn: true },
        lockActive(userId, askedAt),
        required(mayAsk, [userId, clientId, declinedBefore, since, most]),
        insertRow({ ...request.encode(asked), told: 0 }),
      ]);
    },

    findAccessRequest: (id: string) => database.first(byId, [id], toListed),

    /** The user's last request for the client. */
    findLatestRequest: (userId: string, clientId: string) => database.first(latest, [userId, clientId], request.decode),

    countRequestsSince: (userId: string, since: number) => database.count(askedSince, [userId, since]),

    /** All of a user's, newest first, with the client's name. */
    listRequestsOf: (userId: string) =>
      database.list(ofUser, [userId], (row) => ({ ...request.decode(row), application: row.c_name })),

    /** Newest first. */
    async pageAccessRequests(part: ListPart, filters: RequestFilters = {}) {
      const rows = await walk(database, both(listed), newestFirst(filters), part);
      return pageOf(rows, part, toListed, (_, { id }): PagePosition => ['', id]);
    },

    /** Up to a limit. */
    async countAccessRequests(filters: RequestFilters, most: number) {
      const rows = await walk(database, computed<{ one: number }>('1 AS one'), newestFirst(filters), {
        after: undefined,
        limit: most,
      });
      return rows.length;
    },

    /**
     * Lets the user in, and queues the emails. False if it was decided before, has ended, or the user can't sign in; like
     * `changeAccess` for an unknown client and while an end isn't written.
     */
    allowRequest(decision: RequestDecision, change: AccessChange, event: EventRecord, emails: readonly NewEmail[]) {
      const { userId, clientId, at } = decision;
      return database.write([
        nextChange,
        lockActive(userId, at),
        decided(decision, 'allowed'),
        ...changeStatements(clientId, change, at),
        ...insertEvent(event),
        ...emails.map(insertEmail),
      ]);
    },

    /** False if it was decided before, or has ended. */
    declineRequest(decision: RequestDecision, event: EventRecord, emails: readonly NewEmail[]) {
      return database.writeWith(event, [decided(decision, 'declined'), ...emails.map(insertEmail)]);
    },

    /** Open ones that were asked at this time or before, oldest first. */
    listOverdueRequests: (askedBy: number, limit: number) => database.list(overdue, [askedBy, limit], request.decode),

    /** Ends one that was asked at this time or before. False if it isn't open any more. */
    expireRequest: (id: string, endedAt: number, askedBy: number, event: EventRecord) =>
      database.writeWith(event, [required(expire, [id, endedAt, askedBy])]),

    /** Whether there's an open request, asked by then, of which not everyone was told who decides about it. */
    hasUntoldRequests: async (askedBy: number) => (await database.read(untold, [askedBy])).length > 0,

    /** The clients with open requests that were asked by then: how many, when the last one was asked, and how many weren't told. */
    listWaitingByClient: (askedBy: number) =>
      database.list(waitingByClient, [askedBy], ({ client_id: clientId, ...counts }) => ({ clientId, ...counts })),

    /** Up to when requests were listed in the last email to the user; 0 if there was none. */
    async findRequestsToldAt(userId: string) {
      return (await database.first(toldAt, [userId], (row) => row.u_requests_told_at)) ?? 0;
    },

    /** Queues an email that lists what was asked until then. False if there was another one in the interval before. */
    queueRequestsNotice(userId: string, until: number, interval: number, emails: readonly NewEmail[]) {
      const turn = required(takeTurn, [userId, until, until - interval, until + interval]);
      return database.write([turn, ...emails.map(insertEmail)]);
    },

    /** Everyone who decides about the client's requests was told of those that were asked by then. */
    noteRequestsTold: (clientId: string, askedBy: number) =>
      database.write([{ sql: noteTold, params: [clientId, askedBy] }]),
  };
}

function decided({ id, by, at, askedAfter, expiresAt }: RequestDecision, status: RequestStatus): Statement {
  return required(decide, [id, status, at, by?.kind ?? null, by?.id ?? null, expiresAt, askedAfter]);
}

function newestFirst({ status, clientId, userId, askedAfter, among }: RequestFilters): Walk {
  const is = (column: string, value: string | undefined): WalkCondition[] =>
    value === undefined ? [] : [(place) => `ar.${column} = ${place(value)}`];
  const isLater: WalkCondition[] = askedAfter === undefined ? [] : [(place) => `ar.asked_at > ${place(askedAfter)}`];
  const isAmong: WalkCondition[] =
    among === undefined ? [] : [(place) => (among.length === 0 ? '1 = 0' : `ar.client_id IN (${among.map(place)})`)];
  return {
    from: joined,
    conditions: [
      () => isJoined,
      ...is('status', status),
      ...is('client_id', clientId),
      ...is('user_id', userId),
      ...isLater,
      ...isAmong,
    ],
    key: ['ar.id'],
    descending: true,
    valuesAt: ([, id]) => [id],
  };
}

function both<A extends object, B extends object, C extends object>([a, b, c]: readonly [
  { readonly list: string; readonly row?: A },
  { readonly list: string; readonly row?: B },
  { readonly list: string; readonly row?: C },
]) {
  return computed<A & B & C>([a, b, c].map(({ list }) => list).join(', '));
}

function toListed(row: ListedRow): ListedRequest {
  const { u_id: id, u_name: name, u_email: email, u_locale: locale } = row;
  return {
    ...request.decode(row),
    person: { id, name, email, locale },
    application: { id: row.c_id, name: row.c_name },
  };
}

/** Of a client that is deleted. */
export const forgetRequests = 'DELETE FROM access_requests WHERE client_id = $1';
