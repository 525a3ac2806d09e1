// Whether an account can be used now.

export interface AccountTimes {
  readonly disabledAt: number | null;
  /** Since when a new account waits for approval. It's disabled as well. */
  readonly pendingSince: number | null;
  /** When access ends. Once that has been written, the account is disabled as well. */
  readonly expiresAt: number | null;
}

export type Standing = 'active' | 'waiting' | 'expired' | 'disabled';

export function standingOf({ disabledAt, pendingSince, expiresAt }: AccountTimes, now: number): Standing {
  if (pendingSince !== null) return 'waiting';
  if (expiresAt !== null && expiresAt <= now && (disabledAt === null || disabledAt === expiresAt)) return 'expired';
  return disabledAt === null ? 'active' : 'disabled';
}
