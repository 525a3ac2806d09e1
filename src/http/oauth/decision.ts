// The answer to the consent page: approve, or cancel.

import type { FastifyInstance } from 'fastify';
import { decide } from '../../operations/oauth/authorize.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { formRoutes } from '../forms.ts';
import { requesterOf } from '../requester.ts';
import { sendErrorPage } from '../send-page.ts';
import { sendAuthorizeOutcome } from './authorization-page.ts';
import { decisionTicket } from './request-tickets.ts';

export function decisionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { ticketForm } = formRoutes(app, context);

  ticketForm('/oauth-authorize/decision', decisionTicket, async ({ request, reply, fields }, { query, shown }) => {
    const decision = fields.get('decision');
    if (decision !== 'approve' && decision !== 'cancel') {
      return sendErrorPage(context, request, reply, 400, 'badRequest');
    }
    const session = readCookie(context, request, 'session');
    const outcome = await decide(context.services, query, session, { kind: decision, shown }, requesterOf(request));
    return sendAuthorizeOutcome(context, request, reply, query, outcome);
  });
}
