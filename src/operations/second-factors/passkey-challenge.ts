// The random challenge that a passkey signs. It travels through the browser, stamped by the HTTP layer, and is accepted
// once: here is how it is made, how a passkey's answer is checked, and how a challenge is used up.

import { digestOf } from '../../protocol/digest.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { Passkey, User } from '../../storage/storage.ts';
import type { Services, Timing } from '../services.ts';

export interface Challenge {
  readonly text: string;
  /** When it was made. */
  readonly at: number;
}

/** How long a browser may take to answer a challenge. */
const challengeLifetime = 5 * MINUTE;

export function newChallenge(services: Pick<Services, 'clock' | 'random'>): Challenge {
  return { text: newSecret('', services.random), at: services.clock.now() };
}

/** A new challenge, and the options with which a browser asks for one of these passkeys, or for any if there are none. */
export async function askForPasskey(
  services: Pick<Services, 'clock' | 'random' | 'webauthn'>,
  passkeys: readonly Passkey[],
): Promise<{ challenge: Challenge; options: object }> {
  const challenge = newChallenge(services);
  return { challenge, options: await services.webauthn.requestOptions(challenge.text, passkeys) };
}

/** The owner of the passkey that has signed the challenge; undefined when the answer is not valid. */
export async function ownerOfPasskey(
  services: Timing & Pick<Services, 'webauthn'>,
  answer: string,
  challenge: Challenge,
): Promise<User | undefined> {
  const { storage, clock, webauthn } = services;
  const id = webauthn.passkeyIdOf(answer);
  const found = id === undefined ? undefined : await storage.findPasskey(id);
  if (found === undefined) return undefined;
  const counter = await webauthn.readUsed(answer, challenge.text, found.passkey);
  if (counter === undefined || !(await spendChallenge(services, challenge))) return undefined;
  if (!(await storage.notePasskeyUse(found.passkey.id, counter, clock.now()))) return undefined;
  return found.user;
}

/** Uses the challenge up. False when it has expired, or an earlier answer has used it. */
export async function spendChallenge(services: Timing, challenge: Challenge): Promise<boolean> {
  const expiresAt = challenge.at + challengeLifetime;
  if (services.clock.now() >= expiresAt) return false;
  return services.storage.consumeTicket(digestOf(challenge.text), expiresAt);
}
