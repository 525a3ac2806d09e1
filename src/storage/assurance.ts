// Part of the storage contract (storage.ts): sessions that get a second factor, at their start or later.

import type { EventRecord } from '../protocol/event.ts';
import type { Authenticator, NewSession, Session } from './records.ts';
import type { UsedIdentityKey } from './upstreams/upstreams.ts';

/** A session that continues under a new digest, so that a copy of the old secret gains nothing. */
export interface RaisedSession {
  readonly session: Session;
  readonly replacedDigest: string;
}

export interface Assurance {
  /**
   * Adds an authenticator with recovery codes for a user without an active second factor, and starts their session or raises
   * the one they have. Replaces a suspended authenticator. False if they have a second factor by now, the password has
   * changed since it was checked, they were disabled, or the session to raise has ended.
   */
  setUpAuthenticator(
    authenticator: Authenticator,
    recoveryCodes: readonly string[],
    passwordHash: string,
    session: NewSession | RaisedSession,
    event: EventRecord,
    /** The identity used instead of the password, which must still be the user's. */
    used?: UsedIdentityKey,
  ): Promise<boolean>;
  /**
   * For a user who has just proved a second factor, with a recovery code to consume if that was the proof. False if they no
   * longer have a second factor, the session has ended, the password was changed, or the code was used.
   */
  raiseSession(raised: RaisedSession, passwordHash: string, recoveryCode?: string): Promise<boolean>;
}
