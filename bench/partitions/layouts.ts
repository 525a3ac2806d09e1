// The ways in which a table can be divided, and the rows that fill it: `generate_series` writes what the service would
// have written, with ids that can be computed again from a row's number.

import type pg from 'pg';
import { firstIdAt } from '../../src/protocol/identifiers.ts';

export const DAY = 24 * 60 * 60 * 1000;
export const clientCount = 10_000;
const hashPartitions = 32;

export type TableName = 'grants' | 'events';
export type Layout = 'plain' | 'hash' | 'time';

export interface Size {
  readonly people: number;
  readonly grants: number;
  readonly events: number;
  /** Midnight, so that the oldest partition by time is over as a whole. */
  readonly end: number;
}

/** How many days the rows of a table are spread over, and how many one partition by time holds. */
export const spans: Record<TableName, { readonly days: number; readonly perPartition: number }> = {
  // A grant lasts 30 days and is kept for one more: of 32 days, the oldest is over.
  grants: { days: 32, perPartition: 1 },
  // Events are kept for 91 days here: of 14 weeks, the oldest is over.
  events: { days: 98, perPartition: 7 },
};

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 48 bits of time that an id begins with, as its first ten characters. */
function timeOf(milliseconds: string): string {
  const characters = Array.from({ length: 10 }, (_, place) => {
    return `substr('${alphabet}', ((${milliseconds} >> ${45 - 5 * place}) & 31)::int + 1, 1)`;
  });
  return characters.join(' || ');
}

const idOf = (kind: 'u' | 'c', number: string) => `substr(md5('${kind}' || (${number})), 1, 26)`;

export const userId = (number: string) => idOf('u', number);
export const clientId = (number: string) => idOf('c', number);

/** When row `n` of a table was written. */
function timeSql(table: TableName, size: Size): string {
  const span = spans[table].days * DAY;
  return `(${size.end - span} + n * ${span} / ${size[table]})`;
}

export function rowId(table: TableName, size: Size): string {
  return `${timeOf(timeSql(table, size))} || substr(md5('${table[0]}' || n), 1, 16)`;
}

/** Two neighbours in time belong to different people. */
const personOf = ({ people }: Size) => `(1 + (n * 7919) % ${people})`;
const clientOf = (size: Size) => `(1 + (${personOf(size)} + n % 5) % ${clientCount})`;

export function fillPeople({ people, end }: Size): string {
  return `INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
    SELECT ${userId('n')}, 'person' || n || '@example.com', 'person' || n || '@example.com', 'Person ' || n,
      'scrypt$' || md5('p' || n) || md5('q' || n), 0, ${end}, ${end} FROM generate_series(1::bigint, ${people}) n`;
}

export function fillClients({ end }: Size): string {
  return `INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at)
    SELECT ${clientId('n')}, 'App ' || n, 0, '["https://app.example/callback"]', 'openid profile email', 0, ${end}, ${end}
    FROM generate_series(1::bigint, ${clientCount}) n`;
}

export function fillRows(table: TableName, size: Size): string {
  const numbers = `SELECT n, ${timeSql(table, size)} AS t, md5('d' || n) AS digest
    FROM generate_series(0::bigint, ${size[table] - 1}) n`;
  if (table === 'grants') {
    return `INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri,
        code_challenge, auth_time, amr, code_digest, code_expires_at, exchanged_at, refresh_digest, expires_at, last_used_at,
        delete_after)
      SELECT ${rowId(table, size)}, ${userId(personOf(size))}, 0, ${clientId(clientOf(size))}, 0, 'openid profile email',
        'https://app.example/callback', digest || 'abcdefghijk', t, 'pwd', digest || 'lmnopqrstuv', t + 60000, t + 1000,
        digest || 'wxyzabcdefg', t + ${30 * DAY}, t + 1000, t + ${31 * DAY}
      FROM (${numbers}) AS row`;
  }
  return `INSERT INTO events (id, at, kind, user_id, client_id, address, request_id, detail)
    SELECT ${rowId(table, size)}, t, (ARRAY['signed_in', 'code_issued', 'code_exchanged', 'sign_in_refused', 'signed_out'])[1 + n % 5],
      ${userId(personOf(size))}, ${clientId(clientOf(size))}, '203.0.113.' || n % 256, substr(digest, 1, 26), '{"method":"password"}'
    FROM (${numbers}) AS row`;
}

/** Creates the table empty and divided, in place of the one that is there; `columns` is a table like it. */
export async function createTable(connection: pg.Client, table: TableName, layout: Layout, size: Size): Promise<void> {
  await connection.query(`DROP TABLE IF EXISTS ${table}`);
  const by = { plain: '', hash: 'PARTITION BY HASH (id)', time: 'PARTITION BY RANGE (id)' }[layout];
  await connection.query(`CREATE TABLE ${table} (LIKE ${table}_columns INCLUDING DEFAULTS) ${by}`);
  if (layout === 'hash') {
    for (let number = 0; number < hashPartitions; number++) {
      const values = `WITH (MODULUS ${hashPartitions}, REMAINDER ${number})`;
      await connection.query(`CREATE TABLE ${partition(table, number)} PARTITION OF ${table} FOR VALUES ${values}`);
    }
  }
  if (layout === 'time') {
    const { days, perPartition } = spans[table];
    for (let day = 0; day <= days; day += perPartition) {
      const from = size.end + (day - days) * DAY;
      const values = `FROM ('${firstIdAt(from)}') TO ('${firstIdAt(from + perPartition * DAY)}')`;
      const name = partition(table, day / perPartition);
      await connection.query(`CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES ${values}`);
    }
  }
}

export const partition = (table: TableName, number: number) => `${table}_${String(number).padStart(3, '0')}`;
