// The console's page about one identity provider, and the page that shows how its endpoints would change.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card, notice } from '../../components/display.ts';
import { fileField, hidden } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { agoTime } from '../../layout/time.ts';
import { action, consoleLayout, copyable } from '../console-layout.ts';
import { askedButton, type DangerousAction, dangerZone } from '../danger.ts';
import { type UpstreamForm, upstreamForm } from './form.ts';
import { statusBadge, upstreamsPath } from './list.ts';

/** An endpoint of an identity provider, or how it signs, under its name in the API. */
export interface ShownEndpoint {
  readonly name: string;
  /** Null if the identity provider doesn't have it. */
  readonly value: string | boolean | null;
}

export interface UpstreamPage {
  readonly form: UpstreamForm;
  readonly identity: AppIdentity;
  readonly issuer: string;
  readonly callbackUrl: string;
  readonly endpoints: readonly ShownEndpoint[];
  readonly people: { readonly all: number; readonly withoutOtherWay: number };
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly now: number;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function upstreamPage(frame: AccountFrame, page: UpstreamPage): string {
  const { upstreams: m, sections } = frame.messages.admin;
  const path = `${upstreamsPath}/${page.form.name}`;
  const body = html`
${page.disabled && notice(m.stopped, 'warning')}
${facts(frame, page)}
${card({ body: html`${copyable(frame, m.callback, 'callback', page.callbackUrl)}<p class="hint">${m.callbackLead}</p>` })}
${upstreamForm(frame, page.form)}
${iconCard(frame, page, path)}
${endpointsCard(frame, page, path)}
${dangerZone(frame, dangers(frame, page, path))}`;
  return consoleLayout(frame, {
    section: 'providers',
    title: page.identity.name,
    back: { href: upstreamsPath, label: sections.providers },
    marks: statusBadge(frame, page.disabled),
    actions: page.disabled ? action(frame, `${path}/enable`, m.enable) : undefined,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function facts(frame: AccountFrame, page: UpstreamPage): Html {
  const { admin } = frame.messages;
  const m = admin.upstreams;
  return html`<div class="summary"><dl class="facts">
<div><dt>${m.fields.kind.label}</dt><dd>${m.kindNames[page.form.kind]}</dd></div>
<div><dt>${m.fields.name.label}</dt><dd><code>${page.form.name}</code></dd></div>
<div><dt>${m.column.issuer}</dt><dd>${page.issuer}</dd></div>
<div><dt>${m.linked}</dt><dd>${m.linkedPeople(page.people.all)}</dd></div>
<div><dt>${admin.created}</dt><dd>${agoTime(frame.messages, page.createdAt, page.now)}</dd></div>
</dl></div>`;
}

function iconCard(frame: AccountFrame, { identity }: UpstreamPage, path: string): Html {
  const m = frame.messages.admin.upstreams;
  const remove = html`<button class="link" type="submit" name="remove" value="yes">${m.removeIcon}</button>`;
  return html`<form method="post" action="${path}/icon" enctype="multipart/form-data">
${formToken(frame)}
${card({
  title: m.icon,
  lead: m.iconLead,
  aside: appIcon(identity),
  body: fileField(frame.messages, {
    name: 'icon',
    label: m.icon,
    accept: 'image/png,image/jpeg,image/webp',
    hint: m.iconHint,
    unlabelled: true,
  }),
  actions: html`${button({ label: m.upload })}${identity.logoUrl !== undefined && remove}`,
})}
</form>`;
}

function endpointsCard(frame: AccountFrame, page: UpstreamPage, path: string): Html {
  const m = frame.messages.admin.upstreams;
  const lines = page.endpoints.map(
    ({ name, value }) => html`<div><dt>${m.endpoint[name] ?? name}</dt><dd>${valueText(frame, value)}</dd></div>`,
  );
  return card({
    title: m.endpoints,
    lead: page.form.kind === 'oidc' ? m.endpointsLead : undefined,
    body: html`<dl class="facts">${lines}</dl>`,
    actions: page.form.kind === 'oidc' ? action(frame, `${path}/look-up`, m.lookUp) : undefined,
  });
}

function valueText(frame: AccountFrame, value: ShownEndpoint['value']): string {
  const m = frame.messages.admin.upstreams;
  if (value === null) return m.notThere;
  if (typeof value === 'boolean') return value ? m.yes : m.no;
  return value;
}

function dangers(frame: AccountFrame, page: UpstreamPage, path: string): DangerousAction[] {
  const m = frame.messages.admin.upstreams;
  const { name } = page.identity;
  const disable = {
    hint: m.disableHint,
    control: askedButton(frame, {
      id: 'disable',
      label: m.disable,
      action: `${path}/disable`,
      danger: true,
      title: m.disableTitle(name),
      text: m.disableText(page.people.withoutOtherWay),
    }),
  };
  const remove = {
    hint: m.deleteHint,
    control: linkButton({ label: m.delete, href: `${path}/delete`, kind: 'danger' }),
  };
  return page.disabled ? [remove] : [disable, remove];
}

export interface EndpointsPage {
  readonly name: string;
  readonly label: string;
  readonly changes: readonly {
    readonly name: string;
    readonly before: ShownEndpoint['value'];
    readonly after: ShownEndpoint['value'];
  }[];
  /** Identifies what is shown here: accepting it accepts nothing else. */
  readonly version: string;
}

export function endpointsPage(frame: AccountFrame, page: EndpointsPage): string {
  const m = frame.messages.admin.upstreams;
  const path = `${upstreamsPath}/${page.name}`;
  const changes = page.changes.map(
    ({ name, before, after }) => html`<li><div>
<h2 class="thing-name">${m.endpoint[name] ?? name}</h2>
<dl class="facts">
<div><dt>${m.change.before}</dt><dd>${valueText(frame, before)}</dd></div>
<div><dt>${m.change.after}</dt><dd>${valueText(frame, after)}</dd></div>
</dl>
</div></li>`,
  );
  const accept = html`<form method="post" action="${path}/refresh">${formToken(frame)}${hidden('version', page.version)}${button({ label: m.accept, kind: 'primary' })}</form>`;
  const isSame = page.changes.length === 0;
  const body = card({
    lead: isSame ? m.sameEndpoints : m.changedEndpoints,
    body: isSame ? undefined : html`<ul class="things">${changes}</ul>`,
    actions: html`${!isSame && accept}${linkButton({ label: m.back, href: path })}`,
  });
  return consoleLayout(frame, {
    section: 'providers',
    title: m.lookUpTitle,
    back: { href: path, label: page.label },
    body,
  });
}
