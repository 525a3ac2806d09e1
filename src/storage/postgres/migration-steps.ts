// Divides a migration into steps that a database in use can bear. A step that changes tables changes only one of those that requests
// read, an index is built while they're written, and what concerns each row of a table is done for some rows at a time.

import type { Migration } from '../driver.ts';
import { sqlFor } from '../migrating.ts';

export type MigrationStep =
  /** One transaction. `table` is what it locks, if anyone else knows it. */
  | { readonly kind: 'change'; readonly sql: string; readonly table: string | undefined }
  /** Built under another name, and renamed when it's complete. `replaces` means that an earlier one of its name goes then. */
  | {
      readonly kind: 'index';
      readonly name: string;
      readonly table: string;
      readonly build: string;
      readonly replaces: boolean;
    }
  /** Goes without keeping anyone from the table. */
  | { readonly kind: 'drop'; readonly name: string }
  /** A transaction for each part of the table, in the order of its key. */
  | { readonly kind: 'fill'; readonly table: string; readonly key: string; within(range: string): string };

export const nextName = (index: string) => `${index}_next`;

/** In a statement, this says that it can be executed for some rows of the table at a time. */
const inBatches = /\/\* in batches of (\w+)\.(\w+) \*\//;

export function stepsOf(migration: Migration): MigrationStep[] {
  const statements = statementsOf(migration);
  const named = (statement: RegExp) => new Set(statements.flatMap((sql) => statement.exec(sql)?.[1] ?? []));
  const created = named(/^CREATE TABLE (\w+)/);
  const dropped = named(/^DROP INDEX (\w+)$/);
  const indexes = named(/^CREATE (?:UNIQUE )?INDEX (\w+) /);
  const steps: MigrationStep[] = [];
  for (const sql of statements) {
    const [, unique = '', name, table = '', rest] = /^CREATE (UNIQUE )?INDEX (\w+) ON (\w+) ([\s\S]*)$/.exec(sql) ?? [];
    const [marker, filled, key] = inBatches.exec(sql) ?? [];
    const [, drop] = /^DROP INDEX (\w+)$/.exec(sql) ?? [];
    if (name !== undefined && !created.has(table)) {
      const build = `CREATE ${unique}INDEX CONCURRENTLY ${nextName(name)} ON ${table} ${rest}`;
      steps.push({ kind: 'index', name, table, build, replaces: dropped.has(name) });
    } else if (marker !== undefined && filled !== undefined && key !== undefined) {
      steps.push({
        kind: 'fill',
        table: filled,
        key: `${filled}.${key}`,
        within: (range) => sql.replace(marker, () => range),
      });
    } else if (drop === undefined) {
      addChange(steps, sql, created);
    } else if (!indexes.has(drop)) {
      steps.push({ kind: 'drop', name: drop });
    }
  }
  return steps;
}

/** To the step before if that changes no other table. */
function addChange(steps: MigrationStep[], sql: string, created: ReadonlySet<string>): void {
  const changed = /^(?:ALTER TABLE|CREATE TRIGGER [\s\S]*? ON) (\w+)/.exec(sql)?.[1];
  const table = changed === undefined || created.has(changed) ? undefined : changed;
  const last = steps.at(-1);
  if (last?.kind === 'change' && (table === undefined || last.table === undefined || last.table === table)) {
    steps[steps.length - 1] = { kind: 'change', sql: `${last.sql};\n${sql}`, table: table ?? last.table };
  } else {
    steps.push({ kind: 'change', sql, table });
  }
}

/** No text in a migration contains a semicolon or two hyphens, apart from the functions. */
export function statementsOf(migration: Migration): string[] {
  return split(sqlFor('server', migration), /(?:\$\$[\s\S]*?\$\$|[^;])+/g);
}

/** Of a step, whose functions may have names for their quotes. */
export function serverStatements(sql: string): string[] {
  return split(sql, /(?:\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g);
}

/** There, triggers have statements of their own. */
export function embeddedStatementsOf(migration: Migration): string[] {
  return split(sqlFor('embedded', migration), /(?:\bBEGIN\b[\s\S]*?;\s*END\b|[^;])+/g);
}

function split(text: string, statement: RegExp): string[] {
  const found = text.replaceAll(/--.*$/gm, '').match(statement) ?? [];
  return found.map((sql) => sql.trim()).filter((sql) => sql !== '');
}
