// Events that wait in memory to be written. What finds no room, what the flood limit holds back, and what the store won't
// take is counted by kind, and the counts are written as events too.

import type { EventFacts, EventKind, EventRecord, Origin } from '../../protocol/event.ts';
import { type Storage, StorageConflict, StorageUnavailable } from '../../storage/storage.ts';

const queueLimit = 20_000;
const batchSize = 500;

const noOrigin: Origin = { address: '', requestId: '' };

export class EventQueue {
  readonly #storage: Storage;
  readonly #newEvent: (facts: EventFacts, origin: Origin) => EventRecord;
  #events: EventRecord[] = [];
  #suppressed = new Map<EventKind, number>();

  constructor(storage: Storage, newEvent: (facts: EventFacts, origin: Origin) => EventRecord) {
    this.#storage = storage;
    this.#newEvent = newEvent;
  }

  add(facts: EventFacts, origin: Origin): void {
    if (this.#events.length < queueLimit) this.#events.push(this.#newEvent(facts, origin));
    else this.suppress(facts.kind);
  }

  /** Counts an event that isn't written. */
  suppress(kind: EventKind): void {
    this.#suppressed.set(kind, (this.#suppressed.get(kind) ?? 0) + 1);
  }

  /** Writes everything that waits. If the store is unavailable, the rest stays for the next time. */
  async write(): Promise<void> {
    for (const [kind, count] of this.#suppressed) {
      this.#events.push(this.#newEvent({ kind: 'events_suppressed', detail: { kind, count } }, noOrigin));
    }
    this.#suppressed.clear();
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
