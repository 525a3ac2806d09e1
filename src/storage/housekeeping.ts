// What the store offers to the work behind the scenes: deleting what has expired, and what processes have to agree on.

import type { Expiring } from '../protocol/sweep-rules.ts';

export type FactName = 'base_url' | 'swept_at' | 'sweep_paused' | 'sweep_confirmed_at';

/** The sweep deletes what is older than these. */
export interface SweepLimits {
  readonly now: number;
  readonly keptSessionsSeenBefore: number;
  /** For sessions that end with the browser. */
  readonly briefSessionsSeenBefore: number;
  readonly failuresBefore: number;
  readonly eventsBefore: string;
  readonly devicesSeenBefore: number;
  readonly mailsBefore: number;
  readonly totalsBefore: number;
  /** How many finished deliveries of each webhook endpoint are kept. */
  readonly finishedDeliveries: number;
  /** The number of a change of access that lies some time back; what ended by then may be forgotten. */
  readonly settledAccessChange: number;
}

export interface Housekeeping {
  /** Deletes at most `limit` rows of each table that are past their time; returns how many. */
  sweep(limits: SweepLimits, limit: number): Promise<number>;
  /**
   * How many of the newest grants and kept sessions a sweep would delete. Codes that nobody exchanged don't count, nor do
   * sessions that end within a day anyway.
   */
  examineExpiring(limits: SweepLimits): Promise<Expiring>;
  /**
   * Takes or renews a lease. False while another holder's has not expired. One that ends much later than this one would
   * was taken by a wrong clock, and counts as expired.
   */
  takeLease(name: string, holder: string, now: number, expiresAt: number): Promise<boolean>;
  /** What a running service says about itself, for commands that run beside it. */
  noteFact(name: FactName, value: string): Promise<void>;
  findFact(name: FactName): Promise<string | undefined>;
  /** Whether there is nothing yet that keys protect: no user, no client, no queued email and no webhook. */
  isEmpty(): Promise<boolean>;
  /** Returns when the store can be read. */
  ping(): Promise<void>;
  /** Returns when something was written, durably. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
