// Signing in with a passkey alone: without an email address, without a password, and without a second step.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { passkeyCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { noteRefusedSignIn } from '../note-refusal.ts';
import { type Challenge, ownerOfPasskey } from '../second-factors/passkey-challenge.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { clientOf, type SignInContext, type SignInOutcome, startSession } from './start-session.ts';

export async function signInWithPasskey(
  services: Services,
  answer: string,
  challenge: Challenge,
  context: SignInContext,
  requester: Requester,
): Promise<SignInOutcome> {
  const { storage } = services;
  const attempt = await startAttempt(services, 'passkey', passkeyCounters(requester.address));
  if (attempt.kind === 'throttled') return attempt;
  const user = await ownerOfPasskey(services, answer, challenge);
  if (user === undefined || user.disabledAt !== null) {
    const about = { ...(user && { userId: user.id }), ...clientOf(context.destination) };
    noteRefusedSignIn(services, about, user === undefined ? 'wrong_passkey' : 'disabled', requester);
    return { kind: 'refused' };
  }
  const facts = await storage.findSignInFacts(user.id, context.browser.marks.map(digestOf));
  const started = await startSession(services, user, facts, 'passkey', context, requester);
  if (started === undefined) return { kind: 'refused' };
  await attempt.takeBack();
  return { kind: 'signed_in', ...started };
}
