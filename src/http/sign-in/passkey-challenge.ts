// Sends a challenge to the script that asks for a passkey. It comes back, as a ticket, in the form with the answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Challenge } from '../../operations/sign-in/passkey-challenge.ts';
import type { HttpContext } from '../context.ts';
import { makeTicket, type TicketKind } from '../tickets.ts';

export const challengeTicket: TicketKind<Challenge> = {
  purpose: 'challenge',
  field: 'challenge',
  boundTo: 'browser',
  write: (challenge) => JSON.stringify(challenge),
  read: (text) => JSON.parse(text) as Challenge,
};

/** `options` are what the script hands to the browser's WebAuthn interface. */
export function sendChallenge(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  challenge: Challenge,
  options: object,
): FastifyReply {
  const ticket = makeTicket(context, request, reply, challengeTicket, challenge);
  return reply.header('Cache-Control', 'no-store').send({ options, challenge: ticket });
}
