// Moves what a store holds, row by row, in the order of its keys: the way from one engine to another. Reading goes on from
// any key and writing a row twice changes nothing, so a move that was cut short is simply started again.

import type { Driver, Row, Value } from './driver.ts';

export interface TransferTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** Everything but what belongs to the moment: counts of failed sign-ins, spent tickets, leases, facts of the service. */
export const transferTables: readonly TransferTable[] = [
  {
    name: 'users',
    key: ['id'],
    columns: [
      ...['id', 'email', 'email_key', 'email_verified_at', 'name', 'given_name', 'family_name', 'preferred_username'],
      ...['picture', 'locale', 'password_hash', 'admin_since', 'disabled_at', 'generation', 'created_at', 'updated_at'],
      ...['last_active_at', 'username_key'],
    ],
  },
  {
    name: 'clients',
    key: ['id'],
    columns: [
      ...['id', 'name', 'is_public', 'redirect_uris', 'scopes', 'secret_digest', 'secret_created_at'],
      ...['old_secret_digest', 'old_secret_created_at', 'logo_version', 'revoked_at', 'generation', 'created_at'],
      ...['updated_at', 'secret_used_at', 'old_secret_used_at'],
    ],
  },
  { name: 'logos', key: ['client_id'], columns: ['client_id', 'version', 'content_type', 'bytes'] },
  {
    name: 'consents',
    key: ['user_id', 'client_id'],
    columns: ['user_id', 'client_id', 'client_generation', 'scopes', 'granted_at', 'last_used_at'],
  },
  {
    name: 'grants',
    key: ['id'],
    columns: [
      ...['id', 'user_id', 'user_generation', 'client_id', 'client_generation', 'scopes', 'redirect_uri'],
      ...['code_challenge', 'nonce', 'auth_time', 'amr', 'code_digest', 'code_expires_at', 'exchanged_at'],
      ...['refresh_digest', 'expires_at', 'ended_at', 'last_used_at', 'delete_after'],
    ],
  },
  { name: 'revoked_tokens', key: ['token_id'], columns: ['token_id', 'delete_after'] },
  {
    name: 'sessions',
    key: ['digest'],
    columns: [
      ...['digest', 'user_id', 'user_generation', 'created_at', 'last_seen_at', 'auth_time', 'amr', 'answered'],
      ...['device', 'address'],
    ],
  },
  { name: 'known_devices', key: ['user_id', 'digest'], columns: ['user_id', 'digest', 'last_seen_at'] },
  { name: 'links', key: ['digest'], columns: ['digest', 'purpose', 'user_id', 'detail', 'expires_at', 'email_key'] },
  { name: 'mails', key: ['id'], columns: ['id', 'sealed', 'created_at', 'attempts', 'next_attempt_at'] },
  { name: 'authenticators', key: ['user_id'], columns: ['user_id', 'sealed_secret', 'last_step', 'created_at'] },
  { name: 'recovery_codes', key: ['user_id', 'digest'], columns: ['user_id', 'digest'] },
  {
    name: 'passkeys',
    key: ['id'],
    columns: ['id', 'user_id', 'public_key', 'counter', 'transports', 'name', 'created_at', 'last_used_at'],
  },
  { name: 'pictures', key: ['user_id'], columns: ['user_id', 'version', 'content_type', 'bytes'] },
  {
    name: 'search_words',
    key: ['kind', 'word', 'ref', 'source'],
    columns: ['kind', 'word', 'ref', 'source'],
  },
  { name: 'unsearchable', key: ['kind', 'ref'], columns: ['kind', 'ref'] },
  {
    name: 'api_keys',
    key: ['digest'],
    columns: ['digest', 'id', 'name', 'permission', 'created_by', 'created_at', 'expires_at', 'last_used_at'],
  },
  {
    name: 'hourly_totals',
    key: ['hour', 'kind', 'client_id'],
    columns: ['hour', 'kind', 'client_id', 'total'],
  },
  {
    name: 'events',
    key: ['id'],
    columns: [
      ...['id', 'at', 'kind', 'user_id', 'client_id', 'address', 'request_id', 'detail', 'actor_kind', 'actor_id'],
    ],
  },
];

/** An export of an earlier version has no words: its people and applications are made searchable by the running service. */
export async function markUnsearchable(driver: Driver): Promise<void> {
  const mark = (kind: 'person' | 'client', table: 'users' | 'clients') => ({
    sql: `INSERT INTO unsearchable (kind, ref) SELECT '${kind}', t.id FROM ${table} t
      WHERE NOT EXISTS (SELECT 1 FROM search_words w WHERE w.kind = '${kind}' AND w.ref = t.id)
      ON CONFLICT (kind, ref) DO NOTHING`,
    params: [],
  });
  await driver.write([mark('person', 'users'), mark('client', 'clients')]);
}

export async function countRows(driver: Driver, table: TransferTable): Promise<number> {
  const [row] = await driver.read(`SELECT COUNT(*) AS n FROM ${table.name}`, []);
  return row?.n as number;
}

/** The table's rows in the order of its key, a page at a time. */
export async function* readRows(driver: Driver, table: TransferTable, pageSize: number): AsyncGenerator<Row[]> {
  const columns = table.columns.join(', ');
  const key = table.key.join(', ');
  const places = table.key.map((_, index) => `$${index + 2}`).join(', ');
  let last: Value[] | undefined;
  for (;;) {
    const where = last === undefined ? '' : `WHERE (${key}) > (${places})`;
    const sql = `SELECT ${columns} FROM ${table.name} ${where} ORDER BY ${key} LIMIT $1`;
    const page = await driver.read(sql, [pageSize, ...(last ?? [])]);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = table.key.map((column) => page.at(-1)?.[column] ?? null);
  }
}

/** An event of an export from before version 5 names its actor at the end of its detail. */
const actorInDetail = /^(.*)[{,]"by":"(administrator|api_key) ([\w-]+)"}$/s;

function upgraded(table: TransferTable, row: Row): Row {
  if (table.name !== 'events') return row;
  const [, before, kind, id] = actorInDetail.exec(String(row.detail)) ?? [];
  if (kind === undefined || id === undefined) return row;
  return { ...row, detail: `${before || '{'}}`, actor_kind: kind, actor_id: id };
}

/** Writes rows; one that is there already becomes what is given. */
export async function writeRows(driver: Driver, table: TransferTable, rows: readonly Row[]): Promise<void> {
  const places = table.columns.map((_, index) => `$${index + 1}`).join(', ');
  const changes = table.columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
  const sql = `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES (${places})
    ON CONFLICT (${table.key.join(', ')}) ${changes === '' ? 'DO NOTHING' : `DO UPDATE SET ${changes}`}`;
  const paramsOf = (row: Row) => table.columns.map((column) => row[column] ?? null);
  await driver.write(rows.map((row) => ({ sql, params: paramsOf(upgraded(table, row)) })));
}
