// `latchkey webhook …`: endpoints, their secrets and their messages, from the command line.

import type { Services } from '../../operations/services.ts';
import { listDeliveries, resendDelivery } from '../../operations/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  earlierSecretHours,
  findWebhook,
  listWebhooks,
  rotateWebhookSecret,
  type Webhook,
} from '../../operations/webhooks/endpoints.ts';
import { webhookActions } from '../../operations/webhooks/subject.ts';
import { deliveryJson, webhookDetailsJson, webhookJson } from '../../operations/webhooks/webhook-json.ts';
import type { Requester } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { webhookFields } from '../../protocol/resources/webhook.ts';
import { deliveryStates } from '../../protocol/webhooks/delivery.ts';
import { statusOfEndpoint } from '../../protocol/webhooks/schedule.ts';
import { selectableTypes } from '../../protocol/webhooks/types.ts';
import { requireDone, UsageError } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldLines, fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, shownOf } from '../frame/lists.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { actionCommands } from '../frame/subject-commands.ts';
import { summaries } from '../summaries.ts';
import { styled } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const webhookArgument = { id: { label: '<id>', completes: 'webhook' } } as const;
const exampleId = '9d3wn7r1vq5xk8c2m4hbzj6tye';
const standardCount = 20;
const mostCount = 1000;
const { url: _argument, ...createOptions } = fieldOptions(webhookFields, 'create');
const updateOptions = fieldOptions(webhookFields, 'change');

const commands: Record<string, Command> = {
  create: defineStoreCommand({
    summary: 'create an endpoint and print its secret once',
    createsStore: true,
    arguments: { url: { label: 'URL', about: 'where messages are sent' } },
    options: createOptions,
    examples: [
      'latchkey webhook create https://hooks.example.com/latchkey --type user.disabled --type user.deleted',
      'latchkey webhook create https://shop.example/latchkey --application shop',
    ],
    details: `Types: ${selectableTypes.join(', ')}.`,
    async run({ services, values, args: { url }, requester }) {
      const input = { ...givenByOptions(webhookFields, 'create', values), url };
      const { webhook, secret } = requireDone(await createWebhook(services, input, requester));
      const text = `Created a webhook to ${webhook.url}.\n\n${secretText(webhook.id, secret)}`;
      return { json: { ...webhookJson(webhook), secret }, text };
    },
  }),
  list: defineStoreCommand({
    summary: 'list endpoints',
    options: {
      application: { value: '<client_id>', completes: 'client', about: "only this application's endpoints" },
      ...limitOption,
    },
    examples: ['latchkey webhook list'],
    async run({ services, values }) {
      const { items: webhooks, rest } = shownOf(values, await listWebhooks(services, values.application));
      const rows = webhooks.map((webhook) => [
        webhook.id,
        statusOf(webhook),
        String(webhook.waiting),
        briefTime(webhook.deliveredAt),
        webhook.clientDeletedAt === null ? (webhook.clientId ?? '') : '(deleted)',
        webhook.url,
      ]);
      const table = [['ID', 'STATUS', 'WAITING', 'LAST DELIVERY', 'APPLICATION', 'URL'], ...rows];
      const none = 'No webhooks yet. Create one with "latchkey webhook create".';
      return { json: webhooks.map(webhookJson), list: table, none, rest };
    },
  }),
  show: defineStoreCommand({
    summary: 'show an endpoint',
    arguments: webhookArgument,
    examples: [`latchkey webhook show ${exampleId}`],
    run: ({ services, args: { id }, requester }) => report(services, id, requester),
  }),
  update: defineStoreCommand({
    summary: 'change an endpoint',
    arguments: webhookArgument,
    options: updateOptions,
    examples: [
      `latchkey webhook update ${exampleId} --url https://hooks.example.com/v2`,
      `latchkey webhook update ${exampleId} --all-types`,
    ],
    details: 'The types you give replace the current ones.',
    async run({ services, values, args: { id }, requester }) {
      const change = givenByOptions(webhookFields, 'change', values);
      if (Object.keys(change).length === 0) {
        const options = Object.keys(updateOptions).map((name) => `--${name}`);
        throw new UsageError(`nothing to change: give ${options.join(', ')}`);
      }
      requireDone(await changeWebhook(services, id, change, requester));
      return report(services, id, requester);
    },
  }),
  deliveries: defineStoreCommand({
    summary: 'list messages and the responses to them, newest first',
    arguments: webhookArgument,
    options: {
      state: { values: deliveryStates, about: 'only messages in this state' },
      count: { value: 'N', about: `how many; default: ${standardCount}, at most ${mostCount}` },
    },
    examples: [`latchkey webhook deliveries ${exampleId} --state given_up`],
    async run({ services, values, args: { id }, requester }) {
      const { state, count = String(standardCount) } = values;
      const limit = /^\d{1,4}$/.test(count) ? Number(count) : 0;
      if (limit < 1 || limit > mostCount) throw new UsageError(`--count must be a number from 1 to ${mostCount}`);
      const { items } = requireDone(await listDeliveries(services, id, { state, limit }, requester));
      const rows = items.map((delivery) => [
        delivery.id,
        shownStates[delivery.state],
        String(delivery.attempts),
        briefTime(delivery.at),
        delivery.type,
        // The status, and what went wrong.
        [delivery.lastAttempt?.status, delivery.lastAttempt?.error].filter((part) => part != null).join(' '),
      ]);
      const table = [['MESSAGE ID', 'STATE', 'ATTEMPTS', 'HAPPENED', 'TYPE', 'ANSWER'], ...rows];
      return {
        json: items.map(deliveryJson),
        list: table,
        none: 'No messages. Send one with "latchkey webhook test".',
      };
    },
  }),
  resend: defineStoreCommand({
    summary: 'resend a message',
    arguments: { ...webhookArgument, message: { label: '<message_id>', about: 'as "deliveries" shows it' } },
    examples: [`latchkey webhook resend ${exampleId} msg_01kcb2v9wn8f3m6x4qzr7t5hye`],
    details: 'It keeps its webhook-id, so the endpoint can recognize it.',
    async run({ services, args: { id, message }, requester }) {
      const { delivery } = requireDone(await resendDelivery(services, id, message, requester));
      return { json: deliveryJson(delivery), text: `Queued ${delivery.id} to be sent again.` };
    },
  }),
  'rotate-secret': defineStoreCommand({
    summary: 'create a new secret and print it once',
    arguments: webhookArgument,
    options: {
      hours: { value: 'N', about: `how long the previous secret stays valid; default: ${earlierSecretHours.standard}` },
    },
    examples: [`latchkey webhook rotate-secret ${exampleId}`],
    details:
      'Until the previous secret expires, messages are signed with both, so the endpoint can switch at any time.',
    async run({ services, values, args: { id }, requester }) {
      const { hours = String(earlierSecretHours.standard) } = values;
      if (!/^\d{1,5}$/.test(hours)) throw new UsageError('--hours must be a whole number');
      const outcome = await rotateWebhookSecret(services, id, requester, Number(hours));
      const { secret, earlierEndsAt } = requireDone(outcome);
      return {
        json: { id, secret, previous_expires_at: isoTime(earlierEndsAt) },
        text: `${secretText(id, secret)}\nThe previous secret stays valid until ${shownTime(earlierEndsAt)}.`,
      };
    },
  }),
  ...actionCommands(
    { command: 'webhook', completes: 'webhook', key: { name: 'id', example: exampleId }, label: '<id>', report },
    webhookActions,
  ),
};

export const webhook: CommandGroup = {
  summary: summaries.webhook,
  examples: [
    'latchkey webhook create https://hooks.example.com/latchkey --type user.disabled --type user.deleted',
    'latchkey webhook list',
    `latchkey webhook deliveries ${exampleId} --state given_up`,
  ],
  commands,
};

function secretText(id: string, secret: string): string {
  return `  id      ${id}\n  secret  ${secret}\n\nCopy the secret now. You won't be able to see it again.`;
}

async function report(services: Services, id: string, requester: Requester): Promise<Said> {
  const found = requireDone(await findWebhook(services, id, requester));
  const { webhook, secrets } = found;
  return {
    json: webhookDetailsJson(found),
    fields: [
      ['id', webhook.id],
      ...fieldLines(webhookFields, webhook, ['types']),
      ...(webhook.clientDeletedAt === null ? [] : [['application', `deleted ${shownTime(webhook.clientDeletedAt)}`]]),
      ['types', webhook.types?.join(', ') ?? 'all'],
      ['status', statusOf(webhook)],
      ...(webhook.failingSince === null ? [] : [['failing since', shownTime(webhook.failingSince)]]),
      ['waiting', String(webhook.waiting)],
      ...(webhook.dropped === 0 ? [] : [['dropped', String(webhook.dropped)]]),
      ['last delivery', shownTime(webhook.deliveredAt)],
      ['created', shownTime(webhook.createdAt)],
      ...secrets.map(({ createdAt, endsAt }) => [
        endsAt === null ? 'current secret' : 'previous secret',
        `created ${shownTime(createdAt)}${endsAt === null ? '' : `, valid until ${shownTime(endsAt)}`}`,
      ]),
    ],
  };
}

const shownStates = {
  delivered: styled('green', 'delivered'),
  given_up: styled('red', 'given up'),
  waiting: 'waiting',
};

const colors = { active: 'green', failing: 'yellow', disabled: 'red' } as const;

function statusOf(webhook: Webhook) {
  const status = statusOfEndpoint(webhook);
  return styled(colors[status], webhook.disabledReason === 'gone' ? `${status} (410)` : status);
}
