// Attributes of people: their definitions, and what becomes of values and of claims when one is changed or deleted. The
// statements that change a person's values are in values-sql.ts.

import type { EventRecord } from '../../protocol/event.ts';
import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import type { attributeFields } from '../../protocol/resources/attribute.ts';
import type { ReadOf } from '../../protocol/resources/resource.ts';
import type { Statement } from '../driver.ts';
import type { Attribute, ClaimsChange } from '../records.ts';
import { attributes } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { lockAdministrators } from '../sql/guards.ts';
import { columns, computed, insertWhere, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { removeValues } from './values-sql.ts';

const rows = recordColumns(attributes, 'deleted_at', 'cleared_to');
const { decode: toAttribute, encode: fromAttribute, set } = rows;
const byName = select([rows.columns], 'FROM attributes at WHERE at.name = $1 AND at.deleted_at IS NULL');
const all = select([rows.columns], 'FROM attributes at WHERE at.deleted_at IS NULL');
const oneDeleted = select(
  [columns(attributes, 'name', 'deleted_at', 'cleared_to')],
  'FROM attributes at WHERE at.deleted_at IS NOT NULL LIMIT 1',
);
const furtherUser = select(
  [computed<{ id: string }>('u.id AS id')],
  'FROM users u WHERE u.id > $1 ORDER BY u.id LIMIT 1 OFFSET $2',
);

/** Rolls back when the limit is reached. */
const insertIfAllowed = insertWhere(
  attributes,
  (_, further) => `WHERE (SELECT COUNT(*) FROM attributes WHERE deleted_at IS NULL) < CAST(${further(0)} AS BIGINT)`,
);

const basisHolds = 'WHERE name = $1 AND created_at = $2 AND updated_at = $3 AND deleted_at IS NULL RETURNING name';

export function sqlAttributes(database: Database) {
  return {
    /** False if the limit is reached. A StorageConflict if the name is taken, or people have values of a deleted one. */
    createAttribute(attribute: Attribute, limit: number, event: EventRecord) {
      const row = { ...fromAttribute(attribute), deleted_at: null, cleared_to: '' };
      return database.writeWith(event, [lockAdministrators, insertIfAllowed(row, limit)]);
    },

    findAttribute: (name: string) => database.first(byName, [name], toAttribute),

    /** By name. */
    async listAttributes() {
      const found = await database.list(all, [], toAttribute);
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    /**
     * Together with claims of clients. False if the attribute is not, or no longer, as `basis` says, a client has started or
     * stopped using it meanwhile, or one of these clients was changed.
     */
    changeAttribute(
      basis: Attribute,
      change: ReadOf<typeof attributeFields>,
      claims: readonly ClaimsChange[],
      now: number,
      events: readonly EventRecord[],
    ) {
      const later = Math.max(now, basis.updatedAt + 1);
      return database.writeWith(events, [
        required(`UPDATE attributes SET updated_at = $4 ${basisHolds}`, [...keyOf(basis), later]),
        ...set(basis.name, change),
        ...claims.map((each) => setClaims(each, now)),
      ]);
    },

    /**
     * Under the conditions of `changeAttribute`. It's gone at once; `clearDeletedAttribute` then removes people's values, and its
     * name can be used again.
     */
    deleteAttribute(basis: Attribute, claims: readonly ClaimsChange[], now: number, events: readonly EventRecord[]) {
      return database.writeWith(events, [
        required(`UPDATE attributes SET deleted_at = $4 ${basisHolds}`, [...keyOf(basis), now]),
        ...claims.map((each) => setClaims(each, now)),
      ]);
    },

    /**
     * Removes values of a deleted attribute from at most so many people, in the order of their IDs: nobody gets a new one. False
     * if there's nothing left to remove.
     */
    async clearDeletedAttribute(limit: number) {
      const [row] = await database.read(oneDeleted, []);
      if (row === undefined) return false;
      const { at_name: name, at_cleared_to: from, at_deleted_at: deletedAt } = row;
      const [last] = await database.read(furtherUser, [from, limit - 1]);
      const advance =
        last === undefined
          ? required('DELETE FROM attributes WHERE name = $1 AND cleared_to = $2 AND deleted_at = $3 RETURNING name', [
              name,
              from,
              deletedAt,
            ])
          : required(
              'UPDATE attributes SET cleared_to = $4 WHERE name = $1 AND cleared_to = $2 AND deleted_at = $3 RETURNING name',
              [name, from, deletedAt, last.id],
            );
      await database.write([advance, removeValues(name, from, last?.id, deletedAt ?? 0)]);
      return true;
    },
  };
}

/**
 * Comes first in a write that gives a client these claims, so that attributes are locked before the client. Rolls back if one is
 * gone, or if people can edit it and the claim doesn't say so. A change of the attribute at the same moment looks at clients again,
 * because this changes its `updated_at`.
 */
export function useInClaims(claims: readonly ApplicationClaim[]): Statement[] {
  const used = claims.flatMap((claim) => (claim.source === 'attribute' ? [claim] : []));
  // In a fixed order, so that two changes don't wait for each other.
  const ordered = used.toSorted((a, b) => (a.attribute.name < b.attribute.name ? -1 : 1));
  return ordered.map(({ attribute: { name, since }, selfAsserted }) =>
    required(
      `UPDATE attributes SET updated_at = updated_at + 1 WHERE name = $1 AND created_at = $2 AND deleted_at IS NULL
        AND (editable_by = 'administrator' OR $3 = 1) RETURNING name`,
      [name, since, selfAsserted ? 1 : 0],
    ),
  );
}

function keyOf({ name, createdAt, updatedAt }: Attribute) {
  return [name, createdAt, updatedAt] as const;
}

/** A group that is renamed or deleted changes claims, but not the client's `updated_at`. */
function setClaims({ client: { id, updatedAt, claims: before }, claims }: ClaimsChange, now: number): Statement {
  return required(
    `UPDATE clients SET claims = $3, updated_at = $4
      WHERE id = $1 AND updated_at = $2 AND claims = $5 RETURNING id`,
    [id, updatedAt, JSON.stringify(claims), Math.max(now, updatedAt + 1), JSON.stringify(before)],
  );
}
