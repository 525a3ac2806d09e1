// What an import has to remember about every record: what has to be unique, and hashes from a second file. It's kept in
// a temporary database without a name, so memory stays the same however many there are, and nothing is left behind.

import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Place } from './records.ts';

export type UniqueKind = 'id' | 'email address' | 'username' | 'identity';

export interface Duplicate {
  readonly kind: UniqueKind;
  readonly first: Place;
  readonly last: Place;
  /** How many share it. */
  readonly count: number;
}

/** So many rows in one statement. */
const rowsAtOnce = 64;

export class Scratch {
  readonly #database = new DatabaseSync('');
  #pending: (string | number | Uint8Array)[] = [];

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000; PRAGMA temp_store = FILE;
      CREATE TABLE keys (kind TEXT, digest BLOB, place TEXT);
      CREATE TABLE hashes (id TEXT PRIMARY KEY, hash TEXT) WITHOUT ROWID;
      BEGIN`);
  }

  /** Digests instead of the values: they're short, and no email address is written to a disk. */
  add(kind: UniqueKind, value: string, { record, line, file }: Place): void {
    // In the order of the records, because the first and the last are asked for.
    const place = `${String(record).padStart(12, '0')} ${line} ${file}`;
    this.#pending.push(kind, hash('sha256', value, 'buffer').subarray(0, 16), place);
    if (this.#pending.length === 3 * rowsAtOnce) this.#flush();
  }

  #flush(): void {
    const rows = this.#pending.length / 3;
    const values = Array.from({ length: rows }, () => '(?, ?, ?)').join(', ');
    if (rows > 0) this.#statement(`INSERT INTO keys VALUES ${values}`).run(...this.#pending);
    this.#pending = [];
  }

  /** What several records share, in the order of the file, and how many records aren't the first to have it. */
  duplicates(limit: number): { groups: Duplicate[]; surplus: number } {
    this.#flush();
    const rows = this.#statement(`SELECT kind, MIN(place) AS first, MAX(place) AS last, COUNT(*) AS count
      FROM keys GROUP BY kind, digest HAVING COUNT(*) > 1 ORDER BY first LIMIT ?`).all(limit);
    const groups = rows.map(({ kind, first, last, count }) => ({
      kind: kind as UniqueKind,
      first: placeOf(first),
      last: placeOf(last),
      count: Number(count),
    }));
    if (groups.length === 0) return { groups, surplus: 0 };
    const later = `SELECT COUNT(DISTINCT place) AS n FROM
      (SELECT place, MIN(place) OVER (PARTITION BY kind, digest) AS first FROM keys) WHERE place <> first`;
    return { groups, surplus: Number(this.#statement(later).get()?.n) };
  }

  /** Answers whether it's the first for this id. */
  setHash(id: string, text: string): boolean {
    const sql = 'INSERT INTO hashes VALUES (?, ?) ON CONFLICT DO NOTHING';
    return Number(this.#statement(sql).run(id, text).changes) === 1;
  }

  hashOf(id: string): string | undefined {
    const found = this.#statement('SELECT hash FROM hashes WHERE id = ?').get(id);
    return found === undefined ? undefined : String(found.hash);
  }

  close(): void {
    this.#database.close();
  }

  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  #statement(sql: string) {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function placeOf(text: unknown): Place {
  const [record, line, ...file] = String(text).split(' ');
  return { record: Number(record), line: Number(line), file: file.join(' ') };
}
