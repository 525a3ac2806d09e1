// The `/api/**` surface speaks `{success, message, data}`. An access token of this service opens nothing here.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { currentSession } from '../operations/sessions.ts';
import { sendEnvelope } from './api-replies.ts';
import type { HttpContext } from './context.ts';
import { readCookie } from './cookies.ts';

export function apiRoutes(app: FastifyInstance, context: HttpContext): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const signedIn = await currentSession(context.services, readCookie(context, request, 'session'));
    return signedIn
      ? sendEnvelope(reply, 404, 'There is nothing at this address.')
      : sendEnvelope(reply, 401, 'Sign in first.');
  };
  app.all('/api', answer);
  app.all('/api/*', answer);
}
