// Proof of identity with a code by email, for a person in a session who has nothing else to prove it with: neither a password nor a
// passkey nor an identity. The code works in that session only.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import { codeEmailCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { emailCodeDigest } from '../../protocol/sign-in/typed-codes.ts';
import type { SessionCondition, SignedIn, User } from '../../storage/storage.ts';
import { newCode } from '../email-links/request-email.ts';
import { type ProofServices, proveThenStore } from '../second-factors/prove-second-factor.ts';
import type { Metering, Recording, Services, Timing } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';
import { hasNoOtherWayIn } from '../users/identities.ts';
import { emailCodePolicy, startGuess } from './email-codes.ts';
import type { IdentityOutcome } from './prove-identity.ts';

/** A code that was asked for in a session. */
export interface AskedProofCode {
  readonly nonce: string;
}

type PolicyServices = Timing & Pick<Services, 'settings' | 'emailQueue'>;

export async function canProveByEmail(services: PolicyServices, user: User): Promise<boolean> {
  const policy = await emailCodePolicy(services);
  if (policy === 'off' || !(await hasNoOtherWayIn(services, user))) return false;
  return policy === 'everyone' || !hasSecondFactor(await services.storage.findSignInFacts(user.id, undefined));
}

/** Undefined when the person has something else to prove it with. Beyond the limit of emails, nothing is sent. */
export async function sendProofCode(
  services: PolicyServices & Recording & Metering & Pick<Services, 'random' | 'emailsFor'>,
  { user, session }: SignedIn,
  requester: Requester,
): Promise<AskedProofCode | undefined> {
  const { random, emailQueue, emailsFor, journal } = services;
  if (!(await canProveByEmail(services, user))) return undefined;
  const asked = { nonce: newSecret('', random) };
  const share = await startAttempt(services, 'email_recipient', codeEmailCounters(user.email, true));
  if (share.kind === 'throttled') return asked;
  const { code, link } = newCode(services, user, markOf(session, asked), 'proof_code');
  const { device = '', address } = requester;
  const email = emailsFor(user.locale).emailCode({ to: user.email, device, address, code, use: 'proof' });
  await emailQueue.queue(email, link, journal.event({ kind: 'email_code_requested', userId: user.id }, requester));
  return asked;
}

function markOf({ digest }: SignedIn['session'], { nonce }: AskedProofCode): string {
  return digestOf(`${digest} ${nonce}`);
}

export interface EmailProof {
  readonly kind: 'email_code';
  readonly asked: AskedProofCode;
  readonly emailCode: string;
  /** Of a second factor; empty for a person without one. */
  readonly code: string;
  readonly marks: readonly string[];
}

export async function proveByEmail(
  services: ProofServices & Pick<Services, 'settings'>,
  { user, session }: SignedIn,
  { asked, emailCode, code, marks }: EmailProof,
  requester: Requester,
): Promise<IdentityOutcome> {
  const { storage, clock } = services;
  if (!(await canProveByEmail(services, user))) return { kind: 'ended' };
  if (emailCode.trim() === '') return { kind: 'wrong_email_code' };
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  const mark = markOf(session, asked);
  const attempt = await startGuess(services, { mark, email: user.email, knownDevice: facts.knownDevice });
  if (attempt.kind !== 'allowed') return attempt;
  const now = clock.now();
  const used = { digest: emailCodeDigest(mark, emailCode), purpose: 'proof_code' } as const;
  if ((await storage.findLink(used.digest, used.purpose, now))?.userId !== user.id) {
    noteRefusedSignIn(services, { userId: user.id }, 'wrong_email_code', requester);
    return { kind: 'wrong_email_code' };
  }
  await attempt.takeBack();
  const note = (condition: SessionCondition | undefined) =>
    storage.proveSessionWithCode(session, user.sessionGeneration, now, used, condition);
  const outcome = (noted: boolean): IdentityOutcome =>
    noted ? { kind: 'proven', signedIn: { user, session: { ...session, provenAt: now } } } : { kind: 'ended' };
  if (!hasSecondFactor(facts)) return outcome(await note({ kind: 'no_second_factor' }));
  const claim = { user, facts, proof: { kind: 'code', code }, condition: 'nothing' } as const;
  const proved = await proveThenStore(services, claim, requester, ({ use }) => use(note));
  if (proved.kind === 'stored' || proved.kind === 'expired') return outcome(proved.kind === 'stored');
  return proved;
}
