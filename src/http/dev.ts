// What developers see: the emails that would have been sent, and the components of the pages. These pages exist only for a
// service on a loopback address without a mail server, and only for requests from the same machine. The Host header must be
// the service's own, so that another site cannot read a page by pointing its domain name here (DNS rebinding).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { framedEmail, type OutboxEmail, outboxPage, outboxPath } from '../pages/mail/outbox.ts';
import type { EmailMessage } from '../protocol/emails.ts';
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

  const list = async (limit: number) =>
    (await emailQueue.list(limit)).map(({ id, at, email }) => ({ id, at, ...email }));
  const answerOne =
    (answer: (reply: FastifyReply, email: OutboxEmail & EmailMessage, emails: readonly OutboxEmail[]) => unknown) =>
    async (reply: FastifyReply, request: FastifyRequest) => {
      const { id: wanted } = request.params as { id: string };
      const emails = await list(shownEmails);
      const found = emails.find(({ id }) => id === wanted);
      return found === undefined ? reply.callNotFound() : answer(reply, found, emails);
    };

  get(outboxPath, async (reply) =>
    sendPage(reply, 200, outboxPage(englishFrame(context), { emails: await list(shownEmails) })),
  );
  get(
    `${outboxPath}/:id`,
    answerOne((reply, chosen, emails) => sendPage(reply, 200, outboxPage(englishFrame(context), { emails, chosen }))),
  );
  get(
    `${outboxPath}/:id/html`,
    answerOne((reply, email) => sendPreview(reply, framedEmail(email), ' allow-popups allow-popups-to-escape-sandbox')),
  );
  // For scripts that sign somebody in, such as tests of applications.
  get(`${outboxPath}.json`, async (reply) => {
    const emails = (await list(Number.MAX_SAFE_INTEGER)).map(({ to, subject, text, html, at }) => {
      return { to, subject, text, html, at: new Date(at).toISOString() };
    });
    return reply.header('Cache-Control', 'no-store').send(emails);
  });
  get('/dev/components', async (reply) => {
    const { componentsPage } = await import('../pages/dev/components.ts');
    return sendPage(reply, 200, componentsPage(englishFrame(context)));
  });
}

const shownEmails = 200;
