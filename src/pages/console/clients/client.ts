// The console's pages about one application: the form that registers it, its settings, secrets and webhook, what can't be
// undone, and the page that shows a secret once. Connecting it is in connect.ts, who may use it in access-list.ts.

import { type AccountFrame, imageCard, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, imageField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import {
  action,
  agoOrNever,
  askedAction,
  askLink,
  consoleLayout,
  copyable,
  dangerousAction,
  dangerZone,
  lastFourText,
  pageLink,
} from '../console-layout.ts';
import { type FormField, fieldControls, fieldNames, formFields } from '../field-form.ts';
import { clientWebhooks, type ListedWebhook } from '../webhooks/webhooks.ts';
import { type ClientTabPage, clientLayout, clientPath } from './client-layout.ts';
import { clientLogouts, type ShownLogouts } from './logouts.ts';

/** What has to be decided for each application. For the rest, the defaults suit most. */
const essential = ['name', 'public', 'redirect_uris', 'access'];

export function isEssential(name: string): boolean {
  return essential.includes(name);
}

export interface NewClientPage {
  readonly fields: readonly FormField[];
  /** Whether something else than the essentials was filled in. */
  readonly hasMore: boolean;
  readonly submissionToken: string;
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export function newClientPage(frame: AccountFrame, page: NewClientPage): string {
  const { applications: m, cancel } = frame.messages.admin;
  const path = '/admin/applications';
  const { fields, problems } = page;
  const first = essential.flatMap((name) => fields.filter((field) => field.name === name));
  const others = fields.filter(({ name }) => !isEssential(name));
  const open = page.hasMore || others.some(({ name }) => problems[name] !== undefined);
  const controls = (some: readonly FormField[]) => fieldControls(frame.messages, some, m.fields, problems);
  const form = card({
    body: html`${fieldNames(fields)}${controls(first)}
<details class="more"${open && html` open`}><summary>${m.more}</summary>${controls(others)}</details>`,
    actions: html`${button({ label: m.create, kind: 'primary' })}${pageLink(frame, { label: cancel, href: path })}`,
  });
  const body = postForm(frame, path, form, { once: page.submissionToken });
  return consoleLayout(frame, { section: 'applications', title: m.new, back: 'section', problem: page.problem, body });
}

export interface ClientSettingsPage extends ClientTabPage {
  readonly fields: readonly FormField[];
  /** Identifies the settings shown here, so that saving them doesn't undo what another person has changed since. */
  readonly version: string;
  readonly problems: FieldProblems;
}

export function clientSettingsPage(frame: AccountFrame, page: ClientSettingsPage): string {
  const { admin } = frame.messages;
  const m = admin.applications;
  const path = clientPath(page.client.id);
  const settings = card({
    title: m.settings,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: admin.save, kind: 'primary' }),
  });
  const body = html`${valuesForm(frame, path, settings, { version: page.version })}${logo(frame, page, path)}`;
  return clientLayout(frame, 'settings', page, body);
}

function logo(frame: AccountFrame, { client }: ClientSettingsPage, path: string): Html {
  const m = frame.messages.admin.applications;
  return imageCard(frame, `${path}/logo`, {
    title: m.logo,
    body: imageField(frame.messages, { name: 'logo', label: m.logo, hint: m.logoHint, unlabelled: true }),
    upload: m.upload,
    remove: client.app.logoUrl !== undefined && m.removeLogo,
  });
}

export interface ClientSecretsPage extends ClientTabPage {
  readonly isPublic: boolean;
  /** The newest first. */
  readonly secrets: readonly {
    readonly lastFour: string | null;
    readonly createdAt: number;
    readonly usedAt: number | null;
  }[];
  readonly submissionToken: string;
  readonly now: number;
}

export function clientSecretsPage(frame: AccountFrame, page: ClientSecretsPage): string {
  return clientLayout(frame, 'secrets', page, secrets(frame, page));
}

function secrets(frame: AccountFrame, page: ClientSecretsPage): Html {
  const m = frame.messages.admin.applications;
  const path = clientPath(page.client.id);
  if (page.isPublic) return card({ title: m.secrets, body: html`<p>${m.publicHasNone}</p>` });
  const items = page.secrets.map(
    ({ lastFour, createdAt, usedAt }, index) => html`<li>
<div>
<h3 class="thing-name">${index === 0 ? m.newest : m.old} ${lastFourText(lastFour)}</h3>
<dl class="facts">
<div><dt>${m.made}</dt><dd>${agoTime(frame.messages, createdAt, page.now)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${agoOrNever(frame, usedAt, page.now)}</dd></div>
</dl>
</div>
${index > 0 && askLink(frame, { label: m.retire, href: `${path}/retire-secret`, danger: true })}
</li>`,
  );
  const rotate =
    page.secrets.length < 2
      ? action(frame, `${path}/rotate-secret`, m.rotate, { fields: { once: page.submissionToken } })
      : askLink(frame, { label: m.rotate, href: `${path}/rotate-secret` });
  return card({
    title: m.secrets,
    lead: m.secretsLead,
    body: html`<ul class="things">${items}</ul>`,
    actions: rotate.text === '' ? undefined : html`${rotate}<p class="aside">${m.rotateHint}</p>`,
  });
}

export interface ClientWebhookPage extends ClientTabPage {
  /** Its own endpoints. */
  readonly webhooks: readonly Pick<ListedWebhook, 'id' | 'url' | 'status'>[];
  /** Undefined without a URI for back-channel logout. */
  readonly logouts: ShownLogouts | undefined;
  readonly now: number;
}

export function clientWebhookPage(frame: AccountFrame, page: ClientWebhookPage): string {
  const body = html`${clientWebhooks(frame, page.client.id, page.webhooks)}
${page.logouts && clientLogouts(frame, page.logouts, page.now)}`;
  return clientLayout(frame, 'webhook', page, body);
}

export function clientDangerPage(frame: AccountFrame, page: ClientTabPage): string {
  return clientLayout(frame, 'danger', page, dangerZone(frame, dangers(frame, page)));
}

function dangers(frame: AccountFrame, { client }: ClientTabPage): Html[] {
  const m = frame.messages.admin.applications;
  const path = clientPath(client.id);
  return [
    client.revokedAt === null
      ? askedAction(frame, m.revokeHint, { label: m.revoke, href: `${path}/revoke` })
      : dangerousAction(m.restoreHint, action(frame, `${path}/restore`, m.restore)),
    askedAction(frame, m.deleteHint, { label: m.delete, href: `${path}/delete` }),
  ];
}

interface NewSecretPage {
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly env: string;
  /** Whether a person has to be given access first. */
  readonly isListed: boolean;
}

export function newSecretPage(frame: AccountFrame, page: NewSecretPage): string {
  const m = frame.messages.admin.applications;
  const body = card({
    lead: page.secret === undefined ? m.publicLead : m.secretLead,
    body: html`${copyable(frame, m.clientId, 'client-id', page.clientId)}
${page.secret !== undefined && copyable(frame, m.clientSecret, 'client-secret', page.secret)}
${copyable(frame, m.env, 'env', page.env)}`,
    actions: html`${pageLink(frame, { label: m.toApplication, href: clientPath(page.clientId), kind: 'primary' })}
${page.isListed && pageLink(frame, { label: m.toAccess, href: clientPath(page.clientId, 'access') })}`,
  });
  const title = page.secret === undefined ? m.madePublicTitle : m.secretTitle;
  return consoleLayout(frame, { section: 'applications', title, body });
}
