// Signing in with a passkey alone: without an email address, without a password, and without a second step.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { passkeyCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { noteRefusedSignIn } from '../note-refusal.ts';
import { type Challenge, ownerOfPasskey } from '../second-factors/passkey-challenge.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { type Advanced, type AdvanceServices, advance } from './advance.ts';
import { clientOf, type SignInContext } from './start-session.ts';

export type PasskeyOutcome = Advanced | { kind: 'wrong_passkey' } | { kind: 'throttled'; retryAfterSeconds: number };

export async function signInWithPasskey(
  services: AdvanceServices & Pick<Services, 'webauthn'>,
  { answer, challenge }: { readonly answer: string; readonly challenge: Challenge | undefined },
  context: SignInContext,
  requester: Requester,
): Promise<PasskeyOutcome> {
  if (challenge === undefined) return { kind: 'wrong_passkey' };
  const attempt = await startAttempt(services, 'passkey', passkeyCounters(requester.address));
  if (attempt.kind === 'throttled') return attempt;
  const user = await ownerOfPasskey(services, answer, challenge);
  if (user === undefined || user.disabledAt !== null) {
    const about = { ...(user && { userId: user.id }), ...clientOf(context.destination) };
    noteRefusedSignIn(services, about, user === undefined ? 'wrong_passkey' : 'disabled', requester);
    return { kind: 'wrong_passkey' };
  }
  const facts = await services.storage.findSignInFacts(user.id, context.browser.marks.map(digestOf));
  const person = { ...context, user, facts, factors: { first: 'passkey', second: 'none' } } as const;
  const outcome = await advance(services, person, requester);
  if (outcome === undefined) return { kind: 'wrong_passkey' };
  await attempt.takeBack();
  return outcome;
}
