// The mails that would be sent, for developers: only on a loopback address, and only without a mail server.

import type { FastifyInstance } from 'fastify';
import { outboxPage } from '../pages/outbox.ts';
import type { HttpContext } from './context.ts';
import { frameOf, sendPage } from './pages.ts';

export function outboxRoutes(app: FastifyInstance, context: HttpContext): void {
  const { mails } = context.services;
  if (mails.kind !== 'outbox') return;
  app.get('/dev/outbox', async (_request, reply) => {
    const waiting = await mails.list(50);
    const page = outboxPage(frameOf(context), { mails: waiting.map(({ at, mail }) => ({ at, ...mail })) });
    return sendPage(reply, 200, page);
  });
}
