// The journal keeps what happened. A change that must be provable takes its event along into its own write; everything
// else is noted here, in memory, and written shortly after, outside the request. What strangers can cause without limit
// is noted singly up to a rate and counted beyond it, so that a flood fills no disk.

import type { Clock } from '../../platform/clock.ts';
import {
  countedAs,
  type EventFacts,
  type EventKind,
  type EventRecord,
  type Origin,
  type TotalKind,
} from '../../protocol/event.ts';
import { newTimeOrderedId, type RandomBytes } from '../../protocol/identifiers.ts';
import { networkOf } from '../../protocol/sign-in/throttle-rules.ts';
import {
  type GrantUse,
  type SecretUse,
  type Storage,
  StorageConflict,
  StorageUnavailable,
} from '../../storage/storage.ts';

const HOUR = 60 * 60 * 1000;
const queueLimit = 20_000;
const batchSize = 500;
interface Flow {
  readonly burst: number;
  readonly perSecond: number;
}
/**
 * What strangers can cause of each kind: so many at once, so many a second over time (9,000 a day). What concerns an
 * application or a person that there is has a share of its own, and so has each network: noise does not hide the rest.
 */
const flood: Flow = { burst: 2000, perSecond: 0.1 };
const floodOfNetwork: Flow = { burst: 200, perSecond: 0.02 };
/** So many networks are told apart at a time; those beyond share one allowance. */
const networkLimit = 10_000;

const here: Origin = { address: '', requestId: '' };

export class Journal {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  #sequence = 0;
  #events: EventRecord[] = [];
  #grantUses = new Map<string, GrantUse>();
  #sessionsSeen = new Set<string>();
  #secretUses = new Map<string, SecretUse>();
  #apiKeyUses = new Set<string>();
  #totals = new Map<TotalKind, Map<string, number>>();
  #allowances = new Map<string, { tokens: number; at: number }>();
  #networks = new Map<string, { tokens: number; at: number }>();
  #suppressed = new Map<EventKind, number>();
  #flushing: Promise<void> | undefined;

  constructor(storage: Storage, clock: Clock, random: RandomBytes) {
    this.#storage = storage;
    this.#clock = clock;
    this.#random = random;
  }

  /** An event to be written together with the change that it tells of. Ids follow the order of events. */
  event(facts: EventFacts, origin: Origin): EventRecord {
    const at = this.#clock.now();
    const id = newTimeOrderedId(at, (size) => this.#randomInSequence(size));
    const { address, requestId, actor } = origin;
    return { ...facts, id, at, address, requestId, ...(actor && { actor }) };
  }

  note(facts: EventFacts, origin: Origin): void {
    this.#countEvent(facts);
    this.#keep(facts, origin);
  }

  /** For what anyone can cause as often as they like. */
  noteFromStranger(facts: EventFacts, origin: Origin): void {
    this.#countEvent(facts);
    if (this.#isAllowed(facts, origin)) this.#keep(facts, origin);
    else this.#suppress(facts.kind);
  }

  /** One more of what is told by the hour and not singly. The client is undefined where it is not known. */
  count(kind: TotalKind, clientId = '', more = 1): void {
    const byClient = this.#totals.get(kind) ?? new Map<string, number>();
    this.#totals.set(kind, byClient);
    byClient.set(clientId, (byClient.get(clientId) ?? 0) + more);
  }

  #countEvent({ kind, clientId }: EventFacts): void {
    const total = countedAs[kind];
    if (total !== undefined) this.count(total, clientId);
  }

  #keep(facts: EventFacts, origin: Origin): void {
    if (this.#events.length < queueLimit) this.#events.push(this.event(facts, origin));
    else this.#suppress(facts.kind);
  }

  /** "Last used" is good to the hour. */
  noteGrantUse(use: GrantUse, lastUsedAt: number | null): void {
    if (lastUsedAt !== null && use.at - lastUsedAt < HOUR) return;
    if (this.#grantUses.size < queueLimit) this.#grantUses.set(use.grantId, use);
  }

  noteSecretUse(use: SecretUse, usedAt: number | null): void {
    if (usedAt !== null && use.at - usedAt < HOUR) return;
    if (this.#secretUses.size < queueLimit) this.#secretUses.set(use.digest, use);
  }

  noteApiKeyUse(keyId: string, usedAt: number | null): void {
    if (usedAt === null || this.#clock.now() - usedAt >= HOUR) this.#apiKeyUses.add(keyId);
  }

  noteSessionSeen(digest: string): void {
    if (this.#sessionsSeen.size < queueLimit) this.#sessionsSeen.add(digest);
  }

  /** Writes everything that was noted before the call. What cannot be written now is kept for the next time. */
  async flush(): Promise<void> {
    // One that is under way may have begun before the last note.
    if (this.#flushing !== undefined) await this.#flushing.catch(() => {});
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #write(): Promise<void> {
    // Networks that have their whole share again need not be remembered.
    const full = (floodOfNetwork.burst / floodOfNetwork.perSecond) * 1000;
    for (const [name, { at }] of this.#networks) {
      if (this.#clock.now() - at < full) break;
      this.#networks.delete(name);
    }
    for (const [kind, count] of this.#suppressed) {
      this.#events.push(this.event({ kind: 'events_suppressed', detail: { kind, count } }, here));
    }
    this.#suppressed.clear();
    // One kind of note that cannot be written does not hold up the others.
    const outcomes = await Promise.allSettled([
      this.#writeEvents(),
      this.#writeGrantUses(),
      this.#writeSessionsSeen(),
      this.#writeSecretUses(),
      this.#writeApiKeyUses(),
      this.#writeTotals(),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #writeEvents(): Promise<void> {
    while (this.#events.length > 0) {
      const batch = this.#events.slice(0, batchSize);
      try {
        await this.#storage.appendEvents(batch);
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error;
        // An event that the store does not take would be in the way of all that follow.
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
      if (!(error instanceof StorageConflict)) this.#suppress(event.kind);
    }
  }

  async #writeGrantUses(): Promise<void> {
    const uses = [...this.#grantUses.values()];
    for (let start = 0; start < uses.length; start += batchSize) {
      const batch = uses.slice(start, start + batchSize);
      await this.#storage.noteGrantUses(batch);
      for (const use of batch) this.#grantUses.delete(use.grantId);
    }
  }

  async #writeSessionsSeen(): Promise<void> {
    const seen = [...this.#sessionsSeen];
    if (seen.length > 0) await this.#storage.noteSessionsSeen(seen, this.#clock.now());
    for (const digest of seen) this.#sessionsSeen.delete(digest);
  }

  async #writeSecretUses(): Promise<void> {
    const uses = [...this.#secretUses.values()];
    if (uses.length > 0) await this.#storage.noteSecretUses(uses);
    for (const { digest } of uses) this.#secretUses.delete(digest);
  }

  async #writeApiKeyUses(): Promise<void> {
    const used = [...this.#apiKeyUses];
    if (used.length > 0) await this.#storage.noteApiKeyUses(used, this.#clock.now());
    for (const id of used) this.#apiKeyUses.delete(id);
  }

  /** Counted to the hour in which they are written: half a second after they happened, at most. */
  async #writeTotals(): Promise<void> {
    if (this.#totals.size === 0) return;
    const counted = this.#totals;
    this.#totals = new Map();
    const hour = Math.floor(this.#clock.now() / HOUR) * HOUR;
    const totals = [...counted].flatMap(([kind, byClient]) =>
      [...byClient].map(([clientId, total]) => ({ hour, kind, clientId, total })),
    );
    try {
      await this.#storage.addTotals(totals);
    } catch (error) {
      for (const { kind, clientId, total } of totals) this.count(kind, clientId, total);
      throw error;
    }
  }

  /** Random, but for a beginning that counts up: what happens within one millisecond stays in its order. */
  #randomInSequence(size: number): Uint8Array {
    const bytes = Buffer.from(this.#random(size));
    this.#sequence = (this.#sequence + 1) % 65_536;
    bytes.writeUInt16BE(this.#sequence, 0);
    return bytes;
  }

  #isAllowed({ kind, clientId, userId }: EventFacts, { address }: Origin): boolean {
    const about = clientId === undefined && userId === undefined ? 'nobody' : 'somebody';
    const name = `${kind} ${about} ${networkOf(address)}`;
    const network = this.#networks.has(name) || this.#networks.size < networkLimit ? name : `${kind} ${about}`;
    return (
      this.#takeAllowance(this.#networks, network, floodOfNetwork) &&
      this.#takeAllowance(this.#allowances, `${kind} ${about}`, flood)
    );
  }

  #takeAllowance(of: Map<string, { tokens: number; at: number }>, name: string, flow: Flow): boolean {
    const now = this.#clock.now();
    const allowance = of.get(name) ?? { tokens: flow.burst, at: now };
    const refill = (Math.max(0, now - allowance.at) / 1000) * flow.perSecond;
    const tokens = Math.min(flow.burst, allowance.tokens + refill);
    // Put at the end: the first is the one that was used longest ago.
    of.delete(name);
    of.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1;
  }

  #suppress(kind: EventKind): void {
    this.#suppressed.set(kind, (this.#suppressed.get(kind) ?? 0) + 1);
  }
}
