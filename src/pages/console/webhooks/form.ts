// The form of a webhook endpoint, for a new one and for its settings; and the page that shows a secret once.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { choiceGroup, type FieldProblems, hidden } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout, copyable } from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';
import { webhooksPath } from './list.ts';

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
  const checked = (yes: boolean) => yes && html` checked`;
  const radio = (value: 'all' | 'chosen') =>
    html`<label class="choice-line"><input type="radio" name="types" value="${value}"${checked((value === 'all') === all)}> ${options[value]}</label>`;
  const boxes = each.map(
    ({ name, meaning, chosen }) =>
      html`<label class="choice-line"><input type="checkbox" name="type_${name}" value="yes"${checked(chosen)}><span><code>${name}</code><br><span class="quiet">${meaning}</span></span></label>`,
  );
  return html`${choiceGroup({ name: 'types', label, lines: [radio('all'), radio('chosen')], problem })}
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
      : { href: `/admin/applications/${client.id}`, label: client.name };
  const body = html`
<form method="post" action="${webhooksPath}">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${client !== undefined && hidden('application', client.id)}
${card({
  lead: client === undefined ? undefined : m.clientLead(client.name),
  body: webhookFields(frame, page.settings, page.problems),
  actions: html`${button({ label: m.create, kind: 'primary' })}${linkButton({ label: cancel, href: back.href })}`,
})}
</form>`;
  return consoleLayout(frame, { section: 'webhooks', title: m.new, back, problem: page.problem, body });
}

export interface WebhookSecretPage {
  readonly id: string;
  readonly secret: string;
  /** Whether the documentation is served. */
  readonly docs: boolean;
}

export function webhookSecretPage(frame: AccountFrame, page: WebhookSecretPage): string {
  const m = frame.messages.admin.webhooks;
  const body = html`
${card({
  lead: m.secretLead,
  body: copyable(frame, m.secret, 'secret', page.secret),
  actions: html`${linkButton({ label: m.toWebhook, href: `${webhooksPath}/${page.id}`, kind: 'primary' })}
${page.docs && linkButton({ label: m.signatures, href: '/docs/webhooks#verify-signatures' })}`,
})}`;
  return consoleLayout(frame, { section: 'webhooks', title: m.secretTitle, body });
}
