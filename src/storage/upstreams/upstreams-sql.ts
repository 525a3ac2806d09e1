// Upstreams and their icons. Who has an identity at one is in identities.ts.

import type { Statement, Value } from '../driver.ts';
import { insertEvent } from '../events/events-sql.ts';
import type { Logo } from '../records.ts';
import { type SelectedRow, type StoredRow, upstreamIcons, upstreams } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { columnNames, columns, columnsExcept, computed, replaceIn, required, select } from '../sql/query.ts';
import { fromLogo, toLogo } from '../sql/rows.ts';
import type { Upstream, UpstreamChange, Upstreams } from '../storage.ts';
import { hasOtherWayIn } from './ways-in-sql.ts';

const byName = select([columns(upstreams)], 'FROM upstreams up WHERE up.name = $1');
const oldestFirst = select([columns(upstreams)], 'FROM upstreams up ORDER BY up.created_at, up.name');
const iconOf = select(
  [columnsExcept(upstreamIcons, 'upstream')],
  'FROM upstream_icons i WHERE i.upstream = $1 AND i.version = $2',
);
const people = select(
  [
    computed<{ everybody: number; stranded: number }>(`CAST(COUNT(*) AS BIGINT) AS everybody,
      CAST(COALESCE(SUM(CASE WHEN p.other_way THEN 0 ELSE 1 END), 0) AS BIGINT) AS stranded`),
  ],
  `FROM (SELECT DISTINCT u.id, ${hasOtherWayIn('u', 'o.issuer <> $1')} AS other_way
    FROM identities id JOIN users u ON u.id = id.user_id WHERE id.issuer = $1) AS p`,
);
const replaceIcon = replaceIn(upstreamIcons);

/** Rolls back when the limit is reached. */
const insertIfAllowed = (() => {
  const names = columnNames(upstreams);
  const values = names.map((name, index) => `CAST($${index + 1} AS ${upstreams.columns[name].sql})`);
  const sql = `INSERT INTO upstreams (${names.join(', ')}) SELECT ${values.join(', ')}
    WHERE (SELECT COUNT(*) FROM upstreams) < CAST($${names.length + 1} AS BIGINT) RETURNING name`;
  return (row: StoredRow<typeof upstreams>, limit: number): Statement =>
    required(sql, [...names.map((name) => row[name]), limit]);
})();

export function sqlUpstreams(database: Database): Upstreams {
  return {
    createUpstream(upstream, icon, limit, event) {
      return database.write([
        insertIfAllowed(fromUpstream(upstream), limit),
        ...setIcon(upstream.name, icon),
        ...insertEvent(event),
      ]);
    },

    async findUpstream(name) {
      const [row] = await database.read(byName, [name]);
      return row && toUpstream(row);
    },

    async listUpstreams() {
      return (await database.read(oldestFirst, [])).map(toUpstream);
    },

    changeUpstream(basis, change, now, event) {
      const update = required(
        `UPDATE upstreams SET client_id = COALESCE($3, client_id), sealed_secret = COALESCE($4, sealed_secret),
          scopes = COALESCE($5, scopes), label = COALESCE($6, label), allowed_domains = COALESCE($7, allowed_domains),
          trusted_domains = COALESCE($8, trusted_domains), routes_domains = COALESCE($9, routes_domains),
          creates_accounts = COALESCE($10, creates_accounts), trusted_amr = COALESCE($11, trusted_amr),
          trusted_acr = COALESCE($12, trusted_acr), metadata = COALESCE($13, metadata), updated_at = $14
          WHERE name = $1 AND updated_at = $2 RETURNING name`,
        [basis.name, basis.updatedAt, ...changedValues(change), Math.max(now, basis.updatedAt + 1)],
      );
      return database.write([update, ...setIcon(basis.name, change.icon), ...insertEvent(event)]);
    },

    disableUpstream(name, now, event) {
      const sql =
        'UPDATE upstreams SET disabled_at = $2, updated_at = $2 WHERE name = $1 AND disabled_at IS NULL RETURNING name';
      return database.write([required(sql, [name, now]), ...insertEvent(event)]);
    },

    enableUpstream(name, now, event) {
      const sql = `UPDATE upstreams SET disabled_at = NULL, updated_at = $2
        WHERE name = $1 AND disabled_at IS NOT NULL RETURNING name`;
      return database.write([required(sql, [name, now]), ...insertEvent(event)]);
    },

    deleteUpstream(name, event) {
      return database.write([
        {
          sql: 'DELETE FROM identities WHERE issuer IN (SELECT issuer FROM upstreams WHERE name = $1)',
          params: [name],
        },
        required('DELETE FROM upstreams WHERE name = $1 RETURNING name', [name]),
        { sql: 'DELETE FROM upstream_icons WHERE upstream = $1', params: [name] },
        { sql: 'UPDATE clients SET upstream = NULL WHERE upstream = $1', params: [name] },
        // A new upstream with this name must not become the default by that.
        {
          sql: "DELETE FROM settings WHERE name = 'default_upstream' AND value = $1",
          params: [JSON.stringify(name)],
        },
        ...insertEvent(event),
      ]);
    },

    async findUpstreamIcon(name, version) {
      const [row] = await database.read(iconOf, [name, version]);
      return row && toLogo(row);
    },

    async countUpstreamPeople(issuer) {
      const [row] = await database.read(people, [issuer]);
      return { all: row?.everybody ?? 0, withoutOtherWay: row?.stranded ?? 0 };
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

function changedValues(change: UpstreamChange): Value[] {
  const list = (values: readonly string[] | undefined) => values?.join(' ') ?? null;
  const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value));
  return [
    change.clientId ?? null,
    change.sealedSecret ?? null,
    list(change.scopes),
    change.label ?? null,
    list(change.allowedDomains),
    list(change.trustedDomains),
    flag(change.routesDomains),
    flag(change.createsAccounts),
    list(change.trustedAmr),
    list(change.trustedAcr),
    change.metadata === undefined ? null : JSON.stringify(change.metadata),
  ];
}

function toUpstream(row: SelectedRow<typeof upstreams>): Upstream {
  return {
    name: row.up_name,
    kind: row.up_kind,
    issuer: row.up_issuer,
    clientId: row.up_client_id,
    sealedSecret: row.up_sealed_secret,
    scopes: words(row.up_scopes),
    label: row.up_label,
    allowedDomains: words(row.up_allowed_domains),
    trustedDomains: words(row.up_trusted_domains),
    routesDomains: row.up_routes_domains === 1,
    createsAccounts: row.up_creates_accounts === 1,
    trustedAmr: words(row.up_trusted_amr),
    trustedAcr: words(row.up_trusted_acr),
    metadata: JSON.parse(row.up_metadata),
    iconVersion: row.up_icon_version,
    createdAt: row.up_created_at,
    updatedAt: row.up_updated_at,
    disabledAt: row.up_disabled_at,
  };
}

function fromUpstream(upstream: Upstream): StoredRow<typeof upstreams> {
  return {
    name: upstream.name,
    kind: upstream.kind,
    issuer: upstream.issuer,
    client_id: upstream.clientId,
    sealed_secret: upstream.sealedSecret,
    scopes: upstream.scopes.join(' '),
    label: upstream.label,
    allowed_domains: upstream.allowedDomains.join(' '),
    trusted_domains: upstream.trustedDomains.join(' '),
    routes_domains: Number(upstream.routesDomains),
    creates_accounts: Number(upstream.createsAccounts),
    trusted_amr: upstream.trustedAmr.join(' '),
    trusted_acr: upstream.trustedAcr.join(' '),
    metadata: JSON.stringify(upstream.metadata),
    icon_version: upstream.iconVersion,
    created_at: upstream.createdAt,
    updated_at: upstream.updatedAt,
    disabled_at: upstream.disabledAt,
  };
}

function words(text: string): string[] {
  return text.split(' ').filter(Boolean);
}
