// `latchkey webhook deliveries`, `test` and `resend`: an endpoint's messages, from the command line.

import {
  deliveryStates,
  listDeliveries,
  resendDelivery,
  sendTestMessage,
} from '../../operations/webhooks/deliveries.ts';
import { deliveryJson } from '../../operations/webhooks/webhook-json.ts';
import type { WebhookDelivery } from '../../storage/storage.ts';
import { commandRequester, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

export const webhookArgument = { id: { label: '<id>', completes: 'webhook' } } as const;
export const exampleId = '9d3wn7r1vq5xk8c2m4hbzj6tye';
const standardCount = 20;
const mostCount = 1000;

export const deliveries = defineStoreCommand(
  {
    summary: 'list messages and the responses to them, newest first',
    arguments: webhookArgument,
    options: {
      state: { values: deliveryStates, about: 'only messages in this state' },
      count: { value: 'N', about: `how many; default: ${standardCount}, at most ${mostCount}` },
      ...jsonOption,
    },
    examples: [`latchkey webhook deliveries ${exampleId} --state given_up`],
  },
  async (services, { values, args: { id } }) => {
    const { state, count = String(standardCount) } = values;
    const limit = /^\d{1,4}$/.test(count) ? Number(count) : 0;
    if (limit < 1 || limit > mostCount) throw new UsageError(`--count must be a number from 1 to ${mostCount}`);
    const { items } = requireDone(await listDeliveries(services, id, { state, limit }));
    if (values.json) return printJson(items.map(deliveryJson));
    if (items.length === 0) return print('No messages. Send one with "latchkey webhook test".');
    const rows = items.map((delivery) => [
      delivery.id,
      shownState(delivery),
      String(delivery.attempts),
      briefTime(delivery.at),
      delivery.type,
      answerTo(delivery),
    ]);
    printTable([['MESSAGE ID', 'STATE', 'ATTEMPTS', 'HAPPENED', 'TYPE', 'ANSWER'], ...rows]);
  },
);

export const test = defineStoreCommand(
  {
    summary: 'send a webhook.test message',
    arguments: webhookArgument,
    options: jsonOption,
    examples: [`latchkey webhook test ${exampleId}`],
    details: 'The running service sends it. "latchkey webhook deliveries" shows the response.',
  },
  async (services, { values, args: { id } }) => {
    const { delivery } = requireDone(await sendTestMessage(services, id, commandRequester()));
    if (values.json) return printJson(deliveryJson(delivery));
    print(`Queued a test message, ${delivery.id}.`);
  },
);

export const resend = defineStoreCommand(
  {
    summary: 'resend a message',
    arguments: { ...webhookArgument, message: { label: '<message_id>', about: 'as "deliveries" shows it' } },
    options: jsonOption,
    examples: [`latchkey webhook resend ${exampleId} msg_01kcb2v9wn8f3m6x4qzr7t5hye`],
    details: 'It keeps its webhook-id, so the endpoint can recognize it.',
  },
  async (services, { values, args: { id, message } }) => {
    const { delivery } = requireDone(await resendDelivery(services, id, message));
    if (values.json) return printJson(deliveryJson(delivery));
    print(`Queued ${delivery.id} to be sent again.`);
  },
);

function shownState({ state }: WebhookDelivery) {
  switch (state) {
    case 'delivered':
      return styled('green', 'delivered');
    case 'given_up':
      return styled('red', 'given up');
    case 'waiting':
      return 'waiting';
  }
}

/** The status, and what went wrong. */
function answerTo({ lastAttempt }: WebhookDelivery): string {
  if (lastAttempt === undefined) return '';
  const { status, error } = lastAttempt;
  return [...(status === null ? [] : [String(status)]), ...(error === null ? [] : [error])].join(' ');
}
