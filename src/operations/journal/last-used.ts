// When grants, client secrets, API keys and sessions were last used, and how often. Marked in memory during a request and
// written later, so that using a token writes nothing; good to the hour, so that busy ones are written at most once an hour.
// Grants are most of what a large store writes, so an operator can have them written less often.

import type { Clock } from '../../platform/clock.ts';
import { HOUR } from '../../protocol/durations.ts';
import type { TotalKind } from '../../protocol/events/kinds.ts';
import type { GrantUse, SecretUse, Storage } from '../../storage/storage.ts';

/** How many marks of a kind are kept while the store is away. */
const markLimit = 20_000;
const batchSize = 500;

export class LastUsedMarks {
  readonly #storage: Storage;
  readonly #clock: Clock;
  /** Milliseconds. */
  readonly #precisionOfGrants: number;
  #grants = new Map<string, GrantUse>();
  /** When it was marked that a person with a new grant has used its client, by the ids of both. */
  readonly #users = new Map<string, number>();
  #secrets = new Map<string, SecretUse>();
  #apiKeys = new Set<string>();
  #sessions = new Set<string>();

  constructor(storage: Storage, clock: Clock, precisionOfGrants = HOUR) {
    this.#storage = storage;
    this.#clock = clock;
    this.#precisionOfGrants = precisionOfGrants;
  }

  markGrant(use: GrantUse, lastUsedAt: number | null): void {
    if (isStale(lastUsedAt, use.at, this.#precisionOfGrants) && this.#grants.size < markLimit)
      this.#grants.set(use.grantId, use);
  }

  /** The time of a new grant is stored with it. That its user has used the client is written as often as any use of a grant. */
  markNewGrant(use: GrantUse): void {
    const key = `${use.userId} ${use.clientId}`;
    if (!isStale(this.#users.get(key) ?? null, use.at, this.#precisionOfGrants)) return;
    if (this.#users.size === markLimit) this.#users.clear();
    this.#users.set(key, use.at);
    this.markGrant(use, null);
  }

  markSecret(use: SecretUse, lastUsedAt: number | null): void {
    if (isStale(lastUsedAt, use.at) && this.#secrets.size < markLimit) this.#secrets.set(use.digest, use);
  }

  markApiKey(keyId: string, lastUsedAt: number | null): void {
    if (isStale(lastUsedAt, this.#clock.now())) this.#apiKeys.add(keyId);
  }

  markSession(digest: string): void {
    if (this.#sessions.size < markLimit) this.#sessions.add(digest);
  }

  /** A write for each kind, so that one that fails doesn't hold up the others. What isn't written stays marked. */
  write(): Promise<void>[] {
    return [this.#writeGrants(), this.#writeSessions(), this.#writeSecrets(), this.#writeApiKeys()];
  }

  async #writeGrants(): Promise<void> {
    const uses = [...this.#grants.values()];
    for (let start = 0; start < uses.length; start += batchSize) {
      const batch = uses.slice(start, start + batchSize);
      await this.#storage.noteGrantUses(batch);
      forgetWritten(this.#grants, batch, ({ grantId }) => grantId);
    }
  }

  async #writeSessions(): Promise<void> {
    const digests = [...this.#sessions];
    if (digests.length > 0) await this.#storage.noteSessionsSeen(digests, this.#clock.now());
    for (const digest of digests) this.#sessions.delete(digest);
  }

  async #writeSecrets(): Promise<void> {
    const uses = [...this.#secrets.values()];
    if (uses.length > 0) await this.#storage.noteSecretUses(uses);
    forgetWritten(this.#secrets, uses, ({ digest }) => digest);
  }

  async #writeApiKeys(): Promise<void> {
    const ids = [...this.#apiKeys];
    if (ids.length > 0) await this.#storage.noteApiKeyUses(ids, this.#clock.now());
    for (const id of ids) this.#apiKeys.delete(id);
  }
}

/** A use that was marked while these were written may say more, and stays. */
function forgetWritten<Use>(marked: Map<string, Use>, written: readonly Use[], keyOf: (use: Use) => string): void {
  for (const use of written) if (marked.get(keyOf(use)) === use) marked.delete(keyOf(use));
}

function isStale(lastUsedAt: number | null, now: number, precision = HOUR): boolean {
  return lastUsedAt === null || now - lastUsedAt >= precision;
}

/**
 * Counts by hour, kind and client: refreshes and userinfo calls, which are too frequent to be events, and the events that the
 * overview charts.
 */
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
