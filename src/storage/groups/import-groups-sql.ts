// The groups that imported people join, in the write that creates the people: they're as new as their membership, so nobody has to
// be told of it, and they have no access yet that this could bring back.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { NewGroup } from '../records.ts';
import type { Database } from '../sql/database.ts';
import { computed, perEngine, select, statementFor } from '../sql/query.ts';
import { insertEvents } from '../webhooks/outbox-sql.ts';
import { lastChange, lasting, nextChange } from './access-conditions.ts';
import { insertGroup } from './groups-sql.ts';
import { namedIds, textList } from './named-ids.ts';

/** A group that is there, by a key that was asked for. */
export interface NamedByKey {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  /** Whether the key is its ID. */
  readonly isId: boolean;
  /** Whether it's protected, is on the list of an application, or has its name in a claim. */
  readonly decides: boolean;
  /** Whether it's a directory's. */
  readonly isManaged: boolean;
}

/** Who joins which group. */
export interface ImportedGroup {
  readonly id: string;
  /** With its event, for a group that doesn't exist. */
  readonly created?: { readonly group: NewGroup; readonly event: EventRecord };
  readonly userIds: readonly string[];
  /** Whether people join it although it decides about something. */
  readonly evenIfItDecides: boolean;
}

/** An application that gets the names of all groups learns of this one as well, unless it's newer than the import itself. */
const decides = (since: string) => `(gr.protected_since IS NOT NULL
  OR EXISTS (SELECT 1 FROM client_access ca WHERE ca.kind = 'group' AND ca.subject_id = gr.id AND ca.ended_by = ${lasting})
  OR EXISTS (SELECT 1 FROM clients c WHERE c.claims <> '[]' AND (c.claims LIKE '%"id":"' || gr.id || '"%'
    OR gr.created_at < CAST(${since} AS BIGINT) AND c.claims LIKE '%"groups":null%')))`;

interface KeyRow {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly is_id: number;
  readonly decides: number;
  readonly managed: number;
}

const byKeys = perEngine((engine) => {
  const found = (isId: 0 | 1, match: string) => `SELECT n.id AS key, gr.id, gr.name, ${isId} AS is_id,
      CASE WHEN ${decides('$2')} THEN 1 ELSE 0 END AS decides, CASE WHEN gr.managed_by IS NULL THEN 0 ELSE 1 END AS managed
    FROM ${namedIds(engine, '$1')} n CROSS JOIN groups gr WHERE ${match} AND gr.ended_by = ${lasting}`;
  return select(
    [computed<KeyRow>('t.key, t.id, t.name, t.is_id, t.decides, t.managed')],
    `FROM (${found(0, 'gr.name_key = n.id')} UNION ALL ${found(1, 'gr.id = n.id')}) AS t`,
  );
});

const hold = `UPDATE groups AS gr SET updated_at = $2
  WHERE gr.id = $1 AND gr.ended_by = ${lasting} AND (CAST($3 AS BIGINT) = 1 OR NOT ${decides('$4')}) RETURNING id`;
const join = statementFor(
  (engine) => `INSERT INTO group_members (group_id, user_id, began_with, ended_by, began_at)
    SELECT CAST($1 AS TEXT), n.id, ${lastChange}, ${lasting}, CAST($3 AS BIGINT) FROM ${namedIds(engine, '$2')} n`,
);

export function sqlImportGroups(database: Database) {
  return {
    /** Groups that have one of these keys (`groupKey`) as their name or ID; `since` is when the import began. */
    findGroupsByKeys: (keys: readonly string[], since: number): Promise<NamedByKey[]> =>
      database.list(byKeys, [textList(keys), since], (row) => ({
        key: row.key,
        id: row.id,
        name: row.name,
        isId: row.is_id === 1,
        decides: row.decides === 1,
        isManaged: row.managed === 1,
      })),
  };
}

/** What a write begins with that ends with `joinImported`. */
export function beforeImportedJoin(groups: readonly ImportedGroup[]): Statement[] {
  return groups.length === 0 ? [] : [nextChange];
}

/** Rolls back if a group is gone, or decides about something by now. */
export function joinImported(groups: readonly ImportedGroup[], now: number, since: number): Statement[] {
  return groups.flatMap(({ id, created, userIds, evenIfItDecides }) => [
    ...(created === undefined
      ? [{ sql: hold, params: [id, now, evenIfItDecides ? 1 : 0, since], mustReturn: true } satisfies Statement]
      : [
          ...insertGroup({ protectedSince: null, managedBy: null, externalId: null, ...created.group }),
          ...insertEvents([created.event]),
        ]),
    join(id, textList(userIds), now),
  ]);
}
