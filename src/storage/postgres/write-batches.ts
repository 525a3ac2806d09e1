// The single-statement writes of one turn of the event loop share a transaction, and so one COMMIT; those that have a text for
// several of them are one statement. While two batches are under way, further writes wait and share the next.

import { type Row, type Statement, StorageUnavailable, type Value } from '../driver.ts';
import { BatchSlots, type Waiting } from './batch-slots.ts';
import type { Connections } from './connections.ts';
import { isCollision, storageError } from './errors.ts';

interface Write extends Waiting {
  readonly statement: Statement;
  resolve(rows: Row[]): void;
}

/** Two at a time, so that PostgreSQL executes one while the other is in transit. */
const underWay = 2;
const largestBatch = 200;

export class WriteBatches {
  readonly #connections: Connections;
  /** Writes a statement on its own. */
  readonly #alone: (statement: Statement) => Promise<Row[]>;
  /** Called for every batch whose writes had to be sent one by one. */
  readonly #takenApart: () => void;
  #waiting: Write[] = [];
  readonly #slots: BatchSlots;

  constructor(connections: Connections, alone: (statement: Statement) => Promise<Row[]>, takenApart: () => void) {
    this.#connections = connections;
    this.#takenApart = takenApart;
    this.#slots = new BatchSlots(underWay, connections.patience, () => this.#send());
    this.#alone = alone;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  write(statement: Statement): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, since: performance.now(), resolve, reject });
      this.#slots.schedule();
    });
  }

  #send(): void {
    this.#waiting = this.#slots.patient(this.#waiting);
    while (this.#waiting.length > 0 && this.#slots.isFree) {
      this.#slots.occupy(this.#carryOut(this.#takeBatch()));
    }
  }

  /** Those with the text of the first one, for different rows: of two for one row, it wouldn't be known which took place. */
  #takeBatch(): Write[] {
    const text = this.#waiting[0]?.statement.batchSql;
    const batch: Write[] = [];
    const others: Write[] = [];
    const rows = new Set<Value | undefined>();
    for (const write of this.#waiting) {
      const { batchSql, params } = write.statement;
      const isTaken = batchSql === text && batch.length < largestBatch && (text === undefined || !rows.has(params[0]));
      if (isTaken) rows.add(params[0]);
      (isTaken ? batch : others).push(write);
    }
    this.#waiting = others;
    return batch;
  }

  async #carryOut(writes: readonly Write[]): Promise<void> {
    if (writes.length > 1) {
      try {
        const answers = await this.#together(writes);
        for (const [index, write] of writes.entries()) write.resolve(answers[index] ?? []);
        return;
      } catch (error) {
        const failure = storageError(error);
        if (failure instanceof StorageUnavailable && !isCollision(error)) {
          for (const write of writes) write.reject(failure);
          return;
        }
        // Nothing was changed. Repeated one by one, only the one that caused the error fails.
        this.#takenApart();
      }
    }
    await Promise.all(writes.map(({ statement, resolve, reject }) => this.#alone(statement).then(resolve, reject)));
  }

  async #together(writes: readonly Write[]): Promise<Row[][]> {
    const text = writes[0]?.statement.batchSql;
    if (text === undefined) {
      // A statement that must return a row and returns none has changed nothing, and doesn't affect the others.
      const statements = writes.map(({ statement }) => ({ ...statement, mustReturn: false }));
      return (await this.#connections.transact(statements, writes.length)) ?? [];
    }
    const sets = writes.map(({ statement }) => statement.params);
    const lists = (sets[0] ?? []).map((_, place) => sets.map((params) => params[place] ?? null));
    const changed = new Map((await this.#connections.change(text, lists)).map((row) => [row.id, row]));
    return sets.map(([id = null]) => [changed.get(id) ?? []].flat());
  }
}
