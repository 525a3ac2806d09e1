// Part of the storage contract (storage.ts): second factors, and how owners recover their account from someone who knew the
// password.

import type { EventRecord } from '../protocol/event.ts';
import type { Authenticator, FactorRef, Passkey, SignInFacts, User } from './records.ts';

/**
 * The first second factor brings recovery codes, and removing the last one removes them. With `passwordHash`, a factor is
 * added only while that is the user's password: a reset must not be outrun by a request that was checked before it. What
 * was proved before without the new factor no longer counts, except in the session that it's added in (`session`).
 */
export interface SecondFactors {
  /** `deviceDigests` are those of the browser's marks, of any users. */
  findSignInFacts(userId: string, deviceDigests: readonly string[] | undefined): Promise<SignInFacts>;
  /** `recoveryCodes` only with the first second factor. False when the user has an authenticator. */
  enableAuthenticator(
    userId: string,
    authenticator: Authenticator,
    recoveryCodes: readonly string[] | undefined,
    now: number,
    event: EventRecord,
    passwordHash?: string,
    session?: string,
  ): Promise<boolean>;
  removeAuthenticator(userId: string, event: EventRecord): Promise<boolean>;
  /** False when a code of this time step or a later one was accepted before. */
  acceptAuthenticatorStep(userId: string, step: number): Promise<boolean>;
  /** Authenticator, passkeys and recovery codes together; false when there were none. */
  removeSecondFactors(userId: string, event: EventRecord): Promise<boolean>;
  replaceRecoveryCodes(
    userId: string,
    codeDigests: readonly string[],
    now: number,
    event: EventRecord,
    passwordHash?: string,
  ): Promise<boolean>;
  /** Codes are consumed by `startSession` and `proveSession`. */
  hasRecoveryCode(userId: string, codeDigest: string): Promise<boolean>;
  /** `recoveryCodes` only with the first second factor. False when the passkey is registered already. */
  addPasskey(
    passkey: Passkey,
    recoveryCodes: readonly string[] | undefined,
    event: EventRecord,
    passwordHash?: string,
    session?: string,
  ): Promise<boolean>;
  removePasskey(userId: string, passkeyId: string, event: EventRecord): Promise<boolean>;
  findPasskey(passkeyId: string): Promise<{ passkey: Passkey; user: User } | undefined>;
  /** False if the passkey's counter went back, or stopped after having counted. */
  notePasskeyUse(passkeyId: string, counter: number, now: number): Promise<boolean>;
}

/**
 * Resetting a password (`changePassword` with a link, `setPasswordHash`) suspends the factors that were added shortly
 * before. A suspended factor signs nobody in and doesn't count as a second factor.
 */
export interface AccountRecovery {
  /**
   * Puts a suspended factor back into force, or removes it, together with the recovery codes that came with it. False
   * when it isn't suspended, or the password is no longer the one that was checked. One that is kept counts as new.
   */
  decideOnFactor(
    userId: string,
    factor: FactorRef,
    decision: 'keep' | 'remove',
    passwordHash: string,
    event: EventRecord,
    session?: string,
  ): Promise<boolean>;
  /**
   * Uses up a link that was sent about a new factor: removes the factor, if it's still there, with the recovery codes
   * that came with it, and ends the user's sessions, known browsers and links. False when the link doesn't work.
   */
  undoFactor(userId: string, factor: FactorRef, linkDigest: string, now: number, event: EventRecord): Promise<boolean>;
  /**
   * Removes the user's suspended factors and, unless they are kept, all others; their sessions and known browsers but for
   * the ones that are kept; their connected apps, links and API keys. Also ends the review. False for an unknown user.
   */
  removeOtherAccess(
    userId: string,
    kept: { readonly session: string; readonly device: string | undefined; readonly factors: boolean },
    now: number,
    events: readonly EventRecord[],
  ): Promise<boolean>;
  /** The user has completed the review of their account. False if none was due. */
  finishReview(userId: string, events: readonly EventRecord[]): Promise<boolean>;
}
