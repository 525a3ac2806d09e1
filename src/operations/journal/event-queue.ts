// Events that wait in memory to be written. What finds no room, what the flood limit holds back, and what the store won't
// take is counted by kind.

import type { Clock } from '../../platform/clock.ts';
import { HOUR, MINUTE } from '../../protocol/durations.ts';
import type { EventFacts, EventRecord, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { type Storage, StorageConflict, StorageUnavailable } from '../../storage/storage.ts';

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

const noRequester: Requester = { address: '', requestId: '' };

interface Count {
  /** The row's id and time, those of the first event that was counted. */
  readonly event: EventRecord;
  count: number;
  written: number;
  writtenAt: number;
}

/**
 * Counts events that aren't written, by kind. Each kind has one row an hour that holds its count: it's written when the
 * first is counted, brought up to date once a minute, and at the end of the hour and of the process. A crash loses what was
 * counted in the last minute.
 */
class SuppressedEvents {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #newEvent: (facts: EventFacts, requester: Requester) => EventRecord;
  readonly #counts = new Map<EventKind, Count>();
  /** Of hours that are over. There are few: one of each kind for each hour that the store was away. */
  #ended: Count[] = [];

  constructor(storage: Storage, clock: Clock, newEvent: (facts: EventFacts, requester: Requester) => EventRecord) {
    this.#storage = storage;
    this.#clock = clock;
    this.#newEvent = newEvent;
  }

  add(kind: EventKind): void {
    const known = this.#counts.get(kind);
    if (known !== undefined && hourOf(known.event.at) === hourOf(this.#clock.now())) {
      known.count++;
      return;
    }
    if (known !== undefined) this.#ended.push(known);
    const event = this.#newEvent({ kind: 'events_suppressed' }, noRequester);
    this.#counts.set(kind, { event: { ...event, detail: { kind } }, count: 1, written: 0, writtenAt: 0 });
  }

  /** Writes the rows that are due, or with `all` every count that isn't written yet. */
  async write(all: boolean): Promise<void> {
    const now = this.#clock.now();
    const isDue = ({ event, writtenAt }: Count) =>
      all || Math.abs(now - writtenAt) >= MINUTE || hourOf(event.at) !== hourOf(now);
    const due = [...this.#ended, ...this.#counts.values()].filter((each) => each.count > each.written && isDue(each));
    if (due.length > 0) {
      const counts = due.map(({ count }) => count);
      await this.#storage.replaceEvents(
        due.map(({ event, count }) => ({ ...event, detail: { ...event.detail, count } })),
      );
      for (const [index, each] of due.entries()) {
        each.written = counts[index] ?? 0;
        each.writtenAt = now;
      }
    }
    this.#ended = this.#ended.filter((each) => each.count > each.written);
  }
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR);
}
