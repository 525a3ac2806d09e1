// The mails that would be sent, for developers: only with a loopback address, without a mail server, to the machine itself,
// and under the service's own name, so that no page of another site can read it by pointing its name here.

import type { FastifyInstance } from 'fastify';
import { outboxPage } from '../pages/mail/outbox.ts';
import type { HttpContext } from './context.ts';
import { frameOf, sendPage } from './send-page.ts';

export function outboxRoutes(app: FastifyInstance, context: HttpContext): void {
  const { emailQueue } = context.services;
  if (emailQueue.kind !== 'outbox') return;
  const { host } = new URL(context.baseUrl);
  app.get('/dev/outbox', async (request, reply) => {
    const from = request.raw.socket.remoteAddress ?? '';
    if (request.headers.host !== host || !/^(127\.|::1$|::ffff:127\.)/.test(from)) return reply.callNotFound();
    const waiting = await emailQueue.list(50);
    const page = outboxPage(frameOf(context), { emails: waiting.map(({ at, email }) => ({ at, ...email })) });
    return sendPage(reply, 200, page);
  });
}
