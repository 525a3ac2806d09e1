// What an application's page says about back-channel logout: whether tokens can be signed, and the last messages. What the
// application has answered isn't shown.

import type { WebhookAttempt, WebhookDelivery } from '../../../protocol/webhooks/delivery.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { card, notice } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import { denseList } from '../console-layout.ts';
import { deliveryState } from '../webhooks/webhook.ts';

export interface ShownLogout extends Pick<WebhookDelivery, 'id' | 'at' | 'state' | 'attempts'> {
  readonly lastAttempt: Pick<WebhookAttempt, 'status' | 'error'> | undefined;
}

export interface ShownLogouts {
  readonly state: 'waiting_for_secret' | 'ready';
  /** The newest first. */
  readonly messages: readonly ShownLogout[];
}

export function clientLogouts(frame: AccountFrame, { state, messages }: ShownLogouts, now: number): Html {
  const m = frame.messages.admin.logouts;
  const { delivery: column, status } = frame.messages.admin.webhooks;
  const list = denseList<ShownLogout>({
    caption: m.messages,
    rows: messages,
    rowId: ({ id }) => id,
    columns: [
      { label: column.state, cell: ({ state }) => deliveryState(frame, state) },
      {
        label: column.response,
        cell: ({ lastAttempt: last }) => (last?.status == null ? (last?.error ?? undefined) : status(last.status)),
      },
      { label: column.attempts, kind: 'number', cell: ({ attempts }) => String(attempts) },
      { label: column.time, kind: 'end', cell: ({ at }) => agoTime(frame.messages, at, now) },
    ],
    none: { icon: 'bolt', title: m.none },
  });
  return card({
    title: m.title,
    lead: m.lead,
    body: html`${state === 'waiting_for_secret' && notice(m.waiting, 'warning')}${list}`,
  });
}
