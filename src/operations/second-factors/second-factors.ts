// A signed-in user turns second factors on and off: an authenticator app, passkeys, and the recovery codes for when both
// are lost. How they are used to sign in is in sign-in/sign-in.ts.

import { cleanName, nameProblem } from '../../protocol/account/names.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { SecondFactorAddition } from '../../protocol/emails.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import { newRecoveryCode, recoveryCodeCount } from '../../protocol/sign-in/typed-codes.ts';
import { passkeyLimit } from '../../protocol/sign-in/ways-in.ts';
import type { FactorRef, Link, SignedIn, SignInFacts, User } from '../../storage/storage.ts';
import { findLink, newLink } from '../email-links/links.ts';
import { passwordCounts } from '../passwords/password-policy.ts';
import type { Linking, Mailing, Metering, Recording, Services, Timing } from '../services.ts';
import { limitFactorChanges, type Throttled } from '../throttle.ts';
import { sealSecret, unsealSecret } from './authenticator-secret.ts';
import { type Challenge, newChallenge, spendChallenge } from './passkey-challenge.ts';

export type SecondFactorOutcome =
  | { kind: 'wrong_code' }
  | { kind: 'invalid_name' }
  | { kind: 'not_possible' }
  | { kind: 'last_way_in' }
  | { kind: 'too_many_passkeys' }
  | Throttled
  /** New recovery codes, shown only now; undefined when the user already had some. */
  | { kind: 'changed'; recoveryCodes: readonly string[] | undefined };

export function newAuthenticatorSecret(services: Pick<Services, 'random'>): Uint8Array {
  return services.random(20);
}

export async function addAuthenticator(
  services: Recording & Linking & Mailing & Metering & Pick<Services, 'keys'>,
  signedIn: SignedIn,
  input: { sealedSecret: string; code: string },
  requester: Requester,
): Promise<SecondFactorOutcome> {
  const { storage, clock, journal } = services;
  const { user, session } = signedIn;
  const secret = unsealSecret(services, user.id, input.sealedSecret);
  if (secret === undefined) return { kind: 'not_possible' };
  const now = clock.now();
  const step = matchingStep(secret, input.code, now, null);
  if (step === undefined) return { kind: 'wrong_code' };
  return limited(services, user, async () => {
    const facts = await storage.findSignInFacts(user.id, undefined);
    const codes = facts.recoveryCodes === 0 ? newRecoveryCodes(services) : undefined;
    const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: step };
    const event = journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
    const digests = codes?.map(digestOf);
    const { sessionGeneration } = user;
    const enabled = storage.enableAuthenticator(
      user.id,
      authenticator,
      digests,
      now,
      event,
      sessionGeneration,
      session.digest,
    );
    if (!(await enabled)) return { kind: 'not_possible' };
    await notifyOfFactor(services, user, { kind: 'authenticator', createdAt: now });
    return { kind: 'changed', recoveryCodes: codes };
  });
}

export function removeAuthenticator(
  services: Recording & Mailing & Metering,
  { user, session }: SignedIn,
  requester: Requester,
) {
  return removeFactor(services, user, 'authenticator_removed', requester, (event) =>
    services.storage.removeAuthenticator(user.id, event, user.sessionGeneration, session.digest),
  );
}

export function replaceRecoveryCodes(
  services: Recording & Linking & Mailing & Metering,
  { user, session }: SignedIn,
  requester: Requester,
): Promise<SecondFactorOutcome> {
  const { storage, clock, journal } = services;
  return limited(services, user, async () => {
    const facts = await storage.findSignInFacts(user.id, undefined);
    if (!hasSecondFactor(facts)) return { kind: 'not_possible' };
    const codes = newRecoveryCodes(services);
    const digests = codes.map(digestOf);
    const event = journal.event({ kind: 'recovery_codes_replaced', userId: user.id }, requester);
    const now = clock.now();
    if (!(await storage.replaceRecoveryCodes(user.id, digests, now, event, user.sessionGeneration, session.digest))) {
      return { kind: 'not_possible' };
    }
    await notifyOfFactor(services, user, { kind: 'recovery_codes', createdAt: now });
    return { kind: 'changed', recoveryCodes: codes };
  });
}

/** One of a person's changes, each of which sends them an email. */
function limited(
  services: Timing & Metering,
  user: User,
  change: () => Promise<SecondFactorOutcome>,
): Promise<SecondFactorOutcome> {
  return limitFactorChanges(services, user.id, change, 'changed');
}

export type PasskeyOffer =
  | { kind: 'invalid_name' }
  | { kind: 'too_many_passkeys' }
  | { kind: 'offered'; challenge: Challenge; options: object };

/**
 * The options from which the browser creates a passkey. Name and number are checked here, and not only in `addPasskey`: a
 * passkey that is refused after it was created stays on the device, where it is useless and confusing.
 */
export async function offerPasskey(
  services: Timing & Pick<Services, 'random' | 'webauthn'>,
  { user }: SignedIn,
  name: string,
  requester: Requester,
): Promise<PasskeyOffer> {
  if (passkeyName(name, requester) === undefined) return { kind: 'invalid_name' };
  const challenge = newChallenge(services);
  const facts = await services.storage.findSignInFacts(user.id, undefined);
  if (hasAllPasskeys(facts)) return { kind: 'too_many_passkeys' };
  const options = await services.webauthn.creationOptions(user, challenge.text, facts.passkeys);
  return { kind: 'offered', challenge, options };
}

/** Suspended ones count as well: their owner may keep them. */
function hasAllPasskeys({ passkeys, suspended }: Pick<SignInFacts, 'passkeys' | 'suspended'>): boolean {
  return passkeys.length + suspended.filter(({ kind }) => kind === 'passkey').length >= passkeyLimit;
}

export async function addPasskey(
  services: Recording & Linking & Mailing & Metering & Pick<Services, 'webauthn'>,
  signedIn: SignedIn,
  input: { answer: string; challenge: Challenge; name: string },
  requester: Requester,
): Promise<SecondFactorOutcome> {
  const { storage, clock, journal, webauthn } = services;
  const { user, session } = signedIn;
  const name = passkeyName(input.name, requester);
  if (name === undefined) return { kind: 'invalid_name' };
  return limited(services, user, async () => {
    const facts = await storage.findSignInFacts(user.id, undefined);
    if (hasAllPasskeys(facts)) return { kind: 'too_many_passkeys' };
    if (!(await spendChallenge(services, input.challenge))) return { kind: 'not_possible' };
    const created = await webauthn.readCreated(input.answer, input.challenge.text);
    if (created === undefined) return { kind: 'not_possible' };
    const codes = facts.recoveryCodes === 0 ? newRecoveryCodes(services) : undefined;
    const passkey = { ...created, userId: user.id, name, createdAt: clock.now(), lastUsedAt: null };
    const event = journal.event({ kind: 'passkey_added', userId: user.id, detail: { name } }, requester);
    if (!(await storage.addPasskey(passkey, codes?.map(digestOf), event, user.sessionGeneration, session.digest))) {
      return { kind: 'not_possible' };
    }
    await notifyOfFactor(services, user, { kind: 'passkey', id: passkey.id, createdAt: passkey.createdAt });
    return { kind: 'changed', recoveryCodes: codes };
  });
}

/** Defaults to the name of the device. Undefined when the name is not acceptable. */
export function passkeyName(typed: string, requester: Requester): string | undefined {
  const name = cleanName(typed) || (requester.device ?? '');
  return nameProblem(name) === undefined ? name : undefined;
}

export async function removePasskey(
  services: Recording & Mailing & Metering & Pick<Services, 'settings'>,
  { user, session }: SignedIn,
  passkeyId: string,
  requester: Requester,
): Promise<SecondFactorOutcome> {
  const { storage } = services;
  const counts = await passwordCounts(services, user);
  const outcome = await removeFactor(services, user, 'passkey_removed', requester, (event) =>
    storage.removePasskey(user.id, passkeyId, event, counts, user.sessionGeneration, session.digest),
  );
  if (outcome.kind !== 'not_possible') return outcome;
  const { passkeys } = await storage.findSignInFacts(user.id, undefined);
  return passkeys.some(({ id }) => id === passkeyId) ? { kind: 'last_way_in' } : outcome;
}

function removeFactor(
  services: Recording & Mailing & Metering,
  user: User,
  change: 'authenticator_removed' | 'passkey_removed',
  requester: Requester,
  remove: (event: EventRecord) => Promise<boolean>,
): Promise<SecondFactorOutcome> {
  const { journal, emailQueue, emailsFor } = services;
  return limited(services, user, async () => {
    const removed = await remove(journal.event({ kind: change, userId: user.id }, requester));
    if (!removed) return { kind: 'not_possible' };
    await emailQueue.notify(emailsFor(user.locale).secondFactorChanged({ to: user.email, change }));
    return { kind: 'changed', recoveryCodes: undefined };
  });
}

export function newRecoveryCodes(services: Pick<Services, 'random'>): string[] {
  return Array.from({ length: recoveryCodeCount }, () => newRecoveryCode(services.random));
}

const additionOf: Record<FactorRef['kind'], SecondFactorAddition> = {
  authenticator: 'authenticator_added',
  passkey: 'passkey_added',
  recovery_codes: 'recovery_codes_replaced',
};

/**
 * Tells the user about a factor that was just added. The email has a link for people who didn't add it: it removes that factor
 * and signs out every device. It needs no session, because another person may hold the only factor that lets one in.
 */
export async function notifyOfFactor(services: Linking & Mailing, user: User, factor: FactorRef): Promise<void> {
  const { emailQueue, emailsFor } = services;
  const emails = emailsFor(user.locale);
  const about = { to: user.email, change: additionOf[factor.kind] };
  // The mailbox of an address that was never verified may be another person's, and a factor keeps them out.
  if (user.emailVerifiedAt === null) {
    await emailQueue.notify(emails.factorAdded(about));
    return;
  }
  const { link, url } = newLink(services, 'undo_factor', user.id, { factor });
  await emailQueue.notify(emails.factorAdded({ ...about, url }), link);
}

/** What a link would undo, without using it up; undefined when the link no longer works. */
export async function findAddition(
  services: Timing,
  secret: string | undefined,
): Promise<SecondFactorAddition | undefined> {
  const found = await findUndoLink(services, secret);
  return found && additionOf[found.factor.kind];
}

/** False when the link no longer works. */
export async function undoFactor(
  services: Recording,
  secret: string | undefined,
  requester: Requester,
): Promise<boolean> {
  const { storage, clock, journal } = services;
  const found = await findUndoLink(services, secret);
  if (found === undefined) return false;
  const { userId, factor, digest } = found;
  const event = journal.event({ kind: 'factor_undone', userId, detail: { factor: factor.kind } }, requester);
  return storage.undoFactor(userId, factor, digest, clock.now(), event);
}

async function findUndoLink(
  services: Timing,
  secret: string | undefined,
): Promise<(Pick<Link, 'digest'> & { userId: string; factor: FactorRef }) | undefined> {
  const link = await findLink(services, 'undo_factor', secret);
  const factor = link?.data.factor;
  if (link === undefined || link.userId === null || factor === undefined) return undefined;
  return { digest: link.digest, userId: link.userId, factor };
}
