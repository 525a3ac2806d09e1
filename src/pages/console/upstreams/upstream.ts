// The console's pages about one identity provider: its own page, and how its endpoints would change.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { UpstreamValues } from '../../../protocol/resources/upstream.ts';
import { type AccountFrame, imageCard, type PageResult, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card, notice } from '../../components/display.ts';
import { type FieldProblems, hidden, imageField } from '../../layout/form.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { agoTime } from '../../layout/time.ts';
import { action, askedAction, consoleLayout, copyable, dangerZone, pageLink, stoppedBadge } from '../console-layout.ts';
import { type FieldLabels, type FormField, fieldNames } from '../field-form.ts';
import { upstreamsPath } from './list.ts';
import { fieldCards, isOidcOnly, withSealedSecret } from './upstream-fields.ts';
import { type ShownWho, whoCard } from './who.ts';

/** An endpoint of an identity provider, or how it signs, under its name in the API. */
export interface ShownEndpoint {
  readonly name: string;
  /** Null if the identity provider doesn't have it. */
  readonly value: string | boolean | null;
}

type ShownUpstream = Pick<UpstreamValues, 'name' | 'kind' | 'issuer' | 'disabledAt' | 'createdAt' | 'updatedAt'>;

export interface UpstreamPage extends PageResult {
  readonly upstream: ShownUpstream;
  readonly form: UpstreamForm;
  readonly identity: AppIdentity;
  readonly callbackUrl: string;
  readonly endpoints: readonly ShownEndpoint[];
  readonly people: { readonly all: Total; readonly withoutOtherWay: Total };
  /** Whether nobody can get in who couldn't before. */
  readonly letsNobodyIn: boolean;
  readonly now: number;
}

export function upstreamPage(frame: AccountFrame, page: UpstreamPage): string {
  const m = frame.messages.admin.upstreams;
  const { upstream } = page;
  const path = `${upstreamsPath}/${upstream.name}`;
  const isDisabled = upstream.disabledAt !== null;
  const body = html`
${isDisabled && notice(m.stopped, 'warning')}
${!isDisabled && page.letsNobodyIn && notice(m.nobody, 'warning')}
${facts(frame, page)}
${card({ body: html`${copyable(frame, m.callback, 'callback', page.callbackUrl)}<p class="hint">${m.callbackLead}</p>` })}
${tryCard(frame, path)}
${upstreamForm(frame, upstream, page.form)}
${iconCard(frame, page, path)}
${endpointsCard(frame, page, path)}
${dangerZone(frame, dangers(frame, page, path))}`;
  return consoleLayout(frame, {
    section: 'providers',
    title: page.identity.name,
    back: 'section',
    marks: stoppedBadge(isDisabled && frame.messages.admin.disabled),
    actions: isDisabled ? action(frame, `${path}/enable`, m.enable) : undefined,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function facts(frame: AccountFrame, { upstream, people, now }: UpstreamPage): Html {
  const { admin } = frame.messages;
  const m = admin.upstreams;
  return html`<div class="summary"><dl class="facts">
<div><dt>${m.fields.kind.label}</dt><dd>${m.kindNames[upstream.kind]}</dd></div>
<div><dt>${m.fields.name.label}</dt><dd><code>${upstream.name}</code></dd></div>
<div><dt>${m.column.issuer}</dt><dd>${address(upstream.issuer)}</dd></div>
<div><dt>${m.linked}</dt><dd>${m.linkedPeople(people.all)}</dd></div>
<div><dt>${admin.created}</dt><dd>${agoTime(frame.messages, upstream.createdAt, now)}</dd></div>
</dl></div>`;
}

/** Nothing for those who can't. */
function tryCard(frame: AccountFrame, path: string): Html | undefined {
  const m = frame.messages.admin.upstreams;
  const form = action(frame, `${path}/try`, m.try);
  return form.text === '' ? undefined : card({ title: m.tryTitle, lead: m.tryLead, actions: form });
}

function iconCard(frame: AccountFrame, { identity }: UpstreamPage, path: string): Html {
  const m = frame.messages.admin.upstreams;
  return imageCard(frame, `${path}/icon`, {
    title: m.icon,
    lead: m.iconLead,
    aside: appIcon(identity),
    body: imageField(frame.messages, { name: 'icon', label: m.icon, hint: m.iconHint, unlabelled: true }),
    upload: m.upload,
    remove: identity.logoUrl !== undefined && m.removeIcon,
  });
}

function endpointsCard(frame: AccountFrame, page: UpstreamPage, path: string): Html {
  const m = frame.messages.admin.upstreams;
  const isOidc = page.upstream.kind === 'oidc';
  const lines = page.endpoints.map(
    ({ name, value }) => html`<div><dt>${m.endpoint[name] ?? name}</dt><dd>${valueText(frame, value)}</dd></div>`,
  );
  return card({
    title: m.endpoints,
    lead: isOidc ? m.endpointsLead : undefined,
    body: html`<dl class="facts">${lines}</dl>`,
    actions: isOidc ? action(frame, `${path}/look-up`, m.lookUp) : undefined,
  });
}

function valueText(frame: AccountFrame, value: ShownEndpoint['value']): string {
  const m = frame.messages.admin.upstreams;
  if (value === null) return m.notThere;
  if (typeof value === 'boolean') return value ? m.yes : m.no;
  return value;
}

function dangers(frame: AccountFrame, { upstream }: UpstreamPage, path: string): Html[] {
  const m = frame.messages.admin.upstreams;
  const disable = askedAction(frame, m.disableHint, { label: m.disable, href: `${path}/disable` });
  const deletion = askedAction(frame, m.deleteHint, { label: m.delete, href: `${path}/delete` });
  return [...(upstream.disabledAt === null ? [disable] : []), deletion];
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
  const accept = postForm(frame, `${path}/refresh`, button({ label: m.accept, kind: 'primary' }), {
    version: page.version,
  });
  const isSame = page.changes.length === 0;
  const body = card({
    lead: isSame ? m.sameEndpoints : m.changedEndpoints,
    body: isSame ? undefined : html`<ul class="things">${changes}</ul>`,
    actions: html`${!isSame && accept}${pageLink(frame, { label: m.back, href: path })}`,
  });
  const back = { href: path, label: page.label };
  return consoleLayout(frame, { section: 'providers', title: m.lookUpTitle, back, body });
}

export interface UpstreamForm {
  readonly fields: readonly FormField[];
  readonly who: ShownWho;
  /** A new secret that was typed, for a form that is shown again. */
  readonly sealedSecret: string | undefined;
  readonly problems: FieldProblems;
}

/** The settings of one that exists. Its name and issuer can't be changed, and its secret is only replaced. */
export function upstreamForm(frame: AccountFrame, upstream: ShownUpstream, form: UpstreamForm): Html {
  const { upstreams: m, save } = frame.messages.admin;
  const isOidc = upstream.kind === 'oidc';
  const words: FieldLabels = { ...m.fields, ...m.changedFields };
  const known = form.fields.filter(({ name }) => isOidc || !isOidcOnly(words, name));
  const { fields, labels } = withSealedSecret(frame, known, words, form.sealedSecret);
  const cards = fieldCards(frame, { ...form, fields }, labels);
  const actions = button({ label: save, kind: 'primary' });
  const content = html`${fieldNames(fields)}${form.sealedSecret !== undefined && hidden('sealed_secret', form.sealedSecret)}
${card({ title: m.settings, body: html`${cards.of('provider')}${cards.of('credentials')}` })}
${card({ title: m.whoCanSignIn, body: whoCard(frame, form.who, fields, labels, form.problems), actions: isOidc ? undefined : actions })}
${isOidc && cards.ofOidc(actions, 'change')}`;
  // So that saving the settings doesn't undo what another person has changed since.
  const version = String(upstream.updatedAt);
  return valuesForm(frame, `${upstreamsPath}/${upstream.name}`, content, { version });
}
