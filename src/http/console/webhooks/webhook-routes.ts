// The console's pages about webhooks: the list, creating one, and what was delivered. Settings and secrets are in
// webhook-setting-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { findClient } from '../../../operations/clients/clients.ts';
import {
  deliveryStates,
  listDeliveries,
  resendDelivery,
  sendTestMessage,
} from '../../../operations/webhooks/deliveries.ts';
import { createWebhook, findWebhook, listWebhooks } from '../../../operations/webhooks/endpoints.ts';
import { deliveriesPage, type ShownDelivery } from '../../../pages/console/webhooks/webhook.ts';
import {
  newWebhookPage,
  webhookSecretPage,
  webhooksPage,
  webhooksPath,
} from '../../../pages/console/webhooks/webhooks.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import type { WebhookDelivery } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { formProblems } from '../form-problems.ts';
import { emptyList, placeOf } from '../list-requests.ts';
import { shownWebhook, webhookInput, webhookSettings } from './webhook-pages.ts';
import { webhookSettingRoutes } from './webhook-setting-routes.ts';

export function consoleWebhookRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);
  webhookSettingRoutes(app, context);

  pages.get(webhooksPath, async ({ frame, send, notice }) => {
    const webhooks = await listWebhooks(services);
    const shown = await Promise.all(webhooks.map((webhook) => shownWebhook(services, webhook)));
    return send(200, webhooksPage(frame, { webhooks: shown, now: services.clock.now(), notice }));
  });

  pages.get(`${webhooksPath}/new`, async (page) => {
    const id = page.query.get('application') ?? '';
    const client = id === '' ? undefined : await findClient(services, id);
    if (client?.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const settings = webhookSettings('create', {}, client !== undefined);
    const { submissionToken } = page;
    const attempt = { settings, client: client?.client, submissionToken, problem: undefined, problems: {} };
    return page.send(200, newWebhookPage(page.frame, attempt));
  });

  pages.powerful(webhooksPath, async (form) => {
    const id = form.field('application');
    const clientId = id === '' ? undefined : id;
    const input = webhookInput('create', form, clientId !== undefined);
    const outcome = await createWebhook(services, { ...input, clientId }, form.requester);
    if (outcome.kind === 'done') {
      const { webhook, secret } = outcome;
      const shown = { id: webhook.id, secret, docs: context.docs === 'on' };
      return form.send(200, webhookSecretPage(form.frame, shown));
    }
    const client = clientId === undefined ? undefined : await findClient(services, clientId);
    if (client?.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    const settings = webhookSettings('create', input, client !== undefined);
    const { submissionToken } = form;
    const attempt = { settings, client: client?.client, submissionToken, ...formProblems(outcome) };
    return form.send(400, newWebhookPage(form.frame, attempt));
  });

  pages.get(`${webhooksPath}/:id`, (page) => sendDeliveries(page, 200, undefined));

  const queueing = (queue: (form: ConsoleForm) => ReturnType<typeof resendDelivery>, done: string) => {
    return async (form: ConsoleForm) => {
      const outcome = await queue(form);
      if (outcome.kind === 'refused') return sendDeliveries(form, 400, refusalSentence(outcome));
      return redirect(form.reply, 303, `${webhooksPath}/${form.id}?done=${done}`);
    };
  };
  pages.post(
    `${webhooksPath}/:id/test`,
    queueing((form) => sendTestMessage(services, form.id, form.requester), 'webhook-tested'),
  );
  pages.post(
    `${webhooksPath}/:id/resend`,
    queueing((form) => resendDelivery(services, form.id, form.field('message')), 'webhook-resent'),
  );

  async function sendDeliveries(
    page: ConsoleRequest,
    status: number,
    problem: string | undefined,
  ): Promise<FastifyReply> {
    const found = await findWebhook(services, page.id);
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const state = deliveryStates.find((each) => each === page.query.get('state'));
    const request = { state, cursor: page.query.get('cursor') ?? undefined };
    const outcome = await listDeliveries(services, page.id, request);
    const listed = outcome.kind === 'done' ? outcome : emptyList;
    const body = deliveriesPage(page.frame, {
      webhook: await shownWebhook(services, found.webhook),
      state,
      now: services.clock.now(),
      deliveries: listed.items.map(shownDelivery),
      place: placeOf(listed),
      notice: status === 200 ? page.notice : undefined,
      problem: outcome.kind === 'refused' ? refusalSentence(outcome) : problem,
    });
    return page.send(outcome.kind === 'refused' ? 400 : status, body);
  }
}

function shownDelivery(delivery: WebhookDelivery): ShownDelivery {
  const { type, at, data } = delivery;
  return { ...delivery, message: JSON.stringify({ type, timestamp: isoTime(at), data: JSON.parse(data) }, null, 2) };
}
