// Part of the storage contract (storage.ts): browsers in which a user is spared the second step. A browser is trusted with
// `startSession`, by the mark that it is known by.

import type { EventRecord } from '../protocol/event.ts';

export interface TrustedDevice {
  /** Of the browser's mark. */
  readonly digest: string;
  /** The browser in words ("Firefox on Linux"). */
  readonly device: string | null;
  readonly lastSeenAt: number;
  readonly trustedUntil: number;
}

/**
 * Trust ends by itself at its time. Whatever changes the user's password, removes a second factor or disables the user
 * ends it, too, in the same write.
 */
export interface TrustedDevices {
  /** The last seen first. */
  listTrustedDevices(userId: string, now: number): Promise<TrustedDevice[]>;
  /** The browser stays known. False when it isn't trusted. */
  endTrust(userId: string, digest: string, now: number, event: EventRecord): Promise<boolean>;
}
