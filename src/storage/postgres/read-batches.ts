// The reads of one turn of the event loop travel as one statement for each SQL text: a hundred requests that arrive
// together ask PostgreSQL once. While enough batches are under way, further reads wait and travel together as well.

import { type Row, StorageUnavailable, type Value } from '../driver.ts';
import { BatchSlots, type Waiting } from './batch-slots.ts';
import type { Connections } from './connections.ts';
import { storageError } from './errors.ts';

interface Read extends Waiting {
  readonly params: readonly Value[];
  resolve(rows: Row[]): void;
}

interface Batch {
  readonly text: BatchText;
  readonly reads: Read[];
}

/** A query for one set of parameters, and the same query for a list of them. */
interface BatchText {
  readonly one: string;
  readonly many: string;
}

/** At most this many batches run at once; the other connections are for writes and long reads. */
const underWay = 4;
const largestBatch = 500;

export class ReadBatches {
  readonly #connections: Connections;
  /** Called for every batch whose reads had to be sent one by one. */
  readonly #takenApart: () => void;
  /** By the text, then by the types: a longer key would have to be put together and hashed for every read. */
  readonly #texts = new Map<string, Map<string, BatchText | undefined>>();
  readonly #waiting = new Map<BatchText, Batch>();
  readonly #slots: BatchSlots;

  constructor(connections: Connections, takenApart: () => void) {
    this.#connections = connections;
    this.#takenApart = takenApart;
    this.#slots = new BatchSlots(underWay, connections.patience, () => this.#send());
  }

  get waiting(): number {
    let count = 0;
    for (const { reads } of this.#waiting.values()) count += reads.length;
    return count;
  }

  read(sql: string, params: readonly Value[]): Promise<Row[]> {
    const text = this.#textOf(sql, params);
    if (text === undefined) return this.alone(sql, params);
    return new Promise((resolve, reject) => {
      const batch = this.#waiting.get(text);
      const read = { params, since: performance.now(), resolve, reject };
      if (batch === undefined) this.#waiting.set(text, { text, reads: [read] });
      else batch.reads.push(read);
      this.#slots.schedule();
    });
  }

  #send(): void {
    for (const { text, reads: waiting } of this.#waiting.values()) {
      if (!this.#slots.isFree) return;
      this.#waiting.delete(text);
      const reads = this.#slots.patient(waiting);
      if (reads.length === 0) continue;
      if (reads.length > largestBatch) this.#waiting.set(text, { text, reads: reads.splice(largestBatch) });
      this.#slots.occupy(this.#answer(text, reads));
    }
  }

  async #answer(text: BatchText, reads: readonly Read[]): Promise<void> {
    if (reads.length > 1) {
      try {
        const answers = await this.#together(text, reads);
        for (const [index, read] of reads.entries()) read.resolve(answers[index] ?? []);
        return;
      } catch (error) {
        const failure = storageError(error);
        if (failure instanceof StorageUnavailable) {
          for (const read of reads) read.reject(failure);
          return;
        }
        // One of them caused the error, and only that one should fail.
        this.#takenApart();
      }
    }
    await Promise.all(reads.map(({ params, resolve, reject }) => this.alone(text.one, params).then(resolve, reject)));
  }

  async #together({ many }: BatchText, reads: readonly Read[]): Promise<Row[][]> {
    const [{ params: first } = { params: [] }] = reads;
    const lists = first.map((_, place) => reads.map(({ params }) => params[place] ?? null));
    const rows = await this.#connections.lookUp(many, lists);
    const answers: Row[][] = reads.map(() => []);
    for (const row of rows) answers[Number(row.batch_place) - 1]?.push(row);
    return answers;
  }

  async alone(sql: string, params: readonly Value[], anew = false): Promise<Row[]> {
    try {
      return await (anew ? this.#connections.walk(sql, params) : this.#connections.ask(sql, params));
    } catch (error) {
      throw storageError(error);
    }
  }

  #textOf(sql: string, params: readonly Value[]): BatchText | undefined {
    let byTypes = this.#texts.get(sql);
    if (byTypes === undefined) {
      byTypes = new Map();
      this.#texts.set(sql, byTypes);
    }
    const types = typesOf(params);
    if (!byTypes.has(types)) byTypes.set(types, batchText(sql, params));
    return byTypes.get(types);
  }
}

function typesOf(params: readonly Value[]): string {
  let types = '';
  for (const value of params) types += typeof value === 'string' ? 't' : typeof value === 'number' ? 'i' : 'x';
  return types;
}

/** Undefined if it can't be batched: it has an ORDER BY, or a parameter's type is unknown. */
export function batchText(sql: string, params: readonly Value[]): BatchText | undefined {
  const types = typesOf(params);
  if (types === '' || types.includes('x') || /\bORDER BY\b/.test(sql)) return undefined;
  const lists = [...types].map((type, index) => `$${index + 1}::${type === 't' ? 'text' : 'bigint'}[]`);
  const names = [...types].map((_, index) => `p${index + 1}`);
  const inner = sql.replaceAll(/\$(\d+)/g, 'batch.p$1');
  return {
    one: sql,
    many: `SELECT batch.place AS batch_place, found.*
      FROM unnest(${lists.join(', ')}) WITH ORDINALITY AS batch(${names.join(', ')}, place)
      CROSS JOIN LATERAL (${inner}) AS found`,
  };
}
