// What administrators read about webhooks. Part of the console's catalogue in console.ts.

import { webhookLabels } from './field-labels.ts';

const messagesOf = (count: number) => (count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`);

/** On an application's page. */
export const logoutMessages = {
  title: 'Back-channel logout',
  lead: 'The application gets a logout token when someone signs out, is signed out or loses access.',
  waiting:
    'Logout tokens wait, for up to an hour, until the application next presents its client secret, which signs them. A sign-in or a refresh is enough.',
  messages: 'Logout tokens',
  none: 'No logout tokens sent yet.',
};

export const webhookMessages = {
  lead: 'Webhooks notify your systems of events, with signed HTTP requests.',
  none: 'No webhooks yet.',
  noneText: 'Create one to get notified of sign-ins and of changes to people, applications and grants.',
  new: 'New webhook',
  create: 'Create webhook',
  column: {
    endpoint: 'Endpoint',
    receives: 'Receives',
    waiting: 'Waiting',
    delivered: 'Last delivery',
  },
  wholeService: 'All applications',
  ownGrants: (app: string) => `Grants of ${app}`,
  nothingNew: 'Nothing new: application deleted',
  applicationDeleted: (when: string) =>
    `Its application was deleted on ${when}. Messages that are still waiting are sent, then this webhook is deleted.`,
  failing: 'Failing',
  disabled: 'Disabled',
  /** What screen readers call the tabs. */
  pages: 'Webhook',
  tabs: { deliveries: 'Deliveries', settings: 'Settings' },

  fields: webhookLabels,
  choose: 'Event types',
  clientLead: (app: string) =>
    `This webhook tells ${app} when someone's access ends, so it can end its own session. It gets no messages about other applications.`,
  signatures: 'How to verify signatures',

  secretTitle: 'Copy your signing secret',
  secretLead:
    "You won't be able to see it again. Your endpoint needs it to verify that messages come from this service.",
  secret: 'Signing secret',
  toWebhook: "I've saved my secret",

  gone: 'The endpoint answered 410 Gone, so it was disabled. No events are sent until you enable it.',
  stopped: 'This webhook is disabled. No events are sent until you enable it.',
  failingSince: (when: string) =>
    `Messages have been failing since ${when}. Each is tried ten times over three days; open a delivery to see why.`,
  dropped: (count: number) =>
    `${messagesOf(count)} ${count === 1 ? 'was' : 'were'} dropped because too many were waiting for this endpoint.`,
  enable: 'Enable webhook',
  test: 'Send test message',
  receives: 'Receives',
  waiting: 'Waiting',
  lastDelivery: 'Last delivery',

  filter: 'Filter',
  states: { waiting: 'Waiting', delivered: 'Delivered', given_up: 'Failed' },
  delivery: {
    type: 'Event',
    state: 'Status',
    response: 'Response',
    attempts: 'Attempts',
    time: 'Time',
  },
  noDeliveries: 'No messages yet.',
  noDeliveriesText: 'Send a test message to see whether your endpoint accepts it.',
  noneFound: 'No matching messages.',
  id: 'Message ID',
  happened: 'Happened',
  attempted: 'Last attempt',
  took: 'Took',
  milliseconds: (count: number) => `${count.toLocaleString('en')} ms`,
  nextAttempt: 'Next attempt',
  problem: 'Problem',
  noResponse: 'No response',
  status: (code: number) => `HTTP ${code}`,
  responseBody: 'Response body',
  emptyBody: 'The response had no body.',
  message: 'Message',
  resend: 'Resend',

  secrets: 'Signing secrets',
  secretsLead: 'During a rotation, messages are signed with both secrets, so your endpoint can switch at any time.',
  current: 'Current secret',
  previous: 'Previous secret',
  made: 'Created',
  until: 'Valid until',
  rotate: 'Rotate secret',
  rotateHint: 'The current secret stays valid for another 24 hours.',
  rotateTitle: 'Rotate the secret?',
  rotateText:
    'There are already two secrets. A new one replaces the previous secret right away. Make sure your endpoint uses the current one.',
  retire: 'Retire previous secret',
  retireTitle: 'Retire the previous secret?',
  retireText: 'An endpoint that still has only this secret will reject messages.',

  disable: 'Disable webhook',
  disableHint: 'Stops sending messages. You can enable it later.',
  disableTitle: 'Disable this webhook?',
  disableText: 'No events are sent until you enable it again. Messages that are waiting are kept for seven days.',
  delete: 'Delete webhook',
  deleteHint: "Permanently deletes the webhook, its secrets and the messages waiting for it. This can't be undone.",
  deleteTitle: (host: string) => `Delete the webhook to ${host}?`,
  deleteText: (waiting: number) =>
    waiting === 0
      ? "Its secrets and its list of deliveries are deleted with it. This can't be undone."
      : `${messagesOf(waiting)} waiting for it will never be delivered. Its secrets and its list of deliveries are deleted with it. This can't be undone.`,

  /** On an application's page. */
  ofApplication: 'Webhook',
  ofApplicationLead: "Tells the application when someone's access ends, so it can end its own session.",
  noneOfApplication: 'This application has no webhook.',

  notices: {
    'webhook-saved': 'Webhook updated.',
    'webhook-tested': 'Test message queued.',
    'webhook-resent': 'Message queued.',
    'webhook-enabled': 'Webhook enabled.',
    'webhook-disabled': 'Webhook disabled.',
    'webhook-deleted': 'Webhook deleted.',
    'webhook-secret-retired': 'Previous secret retired.',
  },
};
