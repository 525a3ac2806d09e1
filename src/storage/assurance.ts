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
   * Adds an authenticator with recovery codes for somebody who has no second factor in force, and starts their session, or
   * raises the one that they have. A suspended authenticator makes way. False when they have a second factor by now, the
   * password is no longer the one that was checked, they were disabled, or the session to be raised has ended.
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
   * For somebody who has just proved a second factor, with a recovery code that this uses up if that was the proof. False
   * when they have no second factor any more, the session has ended, the password was changed, or the code was used.
   */
  raiseSession(raised: RaisedSession, passwordHash: string, recoveryCode?: string): Promise<boolean>;
}
