// What operations record about what happened. A change that must be provable writes its event in the same
// transaction; everything else is noted here in memory and written shortly after, outside the request.

import type { Clock } from '../../platform/clock.ts';
import type { EventFacts, EventRecord, Requester } from '../../protocol/event.ts';
import { kindsOfEvents, type TotalKind } from '../../protocol/events/kinds.ts';
import { newTimeOrderedId, type RandomBytes } from '../../protocol/identifiers.ts';
import type { GrantUse, SecretUse, Storage } from '../../storage/storage.ts';
import { EventQueue } from './event-queue.ts';
import { FloodLimit } from './flood-limit.ts';
import { HourlyTotals, LastUsedMarks } from './last-used.ts';

export class Journal {
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  readonly #events: EventQueue;
  readonly #flood: FloodLimit;
  readonly #totals: HourlyTotals;
  readonly #marks: LastUsedMarks;
  #sequence = 0;
  #flushing: Promise<void> | undefined;

  constructor(storage: Storage, clock: Clock, random: RandomBytes, precisionOfGrants?: number) {
    this.#clock = clock;
    this.#random = random;
    this.#events = new EventQueue(storage, clock, (facts, requester) => this.event(facts, requester));
    this.#flood = new FloodLimit(clock);
    this.#totals = new HourlyTotals(storage, clock);
    this.#marks = new LastUsedMarks(storage, clock, precisionOfGrants);
  }

  /** An event for the caller to write together with its change. Ids sort in the order of the calls. */
  event(facts: EventFacts, requester: Requester): EventRecord {
    const at = this.#clock.now();
    const id = newTimeOrderedId(at, (size) => this.#randomInSequence(size));
    const { address, requestId, traceId, actor } = requester;
    return { ...facts, id, at, address, requestId, ...(traceId && { traceId }), ...(actor && { actor }) };
  }

  /** Counts an event, for a caller that writes it itself. */
  countWritten({ kind, clientId }: EventFacts): void {
    const total = kindsOfEvents[kind].counts;
    if (total !== undefined) this.count(total, clientId);
  }

  note(facts: EventFacts, requester: Requester): void {
    this.countWritten(facts);
    this.#events.add(facts, requester);
  }

  /** For events that anyone can cause as often as they like. Beyond a rate they are only counted. */
  noteRateLimited(facts: EventFacts, requester: Requester): void {
    this.countWritten(facts);
    if (this.#flood.admits(facts, requester)) this.#events.add(facts, requester);
    else this.#events.suppress(facts.kind);
  }

  /** For what was noted before and happens again and again: only the number of repetitions is written. */
  countRepeated(facts: EventFacts): void {
    this.countWritten(facts);
    this.#events.suppress(facts.kind);
  }

  /** For what is too frequent to be an event. Without a client if it isn't known. */
  count(kind: TotalKind, clientId = '', count = 1): void {
    this.#totals.add(kind, clientId, count);
  }

  noteGrantUse(use: GrantUse, lastUsedAt: number | null): void {
    this.#marks.markGrant(use, lastUsedAt);
  }

  noteNewGrant(use: GrantUse): void {
    this.#marks.markNewGrant(use);
  }

  noteSecretUse(use: SecretUse, lastUsedAt: number | null): void {
    this.#marks.markSecret(use, lastUsedAt);
  }

  noteApiKeyUse(keyId: string, lastUsedAt: number | null): void {
    this.#marks.markApiKey(keyId, lastUsedAt);
  }

  noteSessionSeen(digest: string): void {
    this.#marks.markSession(digest);
  }

  /** How many events wait to be written, and how many were only counted since the start. */
  load(): { queued: number; suppressed: number } {
    return { queued: this.#events.length, suppressed: this.#events.suppressedCount };
  }

  /**
   * Writes everything that was noted before the call; counts of suppressed events follow within a minute. What can't be
   * written now is kept for the next time.
   */
  async flush(): Promise<void> {
    return this.#flush(false);
  }

  /** Before the process ends: nothing is left in memory. */
  async close(): Promise<void> {
    return this.#flush(true);
  }

  async #flush(all: boolean): Promise<void> {
    // A flush that is under way may have started before the latest note.
    if (this.#flushing !== undefined) await this.#flushing.catch(() => {});
    this.#flushing ??= this.#write(all).finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #write(all: boolean): Promise<void> {
    const outcomes = await Promise.allSettled([this.#events.write(all), ...this.#marks.write(), this.#totals.write()]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Random bytes that start with a counter, so that events of the same millisecond stay in order. */
  #randomInSequence(size: number): Uint8Array {
    const bytes = Buffer.from(this.#random(size));
    this.#sequence = (this.#sequence + 1) % 65_536;
    bytes.writeUInt16BE(this.#sequence, 0);
    return bytes;
  }
}
