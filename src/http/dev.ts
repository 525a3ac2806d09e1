// What developers see: the emails that would have been sent, and the components of the pages. These pages exist only for a
// service on a loopback address without a mail server, and only for requests from the same machine. The Host header must be
// the service's own, so that another site cannot read a page by pointing its domain name here (DNS rebinding).

import type { FastifyInstance } from 'fastify';
import { componentsPage } from '../pages/dev/components.ts';
import { outboxPage } from '../pages/mail/outbox.ts';
import type { HttpContext } from './context.ts';
import { englishFrame, sendPage } from './send-page.ts';

export function devRoutes(app: FastifyInstance, context: HttpContext): void {
  const { emailQueue } = context.services;
  if (emailQueue.kind !== 'outbox') return;
  const { host } = new URL(context.baseUrl);
  const page = (path: string, render: () => string | Promise<string>) => {
    app.get(path, async (request, reply) => {
      const from = request.raw.socket.remoteAddress ?? '';
      if (request.headers.host !== host || !/^(127\.|::1$|::ffff:127\.)/.test(from)) return reply.callNotFound();
      return sendPage(reply, 200, await render());
    });
  };

  page('/dev/outbox', async () => {
    const waiting = await emailQueue.list(50);
    return outboxPage(englishFrame(context), { emails: waiting.map(({ at, email }) => ({ at, ...email })) });
  });
  page('/dev/components', () => componentsPage(englishFrame(context)));
}
