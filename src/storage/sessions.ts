// Part of the storage contract (storage.ts): sessions, and the browsers that users have signed in with.

import type { EventRecord } from '../protocol/event.ts';
import type { NewSession, Session, SignedIn } from './records.ts';

/**
 * What must hold when a session starts. `no_second_factor`: the user may add one while the password is being checked.
 * `second_factor`: they may lose the one that they've just proved. `recovery_code`: starting the session consumes the code,
 * which must be unused. `trusted_device`: the browser with this mark is trusted at that time.
 */
export type SessionCondition =
  | { kind: 'no_second_factor' }
  | { kind: 'second_factor' }
  | { kind: 'recovery_code'; digest: string }
  | { kind: 'trusted_device'; digest: string; at: number };

/** A session to start, and what must still be true when it does. */
export interface SessionStart extends Partial<NewSession> {
  readonly session: Session;
  /** The hash that was checked. */
  readonly passwordHash: string;
  readonly condition?: SessionCondition | undefined;
}

/** A session is found only while its user is of the generation that it was started in, and not disabled. */
export interface Sessions {
  /**
   * Starts a session and ends the one that it replaces. False when the user was disabled meanwhile, their password is
   * no longer the one that was checked, or the condition doesn't hold.
   */
  startSession(start: SessionStart): Promise<boolean>;
  findSession(digest: string): Promise<SignedIn | undefined>;
  /**
   * Notes that the user has proved again who they are; nothing else about the session changes. False when it has ended, and
   * for the same reasons as `startSession`.
   */
  proveSession(session: Session, passwordHash: string, now: number, condition?: SessionCondition): Promise<boolean>;
  /** The last seen first, at most 200. */
  listSessions(userId: string, seenAfter: number): Promise<Session[]>;
  endSession(digest: string): Promise<boolean>;
  /** Signs the user out everywhere, and also ends their links. */
  endSessions(userId: string, event: EventRecord): Promise<boolean>;
  /** Also ends the user's links; returns how many sessions ended. */
  endOtherSessions(userId: string, keptDigest: string, event: EventRecord): Promise<number>;
  /** Remembers which authorization request the user has answered; null clears it. */
  answerRequest(digest: string, answered: string | null): Promise<boolean>;
  noteSessionsSeen(digests: readonly string[], now: number): Promise<void>;
  /** When the user last signed in with each browser that is known for them. */
  listKnownDevices(userId: string): Promise<number[]>;
}
