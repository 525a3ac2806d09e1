// When batches are sent: once in a turn of the event loop, after its events, and only so many at a time. What arrives while
// all of them are under way waits for the next.

export class BatchSlots {
  readonly #most: number;
  readonly #send: () => void;
  #scheduled = false;
  #underWay = 0;

  /** `send` starts batches for as long as a slot is free. */
  constructor(most: number, send: () => void) {
    this.#most = most;
    this.#send = send;
  }

  get isFree(): boolean {
    return this.#underWay < this.#most;
  }

  /** By the end of this turn, all requests that have arrived have asked their questions. */
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
