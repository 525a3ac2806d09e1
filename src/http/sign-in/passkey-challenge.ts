// Challenges for passkeys travel through the browser and back, stamped and bound to it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Challenge } from '../../operations/account/second-factors.ts';
import type { HttpContext } from '../context.ts';
import { browserMark, readCookie } from '../cookies.ts';
import { makeTicket, readTicket } from '../forms.ts';

export function sendChallenge(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  options: object,
): FastifyReply {
  const challenge: Challenge = { text, at: context.services.clock.now() };
  const ticket = makeTicket(context, 'challenge', browserMark(context, request, reply), JSON.stringify(challenge));
  return reply.header('Cache-Control', 'no-store').send({ options, challenge: ticket });
}

export function readChallenge(
  context: HttpContext,
  request: FastifyRequest,
  ticket: string | undefined,
): Challenge | undefined {
  const text = readTicket(context, 'challenge', readCookie(context, request, 'browser'), ticket);
  return text === undefined ? undefined : JSON.parse(text);
}
