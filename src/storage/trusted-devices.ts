// Part of the storage contract (storage.ts): browsers that skip the second step. `startSession` trusts a browser, identified by
// its mark.

import type { EventRecord } from '../protocol/event.ts';

export interface TrustedDevice {
  /** Of the browser's mark. */
  readonly digest: string;
  /** Browser and system ("Firefox on Linux"). */
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
