// The console's pages about one webhook endpoint: its deliveries, and its settings and secrets.

import type { WebhookValues } from '../../../protocol/resources/webhook.ts';
import type { DeliveryState, WebhookDelivery } from '../../../protocol/webhooks/delivery.ts';
import { type AccountFrame, type PageResult, valuesForm } from '../../account/account-layout.ts';
import { button, chips, tabs } from '../../components/controls.ts';
import { badge, card, fact, notice } from '../../components/display.ts';
import type { FieldProblems } from '../../layout/form.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { agoTime, momentTime, sentenceWith } from '../../layout/time.ts';
import {
  action,
  agoOrNever,
  askedAction,
  askLink,
  consoleLayout,
  dangerZone,
  denseList,
  linkedName,
} from '../console-layout.ts';
import { type ListPlace, listPager, listUrl } from '../lists.ts';
import {
  type ListedWebhook,
  received,
  statusBadge,
  type WebhookSettings,
  webhookFields,
  webhooksPath,
} from './webhooks.ts';

export interface ShownWebhook extends ListedWebhook, Pick<WebhookValues, 'disabledReason' | 'failingSince'> {
  readonly host: string;
  readonly dropped: number;
}

interface WebhookPage extends PageResult {
  readonly webhook: ShownWebhook;
  readonly now: number;
}

export interface ShownDelivery
  extends Pick<WebhookDelivery, 'id' | 'type' | 'at' | 'state' | 'attempts' | 'nextAttemptAt' | 'lastAttempt'> {
  /** The whole message, indented. */
  readonly message: string;
}

export interface DeliveriesPage extends WebhookPage {
  readonly state: DeliveryState | undefined;
  readonly deliveries: readonly ShownDelivery[];
  readonly place: ListPlace;
}

const states: readonly DeliveryState[] = ['waiting', 'delivered', 'given_up'];

/** In words; with a badge while it isn't delivered. */
export function deliveryState(frame: AccountFrame, state: DeliveryState): Html | string {
  const text = frame.messages.admin.webhooks.states[state];
  if (state === 'delivered') return text;
  return state === 'waiting' ? badge(text, 'neutral', 'clock') : badge(text, 'danger', 'x-circle');
}

export function deliveriesPage(frame: AccountFrame, page: DeliveriesPage): string {
  const m = frame.messages.admin.webhooks;
  const path = `${webhooksPath}/${page.webhook.id}`;
  const filter = chips(
    m.filter,
    states.map((state) => {
      const current = state === page.state;
      return { href: listUrl(path, { state: current ? undefined : state }), label: m.states[state], current };
    }),
  );
  const column = m.delivery;
  const open = page.deliveries.length === 1 && html` open`;
  const list = denseList<ShownDelivery>({
    caption: m.tabs.deliveries,
    rows: page.deliveries,
    rowId: ({ id }) => id,
    compact: 'wrap',
    columns: [
      { label: column.type, cell: ({ type }) => html`<details${open}><summary>${type}</summary></details>` },
      { label: column.state, cell: ({ state }) => deliveryState(frame, state) },
      { label: column.response, cell: (delivery) => responseOf(frame, delivery) },
      {
        label: column.attempts,
        kind: 'number',
        cell: ({ attempts }) => String(attempts),
        brief: ({ attempts }) => frame.messages.admin.brief.attempts(attempts),
      },
      { label: column.time, kind: 'end', phone: 'first', cell: ({ at }) => agoTime(frame.messages, at, page.now) },
    ],
    details: (delivery) => details(frame, page, delivery),
    none:
      page.state === undefined
        ? { icon: 'bolt', title: m.noDeliveries, text: m.noDeliveriesText }
        : { icon: 'magnifying-glass', title: m.noneFound },
  });
  const pages = listPager(frame, path, { state: page.state }, page.place);
  return layout(frame, page, 'deliveries', html`${filter}${list}${pages}`);
}

function responseOf(frame: AccountFrame, { lastAttempt }: ShownDelivery): string | undefined {
  const m = frame.messages.admin.webhooks;
  if (lastAttempt === undefined) return undefined;
  return lastAttempt.status === null ? m.noResponse : m.status(lastAttempt.status);
}

function details(frame: AccountFrame, page: DeliveriesPage, delivery: ShownDelivery): Html {
  const m = frame.messages.admin.webhooks;
  const { lastAttempt, state } = delivery;
  const ago = (at: number) => agoTime(frame.messages, at, page.now);
  const canResend = state !== 'waiting' && page.webhook.status !== 'disabled';
  return html`<dl class="facts">
${fact(m.id, html`<code>${delivery.id}</code>`)}
${fact(m.happened, momentTime(frame.messages, delivery.at))}
${lastAttempt && fact(m.attempted, ago(lastAttempt.at))}
${lastAttempt && fact(m.took, m.milliseconds(lastAttempt.duration))}
${state === 'waiting' && fact(m.nextAttempt, ago(delivery.nextAttemptAt))}
${lastAttempt?.error != null && fact(m.problem, lastAttempt.error)}
</dl>
${lastAttempt?.status != null && responseBody(frame, delivery.id, lastAttempt.response ?? '')}
${block(`${delivery.id}-message`, m.message, delivery.message)}
${canResend && action(frame, `${webhooksPath}/${page.webhook.id}/resend`, m.resend, { fields: { message: delivery.id }, about: delivery.type })}`;
}

function responseBody(frame: AccountFrame, id: string, text: string): Html {
  const m = frame.messages.admin.webhooks;
  return text === '' ? html`<p>${m.emptyBody}</p>` : block(`${id}-response`, m.responseBody, text);
}

function block(id: string, label: string, text: string): Html {
  return html`<h2 class="section-title" id="${id}-label">${label}</h2>
<pre tabindex="0" role="region" aria-labelledby="${id}-label">${text}</pre>`;
}

export interface WebhookSettingsPage extends WebhookPage {
  readonly settings: WebhookSettings;
  /** The current one first. */
  readonly secrets: readonly { readonly createdAt: number; readonly endsAt: number | null }[];
  readonly submissionToken: string;
  readonly problems: FieldProblems;
}

export function webhookSettingsPage(frame: AccountFrame, page: WebhookSettingsPage): string {
  const { webhooks: m, save } = frame.messages.admin;
  const path = `${webhooksPath}/${page.webhook.id}`;
  const { client } = page.webhook;
  const form = card({
    title: m.tabs.settings,
    lead: client && m.clientLead(client.name),
    body: webhookFields(frame, page.settings, page.problems),
    actions: button({ label: save, kind: 'primary' }),
  });
  const content = html`
${valuesForm(frame, `${path}/settings`, form)}
${secrets(frame, page, path)}
${dangerZone(frame, dangers(frame, page, path))}`;
  return layout(frame, page, 'settings', content);
}

function secrets(frame: AccountFrame, page: WebhookSettingsPage, path: string): Html {
  const { webhooks: m } = frame.messages.admin;
  const items = page.secrets.map(
    ({ createdAt, endsAt }, index) => html`<li>
<div>
<h3 class="thing-name">${index === 0 ? m.current : m.previous}</h3>
<dl class="facts">
<div><dt>${m.made}</dt><dd>${agoTime(frame.messages, createdAt, page.now)}</dd></div>
${endsAt !== null && html`<div><dt>${m.until}</dt><dd>${momentTime(frame.messages, endsAt)}</dd></div>`}
</dl>
</div>
${index > 0 && askLink(frame, { label: m.retire, href: `${path}/retire-secret`, danger: true })}
</li>`,
  );
  const rotate =
    page.secrets.length < 2
      ? action(frame, `${path}/rotate-secret`, m.rotate, { fields: { once: page.submissionToken } })
      : askLink(frame, { label: m.rotate, href: `${path}/rotate-secret`, danger: true });
  return card({
    title: m.secrets,
    lead: m.secretsLead,
    body: html`<ul class="things">${items}</ul>`,
    actions: rotate.text === '' ? undefined : html`${rotate}<p class="aside">${m.rotateHint}</p>`,
  });
}

function dangers(frame: AccountFrame, { webhook }: WebhookSettingsPage, path: string): Html[] {
  const m = frame.messages.admin.webhooks;
  const disable = askedAction(frame, m.disableHint, { label: m.disable, href: `${path}/disable` });
  const remove = askedAction(frame, m.deleteHint, { label: m.delete, href: `${path}/delete` });
  return webhook.status === 'disabled' ? [remove] : [disable, remove];
}

function layout(frame: AccountFrame, page: WebhookPage, tab: 'deliveries' | 'settings', content: Html): string {
  const m = frame.messages.admin.webhooks;
  const { webhook } = page;
  const path = `${webhooksPath}/${webhook.id}`;
  const body = html`
${warnings(frame, page)}
${facts(frame, page)}
${tabs(m.pages, [
  { href: path, label: m.tabs.deliveries, current: tab === 'deliveries' },
  { href: `${path}/settings`, label: m.tabs.settings, current: tab === 'settings' },
])}
${content}`;
  return consoleLayout(frame, {
    section: 'webhooks',
    title: webhook.host,
    back: 'section',
    marks: statusBadge(frame, webhook.status),
    actions:
      webhook.status === 'disabled' ? action(frame, `${path}/enable`, m.enable) : action(frame, `${path}/test`, m.test),
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function warnings(frame: AccountFrame, { webhook }: WebhookPage): Html {
  const { messages } = frame;
  const m = messages.admin.webhooks;
  const { status, clientDeletedAt, failingSince, dropped, disabledReason } = webhook;
  const stopped = notice(disabledReason === 'gone' ? m.gone : m.stopped, 'warning');
  const failing =
    failingSince !== null && notice(sentenceWith(momentTime(messages, failingSince), m.failingSince), 'warning');
  const orphaned =
    clientDeletedAt !== null &&
    notice(sentenceWith(momentTime(messages, clientDeletedAt), m.applicationDeleted), 'warning');
  return html`${orphaned}
${status === 'disabled' && stopped}
${status === 'failing' && failing}
${dropped > 0 && notice(m.dropped(dropped), 'warning')}`;
}

function facts(frame: AccountFrame, { webhook, now }: WebhookPage): Html {
  const m = frame.messages.admin.webhooks;
  const { client, deliveredAt } = webhook;
  const whose = received(frame, webhook);
  const receives = client === undefined ? whose : linkedName(frame, `/admin/applications/${client.id}`, whose);
  return html`<div class="summary"><dl class="facts">
<div><dt>${m.fields.url.label}</dt><dd>${address(webhook.url)}</dd></div>
${webhook.description !== '' && html`<div><dt>${m.fields.description.label}</dt><dd>${webhook.description}</dd></div>`}
<div><dt>${m.receives}</dt><dd>${receives}</dd></div>
<div><dt>${m.waiting}</dt><dd>${webhook.waiting.toLocaleString('en')}</dd></div>
<div><dt>${m.lastDelivery}</dt><dd>${agoOrNever(frame, deliveredAt, now)}</dd></div>
</dl></div>`;
}

/** What is asked before something is done to an endpoint, by the last part of the path of the form. */
export function webhookQuestions(frame: AccountFrame, { host, waiting }: WebhookPage['webhook']) {
  const m = frame.messages.admin.webhooks;
  return {
    'rotate-secret': { title: m.rotateTitle, text: m.rotateText, button: m.rotate },
    'retire-secret': { title: m.retireTitle, text: m.retireText, button: m.retire },
    disable: { title: m.disableTitle, text: m.disableText, button: m.disable },
    delete: { title: m.deleteTitle(host), text: m.deleteText(waiting), button: m.delete },
  };
}
