// A person turns second factors on and off: an authenticator app, passkeys, and the recovery codes that stand in for them.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { newRecoveryCode, recoveryCodeCount } from '../../protocol/sign-in/recovery-code.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import type { Authenticator, SignedIn, User } from '../../storage/storage.ts';
import type { SecondFactorChange } from '../mail/email-templates.ts';
import type { Services } from '../services.ts';
import { type Confirmation, confirmPassword } from '../sign-in/confirm-password.ts';
import type { SecondProof } from '../sign-in/sign-in.ts';

type Unconfirmed = Exclude<Confirmation, { kind: 'confirmed' }>;

export type SecondFactorOutcome =
  | Unconfirmed
  | { kind: 'wrong_code' }
  | { kind: 'invalid_name' }
  | { kind: 'not_possible' }
  /** The codes are shown this once; undefined when the person has some already. */
  | { kind: 'changed'; recoveryCodes: readonly string[] | undefined };

export function newAuthenticatorSecret(services: Services): Uint8Array {
  return services.random(20);
}

/** The secret as it travels through the form of its own page, and as it is kept. */
export function sealSecret(services: Services, userId: string, secret: Uint8Array): string {
  return services.keys.seal(`authenticator ${userId}`, Buffer.from(secret).toString('base64url'));
}

export function unsealSecret(services: Services, userId: string, sealed: string): Uint8Array | undefined {
  const text = services.keys.unseal(`authenticator ${userId}`, sealed);
  return text === undefined ? undefined : Buffer.from(text, 'base64url');
}

export function readAuthenticatorSecret(
  services: Services,
  userId: string,
  authenticator: Authenticator,
): Uint8Array | undefined {
  return unsealSecret(services, userId, authenticator.sealedSecret);
}

export async function addAuthenticator(
  services: Services,
  signedIn: SignedIn,
  input: { sealedSecret: string; code: string; currentPassword: string },
  origin: Origin,
): Promise<SecondFactorOutcome> {
  const { storage, clock, journal } = services;
  const { user } = signedIn;
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const secret = unsealSecret(services, user.id, input.sealedSecret);
  if (secret === undefined) return { kind: 'not_possible' };
  const now = clock.now();
  const step = matchingStep(secret, input.code, now, null);
  if (step === undefined) return { kind: 'wrong_code' };
  const facts = await storage.findSignInFacts(user.id, undefined);
  const codes = facts.recoveryCodes === 0 ? newCodes(services) : undefined;
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: step };
  const event = journal.event({ kind: 'authenticator_added', userId: user.id }, origin);
  if (!(await storage.enableAuthenticator(user.id, authenticator, codes?.map(digestOf), now, event))) {
    return { kind: 'not_possible' };
  }
  await notifyUser(services, user, 'authenticator_added');
  return { kind: 'changed', recoveryCodes: codes };
}

export async function removeAuthenticator(
  services: Services,
  signedIn: SignedIn,
  currentPassword: string,
  origin: Origin,
): Promise<SecondFactorOutcome> {
  const { storage, journal } = services;
  const { user } = signedIn;
  const confirmation = await confirmPassword(services, user, currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const event = journal.event({ kind: 'authenticator_removed', userId: user.id }, origin);
  if (!(await storage.removeAuthenticator(user.id, event))) return { kind: 'not_possible' };
  await notifyUser(services, user, 'authenticator_removed');
  return { kind: 'changed', recoveryCodes: undefined };
}

export async function replaceRecoveryCodes(
  services: Services,
  signedIn: SignedIn,
  currentPassword: string,
  origin: Origin,
): Promise<SecondFactorOutcome> {
  const { storage, journal } = services;
  const { user } = signedIn;
  const confirmation = await confirmPassword(services, user, currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const facts = await storage.findSignInFacts(user.id, undefined);
  if (facts.authenticator === undefined && facts.passkeys.length === 0) return { kind: 'not_possible' };
  const codes = newCodes(services);
  const event = journal.event({ kind: 'recovery_codes_replaced', userId: user.id }, origin);
  await storage.replaceRecoveryCodes(user.id, codes.map(digestOf), event);
  await notifyUser(services, user, 'recovery_codes_replaced');
  return { kind: 'changed', recoveryCodes: codes };
}

/** A challenge that a passkey answers; its ticket is bound to the browser by whoever sends it. */
export function newChallenge(services: Services): string {
  return newSecret('', services.random);
}

export type PasskeyOffer =
  | Unconfirmed
  | { kind: 'invalid_name' }
  | { kind: 'offered'; challenge: string; options: object };

/**
 * What the browser makes a passkey from. Name and password are looked at before it does, and not only by `addPasskey`:
 * a passkey that is refused afterwards stays on the device, and opens nothing.
 */
export async function offerPasskey(
  services: Services,
  { user }: SignedIn,
  input: { name: string; currentPassword: string },
  origin: Origin,
): Promise<PasskeyOffer> {
  if (passkeyName(input.name, origin) === undefined) return { kind: 'invalid_name' };
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const challenge = newChallenge(services);
  const { passkeys } = await services.storage.findSignInFacts(user.id, undefined);
  return { kind: 'offered', challenge, options: await services.webauthn.creationOptions(user, challenge, passkeys) };
}

export async function addPasskey(
  services: Services,
  signedIn: SignedIn,
  input: { answer: string; challenge: Challenge; name: string; currentPassword: string },
  origin: Origin,
): Promise<SecondFactorOutcome> {
  const { storage, clock, journal, webauthn } = services;
  const { user } = signedIn;
  const name = passkeyName(input.name, origin);
  if (name === undefined) return { kind: 'invalid_name' };
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  if (!(await spend(services, input.challenge))) return { kind: 'not_possible' };
  const created = await webauthn.readCreated(input.answer, input.challenge.text);
  if (created === undefined) return { kind: 'not_possible' };
  const facts = await storage.findSignInFacts(user.id, undefined);
  const codes = facts.recoveryCodes === 0 ? newCodes(services) : undefined;
  const passkey = { ...created, userId: user.id, name, createdAt: clock.now(), lastUsedAt: null };
  const event = journal.event({ kind: 'passkey_added', userId: user.id, detail: { name } }, origin);
  if (!(await storage.addPasskey(passkey, codes?.map(digestOf), event))) return { kind: 'not_possible' };
  await notifyUser(services, user, 'passkey_added');
  return { kind: 'changed', recoveryCodes: codes };
}

/** Without a name of its own, that of the device; undefined when there is none that can be seen. */
function passkeyName(typed: string, origin: Origin): string | undefined {
  const name = cleanName(typed) || (origin.device ?? '');
  return nameProblem(name) === undefined ? name : undefined;
}

export async function removePasskey(
  services: Services,
  signedIn: SignedIn,
  input: { passkeyId: string; currentPassword: string },
  origin: Origin,
): Promise<SecondFactorOutcome> {
  const { storage, journal } = services;
  const { user } = signedIn;
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const event = journal.event({ kind: 'passkey_removed', userId: user.id }, origin);
  if (!(await storage.removePasskey(user.id, input.passkeyId, event))) return { kind: 'not_possible' };
  await notifyUser(services, user, 'passkey_removed');
  return { kind: 'changed', recoveryCodes: undefined };
}

export interface Challenge {
  readonly text: string;
  readonly at: number;
}

/** How long a browser may take to answer a challenge. */
const challengeLifetime = 5 * 60 * 1000;

/** Each challenge is answered once, and soon. */
async function spend(services: Services, challenge: Challenge): Promise<boolean> {
  const expiresAt = challenge.at + challengeLifetime;
  if (services.clock.now() >= expiresAt) return false;
  return services.storage.spendTicket(digestOf(challenge.text), expiresAt);
}

/** Proof by one of the person's passkeys, as the second step of a sign-in. */
export function proofByPasskey(services: Services, answer: string, challenge: Challenge): SecondProof {
  return async (user) => {
    const used = await usedPasskey(services, answer, challenge);
    return used?.id === user.id ? 'password_and_passkey' : undefined;
  };
}

/** Whose passkey has answered the challenge; undefined when none has. */
export async function usedPasskey(services: Services, answer: string, challenge: Challenge): Promise<User | undefined> {
  const { storage, clock, webauthn } = services;
  const id = webauthn.passkeyIdOf(answer);
  const found = id === undefined ? undefined : await storage.findPasskey(id);
  if (found === undefined) return undefined;
  const counter = await webauthn.readUsed(answer, challenge.text, found.passkey);
  if (counter === undefined || !(await spend(services, challenge))) return undefined;
  if (!(await storage.notePasskeyUse(found.passkey.id, counter, clock.now()))) return undefined;
  return found.user;
}

function newCodes(services: Services): string[] {
  return Array.from({ length: recoveryCodeCount }, () => newRecoveryCode(services.random));
}

export async function notifyUser(services: Services, user: User, change: SecondFactorChange): Promise<void> {
  await services.emailQueue.notify(services.emailTemplates.secondFactorChanged({ to: user.email, change }));
}
