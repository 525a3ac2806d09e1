// The second factor of somebody who proves who they are with a fresh sign-in at another provider.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProvenUpstream } from '../../operations/sign-in/upstreams/link-and-prove.ts';
import { upstreamProofPage } from '../../pages/sign-in/upstreams.ts';
import { type Destination, formatDestination, parseDestination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { makeTicket, type TicketKind } from '../tickets.ts';

export interface ProofStep {
  readonly proven: ProvenUpstream;
  readonly destination: Destination;
}

/** What the provider has proved, in the session that it was proved for. */
export const provenTicket: TicketKind<ProofStep> = {
  purpose: 'upstream-proof',
  field: 'proven',
  boundTo: 'session',
  write: ({ proven, destination }) =>
    encodeURIComponent(JSON.stringify({ proven, target: formatDestination(destination) })),
  read(text) {
    const { proven, target } = JSON.parse(decodeURIComponent(text)) as { proven: ProvenUpstream; target: string };
    const destination = parseDestination(target);
    return destination && { proven, destination };
  },
};

export function sendProofStep(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { proven, destination }: ProofStep,
  attempt: { readonly status?: number; readonly problem?: string } = {},
): FastifyReply {
  const frame = { ...frameOf(context, request, { destination }), returnTo: undefined };
  const page = upstreamProofPage(frame, {
    ticket: makeTicket(context, request, reply, provenTicket, { proven, destination }),
    back: formatDestination(destination),
    problem: attempt.problem,
  });
  return sendPage(reply, attempt.status ?? 200, page);
}
