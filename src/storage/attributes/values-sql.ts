// The statements that change people's values. A change is merged by the statement itself, so that two of them at the same
// moment both take place, and holds the attributes that it was checked by until it's stored.

import type { AttributePatch } from '../../protocol/account/attribute-values.ts';
import type { Engine, Statement } from '../driver.ts';
import type { Attribute, AttributeChange } from '../records.ts';
import { required } from '../sql/query.ts';

/** Merges as RFC 7396 says: null removes a value, and a list replaces the one before. */
const merged = {
  embedded: 'json_patch(attributes, $2)',
  server: 'CAST(jsonb_strip_nulls(CAST(attributes AS jsonb) || CAST($2 AS jsonb)) AS TEXT)',
};

function perEngine(text: (engine: Engine) => string): Pick<Statement, 'sql' | 'serverSql'> {
  return { sql: text('embedded'), serverSql: text('server') };
}

const merge = perEngine(
  (engine) => `UPDATE users SET attributes = ${merged[engine]}, updated_at = $3 WHERE id = $1 RETURNING id`,
);
/** Not back in time: a person may have been changed since the attribute was deleted. */
const later = 'CASE WHEN updated_at < $3 THEN $3 ELSE updated_at END';
const has = {
  embedded: "json_type(attributes, '$.' || $4) IS NOT NULL",
  server: 'jsonb_exists(CAST(attributes AS jsonb), $4)',
};
const removal = (upTo: string) =>
  perEngine(
    (engine) => `UPDATE users SET attributes = ${merged[engine]}, updated_at = ${later}
      WHERE id > $1${upTo} AND attributes <> '{}' AND ${has[engine]}`,
  );
const removeAll = removal('');
const removeSome = removal(' AND id <= $5');

const checked = `SELECT name FROM attributes WHERE name = $1 AND created_at = $2 AND deleted_at IS NULL
  AND allowed_values = $3 AND editable_by = $4`;

/** Rolls back unless the attributes are as they were when values were checked; they stay so until the write is over. */
export function valueGuards(attributes: readonly Attribute[]): Statement[] {
  // In a fixed order, so that two changes don't wait for each other.
  const ordered = attributes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return ordered.map(({ name, createdAt, allowedValues, editableBy }) => ({
    ...required(checked, [name, createdAt, JSON.stringify(allowedValues), editableBy]),
    serverSql: `${checked} FOR SHARE`,
  }));
}

/** Rolls back if there's no such user. */
export function changeValues(userId: string, { patch, checkedBy }: AttributeChange, now: number): Statement[] {
  return [...valueGuards(checkedBy), { ...merge, params: [userId, JSON.stringify(patch), now], mustReturn: true }];
}

/** Removes the values of those users after `from` and up to `to`, in the order of IDs; without `to`, of all of them. */
export function removeValues(name: string, from: string, to: string | undefined, at: number): Statement {
  const patch: AttributePatch = { [name]: null };
  const params = [from, JSON.stringify(patch), at];
  return to === undefined
    ? { ...removeAll, params: [...params, name] }
    : { ...removeSome, params: [...params, name, to] };
}
