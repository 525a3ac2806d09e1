// A person proves who they are and gets a session.

import { digestOf } from '../protocol/digest.ts';
import type { Origin } from '../protocol/event.ts';
import { newSecret } from '../protocol/identifiers.ts';
import { passwordLength } from '../protocol/password.ts';
import { oldestBucket, signInCounters, throttleBucket, throttledFor } from '../protocol/throttle.ts';
import type { Services } from './services.ts';

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The authorization request that the person signs in for, as `answered` of the session keeps it. */
  readonly answered: string | null;
  /** The application that the person is on the way to. */
  readonly clientId: string | undefined;
  /** The session that the browser had; it ends, so that no session outlives a sign-in. */
  readonly replacedSession: string | undefined;
}

export type SignInOutcome =
  | { kind: 'signed_in'; sessionSecret: string }
  | { kind: 'failed' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export async function signIn(services: Services, attempt: SignInAttempt, origin: Origin): Promise<SignInOutcome> {
  const { storage, clock, passwords, journal, random } = services;
  const startedAt = clock.now();
  const counters = signInCounters(attempt.email, origin.address);
  const keys = counters.map((counter) => counter.key);
  const bucket = throttleBucket(startedAt);

  const client = attempt.clientId === undefined ? {} : { clientId: attempt.clientId };
  const throttled = (retryAfterSeconds: number): SignInOutcome => {
    journal.noteFromStranger({ kind: 'sign_in_failed', ...client, detail: { reason: 'throttled' } }, origin);
    return { kind: 'throttled', retryAfterSeconds };
  };
  const before = await storage.countFailures(keys, oldestBucket(startedAt));
  const wait = throttledFor(counters, before, startedAt);
  if (wait !== undefined) return throttled(wait);

  // Counted as a failure first and taken back on success: attempts made in parallel cannot slip in under the limit.
  const counts = await storage.addFailures(keys, bucket, oldestBucket(startedAt));
  const others = counts.map((count) => ({ ...count, failures: count.failures - 1 }));
  const raced = throttledFor(counters, others, startedAt);
  if (raced !== undefined) {
    await storage.takeBackFailures(keys, bucket);
    return throttled(raced);
  }

  const acceptable = [...attempt.password].length <= passwordLength.most;
  const user = await storage.findUserByEmail(attempt.email);
  // A person who is unknown, disabled or typing too much still costs one hash, so that the time tells nothing.
  const verified = await passwords
    .verify(acceptable ? attempt.password : '', user?.passwordHash)
    .catch(async (error) => {
      await storage.takeBackFailures(keys, bucket);
      throw error;
    });
  const failed = (reason: string): SignInOutcome => {
    const facts = { kind: 'sign_in_failed', ...client, detail: { reason } } as const;
    journal.noteFromStranger(user === undefined ? facts : { ...facts, userId: user.id }, origin);
    return { kind: 'failed' };
  };
  if (user === undefined) return failed('unknown_person');
  if (!verified || !acceptable) return failed('wrong_password');
  if (user.disabledAt !== null) return failed('disabled');

  const sessionSecret = newSecret('lks_', random);
  const now = clock.now();
  const session = {
    digest: digestOf(sessionSecret),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: now,
    lastSeenAt: now,
    authTime: now,
    amr: ['pwd'],
    answered: attempt.answered,
  };
  const replaced = attempt.replacedSession && digestOf(attempt.replacedSession);
  if (!(await storage.startSession(session, user.passwordHash, replaced))) return failed('changed_meanwhile');
  await storage.takeBackFailures(keys, bucket);
  journal.note({ kind: 'signed_in', userId: user.id, ...client, detail: { method: 'password' } }, origin);
  return { kind: 'signed_in', sessionSecret };
}
