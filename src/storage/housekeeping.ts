// Storage for background work: deleting expired rows, and what processes have to agree on.

import type { Expiring } from '../protocol/sweep-rules.ts';

export type FactName = 'base_url' | 'swept_at' | 'sweep_paused' | 'sweep_confirmed_at';

/** The sweep deletes rows older than these. */
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
  /** The number of an access change some time ago; access that ended by then can be deleted. */
  readonly settledAccessChange: number;
}

export interface Housekeeping {
  /** Deletes at most `limit` expired rows of each table; returns how many. */
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
  /** Facts about a running service, for commands that run alongside it. */
  noteFact(name: FactName, value: string): Promise<void>;
  findFact(name: FactName): Promise<string | undefined>;
  /** Whether there's nothing yet that keys protect: no user, client, queued email or webhook. */
  isEmpty(): Promise<boolean>;
  /** Returns when the store can be read. */
  ping(): Promise<void>;
  /** Returns when something was written, durably. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
