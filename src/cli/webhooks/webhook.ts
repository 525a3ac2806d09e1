// `latchkey webhook …`: endpoints and their secrets, from the command line. What was delivered is in deliveries.ts.

import type { Services } from '../../operations/services.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  earlierSecretHours,
  enableWebhook,
  findWebhook,
  listWebhooks,
  retireWebhookSecret,
  rotateWebhookSecret,
  type Webhook,
} from '../../operations/webhooks/endpoints.ts';
import { webhookDetailsJson, webhookJson } from '../../operations/webhooks/webhook-json.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { webhookFields } from '../../protocol/resources/webhook.ts';
import { outageAfter } from '../../protocol/webhooks/schedule.ts';
import { selectableTypes } from '../../protocol/webhooks/types.ts';
import { commandRequester, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { fieldLines, fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printFields, printTable } from '../terminal/table.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { deliveries, exampleId, resend, test, webhookArgument } from './deliveries.ts';

const { url: _argument, ...createOptions } = fieldOptions(webhookFields, 'create');
const updateOptions = fieldOptions(webhookFields, 'change');

const create = defineStoreCommand(
  {
    summary: 'create an endpoint and print its secret once',
    arguments: { url: { label: 'URL', about: 'where messages are sent' } },
    options: { ...createOptions, ...jsonOption },
    examples: [
      'latchkey webhook create https://hooks.example.com/latchkey --type user.disabled --type user.deleted',
      'latchkey webhook create https://shop.example/latchkey --application shop',
    ],
    details: `Types: ${selectableTypes.join(', ')}.`,
  },
  async (services, { values, args: { url } }) => {
    const input = { ...givenByOptions(webhookFields, 'create', values), url };
    const { webhook, secret } = requireDone(await createWebhook(services, input, commandRequester()));
    if (values.json) return printJson({ ...webhookJson(webhook), secret });
    print(`Created a webhook to ${webhook.url}.\n`);
    print(`  id      ${webhook.id}\n  secret  ${secret}\n\nCopy the secret now. You won't be able to see it again.`);
  },
);

const list = defineStoreCommand(
  {
    summary: 'list endpoints',
    options: {
      application: { value: '<client_id>', completes: 'client', about: "only this application's endpoints" },
      ...jsonOption,
    },
    examples: ['latchkey webhook list'],
  },
  async (services, { values }) => {
    const webhooks = await listWebhooks(services, values.application);
    if (values.json) return printJson(webhooks.map(webhookJson));
    if (webhooks.length === 0) return print('No webhooks yet. Create one with "latchkey webhook create".');
    const rows = webhooks.map((webhook) => [
      webhook.id,
      statusOf(webhook),
      String(webhook.waiting),
      timeOf(webhook.deliveredAt),
      webhook.clientDeletedAt === null ? (webhook.clientId ?? '') : '(deleted)',
      webhook.url,
    ]);
    printTable([['ID', 'STATUS', 'WAITING', 'LAST DELIVERY', 'APPLICATION', 'URL'], ...rows]);
  },
);

const show = defineStoreCommand(
  {
    summary: 'show an endpoint',
    arguments: webhookArgument,
    options: jsonOption,
    examples: [`latchkey webhook show ${exampleId}`],
  },
  (services, { values, args: { id } }) => report(services, id, values.json),
);

const update = defineStoreCommand(
  {
    summary: 'change an endpoint',
    arguments: webhookArgument,
    options: { ...updateOptions, ...jsonOption },
    examples: [
      `latchkey webhook update ${exampleId} --url https://hooks.example.com/v2`,
      `latchkey webhook update ${exampleId} --all-types`,
    ],
    details: 'The types you give replace the current ones.',
  },
  async (services, { values, args: { id } }) => {
    const change = givenByOptions(webhookFields, 'change', values);
    if (Object.keys(change).length === 0) {
      const options = Object.keys(updateOptions).map((name) => `--${name}`);
      throw new UsageError(`nothing to change: give ${options.join(', ')}`);
    }
    requireDone(await changeWebhook(services, id, change, commandRequester()));
    await report(services, id, values.json);
  },
);

const rotateSecret = defineStoreCommand(
  {
    summary: 'create a new secret and print it once',
    arguments: webhookArgument,
    options: {
      hours: { value: 'N', about: `how long the previous secret stays valid; default: ${earlierSecretHours.standard}` },
      ...jsonOption,
    },
    examples: [`latchkey webhook rotate-secret ${exampleId}`],
    details: 'Until then, messages are signed with both secrets, so the endpoint can switch at any time.',
  },
  async (services, { values, args: { id } }) => {
    const { hours = String(earlierSecretHours.standard) } = values;
    if (!/^\d{1,5}$/.test(hours)) throw new UsageError('--hours must be a whole number');
    const rotated = requireDone(await rotateWebhookSecret(services, id, commandRequester(), Number(hours)));
    const { secret, earlierEndsAt } = rotated;
    if (values.json) return printJson({ id, secret, previous_expires_at: isoTime(earlierEndsAt) });
    print(`  id      ${id}\n  secret  ${secret}\n\nCopy the secret now. You won't be able to see it again.`);
    print(`The previous secret stays valid until ${shownTime(earlierEndsAt)}.`);
  },
);

const deleteCommand = defineStoreCommand(
  {
    summary: 'delete an endpoint and the messages waiting for it',
    arguments: webhookArgument,
    options: { ...yesOption, ...jsonOption },
    examples: [`latchkey webhook delete ${exampleId}`, `latchkey webhook delete ${exampleId} --yes`],
  },
  async (services, { values, args: { id } }) => {
    const { webhook } = requireDone(await findWebhook(services, id));
    await confirmLoss(values.yes, async () => ({
      what: `the webhook to ${webhook.url}`,
      with: [[webhook.waiting, 'waiting message', 'waiting messages']],
    }));
    requireDone(await deleteWebhook(services, id, commandRequester()));
    if (values.json) return printJson(webhookJson(webhook));
    print(`Deleted the webhook to ${webhook.url}.`);
  },
);

export const webhook: CommandGroup = {
  summary: 'manage webhooks, which notify other systems of events',
  examples: [
    'latchkey webhook create https://hooks.example.com/latchkey --type user.disabled --type user.deleted',
    'latchkey webhook list',
    `latchkey webhook deliveries ${exampleId} --state given_up`,
  ],
  commands: {
    create,
    list,
    show,
    update,
    'rotate-secret': rotateSecret,
    'retire-secret': changing('stop the previous secret from working', 'retire-secret', retireWebhookSecret),
    disable: changing('stop sending messages to an endpoint', 'disable', disableWebhook),
    enable: changing('send messages to a disabled endpoint again', 'enable', enableWebhook),
    test,
    deliveries,
    resend,
    delete: deleteCommand,
  },
};

/** A command that takes an ID, changes something about the endpoint, and shows it. */
function changing(summary: string, name: string, change: typeof disableWebhook | typeof retireWebhookSecret): Command {
  return defineStoreCommand(
    {
      summary,
      arguments: webhookArgument,
      options: jsonOption,
      examples: [`latchkey webhook ${name} ${exampleId}`],
    },
    async (services, { values, args: { id } }) => {
      requireDone<object>(await change(services, id, commandRequester()));
      await report(services, id, values.json);
    },
  );
}

async function report(services: Services, id: string, asJson: boolean): Promise<void> {
  const found = requireDone(await findWebhook(services, id));
  if (asJson) return printJson(webhookDetailsJson(found));
  const { webhook, secrets } = found;
  printFields([
    ['id', webhook.id],
    ...fieldLines(webhookFields, webhook, ['types']),
    ...(webhook.clientDeletedAt === null ? [] : [['application', `deleted ${shownTime(webhook.clientDeletedAt)}`]]),
    ['types', webhook.types?.join(', ') ?? 'all'],
    ['status', statusOf(webhook)],
    ...(webhook.failingSince === null ? [] : [['failing since', shownTime(webhook.failingSince)]]),
    ['waiting', String(webhook.waiting)],
    ...(webhook.dropped === 0 ? [] : [['dropped', String(webhook.dropped)]]),
    ['last delivery', webhook.deliveredAt === null ? 'never' : shownTime(webhook.deliveredAt)],
    ['created', shownTime(webhook.createdAt)],
    ...secrets.map(({ createdAt, endsAt }) => [
      endsAt === null ? 'current secret' : 'previous secret',
      `created ${shownTime(createdAt)}${endsAt === null ? '' : `, valid until ${shownTime(endsAt)}`}`,
    ]),
  ]);
}

function statusOf({ disabledReason, failures }: Webhook) {
  if (disabledReason !== null) return styled('red', disabledReason === 'gone' ? 'disabled (410)' : 'disabled');
  return failures >= outageAfter ? styled('yellow', 'failing') : styled('green', 'active');
}

function timeOf(at: number | null): string {
  return at === null ? 'never' : briefTime(at);
}
