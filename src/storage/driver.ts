// What sql.ts needs from an engine. A driver knows its engine and nothing about Latchkey's tables.

export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  /** SQL that every engine reads, with parameters `$1`, `$2`, … */
  readonly sql: string;
  readonly params: readonly Value[];
  /** Give up the whole write, leaving nothing of it behind, when this statement returns no row. */
  readonly mustReturn?: boolean;
}

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

export interface Driver {
  /** Sees every write that was answered before the call, by this process or another. */
  read(sql: string, params: readonly Value[]): Promise<Row[]>;
  /** All statements or none, durable once answered; undefined when a `mustReturn` statement returned no row. */
  write(statements: readonly Statement[]): Promise<Row[][] | undefined>;
  /** The version of the schema as it is; 0 when there is none yet. */
  schemaVersion(): Promise<number>;
  /** Brings the schema up to date, under a lock; returns the version that it has then. */
  migrate(migrations: readonly Migration[]): Promise<number>;
  close(): Promise<void>;
}

/** The store cannot be reached, is locked or is full. Nothing was changed; trying again later is right. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** A uniqueness that the schema demands would be broken. Nothing was changed. */
export class StorageConflict extends Error {
  override name = 'StorageConflict';
}
