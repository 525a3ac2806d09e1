// Sends a challenge to the script that asks for a passkey, and reads the form in which it comes back, as a ticket, with the
// answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Challenge } from '../../operations/second-factors/passkey-challenge.ts';
import type { SecondFactorProof } from '../../operations/second-factors/prove-second-factor.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import type { HttpContext } from '../context.ts';
import { makeTicket, readTicket, type TicketKind } from '../tickets.ts';

export const challengeTicket: TicketKind<Challenge> = {
  purpose: 'challenge',
  field: 'challenge',
  boundTo: 'browser',
  write: (challenge) => JSON.stringify(challenge),
  read: (text) => JSON.parse(text) as Challenge,
};

/** The proof of a second factor in a form: a passkey's answer comes with its challenge; without one, a code was typed. */
export function proofIn(context: HttpContext, request: FastifyRequest, fields: Parameters): SecondFactorProof {
  const challenge = readTicket(context, request, challengeTicket, fields);
  if (challenge === undefined) return { kind: 'code', code: fields.get('code') ?? '' };
  return { kind: 'passkey', answer: fields.get('answer') ?? '', challenge };
}

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
