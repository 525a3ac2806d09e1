// Shows developers the emails that would have been sent. The page exists only for a service on a loopback address without
// a mail server, and only for requests from the same machine. The Host header must be the service's own, so that another
// site cannot read the page by pointing its domain name here (DNS rebinding).

import type { FastifyInstance } from 'fastify';
import { outboxPage } from '../pages/mail/outbox.ts';
import type { HttpContext } from './context.ts';
import { englishFrame, sendPage } from './send-page.ts';

export function outboxRoutes(app: FastifyInstance, context: HttpContext): void {
  const { emailQueue } = context.services;
  if (emailQueue.kind !== 'outbox') return;
  const { host } = new URL(context.baseUrl);
  app.get('/dev/outbox', async (request, reply) => {
    const from = request.raw.socket.remoteAddress ?? '';
    if (request.headers.host !== host || !/^(127\.|::1$|::ffff:127\.)/.test(from)) return reply.callNotFound();
    const waiting = await emailQueue.list(50);
    const page = outboxPage(englishFrame(context), { emails: waiting.map(({ at, email }) => ({ at, ...email })) });
    return sendPage(reply, 200, page);
  });
}
