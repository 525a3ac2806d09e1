// The last step of every sign-in: starts the session, remembers the browser, and sends the user an email when they have
// not signed in with that browser before. How the user proved who they are is decided by the callers.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { formatAnswer } from '../../protocol/oauth/request-answer.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import type { SignInMethod } from '../../protocol/sign-in/outcomes.ts';
import { marksPerBrowser, trustLifetime } from '../../protocol/sign-in/session-limits.ts';
import type { NewSession, SessionCondition, SignInFacts, User } from '../../storage/storage.ts';
import { reviewIsDue } from '../account/review.ts';
import type { Services } from '../services.ts';

/** The cookies that a browser brings to a sign-in. */
export interface Browser {
  /** The secret of the session that it has. That session ends, so that signing in always leaves exactly one. */
  readonly session: string | undefined;
  /** The marks that it was given at earlier sign-ins, newest first. Each was made for one user and is known for no other. */
  readonly marks: readonly string[];
}

export interface SignInContext {
  readonly browser: Browser;
  readonly destination: Destination;
  /** "Keep me signed in": the session outlasts the browser. */
  readonly keep: boolean;
  /** Ticked with the second step: the browser is spared it from now on. */
  readonly trust?: boolean;
  /** Takes the place of the hash that another service has made of the password. */
  readonly replacementHash?: string | undefined;
}

export interface StartedSession {
  readonly sessionSecret: string;
  readonly kept: boolean;
  /** What the browser keeps from now on: this user's mark, and those of others who sign in with it. */
  readonly marks: readonly string[];
  /** Whether the user, whose password was reset, has to be shown what has access to their account. */
  readonly reviewDue: boolean;
  /** Of the user, whose language the browser gets. */
  readonly locale: string | null;
}

export type SignInOutcome =
  | ({ kind: 'signed_in' } & StartedSession)
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export const amrOf: Record<SignInMethod, readonly string[]> = {
  password: ['pwd'],
  password_on_trusted_device: ['pwd'],
  password_and_code: ['pwd', 'otp', 'mfa'],
  password_and_recovery_code: ['pwd', 'otp', 'mfa'],
  password_and_passkey: ['pwd', 'pop', 'mfa'],
  // A passkey alone counts as two factors: the service requires user verification, so the device has checked a PIN or a
  // fingerprint.
  passkey: ['pop', 'user', 'mfa'],
  sign_up: ['pwd'],
};

/** What the password alone depends on. It may change while the password is being checked. */
const conditions: Partial<Record<SignInMethod, (device: string, now: number) => SessionCondition>> = {
  password: () => ({ kind: 'no_second_factor' }),
  password_on_trusted_device: (digest, at) => ({ kind: 'trusted_device', digest, at }),
};

/**
 * Undefined when the user was disabled, their password was changed, or trust ended, while they were signing in. `store` is for a
 * session that is stored together with something else, and answers whether it was.
 */
export async function startSession(
  services: Services,
  user: User,
  facts: Pick<SignInFacts, 'knownDevice'>,
  method: SignInMethod,
  { browser, destination, keep, trust = false, replacementHash }: SignInContext,
  origin: Origin,
  store?: (start: NewSession) => Promise<boolean>,
): Promise<StartedSession | undefined> {
  const { storage, clock, random, journal, meters, emailQueue, emailsFor } = services;
  const sessionSecret = newSecret('lks_', random);
  // A mark that isn't known for this user is never made known: whoever left it in the browser may have kept a copy.
  const known = browser.marks.find((mark) => digestOf(mark) === facts.knownDevice);
  const ownMark = known ?? newSecret('lkd_', random);
  const marks = [ownMark, ...browser.marks.filter((mark) => mark !== ownMark)].slice(0, marksPerBrowser);
  const now = clock.now();
  const trusted = method === 'password_on_trusted_device';
  const session = {
    digest: digestOf(sessionSecret),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: now,
    lastSeenAt: now,
    authTime: now,
    amr: amrOf[method],
    answered: destination.kind === 'authorization' ? formatAnswer('signed_in', destination.query) : null,
    device: origin.device ?? null,
    address: origin.address,
    // Only the password was given: whoever has a second factor has to prove it before a powerful change.
    provenAt: trusted ? 0 : now,
    kept: keep,
    trusted,
  };
  const replaced = browser.session && digestOf(browser.session);
  const device = digestOf(ownMark);
  const condition = conditions[method]?.(device, now);
  const trustedUntil = trust ? now + trustLifetime : undefined;
  const reviewDue = await reviewIsDue(services, user);
  const deviceName = origin.device ?? '';
  const detail = { method, device: deviceName };
  const event = journal.event({ kind: 'signed_in', userId: user.id, ...clientOf(destination), detail }, origin);
  const stored =
    store === undefined
      ? storage.startSession(session, user.passwordHash, replaced, device, condition, undefined, event, replacementHash)
      : store({ session, replacedDigest: replaced, deviceDigest: device, trustedUntil, event, replacementHash });
  if (!(await stored)) return undefined;
  journal.countWritten(event);
  meters.signIns.add({ result: 'signed_in', reason: method });
  if (replacementHash !== undefined) meters.hashesReplaced.add({});
  if (trust) journal.note({ kind: 'device_trusted', userId: user.id, detail: { device: deviceName } }, origin);
  if (known === undefined && method !== 'sign_up') {
    const emails = emailsFor(user.locale);
    await emailQueue.notify(emails.newDevice({ to: user.email, device: deviceName, at: now, address: origin.address }));
  }
  return { sessionSecret, kept: keep, marks, reviewDue, locale: user.locale };
}

/** The client that a sign-in is for, as its events name it. */
export function clientOf(destination: Destination): { clientId?: string } {
  return destination.kind === 'authorization' ? { clientId: destination.clientId } : {};
}
