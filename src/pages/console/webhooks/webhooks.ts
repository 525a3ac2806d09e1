// The console's list of webhook endpoints, the form of one, the page that shows a secret once, and what other pages show.

import type { WebhookValues } from '../../../protocol/resources/webhook.ts';
import type { EndpointStatus } from '../../../protocol/webhooks/schedule.ts';
import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card } from '../../components/display.ts';
import { choiceGroup, type FieldProblems, radio } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { clientPath } from '../clients/client-layout.ts';
import { agoOrNever, consoleLayout, copyable, denseList, linkedName, pageLink } from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';

export const webhooksPath = '/admin/webhooks';

export interface ListedWebhook
  extends Pick<WebhookValues, 'id' | 'url' | 'description' | 'clientDeletedAt' | 'deliveredAt'> {
  /** The application whose own endpoint it is. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  readonly status: EndpointStatus;
  readonly waiting: number;
}

/** What is wrong with an endpoint; nothing for one that works. */
export function statusBadge(frame: AccountFrame, status: EndpointStatus): Html {
  if (status === 'active') return html``;
  return badge(frame.messages.admin.webhooks[status], status === 'failing' ? 'warning' : 'danger');
}

export interface WebhooksPage {
  readonly webhooks: readonly ListedWebhook[];
  /** Whether the reader can create one that isn't an application's own. */
  readonly canCreate: boolean;
  readonly now: number;
  readonly notice: string | undefined;
}

export function webhooksPage(frame: AccountFrame, page: WebhooksPage): string {
  const { admin } = frame.messages;
  const { webhooks: m, sections } = admin;
  const { column } = m;
  const list = denseList<ListedWebhook>({
    caption: sections.webhooks,
    rows: page.webhooks,
    columns: [
      { label: column.endpoint, kind: 'wide', cell: (webhook) => named(frame, webhook) },
      { label: column.receives, cell: (webhook) => received(frame, webhook) },
      { label: column.waiting, kind: 'number', cell: ({ waiting }) => waiting.toLocaleString('en') },
      { label: column.delivered, kind: 'end', cell: ({ deliveredAt }) => agoOrNever(frame, deliveredAt, page.now) },
    ],
    none: { icon: 'bolt', title: m.none, text: m.noneText },
  });
  return consoleLayout(frame, {
    section: 'webhooks',
    actions: page.canCreate
      ? pageLink(frame, { label: m.new, href: `${webhooksPath}/new`, kind: 'primary', icon: 'plus' })
      : undefined,
    notice: page.notice,
    body: html`<p>${m.lead}</p>${list}`,
  });
}

/** Which events the endpoint gets. */
export function received(frame: AccountFrame, { client, clientDeletedAt }: ListedWebhook): string {
  const { wholeService, ownGrants, nothingNew } = frame.messages.admin.webhooks;
  if (clientDeletedAt !== null) return nothingNew;
  return client === undefined ? wholeService : ownGrants(client.name);
}

function named(frame: AccountFrame, { id, url, description, status }: ListedWebhook): Html {
  const about = description !== '' && html`<br><span class="quiet">${description}</span>`;
  return html`<a href="${webhooksPath}/${id}">${url}</a> ${statusBadge(frame, status)}${about}`;
}

/** The part of an application's page that is about its own endpoint. */
export function clientWebhooks(
  frame: AccountFrame,
  clientId: string,
  webhooks: readonly Pick<ListedWebhook, 'id' | 'url' | 'status'>[],
): Html {
  const m = frame.messages.admin.webhooks;
  const items = webhooks.map(
    ({ id, url, status }) =>
      html`<li><div>${linkedName(frame, `${webhooksPath}/${id}`, url)}</div>${statusBadge(frame, status)}</li>`,
  );
  return card({
    title: m.ofApplication,
    lead: m.ofApplicationLead,
    body: items.length === 0 ? html`<p>${m.noneOfApplication}</p>` : html`<ul class="things">${items}</ul>`,
    actions: pageLink(frame, { label: m.create, href: `${webhooksPath}/new?application=${clientId}` }),
  });
}

export interface WebhookSettings {
  readonly fields: readonly FormField[];
  /** Undefined for the endpoint of an application, which has no choice. */
  readonly types: TypeChoice | undefined;
}

interface TypeChoice {
  readonly all: boolean;
  /** Every type that can be chosen. */
  readonly each: readonly { readonly name: string; readonly meaning: string; readonly chosen: boolean }[];
}

export function webhookFields(frame: AccountFrame, settings: WebhookSettings, problems: FieldProblems): Html {
  const labels = frame.messages.admin.webhooks.fields;
  return html`${formFields(frame.messages, settings.fields, labels, problems)}
${settings.types && typeChoice(frame, settings.types, problems.types)}`;
}

function typeChoice(frame: AccountFrame, { all, each }: TypeChoice, problem: string | undefined): Html {
  const m = frame.messages.admin.webhooks;
  const { label, options } = m.fields.types;
  const lines = [radio('types', 'all', options.all, all), radio('types', 'chosen', options.chosen, !all)];
  const boxes = each.map(
    ({ name, meaning, chosen }) =>
      html`<label class="choice-line"><input type="checkbox" name="type_${name}" value="yes"${chosen && html` checked`}><span><code>${name}</code><br><span class="quiet">${meaning}</span></span></label>`,
  );
  return html`${choiceGroup({ name: 'types', label, lines, problem })}
<details${!all && html` open`}><summary>${m.choose}</summary>
<fieldset class="type-list"><legend class="unseen">${m.choose}</legend>${boxes}</fieldset>
</details>`;
}

export interface NewWebhookPage {
  readonly settings: WebhookSettings;
  readonly client: { readonly id: string; readonly name: string } | undefined;
  readonly submissionToken: string;
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export function newWebhookPage(frame: AccountFrame, page: NewWebhookPage): string {
  const { webhooks: m, sections, cancel } = frame.messages.admin;
  const { client } = page;
  const back =
    client === undefined
      ? { href: webhooksPath, label: sections.webhooks }
      : { href: clientPath(client.id, 'webhook'), label: client.name };
  const form = card({
    lead: client && m.clientLead(client.name),
    body: webhookFields(frame, page.settings, page.problems),
    actions: html`${button({ label: m.create, kind: 'primary' })}${pageLink(frame, { label: cancel, href: back.href })}`,
  });
  const body = postForm(frame, webhooksPath, form, { once: page.submissionToken, application: client?.id });
  return consoleLayout(frame, { section: 'webhooks', title: m.new, back, problem: page.problem, body });
}

/** `docs` is whether the documentation is served. */
export function webhookSecretPage(frame: AccountFrame, page: { id: string; secret: string; docs: boolean }): string {
  const m = frame.messages.admin.webhooks;
  const body = card({
    lead: m.secretLead,
    body: copyable(frame, m.secret, 'secret', page.secret),
    actions: html`${pageLink(frame, { label: m.toWebhook, href: `${webhooksPath}/${page.id}`, kind: 'primary' })}
${page.docs && pageLink(frame, { label: m.signatures, href: '/docs/webhooks#verify-signatures' })}`,
  });
  return consoleLayout(frame, { section: 'webhooks', title: m.secretTitle, body });
}
