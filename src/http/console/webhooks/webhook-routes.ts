// The console's pages about webhooks: the list, creating one, what was delivered, an endpoint's settings and secrets, and
// disabling and deleting it.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { findClient } from '../../../operations/clients/clients.ts';
import { listDeliveries, resendDelivery } from '../../../operations/webhooks/deliveries.ts';
import {
  canChangeEndpoint,
  changeWebhook,
  createWebhook,
  findChangeableWebhook,
  findWebhook,
  rotateWebhookSecret,
  serviceForbidden,
  visibleWebhooks,
  type Webhook,
} from '../../../operations/webhooks/endpoints.ts';
import { webhookActions } from '../../../operations/webhooks/subject.ts';
import {
  deliveriesPage,
  type ShownDelivery,
  type WebhookSettingsPage,
  webhookQuestions,
  webhookSettingsPage,
} from '../../../pages/console/webhooks/webhook.ts';
import {
  type NewWebhookPage,
  newWebhookPage,
  webhookSecretPage,
  webhooksPage,
  webhooksPath,
} from '../../../pages/console/webhooks/webhooks.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { changesNeedProof } from '../../../protocol/resources/resource.ts';
import { webhookFields } from '../../../protocol/resources/webhook.ts';
import { deliveryStates } from '../../../protocol/webhooks/delivery.ts';
import { isOfService } from '../../../protocol/webhooks/types.ts';
import type { WebhookDelivery } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { buttonsOf, type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { formProblems } from '../form-problems.ts';
import { cursorIn, isGone, listedIn } from '../list-requests.ts';
import { shownWebhook, webhookInput, webhookSettings } from './webhook-pages.ts';

const one = `${webhooksPath}/:id`;
const settingsPath = `${one}/settings`;
/** What a new endpoint is without an application. */
const serviceEndpoint = { clientId: null, clientDeletedAt: null };

export function consoleWebhookRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'webhooks');

  pages.get(webhooksPath, async ({ frame, send, notice, requester }) => {
    const webhooks = await visibleWebhooks(services, requester);
    const shown = await Promise.all(webhooks.map((webhook) => shownWebhook(services, webhook)));
    return send(
      200,
      webhooksPage(frame, {
        webhooks: shown,
        canCreate: canChangeEndpoint(requester, serviceEndpoint),
        now: services.clock.now(),
        notice,
      }),
    );
  });

  pages
    .needing('webhooks.change')
    .get(`${webhooksPath}/new`, (page) => sendNew(page, 200, page.query.get('application') ?? '', {}));

  pages.powerful(webhooksPath, async (form) => {
    const clientId = form.field('application') || undefined;
    const input = webhookInput('create', form, clientId !== undefined);
    const outcome = await createWebhook(services, { ...input, clientId }, form.requester);
    if (outcome.kind === 'done') return sendSecret(form, outcome.webhook.id, outcome.secret);
    if (outcome.reason === 'forbidden') return form.refuse(outcome);
    return sendNew(form, 400, clientId ?? '', input, formProblems(outcome));
  });

  pages.get(one, (page) => sendDeliveries(page, 200));

  pages.buttons(one, sendDeliveries, ({ id }) => id, {
    ...buttonsOf(webhookActions, { test: `${one}?done=webhook-tested` }),
    resend: {
      run: (_services, id, requester, { field }) => resendDelivery(services, id, field('message'), requester),
      done: `${one}?done=webhook-resent`,
    },
  });

  pages.get(settingsPath, (page) => sendSettings(page, 200));

  const save = async (form: ConsoleForm) => {
    const found = await findWebhook(services, form.id, form.requester);
    if (found.kind === 'refused') return form.refuse(found);
    const ofClient = !isOfService(found.webhook);
    const input = webhookInput('change', form, ofClient);
    const outcome = await changeWebhook(services, form.id, input, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${settingsPath}?done=webhook-saved`);
    return sendSettings(form, form.statusOf(outcome), {
      settings: webhookSettings('change', input, ofClient),
      ...formProblems(outcome),
    });
  };
  const needsProof = async (form: ConsoleForm) => {
    const found = await findWebhook(services, form.id, form.requester);
    if (found.kind === 'refused') return false;
    const input = webhookInput('change', form, !isOfService(found.webhook));
    return changesNeedProof(webhookFields, found.webhook, input);
  };
  pages.powerful(settingsPath, save, { when: needsProof });

  pages.powerful(`${one}/rotate-secret`, async (form) => {
    const outcome = await rotateWebhookSecret(services, form.id, form.requester);
    if (outcome.kind === 'refused')
      return sendSettings(form, form.statusOf(outcome), { problem: refusalSentence(outcome) });
    return sendSecret(form, form.id, outcome.secret);
  });

  for (const name of ['rotate-secret', 'retire-secret', 'disable', 'delete'] as const) {
    pages.question(`${one}/${name}`, 'webhooks', async (page) => {
      const found = await findChangeableWebhook(services, page.id, page.requester);
      if (found.kind === 'refused') return found;
      const question = webhookQuestions(page.frame, await shownWebhook(services, found.webhook))[name];
      const fields = name === 'rotate-secret' ? { once: page.submissionToken } : {};
      return { ...question, fields, back: page.own(settingsPath) };
    });
  }

  const buttons = buttonsOf(webhookActions, {
    'retire-secret': `${settingsPath}?done=webhook-secret-retired`,
    disable: `${settingsPath}?done=webhook-disabled`,
    enable: `${one}?done=webhook-enabled`,
    delete: `${webhooksPath}?done=webhook-deleted`,
  });
  pages.buttons(one, sendSettings, ({ id }) => id, buttons);

  /** A secret is shown this once. */
  function sendSecret(form: ConsoleForm, id: string, secret: string): FastifyReply {
    return form.send(200, webhookSecretPage(form.frame, { id, secret, docs: context.docs === 'on' }));
  }

  async function sendNew(
    page: ConsoleRequest,
    status: number,
    clientId: string,
    input: Parameters<typeof webhookSettings>[1],
    problems: Pick<NewWebhookPage, 'problem' | 'problems'> = { problem: undefined, problems: {} },
  ): Promise<FastifyReply> {
    const found = clientId === '' ? undefined : await findClient(services, clientId);
    if (found?.kind === 'refused') return page.refuse(found);
    if (found === undefined && !canChangeEndpoint(page.requester, serviceEndpoint))
      return page.refuse(serviceForbidden);
    const settings = webhookSettings('create', input, found !== undefined);
    const { submissionToken } = page;
    const body = newWebhookPage(page.frame, { settings, client: found?.client, submissionToken, ...problems });
    return page.send(status, body);
  }

  async function sendDeliveries(
    page: ConsoleRequest,
    status: number,
    attempt: { readonly problem?: string } = {},
  ): Promise<FastifyReply> {
    const found = await findWebhook(services, page.id, page.requester);
    if (found.kind === 'refused') return page.refuse(found);
    const state = deliveryStates.find((each) => each === page.query.get('state'));
    const outcome = await listDeliveries(services, page.id, { state, ...cursorIn(page) }, page.requester);
    const { items, ...listed } = listedIn(outcome, status, attempt.problem);
    if (isGone(listed.place)) return page.sendMoved();
    const body = deliveriesPage(frameFor(page, found.webhook), {
      ...listed,
      webhook: await shownWebhook(services, found.webhook),
      state,
      now: services.clock.now(),
      deliveries: items.map(shownDelivery),
      notice: page.notice,
    });
    return page.send(listed.status, body);
  }

  async function sendSettings(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<WebhookSettingsPage> = {},
  ): Promise<FastifyReply> {
    const found = await findWebhook(services, page.id, page.requester);
    if (found.kind === 'refused') return page.refuse(found);
    const { webhook, secrets } = found;
    const body = webhookSettingsPage(frameFor(page, webhook), {
      webhook: await shownWebhook(services, webhook),
      secrets,
      now: services.clock.now(),
      settings: webhookSettings('change', webhook, !isOfService(webhook)),
      submissionToken: page.submissionToken,
      notice: page.notice,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }
}

/** Anyone who can only look at an endpoint sees no forms. */
function frameFor(page: ConsoleRequest, webhook: Webhook): ConsoleRequest['frame'] {
  return canChangeEndpoint(page.requester, webhook) ? page.frame : page.readOnly(page.own(one));
}

function shownDelivery(delivery: WebhookDelivery): ShownDelivery {
  const { type, at, data } = delivery;
  return { ...delivery, message: JSON.stringify({ type, timestamp: isoTime(at), data: JSON.parse(data) }, null, 2) };
}
