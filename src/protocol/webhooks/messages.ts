// What a webhook says about an event, and which events end grants. That grants have ended is a message of its own: one
// event can end those of many people and applications, and only storage knows which.

import type { EventRecord } from '../event.ts';
import type { EventKind } from '../events/kinds.ts';
import { type GrantEndReason, kindsOfEvents } from '../events/kinds.ts';
import { isoTime } from '../iso-time.ts';
import { type Member, textIn } from './members.ts';
import { isWebhookType, type WebhookMessage, webhookData } from './types.ts';

export function grantEnded(grant: {
  readonly id: string | null;
  readonly userId: string | null;
  readonly clientId: string;
  readonly reason: GrantEndReason;
}): WebhookMessage {
  const { id, userId, clientId, reason } = grant;
  return { type: 'grant.ended', data: { grant_id: id, sub: userId, client_id: clientId, reason } };
}

/** The body of a request, which is also what is signed. */
export function webhookBody({ type, data }: { readonly type: string; readonly data: object }, at: number): string {
  return JSON.stringify({ type, timestamp: isoTime(at), data });
}

/** Of the kinds of which not every event is reported. */
const isReported: Partial<Record<EventKind, (event: EventRecord) => boolean>> = {
  // A remembered consent was reported when it was given.
  approved: (event) => textIn(event, 'consent') === 'asked',
  // A reset of the password is reported by itself.
  account_claimed: (event) => textIn(event, 'by') === 'reset_link',
};

/** Undefined for an event that webhooks don't report. */
export function messageAbout(event: EventRecord): WebhookMessage | undefined {
  const { updates, webhook = updates && 'user.updated' } = kindsOfEvents[event.kind];
  if (webhook === undefined || !isWebhookType(webhook) || isReported[event.kind]?.(event) === false) return undefined;
  const members: Readonly<Record<string, Member>> = webhookData[webhook];
  const data = Object.entries(members).map(([name, member]) => [name, member.of(event)]);
  // Each member has the type that its value has.
  return { type: webhook, data: Object.fromEntries(data) } as WebhookMessage;
}
