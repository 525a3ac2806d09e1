// Keeps a form that must not be submitted twice, such as one that creates a secret, from being carried out twice.

import { digestOf } from '../../protocol/digest.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { longestSession } from '../../protocol/sign-in/session-limits.ts';
import type { Services } from '../services.ts';

export function newSubmissionToken({ random }: Services): string {
  return newSecret('', random);
}

/** True for the first caller with a token, false for every other one. */
export function consumeSubmissionToken({ storage, clock, settings }: Services, token: string): Promise<boolean> {
  // No form outlives the session it was made for.
  return storage.consumeTicket(digestOf(token), clock.now() + longestSession(settings.sessionLimits));
}
