// When batches are sent: once per turn of the event loop, after its events, with a limited number at a time. Requests that
// arrive while all slots are in use wait for the next batch, at most as long as an answer may take.

import { StorageUnavailable } from '../driver.ts';

/** A request that a batch takes. */
export interface Waiting {
  /** When it came, by performance.now(). */
  readonly since: number;
  reject(error: unknown): void;
}

export class BatchSlots {
  readonly #most: number;
  readonly #patience: number;
  readonly #send: () => void;
  #scheduled = false;
  #underWay = 0;

  /** `send` starts batches for as long as a slot is free. Requests wait for one for at most `patience` milliseconds. */
  constructor(most: number, patience: number, send: () => void) {
    this.#most = most;
    this.#patience = patience;
    this.#send = send;
  }

  get isFree(): boolean {
    return this.#underWay < this.#most;
  }

  /**
   * Leaves out those that have waited too long, the oldest first, and tells them: while a database hangs, every batch in front of
   * them takes as long as an answer may take.
   */
  patient<Request extends Waiting>(waiting: Request[]): Request[] {
    const oldest = performance.now() - this.#patience;
    const kept = waiting.findIndex(({ since }) => since > oldest);
    if (kept === 0) return waiting;
    const late = kept === -1 ? waiting : waiting.slice(0, kept);
    for (const request of late) request.reject(new StorageUnavailable('PostgreSQL answers too slowly'));
    return kept === -1 ? [] : waiting.slice(kept);
  }

  /** By the end of this turn, all requests that have arrived have started their reads. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  /** The batch never fails: it rejects each of its requests instead. */
  occupy(batch: Promise<void>): void {
    this.#underWay++;
    void batch.finally(() => {
      this.#underWay--;
      this.schedule();
    });
  }
}
