// The last step of every sign-in: starts the session, remembers the browser, and sends the user an email when they have
// not signed in with that browser before. How the user proved who they are is decided by the callers.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { formatAnswer } from '../../protocol/oauth/request-answer.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import type { SignInMethod } from '../../protocol/sign-in/outcomes.ts';
import { marksPerBrowser, trustLifetime } from '../../protocol/sign-in/session-limits.ts';
import type { IdentityKey, NewSession, SessionCondition, SignInFacts, User } from '../../storage/storage.ts';
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
  /** The identity that has taken the place of the password. */
  readonly upstream?: UsedIdentity | undefined;
  /** The account is created together with the session, so no browser can be known for it. */
  readonly isNewAccount?: boolean;
}

/** An identity at another provider, as somebody has just signed in with it. */
export interface UsedIdentity extends IdentityKey {
  /** Of the upstream. */
  readonly name: string;
  readonly email: string | null;
  /** When the provider last made sure who it is, in milliseconds; 0 if it doesn't say. */
  readonly authenticatedAt: number;
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
  upstream: ['fed'],
  upstream_on_trusted_device: ['fed'],
  upstream_two_factors: ['fed', 'mfa'],
  upstream_and_code: ['fed', 'otp', 'mfa'],
  upstream_and_recovery_code: ['fed', 'otp', 'mfa'],
  upstream_and_passkey: ['fed', 'pop', 'mfa'],
};

const onTrustedDevice = (digest: string, at: number) => ({ kind: 'trusted_device', digest, at }) as const;

/** What the first factor alone depends on. It may change while the password or the provider's response is being checked. */
const conditions: Partial<Record<SignInMethod, (device: string, now: number) => SessionCondition>> = {
  password: () => ({ kind: 'no_second_factor' }),
  password_on_trusted_device: onTrustedDevice,
  upstream: () => ({ kind: 'no_second_factor' }),
  upstream_on_trusted_device: onTrustedDevice,
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
  { browser, destination, keep, trust = false, replacementHash, upstream, isNewAccount = false }: SignInContext,
  requester: Requester,
  store?: (start: NewSession) => Promise<boolean>,
): Promise<StartedSession | undefined> {
  const { clock, random, journal, meters, emailQueue, emailsFor } = services;
  const sessionSecret = newSecret('lks_', random);
  // A mark that isn't known for this user is never made known: whoever left it in the browser may have kept a copy.
  const known = browser.marks.find((mark) => digestOf(mark) === facts.knownDevice);
  const ownMark = known ?? newSecret('lkd_', random);
  const marks = [ownMark, ...browser.marks.filter((mark) => mark !== ownMark)].slice(0, marksPerBrowser);
  const now = clock.now();
  const trusted = method === 'password_on_trusted_device' || method === 'upstream_on_trusted_device';
  const session = {
    digest: digestOf(sessionSecret),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: now,
    lastSeenAt: now,
    authTime: now,
    amr: amrOf[method],
    answered: destination.kind === 'authorization' ? formatAnswer('signed_in', destination.query) : null,
    device: requester.device ?? null,
    address: requester.address,
    provenAt: provenAt(method, upstream, now),
    kept: keep,
    trusted,
  };
  const replaced = browser.session && digestOf(browser.session);
  const device = digestOf(ownMark);
  const condition = conditions[method]?.(device, now);
  const trustedUntil = trust ? now + trustLifetime : undefined;
  const reviewDue = await reviewIsDue(services, user);
  const deviceName = requester.device ?? '';
  const detail = { method, device: deviceName, ...(upstream && { upstream: upstream.name }) };
  const event = journal.event({ kind: 'signed_in', userId: user.id, ...clientOf(destination), detail }, requester);
  const start = { session, replacedDigest: replaced, deviceDigest: device, trustedUntil, event, replacementHash };
  const stored = store?.(start) ?? storeSession(services, user, start, upstream, condition);
  if (!(await stored)) return undefined;
  journal.countWritten(event);
  meters.signIns.add({ result: 'signed_in', reason: method });
  if (replacementHash !== undefined) meters.hashesReplaced.add({});
  if (trust) journal.note({ kind: 'device_trusted', userId: user.id, detail: { device: deviceName } }, requester);
  if (known === undefined && method !== 'sign_up' && !isNewAccount) {
    const emails = emailsFor(user.locale);
    await emailQueue.notify(
      emails.newDevice({ to: user.email, device: deviceName, at: now, address: requester.address }),
    );
  }
  return { sessionSecret, kept: keep, marks, reviewDue, locale: user.locale };
}

/** Stores a session that starts with a password, or with an identity that has to be the user's still. */
export function storeSession(
  { storage }: Services,
  { passwordHash }: User,
  start: NewSession,
  upstream: UsedIdentity | undefined,
  condition: SessionCondition | undefined,
): Promise<boolean> {
  if (upstream !== undefined) return storage.startSessionWithIdentity(start, passwordHash, upstream, condition);
  const { session, replacedDigest, deviceDigest, trustedUntil, event, replacementHash } = start;
  return storage.startSession(
    session,
    passwordHash,
    replacedDigest,
    deviceDigest,
    condition,
    trustedUntil,
    event,
    replacementHash,
  );
}

/**
 * When the user has proved who they are. With the password alone, on a trusted device, whoever has a second factor has to
 * prove it before a powerful change. A provider may let people through who proved it there long ago.
 */
function provenAt(method: SignInMethod, upstream: UsedIdentity | undefined, now: number): number {
  switch (method) {
    case 'password_on_trusted_device':
    case 'upstream_on_trusted_device':
      return 0;
    case 'upstream':
    case 'upstream_two_factors':
      return Math.min(now, upstream?.authenticatedAt ?? 0);
    default:
      return now;
  }
}

/** The client that a sign-in is for, as its events name it. */
export function clientOf(destination: Destination): { clientId?: string } {
  return destination.kind === 'authorization' ? { clientId: destination.clientId } : {};
}
