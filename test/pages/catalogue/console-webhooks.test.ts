// Webhooks in the console.

import { deliveriesPage, webhookSettingsPage } from '../../../src/pages/console/webhooks/webhook.ts';
import { newWebhookPage, webhookSecretPage, webhooksPage } from '../../../src/pages/console/webhooks/webhooks.ts';
import { fieldOf, notice, place, problem, problems } from './console-data.ts';
import { own, testPages } from './marked.ts';

const webhook = {
  id: '114',
  url: '115',
  host: '116',
  description: '117',
  client: { id: '118', name: '119' },
  clientDeletedAt: null,
  waiting: 2,
  deliveredAt: 0,
  disabledReason: null,
  failingSince: 0,
  dropped: 1,
  status: 'failing' as const,
};
const webhookSettings = {
  fields: [fieldOf('url', 'url', '115'), fieldOf('description', 'text', '117')],
  types: { all: false, each: [{ name: '120', meaning: '121', chosen: true }] },
};
const attempt = { at: 0, duration: 1, status: 503, response: '122', error: '123' };
const delivery = {
  id: '124',
  type: '125',
  at: 0,
  state: 'waiting' as const,
  attempts: 1,
  nextAttemptAt: 0,
  message: '126',
  lastAttempt: attempt,
};

testPages({
  'console, webhooks': webhooksPage(own, {
    canCreate: true,
    webhooks: [webhook, { ...webhook, client: undefined, status: 'disabled', deliveredAt: null }],
    now: 0,
    notice,
  }),
  'console, no webhooks': webhooksPage(own, { canCreate: true, webhooks: [], now: 0, notice }),
  'console, new webhook': newWebhookPage(own, {
    settings: webhookSettings,
    client: undefined,
    submissionToken: '',
    problem,
    problems,
  }),
  'console, new webhook of an application': newWebhookPage(own, {
    settings: { ...webhookSettings, types: undefined },
    client: webhook.client,
    submissionToken: '',
    problem,
    problems,
  }),
  'console, webhook secret': webhookSecretPage(own, { id: '111', secret: '112', docs: true }),
  'console, webhook': deliveriesPage(own, {
    webhook,
    state: undefined,
    place,
    now: 0,
    notice,
    problem,
    deliveries: [
      delivery,
      { ...delivery, state: 'given_up', lastAttempt: { ...attempt, status: 500, response: '', error: null } },
      { ...delivery, state: 'delivered', lastAttempt: { ...attempt, status: null, response: null, error: '113' } },
    ],
  }),
  'console, webhook that nothing was sent to': deliveriesPage(own, {
    webhook: { ...webhook, status: 'disabled', disabledReason: 'gone' },
    deliveries: [],
    state: undefined,
    place,
    now: 0,
    notice,
    problem,
  }),
  'console, no such deliveries': deliveriesPage(own, {
    webhook: { ...webhook, status: 'disabled', disabledReason: 'administrator' },
    deliveries: [],
    state: 'waiting',
    place,
    now: 0,
    notice,
    problem,
  }),
  'console, webhook settings': webhookSettingsPage(own, {
    webhook,
    settings: webhookSettings,
    now: 0,
    submissionToken: '',
    notice,
    problem,
    problems,
    secrets: [
      { createdAt: 0, endsAt: null },
      { createdAt: 0, endsAt: 0 },
    ],
  }),
  'console, webhook settings of the service': webhookSettingsPage(own, {
    webhook: { ...webhook, client: undefined, waiting: 0 },
    settings: webhookSettings,
    now: 0,
    submissionToken: '',
    notice,
    problem,
    problems,
    secrets: [{ createdAt: 0, endsAt: null }],
  }),
});
