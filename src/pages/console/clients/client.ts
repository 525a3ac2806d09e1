// The console's pages about one application: the form that registers it, its own page, and the page that shows a secret
// once.

import { type AccountFrame, imageCard, type PageResult, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, imageField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { agoTime } from '../../layout/time.ts';
import {
  action,
  agoOrNever,
  consoleLayout,
  copyable,
  dangerousAction,
  dangerZone,
  pageLink,
  stoppedBadge,
} from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';
import { clientWebhooks, type ListedWebhook } from '../webhooks/webhooks.ts';
import { clientClaims, type ListedClaim } from './claims.ts';
import { clientLogouts, type ShownLogouts } from './logouts.ts';

export function newClientPage(
  frame: AccountFrame,
  page: {
    fields: readonly FormField[];
    submissionToken: string;
    problem: string | undefined;
    problems: FieldProblems;
  },
): string {
  const { applications: m, cancel } = frame.messages.admin;
  const path = '/admin/applications';
  const form = card({
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: html`${button({ label: m.create, kind: 'primary' })}${pageLink(frame, { label: cancel, href: path })}`,
  });
  const body = postForm(frame, path, form, { once: page.submissionToken });
  return consoleLayout(frame, { section: 'applications', title: m.new, back: 'section', problem: page.problem, body });
}

export interface ClientPage extends PageResult {
  readonly id: string;
  readonly app: AppIdentity;
  readonly fields: readonly FormField[];
  readonly isPublic: boolean;
  readonly access: 'everyone' | 'listed';
  /** The newest first. */
  readonly secrets: readonly { readonly createdAt: number; readonly usedAt: number | null }[];
  readonly listedClaims: readonly ListedClaim[];
  /** Its own endpoints. */
  readonly webhooks: readonly Pick<ListedWebhook, 'id' | 'url' | 'status'>[];
  /** Undefined without a URI for back-channel logout. */
  readonly logouts: ShownLogouts | undefined;
  /** How many users have given it access. */
  readonly users: number;
  /** Identifies the settings shown here, so that saving them doesn't undo what somebody else has changed since. */
  readonly version: string;
  readonly submissionToken: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly now: number;
  readonly problems: FieldProblems;
}

export function clientPage(frame: AccountFrame, page: ClientPage): string {
  const { admin } = frame.messages;
  const m = admin.applications;
  const path = `/admin/applications/${page.id}`;
  const settings = card({
    title: m.settings,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: admin.save, kind: 'primary' }),
  });
  const body = html`
${facts(frame, page)}
${valuesForm(frame, path, settings, { version: page.version })}
${logo(frame, page, path)}
${clientClaims(frame, path, page.listedClaims)}
${secrets(frame, page, path)}
${page.logouts && clientLogouts(frame, page.logouts, page.now)}
${clientWebhooks(frame, page.id, page.webhooks)}
${dangerZone(frame, dangers(frame, page, path))}`;
  return consoleLayout(frame, {
    section: 'applications',
    title: page.app.name,
    back: 'section',
    marks: stoppedBadge(page.revokedAt !== null && admin.revoked),
    actions: html`${pageLink(frame, { label: m.events, href: `/admin/events?application=${page.id}`, icon: 'clock' })}${pageLink(frame, { label: admin.access.manage, href: `${path}/access`, icon: 'users' })}`,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function facts(frame: AccountFrame, page: ClientPage): Html {
  const { admin } = frame.messages;
  const m = admin.applications;
  return html`<div class="summary">
${appIcon(page.app)}
<dl class="facts">
<div><dt>${m.clientId}</dt><dd><code>${page.id}</code></dd></div>
<div><dt>${m.type}</dt><dd>${page.isPublic ? m.public : m.confidential}</dd></div>
<div><dt>${admin.access.access}</dt><dd>${admin.access[page.access === 'everyone' ? 'openToEveryone' : 'onlyListed']}</dd></div>
<div><dt>${m.connected}</dt><dd>${m.people(page.users)}</dd></div>
<div><dt>${admin.created}</dt><dd>${agoTime(frame.messages, page.createdAt, page.now)}</dd></div>
</dl>
</div>`;
}

function logo(frame: AccountFrame, page: ClientPage, path: string): Html {
  const m = frame.messages.admin.applications;
  return imageCard(frame, `${path}/logo`, {
    title: m.logo,
    body: imageField(frame.messages, { name: 'logo', label: m.logo, hint: m.logoHint, unlabelled: true }),
    upload: m.upload,
    remove: page.app.logoUrl !== undefined && m.removeLogo,
  });
}

function secrets(frame: AccountFrame, page: ClientPage, path: string): Html {
  const m = frame.messages.admin.applications;
  if (page.isPublic) return card({ title: m.secrets, body: html`<p>${m.publicHasNone}</p>` });
  const items = page.secrets.map(
    ({ createdAt, usedAt }, index) => html`<li>
<div>
<h3 class="thing-name">${index === 0 ? m.newest : m.old}</h3>
<dl class="facts">
<div><dt>${m.made}</dt><dd>${agoTime(frame.messages, createdAt, page.now)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${agoOrNever(frame, usedAt, page.now)}</dd></div>
</dl>
</div>
${index > 0 && pageLink(frame, { label: m.retire, href: `${path}/retire-secret`, kind: 'danger' })}
</li>`,
  );
  const rotate =
    page.secrets.length < 2
      ? action(frame, `${path}/rotate-secret`, m.rotate, 'plain', { once: page.submissionToken })
      : pageLink(frame, { label: m.rotate, href: `${path}/rotate-secret` });
  return card({
    title: m.secrets,
    lead: m.secretsLead,
    body: html`<ul class="things">${items}</ul>`,
    actions: rotate.text === '' ? undefined : html`${rotate}<p class="aside">${m.rotateHint}</p>`,
  });
}

function dangers(frame: AccountFrame, page: ClientPage, path: string): Html[] {
  const m = frame.messages.admin.applications;
  const revocation = pageLink(frame, { label: m.revoke, href: `${path}/revoke`, kind: 'danger' });
  const deletion = pageLink(frame, { label: m.delete, href: `${path}/delete`, kind: 'danger' });
  return [
    page.revokedAt === null
      ? dangerousAction(m.revokeHint, revocation)
      : dangerousAction(m.restoreHint, action(frame, `${path}/restore`, m.restore)),
    dangerousAction(m.deleteHint, deletion),
  ];
}

interface NewSecretPage {
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly env: string;
  /** Whether the documentation is served. */
  readonly docs: boolean;
}

export function newSecretPage(frame: AccountFrame, page: NewSecretPage): string {
  const m = frame.messages.admin.applications;
  const body = card({
    lead: page.secret === undefined ? m.publicLead : m.secretLead,
    body: html`${copyable(frame, m.clientId, 'client-id', page.clientId)}
${page.secret !== undefined && copyable(frame, m.clientSecret, 'client-secret', page.secret)}
${copyable(frame, m.env, 'env', page.env)}`,
    actions: html`${page.docs && pageLink(frame, { label: m.guides, href: '/docs/clients', kind: 'primary' })}
${pageLink(frame, { label: m.toApplication, href: `/admin/applications/${page.clientId}` })}`,
  });
  const title = page.secret === undefined ? m.madePublicTitle : m.secretTitle;
  return consoleLayout(frame, { section: 'applications', title, body });
}
