// The pages of a sign-in, each with a form that is answered in dispatch.ts, and what they say when it wasn't accepted. What they
// show is gathered in operations/sign-in/steps; tickets and URLs are added here.

import type { FastifyReply } from 'fastify';
import { gatherStep, type Step, type StepFacts } from '../../operations/sign-in/steps/step-facts.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import type { AppIdentity } from '../../pages/layout/identity.ts';
import type { Frame } from '../../pages/layout/layout.ts';
import { emailCodePage } from '../../pages/sign-in/email-code.ts';
import { secondStepPage } from '../../pages/sign-in/second-step.ts';
import { proofBeforeSetUpPage, setUpFactorPage, verifyPage } from '../../pages/sign-in/set-up-factor.ts';
import { signInPage } from '../../pages/sign-in/sign-in.ts';
import { type UpstreamButton, upstreamProofPage } from '../../pages/sign-in/upstreams.ts';
import { formatDestination } from '../../protocol/sign-in/destination.ts';
import type { Upstream } from '../../storage/storage.ts';
import { formToken } from '../forms.ts';
import { upstreamIdentity } from '../logos.ts';
import type { Visit } from '../visit.ts';
import { passwordSignInUrl, shownTarget, signInUrl, verifyPath } from './destination.ts';
import {
  emailCodeTicket,
  provenTicket,
  secondStepTicket,
  sessionSetUpTicket,
  setUpTicket,
  signInTicket,
  verifyTicket,
} from './sign-in-tickets.ts';

/** Where the page for a code by email comes again in another language. */
export const emailCodeLanguagePath = '/sign-in/code/language';

export async function showStep(visit: Visit, step: Step, refusal?: Refusal): Promise<FastifyReply> {
  const facts = await gatherStep(visit.services, step, visit.browser);
  if (facts.page === 'expired') return visit.sendFormExpired();
  const reader = { user: facts.user, destination: facts.destination };
  const frame = isLostWithPage(facts) ? visit.fixedFrame(reader) : visit.frame(reader);
  const { status, problem } =
    refusal?.kind === 'throttled' && facts.page === 'sign_in'
      ? visit.throttled(refusal, frame.messages.signIn.throttled)
      : refusalText(visit, frame.messages, refusal);
  const { app, needs } = shownTarget(facts);
  return visit.sendPage(status, pageOf(visit, frame, facts, { app, problem, refusal }), needs);
}

type ShownFacts = Exclude<StepFacts, { page: 'expired' }>;

/** In another language, the page would come without what an upstream has proved, or with another key than the app has. */
function isLostWithPage(facts: ShownFacts): boolean {
  return facts.page === 'upstream_proof' || ('isAgain' in facts && facts.isAgain);
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

interface Shown {
  readonly app: AppIdentity | undefined;
  readonly problem: string | undefined;
  readonly refusal: Refusal | undefined;
}

function pageOf(visit: Visit, frame: Frame, facts: ShownFacts, { app, problem, refusal }: Shown): string {
  const { destination } = facts;
  const page = { ...facts, app, problem };
  const leaveSession = () => ({ formToken: formToken(visit.context, visit.session ?? '') });
  switch (page.page) {
    case 'sign_in':
      return signInPage(frame, {
        ...page,
        ticket: visit.makeTicket(signInTicket, destination),
        upstreams: page.upstreams.map(upstreamButton),
        passwordOver: refusal?.kind === 'password_over',
      });
    case 'email_code': {
      const ticket = visit.makeTicket(emailCodeTicket, page);
      const returnTo = { action: emailCodeLanguagePath, fields: { [emailCodeTicket.field]: ticket } };
      return emailCodePage(
        { ...frame, returnTo },
        {
          ...page,
          ticket,
          again: { ticket: visit.makeTicket(signInTicket, destination), keep: page.keep },
          passwordUrl: passwordSignInUrl(destination),
        },
      );
    }
    case 'second_step': {
      const ticket = visit.makeTicket(secondStepTicket, page);
      return secondStepPage(frame, { ...page, ticket, signInUrl: signInUrl(destination) });
    }
    case 'set_up':
      return setUpFactorPage(frame, {
        ...page,
        ...setUpProblem(refusal, problem),
        action: '/sign-in/set-up',
        password: undefined,
        ticket: visit.makeTicket(setUpTicket, { ...page, key: page.offered }),
        leave: { signInUrl: signInUrl(destination) },
      });
    case 'verify':
    case 'prove': {
      const ticket = visit.makeTicket(verifyTicket, destination);
      const form = { ticketField: verifyTicket.field, ticket, leave: leaveSession() };
      if (page.page === 'verify') return verifyPage(frame, { ...page, ...form, action: verifyPath });
      const again = page.byEmail ? passwordSignInUrl(destination) : undefined;
      return proofBeforeSetUpPage(frame, { ...page, ...form, again, action: `${verifyPath}/proof` });
    }
    case 'set_up_in_session':
      return setUpFactorPage(frame, {
        ...page,
        ...setUpProblem(refusal, problem),
        action: `${verifyPath}/set-up`,
        password: page.needsPassword
          ? { email: page.email, ticket: visit.makeTicket(signInTicket, destination) }
          : undefined,
        ticket: visit.makeTicket(sessionSetUpTicket, { destination, key: page.offered }),
        leave: leaveSession(),
      });
    case 'upstream_proof': {
      const ticket = visit.makeTicket(provenTicket, page);
      return upstreamProofPage(frame, { ticket, back: formatDestination(destination), problem });
    }
  }
}

function upstreamButton(upstream: Upstream): UpstreamButton {
  return { name: upstream.name, label: upstream.label, iconUrl: upstreamIdentity(upstream).logoUrl };
}

/** Where the page says what is wrong. */
function setUpProblem(refusal: Refusal | undefined, problem: string | undefined) {
  if (refusal?.kind === 'wrong_password') return { problem: undefined, passwordProblem: problem };
  if (refusal?.kind === 'passkey_failed') return { problem: undefined, passkeyProblem: problem };
  return { problem };
}
