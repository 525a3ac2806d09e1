// What developers see: the emails that would have been sent, and the components of the pages. These pages exist only for a
// service on a loopback address without a mail server, and only for requests from the same machine. The Host header must be
// the service's own, so that another site cannot read a page by pointing its domain name here (DNS rebinding).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { framedEmail, outboxPage, outboxPath } from '../pages/mail/outbox.ts';
import type { HttpContext } from './context.ts';
import { englishFrame, sendPage, sendPreview } from './send-page.ts';

export function devRoutes(app: FastifyInstance, context: HttpContext): void {
  const { emailQueue } = context.services;
  if (emailQueue.kind !== 'outbox') return;
  const { host } = new URL(context.baseUrl);
  const get = (path: string, answer: (reply: FastifyReply, request: FastifyRequest) => Promise<unknown>) => {
    app.get(path, async (request, reply) => {
      const from = request.raw.socket.remoteAddress ?? '';
      if (request.headers.host !== host || !/^(127\.|::1$|::ffff:127\.)/.test(from)) return reply.callNotFound();
      return answer(reply, request);
    });
  };

  get(outboxPath, async (reply) => {
    const waiting = await emailQueue.list(shownEmails);
    const emails = waiting.map(({ id, at, email }) => ({ id, at, ...email }));
    return sendPage(reply, 200, outboxPage(englishFrame(context), { emails }));
  });
  get(`${outboxPath}/:id`, async (reply, request) => {
    const { id: wanted } = request.params as { id: string };
    const found = (await emailQueue.list(shownEmails)).find(({ id }) => id === wanted);
    return found === undefined
      ? reply.callNotFound()
      : sendPreview(reply, framedEmail(found.email), ' allow-popups allow-popups-to-escape-sandbox');
  });
  get('/dev/components', async (reply) => {
    const { componentsPage } = await import('../pages/dev/components.ts');
    return sendPage(reply, 200, componentsPage(englishFrame(context)));
  });
}

const shownEmails = 50;
