// When batches are sent: once per turn of the event loop, after its events, with a limited number at a time. Requests that
// arrive while all slots are in use wait for the next batch.

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
