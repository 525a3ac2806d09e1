// Moves the rows of a store, table by table in the order of their keys, so that they can be exported from one engine
// and imported into another. Writing a row twice changes nothing: a move that was interrupted is simply started again.

import { clientFields } from '../protocol/resources/client.ts';
import { rowsOf } from '../protocol/resources/resource.ts';
import { lastBackupName } from '../protocol/resources/settings.ts';
import type { Driver, Row, SnapshotReader, Statement, Value } from './driver.ts';
import * as schema from './schema.ts';
import { columnNames, insertInto, replaceIn } from './sql/query.ts';
import { clientRows } from './sql/rows.ts';

export interface TransferTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  replace(row: Row): Statement;
}

/** Counters never go back, so that no number is used twice. */
const raiseCounter = insertInto(
  schema.counters,
  `ON CONFLICT (name) DO UPDATE SET value =
    CASE WHEN excluded.value > counters.value THEN excluded.value ELSE counters.value END`,
) as TransferTable['replace'];

/**
 * Everything but what lasts only for a moment: counts of failed sign-ins, spent tickets, leases, running instances, facts of
 * the service.
 */
export const transferTables: readonly TransferTable[] = [
  schema.users,
  schema.attributes,
  schema.clients,
  schema.logos,
  schema.consents,
  schema.grants,
  schema.revokedTokens,
  schema.sessions,
  schema.knownDevices,
  schema.links,
  schema.signUpLinks,
  schema.mails,
  schema.authenticators,
  schema.recoveryCodes,
  schema.passkeys,
  schema.pictures,
  schema.searchWords,
  schema.unsearchable,
  schema.apiKeys,
  schema.scimTokens,
  schema.serviceKeys,
  schema.settings,
  schema.brandImages,
  schema.groups,
  schema.groupMembers,
  schema.clientAccess,
  schema.clientOwners,
  schema.accessRequests,
  schema.reviews,
  schema.reviewApplications,
  schema.reviewItems,
  schema.counters,
  schema.upstreams,
  schema.upstreamIcons,
  schema.identities,
  schema.importedPeople,
  schema.deletedIds,
  schema.deletedIdKeys,
  schema.webhookEndpoints,
  schema.webhookSecrets,
  schema.webhookDeliveries,
  schema.hourlyTotals,
  schema.events,
].map((table: schema.Table) => {
  const replace = table === schema.counters ? raiseCounter : replaceIn(table);
  return { name: table.name, key: table.key, columns: columnNames(table), replace };
});

/**
 * For users and clients of an older version, which may have other search words: the running service indexes all again. Not all in one
 * statement, which a database server would end when it takes too long.
 */
export async function markUnsearchable(driver: Driver, pageSize = 5000): Promise<void> {
  const kinds: [schema.SearchKind, string][] = [
    ['person', 'users'],
    ['client', 'clients'],
  ];
  for (const [kind, table] of kinds) {
    const page = `SELECT MAX(id) AS last FROM (SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${pageSize}) AS page`;
    const mark = `INSERT INTO unsearchable (kind, ref) SELECT '${kind}', id FROM ${table} WHERE id > $1 AND id <= $2
      ON CONFLICT (kind, ref) DO NOTHING`;
    for (let after: Value = ''; ; ) {
      const [row] = await driver.read(page, [after]);
      const last: Value = row?.last ?? null;
      if (last === null) break;
      await driver.write([{ sql: mark, params: [after, last] }]);
      after = last;
    }
  }
}

export async function countRows(reader: SnapshotReader, table: TransferTable): Promise<number> {
  const [row] = await reader.read(`SELECT COUNT(*) AS n FROM ${table.name}`, []);
  return Number(row?.n ?? 0);
}

/** The table's rows in the order of its key, a page at a time. */
export async function* readRows(reader: SnapshotReader, table: TransferTable, pageSize: number): AsyncGenerator<Row[]> {
  const key = table.key.join(', ');
  const places = table.key.map((_, index) => `$${index + 2}`).join(', ');
  let last: Value[] | undefined;
  for (;;) {
    const where = last === undefined ? '' : `WHERE (${key}) > (${places})`;
    const sql = `SELECT ${table.columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${key} LIMIT $1`;
    const page = await reader.read(sql, [pageSize, ...(last ?? [])]);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = table.key.map((column) => page.at(-1)?.[column] ?? null);
  }
}

/** Notes when the store was last copied, which the console's checklist shows. */
export async function noteCopied(driver: Driver, now: number): Promise<void> {
  await driver.write([noteCopy({ name: lastBackupName, value: String(now), updated_at: now })]);
}

/** Writes rows, replacing existing ones. */
export async function writeRows(driver: Driver, table: TransferTable, rows: readonly Row[]): Promise<void> {
  const upgrade = upgrades[table.name] ?? ((row: Row) => row);
  await driver.write(rows.map((row) => table.replace(upgrade(row))));
}

const noteCopy = replaceIn(schema.settings);

const initialOfClients = clientRows.encodeGiven(
  Object.fromEntries(rowsOf(clientFields).map(({ property, field }) => [property, field.initial])),
);

const withoutNotices = (row: Row) => ({ end_notices: row.end_notices ?? 0 });

/** What exports of 0.3.0 lack, as the migrations since then filled it in. */
const upgrades: Record<string, (row: Row) => Row> = {
  users: (row) => ({
    ...row,
    last_sign_in_at: row.last_sign_in_at ?? row.last_active_at ?? 0,
    attributes: row.attributes ?? '{}',
    ...withoutNotices(row),
    // Once a factor is written, a trigger sets it.
    has_factor: row.has_factor ?? 0,
    session_generation: row.session_generation ?? 0,
    requests_told_at: row.requests_told_at ?? 0,
    is_owner: row.is_owner ?? 0,
  }),
  group_members: (row) => ({ ...row, ...withoutNotices(row) }),
  client_access: (row) => ({ ...row, ...withoutNotices(row) }),
  upstreams: (row) => ({ ...row, skip_approval: row.skip_approval ?? 0 }),
  clients: (row) => {
    const initial = Object.entries({ ...initialOfClients, was_listed: 0 });
    return { ...row, ...Object.fromEntries(initial.filter(([name]) => row[name] === null || row[name] === undefined)) };
  },
  webhook_endpoints: (row) => ({ ...row, purpose: row.purpose ?? 'webhook' }),
  grants: (row) => ({ ...row, access_change: row.access_change ?? 0 }),
  sessions: (row) => ({
    ...row,
    proven_at: row.proven_at ?? row.auth_time ?? 0,
    kept: row.kept ?? 1,
    trusted: row.trusted ?? 0,
  }),
};
