// Revoking, restoring and deleting an application in the console.

import type { FastifyInstance } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { clientDetails } from '../../../operations/clients/clients.ts';
import { deleteClient, restoreClient, revokeClient } from '../../../operations/clients/revoke-client.ts';
import { listWebhooks } from '../../../operations/webhooks/endpoints.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { consolePages } from '../console-pages.ts';
import { clientsPath, sendClient } from './client-page.ts';

export function clientAccessRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  for (const action of ['revoke', 'delete'] as const) {
    pages.get(`${clientsPath}/:id/${action}`, async (page) => {
      const found = await clientDetails(services, page.id);
      if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
      const { client, users } = found;
      const m = page.frame.messages.admin.applications;
      const body = confirmPage(page.frame, {
        section: 'applications',
        title: m[`${action}Title`](client.name),
        text:
          action === 'revoke'
            ? m.revokeText(users)
            : m.deleteText(users, (await listWebhooks(services, client.id)).length),
        action: `${clientsPath}/${client.id}/${action}`,
        button: m[action],
        back: `${clientsPath}/${client.id}`,
      });
      return page.send(200, body);
    });
  }

  pages.powerful(`${clientsPath}/:id/revoke`, async (form) => {
    const outcome = await revokeClient(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendClient(context, form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${clientsPath}/${form.id}?done=revoked`);
  });

  pages.post(`${clientsPath}/:id/restore`, async (form) => {
    const outcome = await restoreClient(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendClient(context, form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${clientsPath}/${form.id}?done=restored`);
  });

  pages.powerful(`${clientsPath}/:id/delete`, async (form) => {
    const outcome = await deleteClient(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    return redirect(form.reply, 303, `${clientsPath}?done=application-deleted`);
  });
}
