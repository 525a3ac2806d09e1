// Upstreams and their icons. Who has an identity at one is in identities.ts.

import { mostCounted, type Total } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { UpstreamPeople } from '../listed-records.ts';
import type { Logo, Upstream, UpstreamChange } from '../records.ts';
import { upstreamIcons, upstreams } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { columnsExcept, computed, countOf, insertWhere, replaceIn, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { fromLogo, toLogo } from '../sql/rows.ts';
import { hasWayIn } from './ways-in-sql.ts';

const { columns, decode: toUpstream, encode: fromUpstream, set } = recordColumns(upstreams);
const byName = select([columns], 'FROM upstreams up WHERE up.name = $1');
const oldestFirst = select([columns], 'FROM upstreams up ORDER BY up.created_at, up.name');
const iconOf = select(
  [columnsExcept(upstreamIcons, 'upstream')],
  'FROM upstream_icons i WHERE i.upstream = $1 AND i.version = $2',
);
/** Of so many, the other ways to sign in are looked up. */
const mostLookedUp = 5000;
/** An identity more than are counted says that there are more. */
const someIdentities = (most: number) =>
  `(SELECT id.user_id FROM identities id WHERE id.issuer = $1 LIMIT ${most + 1}) AS o`;
const linked = select(
  [computed<{ read: number; people: number }>('COUNT(*) AS read, COUNT(DISTINCT o.user_id) AS people')],
  `FROM ${someIdentities(mostCounted)}`,
);
const withoutOtherWay = countOf(`FROM (SELECT DISTINCT o.user_id FROM ${someIdentities(mostLookedUp)}) AS p
  JOIN users u ON u.id = p.user_id WHERE NOT ${hasWayIn('u', 'o.issuer <> $1')}`);
const replaceIcon = replaceIn(upstreamIcons);

/** Rolls back when the limit is reached. */
const insertIfAllowed = insertWhere(
  upstreams,
  (_, further) => `WHERE (SELECT COUNT(*) FROM upstreams) < CAST(${further(0)} AS BIGINT)`,
);

export function sqlUpstreams(database: Database) {
  async function countLinkedPeople(issuer: string): Promise<Total> {
    const [row] = await database.read(linked, [issuer]);
    return { count: Math.min(row?.people ?? 0, mostCounted), more: (row?.read ?? 0) > mostCounted };
  }

  return {
    /** False if the limit is reached. A name or issuer that is taken is a StorageConflict. */
    createUpstream(upstream: Upstream, icon: Logo | undefined, limit: number, event: EventRecord) {
      return database.writeWith(event, [
        insertIfAllowed(fromUpstream(upstream), limit),
        ...setIcon(upstream.name, icon),
      ]);
    },

    findUpstream: (name: string) => database.first(byName, [name], toUpstream),

    /** Oldest first. */
    listUpstreams: () => database.list(oldestFirst, [], toUpstream),

    /** False if there's no such upstream, or it was changed after `updatedAt`. */
    changeUpstream(
      basis: Pick<Upstream, 'name' | 'updatedAt'>,
      { icon, ...values }: UpstreamChange,
      now: number,
      event: EventRecord,
    ) {
      const update = required(
        'UPDATE upstreams SET updated_at = $3 WHERE name = $1 AND updated_at = $2 RETURNING name',
        [basis.name, basis.updatedAt, Math.max(now, basis.updatedAt + 1)],
      );
      return database.writeWith(event, [update, ...set(basis.name, values), ...setIcon(basis.name, icon)]);
    },

    /** It's no way to sign in any more; its identities are kept. False if it's unknown or disabled already. */
    disableUpstream(name: string, now: number, event: EventRecord) {
      const sql =
        'UPDATE upstreams SET disabled_at = $2, updated_at = $2 WHERE name = $1 AND disabled_at IS NULL RETURNING name';
      return database.writeWith(event, [required(sql, [name, now])]);
    },

    enableUpstream(name: string, now: number, event: EventRecord) {
      const sql = `UPDATE upstreams SET disabled_at = NULL, updated_at = $2
        WHERE name = $1 AND disabled_at IS NOT NULL RETURNING name`;
      return database.writeWith(event, [required(sql, [name, now])]);
    },

    /** Also deletes its identities; no client and no setting sends people there any more, and no directory's people come from there. */
    deleteUpstream(name: string, event: EventRecord) {
      return database.writeWith(event, [
        {
          sql: 'DELETE FROM identities WHERE issuer IN (SELECT issuer FROM upstreams WHERE name = $1)',
          params: [name],
        },
        required('DELETE FROM upstreams WHERE name = $1 RETURNING name', [name]),
        { sql: 'DELETE FROM upstream_icons WHERE upstream = $1', params: [name] },
        ...['clients', 'scim_tokens'].map((each) => ({
          sql: `UPDATE ${each} SET upstream = NULL WHERE upstream = $1`,
          params: [name],
        })),
        // An upstream that gets this name later doesn't become the default by that.
        {
          sql: "DELETE FROM settings WHERE name = 'default_upstream' AND value = $1",
          params: [JSON.stringify(name)],
        },
      ]);
    },

    findUpstreamIcon: (name: string, version: string) => database.first(iconOf, [name, version], toLogo),

    countLinkedPeople,

    async countUpstreamPeople(issuer: string): Promise<UpstreamPeople> {
      const [all, stuck] = await Promise.all([countLinkedPeople(issuer), database.count(withoutOtherWay, [issuer])]);
      return { all, withoutOtherWay: { count: stuck, more: all.count > mostLookedUp } };
    },
  };
}

/** Undefined leaves the icon unchanged. */
function setIcon(name: string, icon: Logo | null | undefined): Statement[] {
  if (icon === undefined) return [];
  const note = {
    sql: 'UPDATE upstreams SET icon_version = $2 WHERE name = $1',
    params: [name, icon?.version ?? null],
  };
  if (icon === null) return [note, { sql: 'DELETE FROM upstream_icons WHERE upstream = $1', params: [name] }];
  return [note, replaceIcon({ upstream: name, ...fromLogo(icon) })];
}
