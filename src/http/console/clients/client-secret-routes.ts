// Rotating and retiring an application's secrets in the console.

import type { FastifyInstance } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { findClient, rotateClientSecret } from '../../../operations/clients/clients.ts';
import { retireOldSecret } from '../../../operations/clients/revoke-client.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { consolePages } from '../console-pages.ts';
import { clientsPath, sendClient, sendSecret } from './client-page.ts';

export function clientSecretRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  // Both of them end the previous secret, so both ask first when there is one.
  for (const action of ['retire', 'rotate'] as const) {
    pages.get(`${clientsPath}/:id/${action}-secret`, async (page) => {
      const found = await findClient(services, page.id);
      if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
      const [, previous] = found.client.secrets;
      if (previous === undefined) return redirect(page.reply, 303, `${clientsPath}/${page.id}`);
      const { admin, dates } = page.frame.messages;
      const m = admin.applications;
      const body = confirmPage(page.frame, {
        section: 'applications',
        title: m[`${action}Title`],
        text: m[`${action}Text`](previous.usedAt === null ? undefined : dates.moment(previous.usedAt)),
        action: `${clientsPath}/${page.id}/${action}-secret`,
        button: m[action],
        back: `${clientsPath}/${page.id}`,
        fields: action === 'rotate' ? { once: page.submissionToken } : {},
      });
      return page.send(200, body);
    });
  }

  pages.powerful(`${clientsPath}/:id/rotate-secret`, async (form) => {
    const outcome = await rotateClientSecret(services, form.id, form.requester);
    if (outcome.kind === 'done') return sendSecret(context, form, outcome.client, outcome.secret);
    return sendClient(context, form, 400, { problem: refusalSentence(outcome) });
  });

  pages.powerful(`${clientsPath}/:id/retire-secret`, async (form) => {
    const outcome = await retireOldSecret(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendClient(context, form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${clientsPath}/${form.id}?done=secret-retired`);
  });
}
