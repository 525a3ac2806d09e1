// Brings the schema up to date, in the same way on every engine. A driver provides a session: one transaction under a
// lock that other processes wait for. What was applied is recorded with a checksum, so that a migration that was edited
// after it had landed is noticed instead of leaving two kinds of stores behind.

import { createHash } from 'node:crypto';
import {
  type AppliedMigration,
  type Migration,
  type Row,
  StorageUnavailable,
  StoreUnusable,
  type Value,
} from './driver.ts';

export interface MigrationSession {
  /** Runs any number of statements without parameters. */
  run(script: string): unknown;
  all(sql: string, params: readonly Value[]): Row[] | Promise<Row[]>;
  /** What an error of the engine means. */
  translated(error: unknown): Error;
}

export type SchemaState =
  | { kind: 'current'; version: number }
  /** `latchkey migrate` is needed. */
  | { kind: 'behind'; version: number; needed: number }
  | { kind: 'newer'; version: number; needed: number }
  | { kind: 'edited'; sentence: string };

export function judgeSchema(applied: readonly AppliedMigration[], migrations: readonly Migration[]): SchemaState {
  const checksums = new Map(applied.map(({ version, checksum }) => [version, checksum]));
  const edited = migrations.find((migration) => {
    const recorded = checksums.get(migration.version);
    return recorded !== undefined && recorded !== checksumOf(migration);
  });
  if (edited !== undefined) return { kind: 'edited', sentence: editedSentence(edited) };
  const version = versionOf(applied);
  const needed = migrations.at(-1)?.version ?? 0;
  if (version > needed) return { kind: 'newer', version, needed };
  const complete = migrations.every((migration) => checksums.has(migration.version));
  return complete ? { kind: 'current', version } : { kind: 'behind', version, needed };
}

/** The version of the schema; 0 when there is none yet. */
export function versionOf(applied: readonly AppliedMigration[]): number {
  return Math.max(0, ...applied.map(({ version }) => version));
}

/** The same for a file with the line endings of another system. */
export function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

export function readApplied(rows: readonly Row[]): AppliedMigration[] {
  return rows.map(({ version, checksum }) => ({ version: Number(version), checksum: String(checksum) }));
}

/** Applies the missing migrations and returns the schema's version. */
export async function applyMigrations(
  session: MigrationSession,
  migrations: readonly Migration[],
  onStep: () => void = () => {},
): Promise<number> {
  await asking(session, () =>
    session.run('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL, checksum TEXT)'),
  );
  const applied = readApplied(
    await asking(session, () => session.all('SELECT version, checksum FROM schema_version', [])),
  );
  const state = judgeSchema(applied, migrations);
  if (state.kind === 'edited') throw new StoreUnusable(state.sentence);
  for (const migration of migrations) {
    if (applied.some(({ version }) => version === migration.version)) continue;
    await apply(session, migration);
    onStep();
  }
  return Math.max(versionOf(applied), migrations.at(-1)?.version ?? 0);
}

async function apply(session: MigrationSession, migration: Migration): Promise<void> {
  try {
    await asking(session, () => session.run(migration.sql));
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StorageUnavailable) throw error;
    const sentence = `Migration ${migration.file} failed, and the store is as it was: ${error.message}.`;
    throw new StoreUnusable(sentence, { cause: error });
  }
  const record = 'INSERT INTO schema_version (version, checksum) VALUES ($1, $2)';
  await asking(session, () => session.all(record, [migration.version, checksumOf(migration)]));
}

async function asking<Result>({ translated }: MigrationSession, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

function editedSentence({ file, version }: Migration): string {
  return (
    `The migration ${file} isn't the one that brought this store to version ${version}: it was edited afterwards. ` +
    'Restore the file as it was released, for example by reinstalling Latchkey.'
  );
}
