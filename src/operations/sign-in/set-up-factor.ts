// Somebody who needs a second factor and has none sets up an authenticator app: during the sign-in, after the password and
// before there is a session, or in a session that was started without. The key is sealed for the user and travels through
// the browser, stamped by the HTTP layer together with what the password has proved; it is accepted once.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import { setUpCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import type { NewSession, RaisedSession, Session, SignedIn, User } from '../../storage/storage.ts';
import { noteRefusedSignIn } from '../note-refusal.ts';
import { type Confirmation, confirmPassword } from '../passwords/confirm-password.ts';
import { sealSecret, unsealSecret } from '../second-factors/authenticator-secret.ts';
import { hasSecondFactor } from '../second-factors/prove-second-factor.ts';
import { newAuthenticatorSecret, newRecoveryCodes } from '../second-factors/second-factors.ts';
import { notifyOfFactor } from '../second-factors/undo-factor.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { findPendingSignIn, methodOf, type PendingSignIn, secondStepLifetime } from './second-step.ts';
import {
  amrOf,
  clientOf,
  type SignInContext,
  type StartedSession,
  startSession,
  type UsedIdentity,
} from './start-session.ts';

/** The key that somebody is setting up. */
export interface OfferedKey {
  readonly sealedSecret: string;
  readonly at: number;
}

export function offerKey(services: Services, user: User): OfferedKey {
  return {
    sealedSecret: sealSecret(services, user.id, newAuthenticatorSecret(services)),
    at: services.clock.now(),
  };
}

/** The key as an app takes it; undefined when it was offered to somebody else, or too long ago. */
export function offeredSecret(
  services: Services,
  user: User,
  { sealedSecret, at }: OfferedKey,
): Uint8Array | undefined {
  return services.clock.now() - at < secondStepLifetime ? unsealSecret(services, user.id, sealedSecret) : undefined;
}

type Unfinished =
  | { kind: 'wrong_code' }
  | { kind: 'expired' }
  /** They have set up a second factor elsewhere meanwhile, which they have to prove now. */
  | { kind: 'has_second_factor' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export type SetUpOutcome =
  | Unfinished
  | ({ kind: 'signed_in'; recoveryCodes: readonly string[]; email: string } & StartedSession);

/** The last step of a sign-in: adds the app and starts the session in one write. */
export async function finishSetUp(
  services: Services,
  pending: PendingSignIn,
  key: OfferedKey,
  code: string,
  context: SignInContext,
  requester: Requester,
): Promise<SetUpOutcome> {
  const found = await findPendingSignIn(services, pending, context.browser.marks);
  if (found === undefined) return { kind: 'expired' };
  const { user, facts, replacementHash } = found;
  if (hasSecondFactor(facts)) return { kind: 'has_second_factor' };
  const about = clientOf(context.destination);
  const { upstream } = pending;
  const method = methodOf(upstream === undefined ? 'password' : 'upstream', 'code');
  const inside = { ...context, upstream, replacementHash };
  const outcome = await addFirstApp(services, user, key, code, { about, upstream }, requester, (add) =>
    startSession(services, user, facts, method, inside, requester, add),
  );
  if (outcome.kind !== 'added') return outcome;
  return { ...outcome.stored, kind: 'signed_in', recoveryCodes: outcome.recoveryCodes, email: user.email };
}

/** Whether adding a second factor in this session takes the password again. */
export function needsPassword({ clock }: Services, { session }: SignedIn): boolean {
  return !isProven(session, clock.now());
}

export type SessionSetUpOutcome =
  | Unfinished
  | Exclude<Confirmation, { kind: 'confirmed' }>
  | { kind: 'raised'; recoveryCodes: readonly string[]; sessionSecret: string };

/** The same for a session that was started without a second factor, which goes on with it. */
export async function setUpInSession(
  services: Services,
  signedIn: SignedIn,
  key: OfferedKey,
  input: { code: string; currentPassword: string },
  requester: Requester,
): Promise<SessionSetUpOutcome> {
  const { user, session } = signedIn;
  let { provenAt } = session;
  if (needsPassword(services, signedIn)) {
    const confirmation = await confirmPassword(services, user, input.currentPassword, requester);
    if (confirmation.kind !== 'confirmed') return confirmation;
    provenAt = services.clock.now();
  }
  const facts = await services.storage.findSignInFacts(user.id, undefined);
  if (hasSecondFactor(facts)) return { kind: 'has_second_factor' };
  const { sessionSecret, raised } = raisedSession(
    services,
    signedIn,
    methodOf(firstFactorOf(session), 'code'),
    provenAt,
  );
  const outcome = await addFirstApp(services, user, key, input.code, { about: {} }, requester, async (add) =>
    (await add(raised)) ? { sessionSecret } : undefined,
  );
  if (outcome.kind !== 'added') return outcome;
  services.journal.note({ kind: 'session_raised', userId: session.userId, detail: { method: 'code' } }, requester);
  return { kind: 'raised', recoveryCodes: outcome.recoveryCodes, sessionSecret };
}

/** With what the user has signed in, before any second factor. */
export function firstFactorOf({ amr }: Pick<Session, 'amr'>): 'password' | 'upstream' {
  return amr.includes('fed') ? 'upstream' : 'password';
}

/** The session as it goes on once a second factor was proved in it. `provenAt` is when the password was given. */
export function raisedSession(
  { clock, random }: Services,
  { session }: SignedIn,
  method: keyof typeof amrOf,
  provenAt: number,
): { sessionSecret: string; raised: RaisedSession } {
  const sessionSecret = newSecret('lks_', random);
  const changes = { digest: digestOf(sessionSecret), lastSeenAt: clock.now(), amr: amrOf[method], provenAt };
  const raised = { ...session, ...changes };
  return { sessionSecret, raised: { session: raised, replacedDigest: session.digest } };
}

type Add = (session: NewSession | RaisedSession) => Promise<boolean>;

/** `store` gets what adds the app together with a session; undefined when that could not be done any more. */
async function addFirstApp<Stored>(
  services: Services,
  user: User,
  key: OfferedKey,
  code: string,
  { about, upstream }: { readonly about: { clientId?: string }; readonly upstream?: UsedIdentity | undefined },
  requester: Requester,
  store: (add: Add) => Promise<Stored | undefined>,
): Promise<Unfinished | { kind: 'added'; recoveryCodes: readonly string[]; stored: Stored }> {
  const { storage, clock, journal } = services;
  const secret = offeredSecret(services, user, key);
  if (secret === undefined) return { kind: 'expired' };
  const attempt = await startAttempt(services, 'set_up', setUpCounters(user.id));
  if (attempt.kind === 'throttled') return attempt;
  const step = matchingStep(secret, code, clock.now(), null);
  if (step === undefined) {
    noteRefusedSignIn(services, { userId: user.id, ...about }, 'wrong_second_step', requester);
    return { kind: 'wrong_code' };
  }
  await attempt.takeBack();
  if (!(await storage.consumeTicket(digestOf(key.sealedSecret), key.at + secondStepLifetime))) {
    return { kind: 'expired' };
  }
  const recoveryCodes = newRecoveryCodes(services);
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: step };
  const event = journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
  const digests = recoveryCodes.map(digestOf);
  const stored = await store((session) =>
    storage.setUpAuthenticator(authenticator, digests, user.passwordHash, session, event, upstream),
  );
  if (stored === undefined) return { kind: 'expired' };
  await notifyOfFactor(services, user, { kind: 'authenticator', createdAt: event.at });
  return { kind: 'added', recoveryCodes, stored };
}
