// The review after a password reset, and deciding about the sign-in methods that the reset has paused. A sign-in leads
// here until the review is done, and from here to where the person was going.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  accountReview,
  decideOnFactor,
  finishReview,
  followsFirstCode,
  removalIsPowerful,
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
import { hasPassword } from '../../protocol/sign-in/password-policy.ts';
import type { SuspendedFactor } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { reviewPath, reviewUrl, targetOf } from '../sign-in/destination.ts';
import { type AccountForm, type AccountRequest, accountPages } from './account-pages.ts';

export function reviewRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, reviewPath, true);

  pages.get(reviewPath, (page) => sendReview(page, destinationOf(page)));

  const answerReview = async (form: AccountForm) => {
    const { visit, goTo, signedIn, requester } = form;
    const destination = destinationIn(form.field('to'));
    switch (form.field('review')) {
      case 'remove': {
        const removed = await removeOtherAccess(services, signedIn, visit.browser.marks, requester);
        if (!removed) return goTo(`${reviewUrl(destination)}&done=not-possible`);
        return goTo(formatDestination(destination));
      }
      case 'done':
        await finishReview(services, signedIn, requester);
        return goTo(formatDestination(destination));
      default:
        return visit.sendErrorPage(400, 'badRequest');
    }
  };
  pages.powerful(reviewPath, answerReview, {
    when: async ({ field, signedIn }) => field('review') === 'remove' && removalIsPowerful(services, signedIn),
    pageNeeds: async ({ field }) => (await targetOf(services, destinationIn(field('to')))).needs,
  });

  pages.powerful(`${reviewPath}/paused`, async (form) => {
    const done = await decideOnPaused(services, form);
    return form.goTo(`${reviewUrl(destinationOf(form))}&done=${done}`);
  });

  async function sendReview(page: AccountRequest, destination: Destination): Promise<FastifyReply> {
    const { reviewSince } = page.signedIn.user;
    // Another window may have finished the review.
    if (reviewSince === null) return page.goTo(formatDestination(destination));
    const { methods, sessions, apps, apiKeys, identities } = await accountReview(services, page.signedIn);
    const body = reviewPage(page.frame, {
      resetAt: reviewSince,
      firstCode: followsFirstCode(page.signedIn.user, methods),
      hasPassword: hasPassword(page.signedIn.user),
      paused: methods.suspended.map(pausedMethod),
      hasAuthenticator: methods.hasAuthenticator,
      recoveryCodes: methods.recoveryCodes,
      passkeys: methods.passkeys.map(({ name }) => name),
      identities: identities.map(({ identity, upstream }) => ({
        label: upstream?.label ?? identity.issuer,
        email: identity.email,
      })),
      sessions,
      apps: apps.map(({ client, lastUsedAt }) => ({ app: appIdentity(client), lastUsedAt })),
      apiKeys: apiKeys.map(({ name }) => name),
      to: formatDestination(destination),
      notice: page.notice,
      now: services.clock.now(),
    });
    return page.send(200, body, (await targetOf(services, destination)).needs);
  }
}

/** The notice that the button of a paused method leads to. */
export async function decideOnPaused(services: Services, form: AccountForm): Promise<string> {
  const keep = form.field('keep');
  const input = {
    factor: keep === '' ? form.field('remove') : keep,
    decision: keep === '' ? ('remove' as const) : ('keep' as const),
  };
  const outcome = await decideOnFactor(services, form.signedIn, input, form.requester);
  switch (outcome.kind) {
    case 'kept':
      return 'method-kept';
    case 'removed':
      return 'method-removed';
    case 'not_possible':
      return 'not-possible';
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
