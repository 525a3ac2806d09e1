// Signing in with a code that is sent by email. Asking for one is the same for every address (email-links/request-email.ts). The code
// works once, in the browser that asked and for the request that it was asked for: what makes up its digest travels through that
// browser, stamped by the HTTP layer. It's one factor; what follows is decided in advance.ts.

import { mayBeEmail } from '../../protocol/account/email-address.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { EmailCodePolicy } from '../../protocol/resources/settings.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import {
  codeEmailCounters,
  codeTryCounters,
  emailCodeCounters,
  emailNetworkCounters,
} from '../../protocol/sign-in/throttle-rules.ts';
import { emailCodeDigest } from '../../protocol/sign-in/typed-codes.ts';
import type { UsedCode } from '../../storage/storage.ts';
import type { SignInCodePurpose } from '../mail/email-queue.ts';
import type { Linking, Metering, Services, Timing } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';
import { hasNoOtherWayIn } from '../users/identities.ts';
import {
  type Advanced,
  type AdvanceServices,
  advance,
  clientOf,
  type ProvenPerson,
  type SignInContext,
} from './advance.ts';
import { claimBy, tellOwner } from './claim-account.ts';

type PolicyServices = Pick<Services, 'settings' | 'emailQueue'>;

/** Who can sign in with a code now: `off` if no email can be sent. */
export async function emailCodePolicy({ settings, emailQueue }: PolicyServices): Promise<EmailCodePolicy> {
  return emailQueue.works ? (await settings.read()).email_codes : 'off';
}

/** A code that a browser has asked for, as it travels through that browser. */
export interface AskedCode {
  /** As it was typed. */
  readonly email: string;
  /** Part of what the code's digest is made from. */
  readonly nonce: string;
  readonly purpose: SignInCodePurpose;
}

export type CodeRequestOutcome =
  | { kind: 'sent'; asked: AskedCode }
  | { kind: 'invalid_email' }
  | { kind: 'emails_throttled'; retryAfterSeconds: number }
  /** Codes by email are off meanwhile. */
  | { kind: 'expired' };

/** Nothing here depends on whether the address has an account. */
export async function requestEmailCode(
  services: Timing & Metering & PolicyServices & Pick<Services, 'random'>,
  typed: string,
  marks: readonly string[],
  requester: Requester,
): Promise<CodeRequestOutcome> {
  const { storage, emailQueue, random } = services;
  if ((await emailCodePolicy(services)) === 'off') return { kind: 'expired' };
  const email = typed.trim();
  if (!mayBeEmail(email)) return { kind: 'invalid_email' };
  const isKnown = marks.length > 0 && (await storage.isKnownDevice(email, marks.map(digestOf)));
  if (!isKnown) {
    const attempt = await startAttempt(services, 'email_network', emailNetworkCounters(requester.address));
    if (attempt.kind === 'throttled') return { ...attempt, kind: 'emails_throttled' };
  }
  const asked = { email, nonce: newSecret('', random), purpose: isKnown ? 'known_email_code' : 'email_code' } as const;
  // Over the limit, nothing is sent, and the page is the same.
  const share = await startAttempt(services, 'email_recipient', codeEmailCounters(email, isKnown));
  if (share.kind === 'allowed') {
    const { purpose } = asked;
    await emailQueue.queueRequest({ kind: 'email_code', to: email, mark: markOf(asked), purpose, requester });
  }
  return { kind: 'sent', asked };
}

function markOf({ nonce }: AskedCode): string {
  return digestOf(nonce);
}

export type EmailCodeOutcome =
  | Advanced
  | CodeRefusal
  | { kind: 'code_missing' }
  | { kind: 'expired' }
  | { kind: 'waiting_for_approval' }
  /** The address isn't verified, and there is a second factor, which another person may have set up. */
  | { kind: 'recovery_needed' };

export type CodeRefusal =
  | { kind: 'wrong_email_code' }
  /** There were so many wrong ones that it doesn't work any more. */
  | { kind: 'code_spent' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export async function signInWithEmailCode(
  services: AdvanceServices & Linking,
  asked: AskedCode,
  typed: string,
  context: SignInContext,
  requester: Requester,
): Promise<EmailCodeOutcome> {
  const { storage, clock } = services;
  const policy = await emailCodePolicy(services);
  if (policy === 'off') return { kind: 'expired' };
  if (typed.trim() === '') return { kind: 'code_missing' };
  const user = await storage.findUserByEmail(asked.email);
  const note = (reason: SignInRefusal) => {
    const about = { ...(user && { userId: user.id }), ...clientOf(context.destination) };
    noteRefusedSignIn(services, about, reason, requester);
  };
  const refuse = (reason: SignInRefusal) => {
    note(reason);
    return { kind: 'wrong_email_code' } as const;
  };
  const marks = context.browser.marks.map(digestOf);
  const knownDevice = await storage.findKnownDevice(user?.id ?? '', marks);
  const attempt = await startGuess(services, { mark: markOf(asked), email: asked.email, knownDevice });
  if (attempt.kind !== 'allowed') {
    note('throttled');
    return attempt;
  }

  const code: UsedCode = { digest: emailCodeDigest(markOf(asked), typed), purpose: asked.purpose };
  const now = clock.now();
  const link = await storage.findLink(code.digest, code.purpose, now);
  if (user === undefined) return refuse('unknown_person');
  if (link?.userId !== user.id) return refuse('wrong_email_code');

  const standing = standingOf(user, now);
  if (standing === 'disabled' || standing === 'expired') return refuse(standing);
  /** The code was right, and yet it's the end. */
  const end = async (kind: 'waiting_for_approval' | 'recovery_needed', reason: SignInRefusal) => {
    if (!(await storage.useEmailCode(user, code, now))) return refuse('changed_meanwhile');
    await attempt.takeBack();
    note(reason);
    return { kind };
  };
  if (standing === 'waiting') return end('waiting_for_approval', 'waiting_for_approval');
  const facts = await storage.findSignInFacts(user.id, marks);
  const hasFactor = hasSecondFactor(facts);
  // They have set it up since they asked.
  if (hasFactor && policy === 'without_second_factor') return refuse('wrong_email_code');
  const claiming = await claimBy('email_code', services, user, now, requester);
  if (claiming.kind === 'refused') return end('recovery_needed', 'unverified_email');
  const isClaimed = claiming.kind === 'claimed';
  const person = {
    ...context,
    ...(isClaimed ? { user: claiming.user, facts: { ...facts, knownDevice: undefined } } : { user, facts }),
    factors: { first: 'email_code', second: 'none' },
    onlyWayIn: isClaimed || (await hasNoOtherWayIn(services, user)),
    together: {
      kind: 'first_factor',
      store: (start) => storage.useEmailCode(user, code, now, { start, claim: isClaimed ? claiming.claim : undefined }),
    },
  } as const satisfies ProvenPerson;
  const advanced = await advance(services, person, requester);
  if (advanced === undefined) return refuse('changed_meanwhile');
  await attempt.takeBack();
  if (isClaimed && claiming.endsSomething) await tellOwner(services, user);
  return advanced;
}

/** Counts a guess at a code: for the code itself, and for the mailbox. */
export async function startGuess(
  services: Timing & Metering,
  guess: { readonly mark: string; readonly email: string; readonly knownDevice: string | undefined },
): Promise<Exclude<CodeRefusal, { kind: 'wrong_email_code' }> | { kind: 'allowed'; takeBack(): Promise<void> }> {
  const ofCode = await startAttempt(services, 'email_code', codeTryCounters(guess.mark));
  if (ofCode.kind === 'throttled') return { kind: 'code_spent' };
  const ofMailbox = await startAttempt(services, 'email_code', emailCodeCounters(guess.email, guess.knownDevice));
  if (ofMailbox.kind === 'throttled') {
    await ofCode.takeBack();
    return ofMailbox;
  }
  const takeBack = async () => {
    await ofCode.takeBack();
    await ofMailbox.takeBack();
  };
  return { kind: 'allowed', takeBack };
}
