// Says every ten seconds that this instance runs, what it has and how its clock compares to the store's, and puts a new key to use once every instance that runs
// has it. From then on the store says so, and all processes of all instances follow (platform/key-file.ts).

import { beatEvery, type InstanceFacts, isLive, liveFor, type SeenInstance } from '../../protocol/instances.ts';
import { keyToUse } from '../../protocol/key-retirement.ts';
import type { Services, Timing } from '../services.ts';

/** What can change while an instance runs. It counts as having a key when all of its processes do, and as serving when one does. */
export interface Held extends Pick<InstanceFacts, 'keyIds' | 'breachesDigest'> {
  readonly serves: boolean;
}

type Beating = Timing & Pick<Services, 'storeClock'>;

/** What stays the same while an instance runs. */
export type FixedFacts = Omit<InstanceFacts, keyof Held | 'clockOffset'>;

/** Milliseconds. The clocks are compared to within half of what asking the store took, so what took longer says too little. */
const slowAnswer = 2000;

/** Milliseconds. Otherwise, a call that is a little early would leave the heartbeat to the one after it. */
const early = 500;

export class Heartbeat {
  readonly #services: Beating;
  readonly #facts: FixedFacts;
  /** Milliseconds that only ever go forward. */
  readonly #elapsed: () => number;
  readonly #startedAt: number;
  #clockOffset: number | null = null;
  #held: Held | undefined;
  #written: Held | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** Since when no heartbeat was missed. */
  #steadySince = 0;
  #stopped = false;
  #beating: Promise<boolean> | undefined;

  constructor(services: Beating, facts: FixedFacts, elapsed = () => performance.now()) {
    this.#services = services;
    this.#facts = facts;
    this.#elapsed = elapsed;
    this.#startedAt = elapsed();
  }

  /** To be called every few seconds. True if it has put a key to use. */
  beat(held: Held): Promise<boolean> {
    if (this.#stopped) return Promise.resolve(false);
    this.#held = held;
    // One at a time, however long the store takes.
    this.#beating ??= this.#beatWith(held).finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** To be called when no process of this instance serves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#beating?.catch(() => {});
    if (this.#written !== undefined) await this.#services.storage.forgetInstance(this.#facts.id);
  }

  /** And once more with what has changed meanwhile. */
  async #beatWith(held: Held): Promise<boolean> {
    const isInUse = await this.#beat(held);
    const latest = this.#held ?? held;
    return (!isSame(held, latest) && (await this.#beatWith(latest))) || isInUse;
  }

  async #beat(held: Held): Promise<boolean> {
    const { storage, clock } = this.#services;
    const now = this.#elapsed();
    if (now - this.#writtenAt >= beatEvery - early || !isSame(held, this.#written)) {
      // Clocks that no request meets count for nothing: one of those that are left has to be ready.
      this.#clockOffset = held.serves ? ((await this.#measureClock()) ?? this.#clockOffset) : null;
      const { keyIds, breachesDigest } = held;
      const facts = { ...this.#facts, keyIds, breachesDigest, clockOffset: this.#clockOffset };
      await storage.noteInstance(facts, now - this.#startedAt);
      if (now - this.#writtenAt >= liveFor) this.#steadySince = now;
      this.#written = held;
      this.#writtenAt = now;
    }
    const records = await storage.listServiceKeys();
    // Most of the time, the newest key is in use, and other instances needn't be asked.
    if (keyToUse(held.keyIds, records, [], clock.now()) === undefined) return false;
    const others = (await storage.listInstances()).filter((instance) => !this.#isGone(instance));
    const key = keyToUse(
      held.keyIds,
      records,
      others.map(({ keyIds }) => keyIds),
      clock.now(),
    );
    if (key === undefined) return false;
    await storage.noteServiceKeyUse(key, clock.now());
    return true;
  }

  /** The store has told its time halfway between question and answer. Undefined if the answer was slow. */
  async #measureClock(): Promise<number | undefined> {
    const { clock, storeClock } = this.#services;
    const asked = this.#elapsed();
    const time = await storeClock.now();
    const taken = this.#elapsed() - asked;
    return taken > slowAnswer ? undefined : Math.round(clock.now() - taken / 2 - time);
  }

  /**
   * After an outage of the store, no instance has been seen for a while. So another one is gone only if this one could have been seen
   * during that time.
   */
  #isGone(instance: SeenInstance): boolean {
    return !isLive(instance) && this.#elapsed() - this.#steadySince >= liveFor;
  }
}

export function isSame(one: Held, other: Held | undefined): boolean {
  return (
    one.serves === other?.serves &&
    one.breachesDigest === other.breachesDigest &&
    one.keyIds.join() === other.keyIds.join()
  );
}
