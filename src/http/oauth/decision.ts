// The answer to the consent page: approve, or cancel.

import type { FastifyInstance } from 'fastify';
import { decide } from '../../operations/oauth/authorize.ts';
import type { HttpContext } from '../context.ts';
import { visitRoutes } from '../forms.ts';
import { sendAuthorizeOutcome } from './authorization-page.ts';
import { decisionTicket } from './request-tickets.ts';

export function decisionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { ticketForm } = visitRoutes(app, context);

  ticketForm('/oauth-authorize/decision', decisionTicket, async (visit, { query, shown }, fields) => {
    const decision = fields.get('decision');
    if (decision !== 'approve' && decision !== 'cancel') return visit.sendErrorPage(400, 'badRequest');
    const given = { kind: decision, shown } as const;
    const outcome = await decide(context.services, query, visit.session, given, visit.requester);
    return sendAuthorizeOutcome(visit, query, outcome);
  });
}
