// A person who needs a second factor and has none creates a passkey or sets up an authenticator app: here during the sign-in,
// before there is a session, and in raise-session.ts in one that was started without. The app's key is sealed for the user and
// travels through the browser, stamped by the HTTP layer together with what the password has proved; it is accepted once, and
// so is a passkey that was created for it.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import { setUpCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import type { FactorRef, NewSession, RaisedSession, User } from '../../storage/storage.ts';
import { sealSecret, unsealSecret } from '../second-factors/authenticator-secret.ts';
import {
  type CreatedPasskey,
  offerFirstPasskey,
  type PasskeyOffered,
  readFirstPasskey,
} from '../second-factors/first-passkey.ts';
import { newAuthenticatorSecret, newRecoveryCodes, notifyOfFactor } from '../second-factors/second-factors.ts';
import type { Linking, Mailing, Metering, Recording, Services, Timing } from '../services.ts';
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

export type FirstFactorServices = Recording & Linking & Mailing & Metering & Pick<Services, 'keys' | 'webauthn'>;

/** The key that a person is setting up. */
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

/** The key as an app takes it; undefined when it was offered to another person, or too long ago. */
export function offeredSecret(
  services: Pick<Services, 'clock' | 'keys'>,
  user: User,
  { sealedSecret, at }: OfferedKey,
): Uint8Array | undefined {
  return services.clock.now() - at < secondStepLifetime ? unsealSecret(services, user.id, sealedSecret) : undefined;
}

/** What a person sets up: the app that shows this code, or the passkey that their browser has created. */
export type GivenFactor =
  | { readonly kind: 'app'; readonly code: string }
  | ({ readonly kind: 'passkey' } & CreatedPasskey);

export type Unfinished =
  | { kind: 'wrong_code' }
  | { kind: 'passkey_failed' }
  | { kind: 'expired' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** What a person who has just added a factor has to save, shown only now. */
export interface NewCodes {
  readonly codes: readonly string[];
  /** Of the account. */
  readonly email: string;
}

export type SetUpOutcome = Unfinished | (Advanced & { readonly newCodes?: NewCodes });

/** The options from which the browser creates a passkey instead; undefined when the sign-in or the offer has expired. */
export async function offerPasskeyAtSignIn(
  services: Timing & Pick<Services, 'keys' | 'settings' | 'random' | 'webauthn'>,
  pending: PendingSignIn,
  key: OfferedKey,
): Promise<PasskeyOffered | undefined> {
  const found = await findPendingSignIn(services, pending);
  return found && offerPasskeyFor(services, found.user, key);
}

/** The challenge is for this offer alone, which is accepted once. */
export async function offerPasskeyFor(
  services: Pick<Services, 'clock' | 'keys' | 'random' | 'webauthn'>,
  user: User,
  key: OfferedKey,
): Promise<PasskeyOffered | undefined> {
  if (offeredSecret(services, user, key) === undefined) return undefined;
  return offerFirstPasskey(services, user, digestOf(key.sealedSecret));
}

/** Adds the factor and starts the session in one write. */
export async function finishSetUp(
  services: AdvanceServices & Pick<Services, 'issuer' | 'webauthn'>,
  pending: PendingSignIn,
  given: { readonly key: OfferedKey; readonly factor: GivenFactor },
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
  const person = { ...context, ...proven, upstream, factors: { first, second: provedBy(given.factor) } } as const;
  const addedAt = pending.isNew ? user.createdAt : undefined;
  const input = { ...given, user, upstream, addedAt, about: clientOf(context.destination) };
  const outcome = await addFirstFactor(services, input, requester, (store) =>
    advance(services, { ...person, together: { kind: 'second_factor', store } }, requester),
  );
  if (outcome.kind !== 'added') return outcome;
  return { ...outcome.stored, newCodes: outcome.newCodes };
}

/** The factor that a session has with it. */
export function provedBy({ kind }: GivenFactor): 'code' | 'passkey' {
  return kind === 'app' ? 'code' : 'passkey';
}

interface FirstFactor {
  readonly user: User;
  readonly key: OfferedKey;
  readonly factor: GivenFactor;
  /** What the event of a wrong code says besides. */
  readonly about?: { readonly clientId?: string };
  readonly upstream?: UsedIdentity | undefined;
  /** Now if undefined. */
  readonly addedAt?: number | undefined;
}

type Add = (session: NewSession | RaisedSession) => Promise<boolean>;

/** `store` gets what adds the factor together with a session, and answers false or undefined if it couldn't. */
export async function addFirstFactor<Stored>(
  services: FirstFactorServices,
  input: FirstFactor,
  requester: Requester,
  store: (add: Add) => Promise<Stored | false | undefined>,
): Promise<Unfinished | { kind: 'added'; newCodes: NewCodes; stored: Stored }> {
  const { storage } = services;
  const { user, key, factor } = input;
  const secret = offeredSecret(services, user, key);
  if (secret === undefined) return { kind: 'expired' };
  const codes = newRecoveryCodes(services);
  const read =
    factor.kind === 'app'
      ? await readApp(services, input, { secret, code: factor.code, codes }, requester)
      : await readPasskey(services, input, factor, codes, requester);
  if (read.kind !== 'read') return read;
  if (!(await storage.consumeTicket(digestOf(key.sealedSecret), key.at + secondStepLifetime))) {
    return { kind: 'expired' };
  }
  const stored = await store(read.add);
  if (stored === undefined || stored === false) return { kind: 'expired' };
  await notifyOfFactor(services, user, read.ref);
  return { kind: 'added', newCodes: { codes, email: user.email }, stored };
}

type Read = Unfinished | { readonly kind: 'read'; readonly add: Add; readonly ref: FactorRef };

async function readApp(
  services: FirstFactorServices,
  { user, about, upstream, addedAt }: FirstFactor,
  { secret, code, codes }: { readonly secret: Uint8Array; readonly code: string; readonly codes: readonly string[] },
  requester: Requester,
): Promise<Read> {
  const { storage, clock, journal } = services;
  const attempt = await startAttempt(services, 'set_up', setUpCounters(user.id));
  if (attempt.kind === 'throttled') return attempt;
  const step = matchingStep(secret, code, clock.now(), null);
  if (step === undefined) {
    noteRefusedSignIn(services, { userId: user.id, ...about }, 'wrong_second_step', requester);
    return { kind: 'wrong_code' };
  }
  await attempt.takeBack();
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: step };
  const event = journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
  const digests = codes.map(digestOf);
  return {
    kind: 'read',
    add: (session) =>
      storage.setUpAuthenticator(authenticator, digests, user.sessionGeneration, session, event, upstream, addedAt),
    ref: { kind: 'authenticator', createdAt: addedAt ?? event.at },
  };
}

/** Creating a passkey asks for the person's fingerprint or PIN, so it's proved as well. */
async function readPasskey(
  services: FirstFactorServices,
  { user, key, upstream, addedAt }: FirstFactor,
  created: CreatedPasskey,
  codes: readonly string[],
  requester: Requester,
): Promise<Read> {
  const { storage, journal } = services;
  const read = await readFirstPasskey(services, created, digestOf(key.sealedSecret), requester);
  if (read === undefined) return { kind: 'passkey_failed' };
  const passkey = { ...read, createdAt: addedAt ?? read.createdAt };
  const { id, name, createdAt } = passkey;
  const event = journal.event({ kind: 'passkey_added', userId: user.id, detail: { name } }, requester);
  const added = { passkey, codeDigests: codes.map(digestOf) };
  return {
    kind: 'read',
    add: (session) => storage.setUpPasskey(added, user.sessionGeneration, session, event, upstream),
    ref: { kind: 'passkey', id, createdAt },
  };
}
