// Both ends of a sign-in in the browser: what its cookies say when it starts, and the cookies and redirect that finish it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Browser, StartedSession } from '../../operations/sign-in/start-session.ts';
import { accountPage, type Destination, formatDestination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { readCookie, readMarks, setSignInCookies } from '../cookies.ts';
import { rememberLanguage } from '../language.ts';
import { urlLimit } from '../limits.ts';
import { redirect } from '../send-page.ts';

export const reviewPath = '/account/review';

/** The review after a password reset, on the way to somewhere. A destination that is too long to carry is left out. */
export function reviewUrl(destination: Destination): string {
  const to = encodeURIComponent(formatDestination(destination));
  return `${reviewPath}?to=${to.length > urlLimit / 2 ? accountPage.path : to}`;
}

export function browserOf(context: HttpContext, request: FastifyRequest): Browser {
  return { session: readCookie(context, request, 'session'), marks: readMarks(context, request) };
}

/** Where somebody goes who has just signed in: where they were going, by way of a due review. */
export function urlAfterSignIn(started: StartedSession, destination: Destination): string {
  return started.reviewDue ? reviewUrl(destination) : formatDestination(destination);
}

/** The end of a sign-in: the browser gets its cookies and goes where the user was going, by way of a due review. */
export function sendSignedIn(
  context: HttpContext,
  reply: FastifyReply,
  started: StartedSession,
  destination: Destination,
): FastifyReply {
  setSignInCookies(context, reply, started);
  rememberLanguage(context, reply, started.locale);
  return redirect(reply, 303, urlAfterSignIn(started, destination));
}
