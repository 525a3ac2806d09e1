// Keeps a form that must not be submitted twice, such as one that creates a secret, from being carried out twice.

import { digestOf } from '../../protocol/digest.ts';
import { newId, newSecret } from '../../protocol/identifiers.ts';
import { longestSession } from '../../protocol/sign-in/session-limits.ts';
import type { Services, Timing } from '../services.ts';

export function newSubmissionToken({ random }: Pick<Services, 'random'>): string {
  return newSecret('', random);
}

/** The ID of the client that a form with this token creates: the person who sends it again is led to that one. */
export function clientIdFor(token: string): string {
  return newId((size) => Buffer.from(digestOf(`client ${token}`), 'base64url').subarray(0, size));
}

/** True for the first caller with a token, false for every other one. */
export function consumeSubmissionToken(
  { storage, clock, settings }: Timing & Pick<Services, 'settings'>,
  token: string,
): Promise<boolean> {
  // No form outlives the session it was made for.
  return storage.consumeTicket(digestOf(token), clock.now() + longestSession(settings.sessionLimits));
}
