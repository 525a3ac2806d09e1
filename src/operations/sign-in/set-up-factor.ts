// Somebody who needs a second factor and has none sets up an authenticator app: here during the sign-in, before there is a
// session, and in raise-session.ts in one that was started without. The key is sealed for the user and travels through the
// browser, stamped by the HTTP layer together with what the password has proved; it is accepted once.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { setUpCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import type { NewSession, RaisedSession, User } from '../../storage/storage.ts';
import { hasSecondFactor } from '../factor-facts.ts';
import { sealSecret, unsealSecret } from '../second-factors/authenticator-secret.ts';
import { newAuthenticatorSecret, newRecoveryCodes, notifyOfFactor } from '../second-factors/second-factors.ts';
import type { Linking, Mailing, Metering, Recording, Services } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';
import {
  type Advanced,
  type AdvanceServices,
  advance,
  clientOf,
  findPendingSignIn,
  type PendingSignIn,
  type SignInContext,
  secondStepLifetime,
  type UsedIdentity,
} from './advance.ts';

export type FirstAppServices = Recording & Linking & Mailing & Metering & Pick<Services, 'keys'>;

/** The key that somebody is setting up. */
export interface OfferedKey {
  readonly sealedSecret: string;
  readonly at: number;
}

export function offerKey(services: Pick<Services, 'clock' | 'random' | 'keys'>, user: User): OfferedKey {
  return {
    sealedSecret: sealSecret(services, user.id, newAuthenticatorSecret(services)),
    at: services.clock.now(),
  };
}

/** The key as an app takes it; undefined when it was offered to somebody else, or too long ago. */
export function offeredSecret(
  services: Pick<Services, 'clock' | 'keys'>,
  user: User,
  { sealedSecret, at }: OfferedKey,
): Uint8Array | undefined {
  return services.clock.now() - at < secondStepLifetime ? unsealSecret(services, user.id, sealedSecret) : undefined;
}

export type Unfinished =
  | { kind: 'wrong_code' }
  | { kind: 'expired' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** What somebody who has just added an app has to save, shown only now. */
export interface NewCodes {
  readonly codes: readonly string[];
  /** Of the account. */
  readonly email: string;
}

export type SetUpOutcome = Unfinished | (Advanced & { readonly newCodes?: NewCodes });

/** Adds the app and starts the session in one write. */
export async function finishSetUp(
  services: AdvanceServices & Pick<Services, 'issuer'>,
  pending: PendingSignIn,
  given: { readonly key: OfferedKey; readonly code: string },
  context: SignInContext,
  requester: Requester,
): Promise<SetUpOutcome> {
  const found = await findPendingSignIn(services, pending, context.browser.marks);
  if (found === undefined) return { kind: 'expired' };
  const { first, ...proven } = found;
  const { user, facts } = found;
  // They have set one up elsewhere meanwhile.
  if (hasSecondFactor(facts)) return { kind: 'second_step', pending };
  const { upstream } = pending;
  const person = { ...context, ...proven, upstream, factors: { first, second: 'code' } } as const;
  const app = { ...given, user, upstream, about: clientOf(context.destination) };
  const outcome = await addFirstApp(services, app, requester, (store) =>
    advance(services, { ...person, store }, requester),
  );
  if (outcome.kind !== 'added') return outcome;
  return { ...outcome.stored, newCodes: outcome.newCodes };
}

interface GivenApp {
  readonly user: User;
  readonly key: OfferedKey;
  readonly code: string;
  /** What the event of a wrong code says besides. */
  readonly about?: { readonly clientId?: string };
  readonly upstream?: UsedIdentity | undefined;
}

type Add = (session: NewSession | RaisedSession) => Promise<boolean>;

/** `store` gets what adds the app together with a session, and answers false or undefined if it couldn't. */
export async function addFirstApp<Stored>(
  services: FirstAppServices,
  { user, key, code, about, upstream }: GivenApp,
  requester: Requester,
  store: (add: Add) => Promise<Stored | false | undefined>,
): Promise<Unfinished | { kind: 'added'; newCodes: NewCodes; stored: Stored }> {
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
  const codes = newRecoveryCodes(services);
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: step };
  const event = journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
  const digests = codes.map(digestOf);
  const stored = await store((session) =>
    storage.setUpAuthenticator(authenticator, digests, user.passwordHash, session, event, upstream),
  );
  if (stored === undefined || stored === false) return { kind: 'expired' };
  await notifyOfFactor(services, user, { kind: 'authenticator', createdAt: event.at });
  return { kind: 'added', newCodes: { codes, email: user.email }, stored };
}
