// Everything that the migrations make of a database, as text.

import { DatabaseSync } from 'node:sqlite';
import { queryPostgres } from './postgres.ts';

const own = "n.nspname = 'public'";
const postgresParts = [
  `SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
     || COALESCE(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attnum AS line
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE ${own} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid AS line FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${own}`,
  `SELECT o.conrelid::regclass || ' ' || o.conname || ' ' || pg_get_constraintdef(o.oid) AS line FROM pg_constraint o
     JOIN pg_namespace n ON n.oid = o.connamespace WHERE ${own}`,
  'SELECT pg_get_triggerdef(t.oid) AS line FROM pg_trigger t WHERE NOT t.tgisinternal',
  `SELECT pg_get_functiondef(p.oid) AS line FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${own}`,
  `SELECT c.relname || ' ' || pg_get_viewdef(c.oid) AS line FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${own} AND c.relkind = 'v'`,
];

export async function postgresSchema(url: string): Promise<string[]> {
  const parts = await Promise.all(postgresParts.map((sql) => queryPostgres(url, sql)));
  return parts.flatMap((rows) => rows.map(({ line }) => String(line)).sort());
}

export function sqliteSchema(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all();
    return rows.map(({ type, name, sql }) => `${type} ${name} ${sql}`);
  } finally {
    database.close();
  }
}
