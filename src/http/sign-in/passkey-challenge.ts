// Sends a challenge to the script that asks for a passkey, and reads the form in which it comes back, as a ticket, with the
// answer.

import type { FastifyReply } from 'fastify';
import type { CreatedPasskey, PasskeyOffered } from '../../operations/second-factors/first-passkey.ts';
import type { Challenge } from '../../operations/second-factors/passkey-challenge.ts';
import type { SecondFactorProof } from '../../operations/second-factors/prove-second-factor.ts';
import type { GivenFactor } from '../../operations/sign-in/set-up-factor.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import type { Visit } from '../visit.ts';
import { type ChallengeUse, challengeTickets, linkedChallengeTickets } from './sign-in-tickets.ts';

/** The proof of a second factor in a form: a passkey's answer comes with its challenge; without one, a code was typed. */
export function proofIn(visit: Visit, fields: Parameters, use: ChallengeUse): SecondFactorProof {
  const challenge = visit.readTicket(challengeTickets[use], fields);
  if (challenge === undefined) return { kind: 'code', code: fields.get('code') ?? '' };
  return { kind: 'passkey', answer: fields.get('answer') ?? '', challenge };
}

/** `options` are what the script hands to the browser's WebAuthn interface; undefined when it's unknown whom to ask. */
export function sendChallenge(
  visit: Visit,
  use: ChallengeUse,
  asked: { readonly challenge: Challenge; readonly options: object } | undefined,
): FastifyReply {
  if (asked === undefined) return visit.sendJson(403, {});
  const { challenge, options } = asked;
  return visit.sendJson(200, { options, challenge: visit.makeTicket(challengeTickets[use], challenge) });
}

/** Answers the script with a challenge for a passkey that is created with a link, or where a second factor is needed. */
export function sendLinkedChallenge(
  visit: Visit,
  use: keyof typeof linkedChallengeTickets,
  offered: PasskeyOffered | undefined,
): FastifyReply {
  if (offered === undefined) return visit.sendJson(403, {});
  const { challenge, options } = offered;
  return visit.sendJson(200, { options, challenge: visit.makeTicket(linkedChallengeTickets[use], challenge) });
}

/** The factor that a person sets up: the passkey that was created, or an app that has shown a code. */
export function factorIn(visit: Visit, fields: Parameters): GivenFactor {
  const created = createdPasskeyIn(visit, fields, 'setUp');
  if (created === undefined) return { kind: 'app', code: fields.get('code') ?? '' };
  return { kind: 'passkey', ...created };
}

/** The passkey that was created; undefined if the form has none, because something was typed instead. */
export function createdPasskeyIn(
  visit: Visit,
  fields: Parameters,
  use: keyof typeof linkedChallengeTickets,
): CreatedPasskey | undefined {
  const answer = fields.get('answer') ?? '';
  if (answer === '') return undefined;
  return { answer, challenge: visit.readTicket(linkedChallengeTickets[use], fields) };
}
