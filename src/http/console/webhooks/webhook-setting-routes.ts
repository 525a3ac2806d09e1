// An endpoint's settings and secrets in the console, and disabling and deleting it.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  changeWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
} from '../../../operations/webhooks/endpoints.ts';
import { retireWebhookSecret, rotateWebhookSecret } from '../../../operations/webhooks/secrets.ts';
import { webhookSecretPage } from '../../../pages/console/webhooks/form.ts';
import { webhooksPath } from '../../../pages/console/webhooks/list.ts';
import { type WebhookSettingsPage, webhookSettingsPage } from '../../../pages/console/webhooks/webhook.ts';
import { isOfService } from '../../../protocol/webhooks/types.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { formProblems } from '../form-problems.ts';
import { shownWebhook, webhookInput, webhookSettings } from './webhook-pages.ts';

export function webhookSettingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);
  const settingsOf = ({ id }: ConsoleRequest) => `${webhooksPath}/${id}/settings`;

  pages.get(`${webhooksPath}/:id/settings`, (page) => sendSettings(page, 200, {}));

  const save = async (form: ConsoleForm) => {
    const found = await findWebhook(services, form.id);
    if (found.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    const ofClient = !isOfService(found.webhook);
    const input = webhookInput(form);
    const types = ofClient ? undefined : (input.types ?? null);
    const outcome = await changeWebhook(services, form.id, { ...input, types }, form.requester);
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${settingsOf(form)}?done=webhook-saved`);
    return sendSettings(form, 400, { settings: webhookSettings(input, ofClient), ...formProblems(outcome) });
  };
  // With another URL, messages go to somebody else.
  const changesUrl = async (form: ConsoleForm) => {
    const found = await findWebhook(services, form.id);
    return found.kind === 'done' && found.webhook.url !== webhookInput(form).url;
  };
  pages.powerful(`${webhooksPath}/:id/settings`, save, { when: changesUrl });

  pages.powerful(`${webhooksPath}/:id/rotate-secret`, async (form) => {
    const outcome = await rotateWebhookSecret(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
    const shown = { id: form.id, secret: outcome.secret, docs: context.docs === 'on' };
    return form.send(200, webhookSecretPage(form.frame, shown));
  });

  pages.powerful(`${webhooksPath}/:id/retire-secret`, async (form) => {
    const outcome = await retireWebhookSecret(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${settingsOf(form)}?done=webhook-secret-retired`);
  });

  pages.powerful(`${webhooksPath}/:id/disable`, async (form) => {
    const outcome = await disableWebhook(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${settingsOf(form)}?done=webhook-disabled`);
  });

  pages.post(`${webhooksPath}/:id/enable`, async (form) => {
    const outcome = await enableWebhook(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${webhooksPath}/${form.id}?done=webhook-enabled`);
  });

  pages.powerful(`${webhooksPath}/:id/delete`, async (form) => {
    const outcome = await deleteWebhook(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    return redirect(form.reply, 303, `${webhooksPath}?done=webhook-deleted`);
  });

  async function sendSettings(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<WebhookSettingsPage>,
  ): Promise<FastifyReply> {
    const found = await findWebhook(services, page.id);
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { webhook, secrets } = found;
    const body = webhookSettingsPage(page.frame, {
      webhook: await shownWebhook(services, webhook),
      secrets,
      now: services.clock.now(),
      settings: webhookSettings(webhook, !isOfService(webhook)),
      submissionToken: page.submissionToken,
      notice: status === 200 ? page.notice : undefined,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }
}
