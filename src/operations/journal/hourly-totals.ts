// Counts by hour, kind and client: refreshes and userinfo calls, which are too frequent to be events, and the events that
// the overview charts. Counted in memory and added to the store's totals when written.

import type { Clock } from '../../platform/clock.ts';
import type { TotalKind } from '../../protocol/event.ts';
import type { Storage } from '../../storage/storage.ts';

const HOUR = 60 * 60 * 1000;

export class HourlyTotals {
  readonly #storage: Storage;
  readonly #clock: Clock;
  #counts = new Map<TotalKind, Map<string, number>>();

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** An empty client id stands for "no known client", as in the table. */
  add(kind: TotalKind, clientId: string, count: number): void {
    const byClient = this.#counts.get(kind) ?? new Map<string, number>();
    this.#counts.set(kind, byClient);
    byClient.set(clientId, (byClient.get(clientId) ?? 0) + count);
  }

  /** Adds to the hour in which it is called, normally half a second after what was counted. */
  async write(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counted = this.#counts;
    this.#counts = new Map();
    const hour = Math.floor(this.#clock.now() / HOUR) * HOUR;
    const totals = [...counted].flatMap(([kind, byClient]) =>
      [...byClient].map(([clientId, total]) => ({ hour, kind, clientId, total })),
    );
    try {
      await this.#storage.addTotals(totals);
    } catch (error) {
      for (const { kind, clientId, total } of totals) this.add(kind, clientId, total);
      throw error;
    }
  }
}
