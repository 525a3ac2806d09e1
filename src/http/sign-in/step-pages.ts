// The pages of a sign-in, each with a form that is answered in dispatch.ts, and what they say when it wasn't accepted.

import type { FastifyReply } from 'fastify';
import { hasSecondFactor } from '../../operations/factor-facts.ts';
import { findOpenRequest, type OpenRequest } from '../../operations/oauth/open-request.ts';
import { maySetPassword } from '../../operations/passwords/password-policy.ts';
import { authenticatorIssuer } from '../../operations/second-factors/authenticator-secret.ts';
import { findPendingSignIn, type Keep } from '../../operations/sign-in/advance.ts';
import { emailCodePolicy } from '../../operations/sign-in/email-codes.ts';
import { canProveByEmail } from '../../operations/sign-in/prove-by-email.ts';
import { findRemembered } from '../../operations/sign-in/remembered.ts';
import { missingFactor } from '../../operations/sign-in/second-factor-need.ts';
import { type OfferedKey, offeredSecret, offerKey } from '../../operations/sign-in/set-up-factor.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import { emailCodePage } from '../../pages/sign-in/email-code.ts';
import { secondStepPage } from '../../pages/sign-in/second-step.ts';
import {
  proofBeforeSetUpPage,
  type SetUpFactorPage,
  setUpFactorPage,
  verifyPage,
} from '../../pages/sign-in/set-up-factor.ts';
import { signInPage } from '../../pages/sign-in/sign-in.ts';
import { upstreamProofPage } from '../../pages/sign-in/upstreams.ts';
import { emailKey, emailLimit } from '../../protocol/account/email-address.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import type { SignUpMode } from '../../protocol/resources/settings.ts';
import { type Destination, formatDestination } from '../../protocol/sign-in/destination.ts';
import { passwordStanding } from '../../protocol/sign-in/password-policy.ts';
import { base32, totpUri } from '../../protocol/sign-in/totp.ts';
import type { SignedIn, User } from '../../storage/storage.ts';
import { formToken } from '../forms.ts';
import { appIdentity } from '../logos.ts';
import { provingUpstreams, upstreamButtonsFor } from '../upstreams/send-to-upstream.ts';
import type { Visit } from '../visit.ts';
import { clientFormAction, destinationApp, passwordSignInUrl, signInUrl, verifyPath } from './destination.ts';
import {
  type CodeStep,
  emailCodeTicket,
  type ProofStep,
  provenTicket,
  type SecondStep,
  secondStepTicket,
  sessionSetUpTicket,
  setUpTicket,
  signInTicket,
  verifyTicket,
} from './sign-in-tickets.ts';

/** A page, and what it needs to be shown, now and again. */
export type StepPage =
  | ({ readonly page: 'sign_in' } & SignInStart)
  /** `trust` is ticked: the browser is to be spared the second step. */
  | ({ readonly page: 'second_step'; readonly trust?: boolean } & SecondStep)
  | ({ readonly page: 'email_code' } & CodeStep)
  | ({ readonly page: 'set_up'; readonly key?: OfferedKey } & SecondStep)
  | ({ readonly page: 'verify' } & LackingSession)
  | ({ readonly page: 'upstream_proof' } & ProofStep);

interface SignInStart {
  readonly destination: Destination;
  /** What was typed, and ticked. */
  readonly email?: string;
  readonly keep?: Keep;
  /** The request of the application that the person comes from, where it's known already. */
  readonly open?: OpenRequest;
}

/** A session that has to get a second factor. */
interface LackingSession {
  readonly signedIn: SignedIn;
  readonly destination: Destination;
  /** The key that the app has already. */
  readonly key?: OfferedKey;
}

export function showStep(visit: Visit, step: StepPage, refusal?: Refusal): Promise<FastifyReply> {
  switch (step.page) {
    case 'sign_in':
      return showSignIn(visit, step, refusal);
    case 'second_step':
      return showSecondStep(visit, step, step.trust ?? false, refusal);
    case 'email_code':
      return showEmailCode(visit, step, refusal);
    case 'set_up':
      return showSetUp(visit, step, step.key, refusal);
    case 'verify':
      return showVerify(visit, step, refusal);
    case 'upstream_proof':
      return showUpstreamProof(visit, step, refusal);
  }
}

/** Why the form of a page wasn't accepted. */
export type Refusal =
  | { readonly kind: keyof typeof problems }
  | { readonly kind: keyof typeof throttles; readonly retryAfterSeconds: number }
  /** The upstream that was chosen is gone or disabled; the page shows those that there are. */
  | { readonly kind: 'unavailable' };

const problems = {
  incomplete: ({ signIn }: Messages) => signIn.incomplete,
  wrong_credentials: ({ signIn }: Messages) => signIn.failed,
  password_over: ({ passwordless }: Messages) => passwordless.over,
  wrong_passkey: ({ signIn }: Messages) => signIn.passkeyFailed,
  wrong_second_factor: ({ account }: Messages) => account.secondStep.failed,
  invalid_email: ({ account }: Messages) => account.invalidEmail,
  wrong_email_code: ({ emailCodes }: Messages) => emailCodes.wrong,
  code_spent: ({ emailCodes }: Messages) => emailCodes.spent,
  wrong_code: ({ secondFactor }: Messages) => secondFactor.wrongCode,
  passkey_failed: ({ passwordless }: Messages) => passwordless.failed,
  wrong_password: ({ account }: Messages) => account.proof.wrongPassword,
  code_missing: ({ account }: Messages) => account.proof.enterCode,
};

const throttles = {
  emails_throttled: ({ account }: Messages) => account.throttled,
  throttled: ({ account }: Messages) => account.throttled,
  codes_throttled: ({ account }: Messages) => account.secondStep.tooManyCodes,
};

export function isRefusal(outcome: { readonly kind: string }): outcome is Refusal {
  return outcome.kind in problems || outcome.kind in throttles || outcome.kind === 'unavailable';
}

/** The status of the page, and what it says is wrong. */
export function refusalText(
  visit: Visit,
  messages: Messages,
  refusal: Refusal | undefined,
): { readonly status: number; readonly problem: string | undefined } {
  if (refusal === undefined) return { status: 200, problem: undefined };
  if (refusal.kind === 'unavailable') return { status: 404, problem: undefined };
  if ('retryAfterSeconds' in refusal) return visit.throttled(refusal, throttles[refusal.kind](messages));
  return { status: refusal.kind === 'password_over' ? 403 : 400, problem: problems[refusal.kind](messages) };
}

/** Whoever needs a link has one that leads there. */
function isOffered(mode: SignUpMode): boolean {
  return mode !== 'closed' && mode !== 'links';
}

async function showSignIn(visit: Visit, step: SignInStart, refusal: Refusal | undefined): Promise<FastifyReply> {
  const { services } = visit;
  const { destination } = step;
  const find = () => (destination.kind === 'authorization' ? findOpenRequest(services, destination.query) : undefined);
  const open = step.open ?? (await find());
  const frame = visit.frame({ destination });
  const { status, problem } =
    refusal?.kind === 'throttled'
      ? visit.throttled(refusal, frame.messages.signIn.throttled)
      : refusalText(visit, frame.messages, refusal);
  const settings = await services.settings.read();
  const standing = passwordStanding(settings, false, services.clock.now()).kind;
  const typed = step.email ?? open?.request.loginHint?.slice(0, emailLimit);
  const remembered = await rememberedFor(visit, typed);
  const page = signInPage(frame, {
    app: open && appIdentity(open.client),
    email: remembered?.account.email ?? typed ?? '',
    remembered,
    keep: typeof step.keep === 'boolean' ? step.keep : remembered !== undefined,
    ticket: visit.makeTicket(signInTicket, destination),
    problem,
    emailCode: (await emailCodePolicy(services)) !== 'off',
    signUp: isOffered(services.settings.signUp),
    upstreams: await upstreamButtonsFor(services),
    passwords: standing === 'ending' ? 'off' : standing,
    passwordOver: refusal?.kind === 'password_over',
  });
  return visit.sendPage(status, page, open && { formAction: formActionSource(open.request.redirectUri) });
}

/** Nobody who has typed another email address, or comes with one, is offered the account that the browser remembers. */
async function rememberedFor({ services, browser }: Visit, typed: string | undefined) {
  const found = await findRemembered(services, browser);
  if (found === undefined) return undefined;
  const { user, method } = found;
  const isMeant = typed === undefined || emailKey(typed) === emailKey(user.email);
  return isMeant ? { account: user, method } : undefined;
}

/** In one language: the code would be lost with the page. */
async function showEmailCode(visit: Visit, step: CodeStep, refusal: Refusal | undefined): Promise<FastifyReply> {
  const { services } = visit;
  const { asked, destination, keep } = step;
  const frame = visit.fixedFrame({ destination });
  const { status, problem } = refusalText(visit, frame.messages, refusal);
  const page = emailCodePage(frame, {
    app: await destinationApp(services, destination),
    email: asked.email,
    ticket: visit.makeTicket(emailCodeTicket, step),
    again: { ticket: visit.makeTicket(signInTicket, destination), keep },
    passwordUrl: passwordSignInUrl(destination),
    passwords: passwordStanding(await services.settings.read(), false, services.clock.now()).kind !== 'over',
    outbox: services.emailQueue.kind === 'outbox',
    problem,
  });
  return visit.sendPage(status, page, await clientFormAction(services, destination));
}

async function showSecondStep(
  visit: Visit,
  { pending, destination, keep }: SecondStep,
  trust: boolean,
  refusal?: Refusal,
): Promise<FastifyReply> {
  const found = await findPendingSignIn(visit.services, pending);
  if (found === undefined) return visit.sendFormExpired();
  const { authenticator, passkeys } = found.facts;
  const frame = visit.frame({ ...found, destination });
  const { status, problem } = refusalText(visit, frame.messages, refusal);
  const page = secondStepPage(frame, {
    app: await destinationApp(visit.services, destination),
    ticket: visit.makeTicket(secondStepTicket, { pending, destination, keep }),
    authenticator: authenticator !== undefined,
    passkeys: passkeys.length > 0,
    trust: found.first === 'email_code' ? undefined : trust,
    problem,
    signInUrl: signInUrl(destination),
  });
  return visit.sendPage(status, page, await clientFormAction(visit.services, destination));
}

/** After an attempt the page has the same key, because the app has it already. */
async function showSetUp(
  visit: Visit,
  step: SecondStep,
  given: OfferedKey | undefined,
  refusal: Refusal | undefined,
): Promise<FastifyReply> {
  const { pending, destination, keep } = step;
  const found = await findPendingSignIn(visit.services, pending);
  if (found === undefined) return visit.sendFormExpired();
  // Set up elsewhere, between the write and this page.
  if (hasSecondFactor(found.facts)) return showSecondStep(visit, step, false);
  const key = given ?? offerKey(visit.services, found.user);
  const shown = shownKey(visit, found.user, key);
  if (shown === undefined) return visit.sendFormExpired();
  const reader = { ...found, destination };
  // The page would come back with another key than the app has.
  const frame = given === undefined ? visit.frame(reader) : visit.fixedFrame(reader);
  const { status, problem } = refusalText(visit, frame.messages, refusal);
  const page = setUpFactorPage(frame, {
    app: await destinationApp(visit.services, destination),
    ...shown,
    action: '/sign-in/set-up',
    ticket: visit.makeTicket(setUpTicket, { pending, key, destination, keep }),
    needsPassword: false,
    ...setUpProblem(refusal, problem),
    leave: { signInUrl: signInUrl(destination) },
  });
  return visit.sendPage(status, page);
}

/** The key as the page shows it; undefined when it was offered too long ago. */
function shownKey(
  { services }: Visit,
  user: User,
  key: OfferedKey,
): Pick<SetUpFactorPage, 'email' | 'uri' | 'key'> | undefined {
  const secret = offeredSecret(services, user, key);
  if (secret === undefined) return undefined;
  const uri = totpUri({ issuer: authenticatorIssuer(services), account: user.email, secret });
  return { email: user.email, uri, key: base32(secret) };
}

/** Where the page says what is wrong. */
function setUpProblem(refusal: Refusal | undefined, problem: string | undefined) {
  if (refusal?.kind === 'wrong_password') return { problem: undefined, passwordProblem: problem };
  if (refusal?.kind === 'passkey_failed') return { problem: undefined, passkeyProblem: problem };
  return { problem };
}

/** Asks for a second factor, or sets one up for those who have none, after proof of identity. */
async function showVerify(visit: Visit, asked: LackingSession, refusal: Refusal | undefined): Promise<FastifyReply> {
  const { services, context } = visit;
  const { signedIn, destination } = asked;
  const { user } = signedIn;
  const { step, authenticator, passkeys, proven } = await missingFactor(services, signedIn);
  const reader = { user, destination };
  const frame = visit.frame(reader);
  const { status, problem } = refusalText(visit, frame.messages, refusal);
  const shared = {
    app: await destinationApp(services, destination),
    problem,
    leave: { formToken: formToken(context, visit.session ?? '') },
  };
  const { email } = user;
  const ticketField = verifyTicket.field;
  if (step.kind === 'second_step') {
    const ticket = visit.makeTicket(verifyTicket, destination);
    const page = { ...shared, email, authenticator, passkeys, action: verifyPath, ticketField, ticket };
    return visit.sendPage(status, verifyPage(frame, page), await clientFormAction(services, destination));
  }
  if (step.kind === 'prove') {
    const upstreams = await provingUpstreams(services, user);
    const ticket = visit.makeTicket(verifyTicket, destination);
    const again = (await canProveByEmail(services, user)) ? passwordSignInUrl(destination) : undefined;
    const passwords = await maySetPassword(services, user);
    const page = { ...shared, email, upstreams, again, passwords, action: `${verifyPath}/proof`, ticketField, ticket };
    return visit.sendPage(status, proofBeforeSetUpPage(frame, page));
  }
  const key = asked.key ?? offerKey(services, user);
  const shown = shownKey(visit, user, key);
  if (shown === undefined) return visit.sendFormExpired();
  const page = setUpFactorPage(asked.key === undefined ? frame : visit.fixedFrame(reader), {
    ...shared,
    ...shown,
    action: `${verifyPath}/set-up`,
    ticket: visit.makeTicket(sessionSetUpTicket, { key, destination }),
    needsPassword: !proven,
    ...setUpProblem(refusal, problem),
  });
  return visit.sendPage(status, page, await clientFormAction(visit.services, destination));
}

/** The second factor of somebody who proves who they are with a fresh sign-in at an upstream. */
async function showUpstreamProof(
  visit: Visit,
  { proven, destination }: ProofStep,
  refusal: Refusal | undefined,
): Promise<FastifyReply> {
  const frame = visit.fixedFrame({ destination });
  const { status, problem } = refusalText(visit, frame.messages, refusal);
  const ticket = visit.makeTicket(provenTicket, { proven, destination });
  const page = upstreamProofPage(frame, { ticket, back: formatDestination(destination), problem });
  return visit.sendPage(status, page);
}
