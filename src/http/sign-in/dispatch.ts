// The one place that turns what a step of a sign-in has established into the next page or redirect. Steps don't know each
// other: each form is one operation, and hands its outcome over. What comes next is decided by protocol/sign-in/next-step.ts.

import type { FastifyReply } from 'fastify';
import type { OpenRequest } from '../../operations/oauth/open-request.ts';
import type { Advanced, Keep } from '../../operations/sign-in/advance.ts';
import type { Raised } from '../../operations/sign-in/raise-session.ts';
import type { NewCodes } from '../../operations/sign-in/set-up-factor.ts';
import type { Step } from '../../operations/sign-in/steps/step-facts.ts';
import type { ProvenUpstream } from '../../operations/sign-in/upstreams/link-and-prove.ts';
import { tooManyWaitingPage, waitingPage } from '../../pages/sign-in/dead-ends.ts';
import { recoveryNeededPage } from '../../pages/sign-in/email-code.ts';
import { setUpLinkSentPage } from '../../pages/sign-in/emailed-links.ts';
import { savedCodesPage, usedCodePage } from '../../pages/sign-in/set-up-factor.ts';
import { type Destination, formatDestination } from '../../protocol/sign-in/destination.ts';
import type { SessionStep } from '../../protocol/sign-in/next-step.ts';
import { setSessionCookie, setSignInCookies } from '../cookies.ts';
import { type Reader, rememberLanguage } from '../language.ts';
import { sendToDefault } from '../upstreams/send-to-upstream.ts';
import { showUpstreamEnd, type UpstreamEnding } from '../upstreams/upstream-end.ts';
import type { Visit } from '../visit.ts';
import { createPasskeyUrl, passwordSignInUrl, reviewUrl, signInUrl } from './destination.ts';
import { isRefusal, type Refusal, showStep } from './step-pages.ts';

/** What a step has established. */
export type Established =
  | (Advanced & { readonly newCodes?: NewCodes; readonly codesLeft?: number | undefined })
  | Raised
  /** What was begun in a session is done at the upstream. */
  | { readonly kind: 'linked' | 'proven' }
  /** A code by email was right, but isn't enough. */
  | { readonly kind: 'recovery_needed' }
  | { readonly kind: 'second_factor_asked'; readonly proven: ProvenUpstream }
  | UpstreamEnding;

/** Where the person is going, and whether they asked to stay signed in. */
interface Way {
  readonly destination: Destination;
  readonly keep?: Keep;
}

export async function continueSignIn(visit: Visit, way: Way, established: Established): Promise<FastifyReply> {
  const { context, reply } = visit;
  const { destination, keep = false } = way;
  switch (established.kind) {
    case 'signed_in': {
      setSignInCookies(context, reply, established);
      rememberLanguage(context, reply, established.locale);
      return arrive(visit, { destination }, urlAfter(established.next, destination), established);
    }
    case 'raised': {
      const { user } = established;
      setSessionCookie(context, reply, established.sessionSecret, established.kept);
      return arrive(visit, { user, destination }, formatDestination(destination), established);
    }
    case 'linked':
    case 'proven':
      return visit.redirect(303, formatDestination(destination));
    case 'second_step':
    case 'set_up':
      return showStep(visit, { page: established.kind, pending: established.pending, destination, keep });
    case 'link_sent':
      return visit.sendPage(
        200,
        setUpLinkSentPage(visit.fixedFrame({ destination }), {
          email: established.email,
          outbox: visit.services.emailQueue.kind === 'outbox',
          signInUrl: signInUrl(destination),
        }),
      );
    case 'waiting_for_approval':
      if (established.newCodes === undefined) return sendWaiting(visit, destination);
      return arrive(visit, { destination }, waitingPath, established);
    case 'too_many_waiting':
      return visit.sendPage(403, tooManyWaitingPage(visit.fixedFrame({ destination }), signInUrl(destination)));
    case 'recovery_needed':
      return visit.sendPage(403, recoveryNeededPage(visit.fixedFrame({ destination }), passwordSignInUrl(destination)));
    case 'second_factor_asked':
      return showStep(visit, { page: 'upstream_proof', proven: established.proven, destination });
    case 'link_needed':
    case 'no_account':
    case 'refused':
      return showUpstreamEnd(visit, established);
  }
}

/** Where a person goes on to who has saved the recovery codes of an account that waits for approval. */
export const waitingPath = '/sign-up/waiting';

export function sendWaiting(visit: Visit, destination: Destination): FastifyReply {
  const page = { told: visit.services.emailQueue.works, signInUrl: signInUrl(destination) };
  return visit.sendPage(403, waitingPage(visit.fixedFrame({ destination }), page));
}

function urlAfter({ kind }: SessionStep, destination: Destination): string {
  if (kind === 'review') return reviewUrl(destination);
  return kind === 'passkey' ? createPasskeyUrl(destination) : formatDestination(destination);
}

/** Answers the form of a page, which is shown again if what it brought wasn't accepted. */
export async function answerStep(
  visit: Visit,
  page: Step,
  outcome: Established | Refusal | { readonly kind: 'expired' } | { readonly kind: 'has_second_factor' },
): Promise<FastifyReply> {
  if (outcome.kind === 'expired') return visit.sendFormExpired();
  // The page asks for the one that they have now.
  if (outcome.kind === 'has_second_factor') return showStep(visit, page);
  return isRefusal(outcome) ? showStep(visit, page, outcome) : continueSignIn(visit, page, outcome);
}

/** Asks a person to sign in who isn't: at the upstream that they are meant to use, if there is one, or on the sign-in page. */
export async function askToSignIn(visit: Visit, destination: Destination, open?: OpenRequest): Promise<FastifyReply> {
  if (await sendToDefault(visit, destination, open)) return visit.reply;
  return showStep(visit, { page: 'sign_in', destination, ...(open && { open }) });
}

/** The end of a sign-in. New recovery codes are shown on the way, and how many are left after one was used. */
function arrive(
  visit: Visit,
  reader: Reader,
  url: string,
  { newCodes, codesLeft }: { readonly newCodes?: NewCodes; readonly codesLeft?: number | undefined },
): FastifyReply {
  const page = { continueTo: url };
  if (newCodes !== undefined) return visit.sendPage(200, savedCodesPage(visit.frame(reader), { ...page, ...newCodes }));
  if (codesLeft === undefined) return visit.redirect(303, url);
  return visit.sendPage(200, usedCodePage(visit.fixedFrame(reader), { ...page, left: codesLeft }));
}
