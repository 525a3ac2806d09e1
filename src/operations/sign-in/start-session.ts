// The end of every sign-in: starts the session, remembers the browser, and sends the user an email when they have not signed
// in with that browser before. Whether they may have a session is decided in advance.ts, the only caller.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { formatAnswer } from '../../protocol/oauth/request-answer.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import { recordOf, type SignInFactors } from '../../protocol/sign-in/factors.ts';
import { nextStep, type SessionStep } from '../../protocol/sign-in/next-step.ts';
import { marksPerBrowser, trustLifetime } from '../../protocol/sign-in/session-limits.ts';
import type { Client, IdentityKey, NewSession, SessionCondition, SignInFacts, User } from '../../storage/storage.ts';
import { reviewIsDue } from '../account/review.ts';
import type { Mailing, Metering, Recording, Services, Storing } from '../services.ts';

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
}

/** Somebody who has proved who they are, and with what. */
export interface ProvenPerson extends SignInContext {
  readonly user: User;
  readonly facts: SignInFacts;
  readonly factors: SignInFactors;
  /** Stores the session together with something else. */
  readonly store?: (start: NewSession) => Promise<boolean>;
  /** Stores an account that doesn't exist yet, with its first session unless a second factor has to be set up before. */
  readonly create?: (start: NewSession | undefined) => Promise<boolean>;
}

/** An identity at an upstream, as somebody has just signed in with it. */
export interface UsedIdentity extends IdentityKey {
  /** Of the upstream. */
  readonly name: string;
  readonly email: string | null;
  /** When the upstream last checked who it is, in milliseconds; 0 if it doesn't say. */
  readonly authenticatedAt: number;
}

export interface StartedSession {
  readonly sessionSecret: string;
  readonly kept: boolean;
  /** What the browser keeps from now on: this user's mark, and those of others who sign in with it. */
  readonly marks: readonly string[];
  readonly next: SessionStep;
  /** Of the user, whose language the browser gets. */
  readonly locale: string | null;
}

/**
 * Undefined when the user was disabled, their password was changed, or trust ended, while they were signing in.
 */
export async function startSession(
  services: Recording & Mailing & Metering & Pick<Services, 'random'>,
  person: ProvenPerson,
  requester: Requester,
): Promise<StartedSession | undefined> {
  const { clock, random, journal, meters, emailQueue, emailsFor } = services;
  const { user, facts, factors, browser, destination, keep, trust = false, replacementHash, upstream } = person;
  const sessionSecret = newSecret('lks_', random);
  // A mark that isn't known for this user is never made known: whoever left it in the browser may have kept a copy.
  const known = browser.marks.find((mark) => digestOf(mark) === facts.knownDevice);
  const ownMark = known ?? newSecret('lkd_', random);
  const marks = [ownMark, ...browser.marks.filter((mark) => mark !== ownMark)].slice(0, marksPerBrowser);
  const now = clock.now();
  const { method, amr } = recordOf(factors);
  const session = {
    digest: digestOf(sessionSecret),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: now,
    lastSeenAt: now,
    authTime: now,
    amr,
    answered: destination.kind === 'authorization' ? formatAnswer('signed_in', destination.query) : null,
    device: requester.device ?? null,
    address: requester.address,
    provenAt: provenAt(factors, upstream, now),
    kept: keep,
    trusted: factors.second === 'trusted_device',
  };
  const deviceDigest = digestOf(ownMark);
  const reviewDue = await reviewIsDue(services, user);
  const deviceName = requester.device ?? '';
  const detail = { method, device: deviceName, ...(upstream && { upstream: upstream.name }) };
  const event = journal.event({ kind: 'signed_in', userId: user.id, ...clientOf(destination), detail }, requester);
  const start: NewSession = {
    session,
    replacedDigest: browser.session && digestOf(browser.session),
    deviceDigest,
    trustedUntil: trust ? now + trustLifetime : undefined,
    event,
    replacementHash,
  };
  const store = person.create ?? person.store;
  const stored = store?.(start) ?? storeSession(services, person, start, conditionOf(factors, deviceDigest, now));
  if (!(await stored)) return undefined;
  journal.countWritten(event);
  meters.signIns.add({ result: 'signed_in', reason: method });
  if (replacementHash !== undefined) meters.hashesReplaced.add({});
  if (trust) journal.note({ kind: 'device_trusted', userId: user.id, detail: { device: deviceName } }, requester);
  // No browser can be known for an account that was just created.
  if (known === undefined && person.create === undefined) {
    const emails = emailsFor(user.locale);
    await emailQueue.notify(
      emails.newDevice({ to: user.email, device: deviceName, at: now, address: requester.address }),
    );
  }
  const next = nextStep({ kind: 'session', lacking: undefined, reviewDue });
  return { sessionSecret, kept: keep, marks, next, locale: user.locale };
}

/** Stores a session that starts with a password, or with an identity that has to be the user's still. */
export function storeSession(
  { storage }: Storing,
  { user: { passwordHash }, upstream }: Pick<ProvenPerson, 'user' | 'upstream'>,
  start: NewSession,
  condition: SessionCondition | undefined,
): Promise<boolean> {
  const checked = { ...start, passwordHash, condition };
  return upstream === undefined ? storage.startSession(checked) : storage.startSessionWithIdentity(checked, upstream);
}

/** What a single factor depends on. It may change while the password or the upstream's response is being checked. */
function conditionOf({ first, second }: SignInFactors, digest: string, at: number): SessionCondition | undefined {
  if (second === 'trusted_device') return { kind: 'trusted_device', digest, at };
  return second === 'none' && first !== 'passkey' ? { kind: 'no_second_factor' } : undefined;
}

/**
 * When the user has proved who they are. With a single factor, on a trusted device, whoever has a second one has to prove it
 * before a powerful change. An upstream may let people through who proved it there long ago.
 */
function provenAt({ first, second }: SignInFactors, upstream: UsedIdentity | undefined, now: number): number {
  if (second === 'trusted_device') return 0;
  const isUpstreamAlone = first === 'upstream' && (second === 'none' || second === 'upstream');
  return isUpstreamAlone ? Math.min(now, upstream?.authenticatedAt ?? 0) : now;
}

/** The client that a sign-in is for, as its events name it. */
export function clientOf(destination: Destination): { clientId?: string } {
  return destination.kind === 'authorization' ? { clientId: destination.clientId } : {};
}

/** For pages on the way to show. Undefined on the way to a page of the service, and when the client has been deleted meanwhile. */
export async function findDestinationClient(services: Storing, destination: Destination): Promise<Client | undefined> {
  return destination.kind === 'authorization' ? services.storage.findClient(destination.clientId) : undefined;
}
