// Both ends of a sign-in in the browser: what its cookies say when it starts, and the cookies and redirect that finish it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Browser, StartedSession } from '../../operations/sign-in/start-session.ts';
import { type Destination, formatDestination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { readCookie, readMarks, setSignInCookies } from '../cookies.ts';
import { redirect } from '../send-page.ts';

export function browserOf(context: HttpContext, request: FastifyRequest): Browser {
  return { session: readCookie(context, request, 'session'), marks: readMarks(context, request) };
}

/** The end of a sign-in: the browser gets its cookies and goes where the user was going. */
export function sendSignedIn(
  context: HttpContext,
  reply: FastifyReply,
  started: StartedSession,
  destination: Destination,
): FastifyReply {
  setSignInCookies(context, reply, started);
  return redirect(reply, 303, formatDestination(destination));
}
