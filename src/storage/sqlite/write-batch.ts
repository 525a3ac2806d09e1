// How writes are sent to the writer: the writes of one turn of the event loop as a few flat arrays, because copying an
// object to another thread or process costs more than most statements take to run.

import type { Statement, Value } from '../driver.ts';

export interface WriteBatch {
  /** Whose batch it is. Each source numbers its texts by itself. */
  readonly source: number;
  /** Texts that no earlier batch of the source had; they get the next numbers, from 0 on. */
  readonly newTexts: readonly string[];
  /** For each write its id and how many statements it has; for each of those its text, its demand and how many parameters. */
  readonly numbers: readonly number[];
  /** The parameters of all statements, one after the other. */
  readonly params: readonly Value[];
}

export interface WriteJob {
  readonly source: number;
  readonly id: number;
  readonly statements: readonly Statement[];
}

/** Collects writes for one writer, and remembers which texts that writer has. */
export class BatchBuilder {
  readonly #source: number;
  readonly #textNumbers = new Map<string, number>();
  #newTexts: string[] = [];
  #numbers: number[] = [];
  #params: Value[] = [];

  constructor(source: number) {
    this.#source = source;
  }

  get isEmpty(): boolean {
    return this.#numbers.length === 0;
  }

  add(id: number, statements: readonly Statement[]): void {
    this.#numbers.push(id, statements.length);
    for (const statement of statements) {
      const { sql, params } = statement;
      this.#numbers.push(this.#numberOf(sql), demandOf(statement), params.length);
      for (const param of params) this.#params.push(param);
    }
  }

  /** What was added since the last call. */
  take(): WriteBatch {
    const batch = {
      source: this.#source,
      newTexts: this.#newTexts,
      numbers: this.#numbers,
      params: this.#params,
    };
    this.#newTexts = [];
    this.#numbers = [];
    this.#params = [];
    return batch;
  }

  #numberOf(sql: string): number {
    let number = this.#textNumbers.get(sql);
    if (number === undefined) {
      number = this.#textNumbers.size;
      this.#textNumbers.set(sql, number);
      this.#newTexts.push(sql);
    }
    return number;
  }
}

/** What a statement needs, in bits. */
const demands = { mustReturn: 1, countsChanges: 2 };

function demandOf({ mustReturn, countsChanges }: Statement): number {
  return (mustReturn === true ? demands.mustReturn : 0) + (countsChanges === true ? demands.countsChanges : 0);
}

/** `texts` are those of the source, including the batch's own. */
export function jobsIn({ source, numbers, params }: WriteBatch, texts: readonly string[]): WriteJob[] {
  const jobs: WriteJob[] = [];
  let position = 0;
  let paramsBefore = 0;
  const next = () => numbers[position++] ?? 0;
  while (position < numbers.length) {
    const id = next();
    const statements: Statement[] = [];
    for (let left = next(); left > 0; left--) {
      const sql = texts[next()] ?? '';
      const demand = next();
      const paramsUntil = paramsBefore + next();
      statements.push({
        sql,
        mustReturn: (demand & demands.mustReturn) !== 0,
        countsChanges: (demand & demands.countsChanges) !== 0,
        params: params.slice(paramsBefore, paramsUntil),
      });
      paramsBefore = paramsUntil;
    }
    jobs.push({ source, id, statements });
  }
  return jobs;
}
