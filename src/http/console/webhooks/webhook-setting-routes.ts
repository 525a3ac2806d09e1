// An endpoint's settings and secrets in the console, and disabling and deleting it.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AdminOutcome, refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  changeWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
} from '../../../operations/webhooks/endpoints.ts';
import { retireWebhookSecret, rotateWebhookSecret } from '../../../operations/webhooks/secrets.ts';
import { type WebhookSettingsPage, webhookSettingsPage } from '../../../pages/console/webhooks/webhook.ts';
import { webhookSecretPage, webhooksPath } from '../../../pages/console/webhooks/webhooks.ts';
import { changesNeedProof } from '../../../protocol/resources/resource.ts';
import { webhookFields } from '../../../protocol/resources/webhook.ts';
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
    const input = webhookInput('change', form, ofClient);
    const outcome = await changeWebhook(services, form.id, input, form.requester);
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${settingsOf(form)}?done=webhook-saved`);
    return sendSettings(form, 400, { settings: webhookSettings('change', input, ofClient), ...formProblems(outcome) });
  };
  const needsProof = async (form: ConsoleForm) => {
    const found = await findWebhook(services, form.id);
    if (found.kind === 'refused') return false;
    const input = webhookInput('change', form, !isOfService(found.webhook));
    return changesNeedProof(webhookFields, found.webhook, input);
  };
  pages.powerful(`${webhooksPath}/:id/settings`, save, { when: needsProof });

  pages.powerful(`${webhooksPath}/:id/rotate-secret`, async (form) => {
    const outcome = await rotateWebhookSecret(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
    const shown = { id: form.id, secret: outcome.secret, docs: context.docs === 'on' };
    return form.send(200, webhookSecretPage(form.frame, shown));
  });

  const changing = (
    change: typeof disableWebhook | typeof retireWebhookSecret,
    next: (form: ConsoleForm) => string,
  ) => {
    return async (form: ConsoleForm) => {
      const outcome: AdminOutcome<object> = await change(services, form.id, form.requester);
      if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
      return redirect(form.reply, 303, next(form));
    };
  };
  pages.powerful(
    `${webhooksPath}/:id/retire-secret`,
    changing(retireWebhookSecret, (form) => `${settingsOf(form)}?done=webhook-secret-retired`),
  );
  pages.powerful(
    `${webhooksPath}/:id/disable`,
    changing(disableWebhook, (form) => `${settingsOf(form)}?done=webhook-disabled`),
  );
  pages.post(
    `${webhooksPath}/:id/enable`,
    changing(enableWebhook, ({ id }) => `${webhooksPath}/${id}?done=webhook-enabled`),
  );
  pages.powerful(
    `${webhooksPath}/:id/delete`,
    changing(deleteWebhook, () => `${webhooksPath}?done=webhook-deleted`),
  );

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
      settings: webhookSettings('change', webhook, !isOfService(webhook)),
      submissionToken: page.submissionToken,
      notice: status === 200 ? page.notice : undefined,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }
}
