// Signing in without a password.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { passkeyCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { type Challenge, usedPasskey } from '../account/second-factors.ts';
import type { Services } from '../services.ts';
import { admit } from '../throttle.ts';
import type { SignInOutcome } from './sign-in.ts';
import { type SignInContext, startSession } from './start-session.ts';

export async function signInWithPasskey(
  services: Services,
  answer: string,
  challenge: Challenge,
  context: SignInContext,
  origin: Origin,
): Promise<Exclude<SignInOutcome, { kind: 'second_step' }>> {
  const { storage, journal } = services;
  const client = context.clientId === undefined ? {} : { clientId: context.clientId };
  const admission = await admit(services, passkeyCounters(origin.address));
  if (admission.kind === 'throttled') return admission;
  const user = await usedPasskey(services, answer, challenge);
  if (user === undefined || user.disabledAt !== null) {
    const reason = user === undefined ? 'wrong_passkey' : 'disabled';
    const person = user === undefined ? {} : { userId: user.id };
    journal.noteFromStranger({ kind: 'sign_in_failed', ...person, ...client, detail: { reason } }, origin);
    return { kind: 'refused' };
  }
  const facts = await storage.findSignInFacts(user.id, context.device && digestOf(context.device));
  const started = await startSession(services, user, facts, 'passkey', context, origin);
  if (started === undefined) return { kind: 'refused' };
  await admission.takeBack();
  return { kind: 'signed_in', ...started };
}
