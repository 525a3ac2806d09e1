// Brings the schema up to date, in the same way on every engine. A driver provides a session: one transaction under a
// lock that other processes wait for. What was applied is recorded with a checksum, so that a migration that was edited
// after it had landed is noticed instead of leaving two kinds of stores behind.

import { createHash } from 'node:crypto';
import {
  type AppliedMigration,
  type Driver,
  type Engine,
  type Migration,
  type Row,
  StorageUnavailable,
  StoreUnusable,
  type Value,
} from './driver.ts';

export interface MigrationSession {
  readonly engine: Engine;
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
  /** From the next version: this one can run on it, without what's new. */
  | { kind: 'newer'; version: number; sentence: string }
  | { kind: 'unusable'; sentence: string };

/** Checksums of texts that were replaced before they were in a release. They make the same schema (decision 120). */
export const earlierTexts: Readonly<Record<number, string>> = {
  10: 'e2266203dd1344dbf5bb1e5f8d1fc6c5312cd673f2f6291aaf9fcf540b4fc0d3',
  12: '060192a871253cbb307f935d0ce2a5a216ccd26ca8e51ff5bb53680c7a00ea45',
  26: '60004d5aae38be0c2cffdb41c9dd9a2ea1c49bc2cdaf4f0bb8157307541ac4cf',
};

/** `oldest` is the last migration that a version must know to run on the store. */
export function judgeSchema(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
  oldest: number,
): SchemaState {
  const checksums = new Map(applied.map(({ version, checksum }) => [version, checksum]));
  const edited = migrations.find((migration) => {
    const recorded = checksums.get(migration.version);
    return recorded !== undefined && ![checksumOf(migration), earlierTexts[migration.version]].includes(recorded);
  });
  if (edited !== undefined) return { kind: 'unusable', sentence: editedSentence(edited) };
  const version = versionOf(applied);
  const needed = migrations.at(-1)?.version ?? 0;
  if (needed < oldest) return { kind: 'unusable', sentence: tooNewSentence(version, needed) };
  if (version > needed) return { kind: 'newer', version, sentence: newerSentence(version, needed) };
  const complete = migrations.every((migration) => checksums.has(migration.version));
  return complete ? { kind: 'current', version } : { kind: 'behind', version, needed };
}

export async function examineSchema(driver: Driver, migrations: readonly Migration[]): Promise<SchemaState> {
  const applied = await driver.appliedMigrations();
  const isNewer = versionOf(applied) > (migrations.at(-1)?.version ?? 0);
  const [row] = isNewer ? await driver.read("SELECT value FROM service_facts WHERE name = 'oldest_schema'", []) : [];
  return judgeSchema(applied, migrations, Number(row?.value ?? 0));
}

/** The version of the schema; 0 when there is none yet. */
export function versionOf(applied: readonly AppliedMigration[]): number {
  return Math.max(0, ...applied.map(({ version }) => version));
}

/** The checksum of a file doesn't depend on which system's line endings it has. */
export function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

/** Engines store data differently: what follows the name of an engine in a line of comment is for that engine. */
export function sqlFor(engine: Engine, { sql }: Migration): string {
  return sql.replaceAll(new RegExp(`^-- ${engine}: `, 'gm'), '');
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
  const state = judgeSchema(applied, migrations, 0);
  if (state.kind === 'unusable') throw new StoreUnusable(state.sentence);
  for (const migration of migrations) {
    if (applied.some(({ version }) => version === migration.version)) continue;
    await apply(session, migration);
    onStep();
  }
  return Math.max(versionOf(applied), migrations.at(-1)?.version ?? 0);
}

async function apply(session: MigrationSession, migration: Migration): Promise<void> {
  try {
    await asking(session, () => session.run(sqlFor(session.engine, migration)));
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

function newerSentence(version: number, needed: number): string {
  return (
    `The store has schema version ${version}, from a newer version of Latchkey. This version knows version ${needed}: ` +
    "it can run on the store, but doesn't enforce what's new."
  );
}

function tooNewSentence(version: number, needed: number): string {
  return (
    `The store has schema version ${version}, and this version of Latchkey, which knows version ${needed}, is too old for ` +
    'it: you can only go back by one release. Install the newer version again.'
  );
}
