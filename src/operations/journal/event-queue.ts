// Events that wait in memory to be written. What finds no room, what the flood limit holds back, and what the store won't
// take is counted by kind (suppressed-events.ts).

import type { Clock } from '../../platform/clock.ts';
import type { EventFacts, EventKind, EventRecord, Requester } from '../../protocol/event.ts';
import { type Storage, StorageConflict, StorageUnavailable } from '../../storage/storage.ts';
import { SuppressedEvents } from './suppressed-events.ts';

const queueLimit = 20_000;
const batchSize = 500;

export class EventQueue {
  readonly #storage: Storage;
  readonly #newEvent: (facts: EventFacts, requester: Requester) => EventRecord;
  #events: EventRecord[] = [];
  readonly #suppressed: SuppressedEvents;
  suppressedCount = 0;

  constructor(storage: Storage, clock: Clock, newEvent: (facts: EventFacts, requester: Requester) => EventRecord) {
    this.#storage = storage;
    this.#newEvent = newEvent;
    this.#suppressed = new SuppressedEvents(storage, clock, newEvent);
  }

  get length(): number {
    return this.#events.length;
  }

  add(facts: EventFacts, requester: Requester): void {
    if (this.#events.length < queueLimit) this.#events.push(this.#newEvent(facts, requester));
    else this.suppress(facts.kind);
  }

  /** Counts an event that isn't written. */
  suppress(kind: EventKind): void {
    this.suppressedCount++;
    this.#suppressed.add(kind);
  }

  /**
   * Writes everything that waits, and the counts of suppressed events that are due, or with `all` every one. If the store
   * is unavailable, the rest stays for the next time.
   */
  async write(all = false): Promise<void> {
    while (this.#events.length > 0) {
      const batch = this.#events.slice(0, batchSize);
      try {
        await this.#storage.appendEvents(batch);
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error;
        // One event that the store rejects must not block those behind it.
        for (const event of batch) await this.#writeOrSuppress(event);
      }
      this.#events.splice(0, batch.length);
    }
    await this.#suppressed.write(all);
  }

  async #writeOrSuppress(event: EventRecord): Promise<void> {
    try {
      await this.#storage.appendEvents([event]);
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      // A conflict means that an earlier attempt has written it.
      if (!(error instanceof StorageConflict)) this.suppress(event.kind);
    }
  }
}
