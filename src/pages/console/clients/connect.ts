// The first tab of an application: what its developer needs to connect it, a program with that filled in, and whether anyone
// has signed in yet, or what went wrong.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { ClientValues } from '../../../protocol/resources/client.ts';
import { type AccountFrame, allows } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card, fact, notice } from '../../components/display.ts';
import { icon } from '../../components/icon.ts';
import { select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { appIcon } from '../../layout/identity.ts';
import { agoTime, sentenceWith } from '../../layout/time.ts';
import { copyable, copyRows, pageLink } from '../console-layout.ts';
import { type ShownEvent, whatToDo } from '../events/events.ts';
import { type ClientTab, type ClientTabPage, clientLayout, clientPath } from './client-layout.ts';

export interface ShownConnection {
  /** How many users have given it access. */
  readonly users: Total;
  readonly signedInAt: number | undefined;
  readonly approvedAt: number | undefined;
  readonly refused: (ShownEvent & { readonly person: string | undefined }) | undefined;
}

export interface ShownGuide {
  readonly name: string;
  /** Where it's served; undefined if the documentation isn't. */
  readonly href: string | undefined;
  readonly install: string | undefined;
  /** Variables that the program reads besides the client's settings. */
  readonly environment: string | undefined;
  readonly files: readonly { readonly name: string | undefined; readonly text: string }[];
  readonly nextSteps: string | undefined;
  /** What the software's redirect URI ends with, if the application has none that does. */
  readonly callbackPath: string | undefined;
  /** Where the secret comes from: the program's environment, or its place in the settings. */
  readonly secret: 'environment' | 'placeholder' | undefined;
}

export interface ConnectPage extends ClientTabPage, Pick<ClientValues, 'isPublic' | 'access' | 'createdAt'> {
  readonly now: number;
  readonly endpoints: Readonly<Record<keyof AccountFrame['messages']['admin']['connect']['endpoints'], string>>;
  readonly connection: ShownConnection;
  readonly guides: readonly { readonly name: string; readonly label: string }[];
  readonly guide: ShownGuide | undefined;
}

export function connectPage(frame: AccountFrame, page: ConnectPage): string {
  const { connect: m } = frame.messages.admin;
  const { endpoints: names } = m;
  const rows = (Object.keys(names) as (keyof typeof names)[]).map((name) => ({
    id: name,
    label: names[name],
    text: page.endpoints[name],
  }));
  const body = html`${connectionStatus(frame, page)}
${facts(frame, page)}
${card({ title: m.settings, lead: m.settingsLead, body: copyRows(frame, rows) })}
${requiredSettings(frame, page.isPublic)}
${page.guides.length > 0 && card({ title: m.guide, lead: m.guideLead, body: html`${guidePicker(frame, page)}${page.guide && program(frame, page.client.id, page.guide)}`, id: 'program' })}`;
  return clientLayout(frame, 'connect', page, body);
}

/** What breaks with the defaults of most libraries. */
function requiredSettings(frame: AccountFrame, isPublic: boolean): Html {
  const { connect: m } = frame.messages.admin;
  const { required: names, requiredValues: values, requiredHints: hints } = m;
  const line = (name: string, value: string, hint: string) =>
    fact(name, html`<code>${value}</code><br><span class="quiet">${hint}</span>`);
  const lines = [
    isPublic
      ? line(names.authentication, values.noAuthentication, hints.publicAuthentication)
      : line(names.authentication, values.authentication, hints.authentication),
    line(names.algorithm, values.algorithm, isPublic ? hints.publicAlgorithm : hints.algorithm),
    line(names.pkce, values.pkce, hints.pkce),
  ];
  return card({ title: m.defaults, lead: m.defaultsLead, body: html`<dl class="facts">${lines}</dl>` });
}

/** The script asks for the page again while it has `data-poll`, and replaces this part of it when the state is another one. */
function connectionStatus(frame: AccountFrame, page: ConnectPage): Html {
  const m = frame.messages.admin.connect;
  const { users, signedInAt, approvedAt, refused } = page.connection;
  const { id, revokedAt } = page.client;
  const path = clientPath(id);
  const frameOf = (state: string, isSettled: boolean, content: Html) =>
    html`<div class="connection" id="connection" role="status" data-state="${state}"${!isSettled && html` data-poll="${path}"`}>${content}</div>`;
  const again = html`<a href="${path}">${m.again}</a>`;
  if (revokedAt !== null) {
    const restore = allows(frame, 'GET', clientPath(id, 'danger'));
    const link = restore && html` <a href="${clientPath(id, 'danger')}">${m.fixes.danger}</a>`;
    return frameOf('revoked', true, notice(html`${m.revoked}${link}`, 'warning'));
  }
  // Its events may be gone by now.
  const works = signedInAt !== undefined || (users.count > 0 && approvedAt === undefined && refused === undefined);
  const sentence =
    signedInAt === undefined ? m.used : sentenceWith(agoTime(frame.messages, signedInAt, page.now), m.signedIn);
  const good = works && notice(sentence, 'good');
  if (refused !== undefined)
    return frameOf(`refused ${refused.id}`, false, html`${refusal(frame, page, refused)}${good}`);
  if (good) return frameOf('connected', true, good);
  if (approvedAt !== undefined) {
    const time = agoTime(frame.messages, approvedAt, page.now);
    return frameOf('approved', false, notice(html`${sentenceWith(time, m.approved)} ${again}`, 'warning'));
  }
  return frameOf('waiting', false, notice(html`<strong>${m.waiting}</strong> ${m.waitingHint} ${again}`));
}

function refusal(frame: AccountFrame, page: ConnectPage, refused: NonNullable<ShownConnection['refused']>): Html {
  const { connect: m, kinds } = frame.messages.admin;
  const { id } = page.client;
  const tab = tabThatFixes(refused);
  const who = refused.person !== undefined && refused.kind === 'access_refused' && m.ofPerson(refused.person);
  const links = html`${tab && pageLink(frame, { label: m.fixes[tab], href: clientPath(id, tab), small: true })}
${refused.requestId !== '' && pageLink(frame, { label: m.event, href: `/admin/events?reference=${encodeURIComponent(refused.requestId)}`, small: true })}
${pageLink(frame, { label: m.again, href: clientPath(id), small: true })}`;
  return html`<section class="warnings" aria-labelledby="refused">
<h2 class="section-title" id="refused">${icon('exclamation-triangle')}${m.refused}</h2>
<p><strong>${kinds[refused.kind]}${who}</strong> <span class="quiet">${agoTime(frame.messages, refused.at, page.now)}</span></p>
${whatToDo(frame, refused)}
<div class="actions">${links}</div>
</section>`;
}

/** Where what was wrong can be changed, if it's a setting of ours. */
function tabThatFixes({
  kind,
  detail,
}: ShownEvent): Exclude<ClientTab, 'connect' | 'activity' | 'claims' | 'webhook'> | undefined {
  if (kind === 'access_refused') return 'access';
  switch (detail?.reason) {
    case 'redirect_uri_mismatch':
    case 'invalid_scope':
    case 'secret_from_public_client':
      return 'settings';
    case 'wrong_secret':
    case 'secret_missing':
      return 'secrets';
    default:
      return undefined;
  }
}

function facts(frame: AccountFrame, page: ConnectPage): Html {
  const { admin } = frame.messages;
  const m = admin.applications;
  return html`<div class="summary">
${appIcon(page.client.app)}
<dl class="facts">
${fact(m.type, page.isPublic ? m.public : m.confidential)}
${fact(admin.access.access, admin.access[page.access === 'everyone' ? 'openToEveryone' : 'onlyListed'])}
${fact(m.connected, m.people(page.connection.users))}
${fact(admin.created, agoTime(frame.messages, page.createdAt, page.now))}
</dl>
</div>`;
}

/** A form that is sent with GET, so that a guide has a URL. */
function guidePicker(frame: AccountFrame, { client, guides, guide }: ConnectPage): Html {
  const m = frame.messages.admin.connect;
  const options = guides.map(({ name, label }) => ({ value: name, label }));
  return html`<form class="picker" method="get" action="${clientPath(client.id)}#program">
${select({ name: 'guide', label: m.software, value: guide?.name ?? '', options: [{ value: '', label: m.choose }, ...options] })}
${button({ label: m.show })}
</form>`;
}

function program(frame: AccountFrame, clientId: string, guide: ShownGuide): Html {
  const m = frame.messages.admin.connect;
  const link = guide.href !== undefined && html`<p><a href="${guide.href}">${m.read}</a></p>`;
  if (guide.callbackPath !== undefined) {
    const settings = html`<a href="${clientPath(clientId, 'settings')}">${m.fixes.settings}</a>`;
    return html`${notice(html`${m.otherCallback(guide.callbackPath)} ${settings}`, 'warning')}${link}`;
  }
  const { secret } = guide;
  const [note, place] = [secret && m.secret[secret], clientPath(clientId, 'secrets')];
  const files = guide.files.map(({ name = m.lines, text }, index) => copyable(frame, name, `file-${index}`, text));
  return html`${link}
${note !== undefined && notice(html`${note} <a href="${place}">${m.fixes.secrets}</a>`)}
${guide.install !== undefined && copyable(frame, m.install, 'install', guide.install)}
${guide.environment !== undefined && copyable(frame, m.environment, 'environment', guide.environment)}
${files}
${guide.nextSteps !== undefined && copyable(frame, m.nextSteps, 'next-steps', guide.nextSteps)}`;
}
