// The review after a password reset, and deciding about the sign-in methods that the reset has paused. A sign-in leads
// here until the review is done, and from here to where the person was going.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  accountReview,
  decideOnFactor,
  finishReview,
  type RemovalOutcome,
  removalNeedsProof,
  removeOtherAccess,
  suspendedFactorName,
} from '../../operations/account/review.ts';
import type { Services } from '../../operations/services.ts';
import type { PausedMethod } from '../../pages/account/paused-methods.ts';
import { reviewPage } from '../../pages/account/review.ts';
import {
  accountPage,
  type Destination,
  formatDestination,
  parseDestination,
} from '../../protocol/sign-in/destination.ts';
import type { SuspendedFactor } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { clientFormAction } from '../sign-in/destination.ts';
import { reviewPath, reviewUrl } from '../sign-in/signed-in.ts';
import { type AccountForm, type AccountRequest, accountPages } from './account-pages.ts';
import { confirmationIn } from './factor-confirmation.ts';
import { noticeOf, refusalOf } from './notices.ts';

export function reviewRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, reviewPath);

  pages.get(reviewPath, (page) => sendReview(page, destinationOf(page), 200, undefined));

  pages.post(reviewPath, async (form) => {
    const { request, reply, signedIn, origin } = form;
    switch (form.field('review')) {
      case 'remove':
        return sendRemoval(form, await removeOtherAccess(services, signedIn, confirmationIn(context, form), origin));
      case 'done':
        await finishReview(services, signedIn, origin);
        return redirect(reply, 303, formatDestination(destinationIn(form.field('to'))));
      default:
        return sendErrorPage(context, request, reply, 400, 'badRequest');
    }
  });

  pages.post(`${reviewPath}/paused`, async (form) => {
    const { problem, done } = await decideOnPaused(services, form);
    if (problem !== undefined) return sendReview(form, destinationOf(form), problem.status, problem.problem);
    return redirect(form.reply, 303, `${reviewUrl(destinationOf(form))}&done=${done}`);
  });

  function sendRemoval(form: AccountForm, outcome: RemovalOutcome): FastifyReply | Promise<FastifyReply> {
    const destination = destinationIn(form.field('to'));
    switch (outcome.kind) {
      case 'done':
        return redirect(form.reply, 303, formatDestination(destination));
      case 'not_possible':
        return redirect(form.reply, 303, `${reviewUrl(destination)}&done=not-possible`);
      case 'proof_needed':
        return sendReview(form, destination, 400, form.frame.messages.recovery.review.confirm);
      default: {
        const refusal = refusalOf(form, outcome);
        return sendReview(form, destination, refusal.status, refusal.problem);
      }
    }
  }

  async function sendReview(
    page: AccountRequest,
    destination: Destination,
    status: number,
    problem: string | undefined,
  ): Promise<FastifyReply> {
    const { reviewSince } = page.signedIn.user;
    // Another window may have finished the review; what was wrong with a form is said all the same.
    if (reviewSince === null && problem === undefined) return redirect(page.reply, 303, formatDestination(destination));
    const { methods, sessions, apps, apiKeys } = await accountReview(services, page.signedIn);
    const proofNeeded = removalNeedsProof(services, page.signedIn, methods);
    const body = reviewPage(page.frame, {
      resetAt: reviewSince,
      paused: methods.suspended.map(pausedMethod),
      hasAuthenticator: methods.hasAuthenticator,
      recoveryCodes: methods.recoveryCodes,
      passkeys: methods.passkeys.map(({ name }) => name),
      proofNeeded,
      sessions,
      apps: apps.map(({ client, lastUsedAt }) => ({ app: appIdentity(client), lastUsedAt })),
      apiKeys: apiKeys.map(({ name }) => name),
      to: formatDestination(destination),
      notice: status === 200 ? noticeOf(page) : undefined,
      problem,
      now: services.clock.now(),
    });
    return sendPage(page.reply, status, body, { ...clientFormAction(destination), script: proofNeeded });
  }
}

/** What the button of a paused method leads to: a notice to show, or what was wrong. */
export async function decideOnPaused(
  services: Services,
  form: AccountForm,
): Promise<{ problem: { status: number; problem: string }; done?: undefined } | { problem?: undefined; done: string }> {
  const keep = form.field('keep');
  const input = {
    factor: keep === '' ? form.field('remove') : keep,
    decision: keep === '' ? ('remove' as const) : ('keep' as const),
    currentPassword: form.field('current_password'),
  };
  const outcome = await decideOnFactor(services, form.signedIn, input, form.origin);
  switch (outcome.kind) {
    case 'kept':
      return { done: 'method-kept' };
    case 'removed':
      return { done: 'method-removed' };
    case 'not_possible':
      return { done: 'not-possible' };
    default:
      return { problem: refusalOf(form, outcome) };
  }
}

export function pausedMethod(factor: SuspendedFactor): PausedMethod {
  const { kind, name, createdAt } = factor;
  return { kind, name, createdAt, value: suspendedFactorName(factor) };
}

function destinationOf({ query }: AccountRequest) {
  return destinationIn(query.get('to') ?? '');
}

/** The text comes from the browser: anything but a page of the service or an authorization request is the account page. */
function destinationIn(text: string) {
  return parseDestination(text) ?? accountPage;
}
