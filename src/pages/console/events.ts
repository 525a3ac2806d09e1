// The console's events: the filter, each event with the names of what it mentions, and why something failed.

import type { RedirectMismatch } from '../../protocol/admin/redirect-mismatch.ts';
import type { EventKind, EventRecord } from '../../protocol/event.ts';
import { type AccountFrame, formToken, time } from '../account/account-layout.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { Messages } from '../messages/messages.ts';
import { action, consoleLayout, moreLink } from './console-layout.ts';

export interface EventsFilter {
  readonly person: string;
  readonly application: string;
  readonly kind: string;
  /** Whether only failures are shown: anything but an empty text. */
  readonly failures: string;
  readonly reference: string;
  readonly since: string;
  readonly until: string;
}

export interface ShownEvent extends EventRecord {
  readonly mismatch: RedirectMismatch | undefined;
  /** For someone who was refused access. */
  readonly hasAccess?: boolean | undefined;
}

export interface EventsPage {
  readonly filter: EventsFilter;
  readonly events: readonly ShownEvent[];
  /** By ID. An ID is shown as it is when its name is missing. */
  readonly names: {
    readonly users: ReadonlyMap<string, string>;
    readonly clients: ReadonlyMap<string, string>;
    readonly apiKeys: ReadonlyMap<string, string>;
  };
  readonly next: string | undefined;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function eventsPage(frame: AccountFrame, page: EventsPage): string {
  const m = frame.messages.admin.events;
  const rows = page.events.map((event) => eventItem(frame, page, event));
  const body = html`
${filterForm(frame, page.filter)}
${rows.length === 0 ? html`<p class="quiet">${m.none}</p>` : html`<ol class="log events">${rows}</ol>`}
${page.next !== undefined && moreLink(frame, '/admin/events', { ...page.filter, cursor: page.next })}`;
  return consoleLayout(frame, { section: 'events', notice: page.notice, problem: page.problem, body });
}

function filterForm(frame: AccountFrame, filter: EventsFilter): Html {
  const { events: m, kinds } = frame.messages.admin;
  const input = (name: keyof EventsFilter, type: 'text' | 'date') => html`<div>
<label for="${name}">${m[name]}</label>
<input id="${name}" name="${name}" type="${type}" value="${filter[name]}" autocomplete="off" spellcheck="false">
</div>`;
  const options = (Object.entries(kinds) as [EventKind, string][])
    .toSorted(([, a], [, b]) => a.localeCompare(b, frame.messages.language))
    .map(([kind, name]) => {
      const selected = kind === filter.kind ? html` selected` : html``;
      return html`<option value="${kind}"${selected}>${name}</option>`;
    });
  const opened = Object.values(filter).some((value) => value !== '') ? html` open` : html``;
  return html`<details${opened}>
<summary>${m.filter}</summary>
<form class="filter" method="get" action="/admin/events" role="search">
${input('person', 'text')}
${input('application', 'text')}
<div><label for="kind">${m.kind}</label><select id="kind" name="kind"><option value="">${m.anyKind}</option>${options}</select></div>
<div><label class="choice-line"><input type="checkbox" name="failures" value="yes"${filter.failures === '' ? html`` : html` checked`}> ${m.failures}</label></div>
${input('since', 'date')}
${input('until', 'date')}
${input('reference', 'text')}
<div class="actions"><button type="submit">${m.show}</button> <a href="/admin/events">${m.clear}</a></div>
</form>
</details>`;
}

function eventItem(frame: AccountFrame, page: EventsPage, event: ShownEvent): Html {
  const { admin, dates } = frame.messages;
  const m = admin.events;
  const { userId, clientId } = event;
  const person =
    userId !== undefined && html`<a href="/admin/people/${userId}">${page.names.users.get(userId) ?? userId}</a>`;
  const app =
    clientId !== undefined &&
    html`<a href="/admin/applications/${clientId}">${page.names.clients.get(clientId) ?? clientId}</a>`;
  const explanation = explanationOf(frame.messages, event);
  const from = event.address === '' ? '' : m.from(event.address);
  return html`<li id="${event.id}">
<p class="event-line"><strong>${admin.kinds[event.kind] ?? event.kind}</strong> ${person} ${app}</p>
${explanation !== undefined && html`<p>${explanation}</p>`}
${event.mismatch !== undefined && mismatch(frame, event.mismatch)}
${event.hasAccess !== undefined && refusedAccess(frame, event)}
${details(frame, event)}
<span class="quiet">${time(dates.moment(event.at), event.at)} ${actor(frame, page, event)} ${from} <code>${event.requestId}</code></span>
</li>`;
}

function refusedAccess(frame: AccountFrame, { clientId = '', userId = '', hasAccess }: ShownEvent): Html {
  const m = frame.messages.admin.events;
  if (hasAccess) return html`<p>${m.hasAccess}</p>`;
  return action(frame, `/admin/applications/${clientId}/access/allow`, m.allow, 'plain', { person: userId });
}

function actor(frame: AccountFrame, page: EventsPage, event: ShownEvent): Html | undefined {
  const m = frame.messages.admin.events;
  if (event.actor === undefined) return undefined;
  const { kind, id } = event.actor;
  if (kind === 'api_key') return html`${m.by} ${m.apiKey(page.names.apiKeys.get(id) ?? id)}`;
  return html`${m.by} <a href="/admin/people/${id}">${page.names.users.get(id) ?? id}</a>`;
}

/** The details of the event that have a label. */
function details(frame: AccountFrame, event: EventRecord): Html | undefined {
  const labels = frame.messages.admin.events.details;
  const known = Object.entries(event.detail ?? {}).filter(([name]) => labels[name] !== undefined);
  if (known.length === 0) return undefined;
  const rows = known.map(
    ([name, value]) => html`<div><dt>${labels[name]}</dt><dd>${[value].flat().join(', ')}</dd></div>`,
  );
  return html`<dl class="difference">${rows}</dl>`;
}

/** Why something failed and what to do about it; undefined when there is nothing to explain. */
export function explanationOf(messages: Messages, event: EventRecord): string | undefined {
  const known = messages.admin.reasons[event.kind];
  const { reason, reasons = reason, description, requested_client: requested } = event.detail ?? {};
  if (known === undefined || reasons === undefined) return undefined;
  const sentences = [reasons].flat().map((each) => known[String(each)] ?? String(description ?? each));
  return [...sentences, ...(typeof requested === 'string' ? [messages.admin.events.requested(requested)] : [])].join(
    ' ',
  );
}

const uriPaths = { redirectUris: 'redirect-uris', postLogoutRedirectUris: 'post-logout-redirect-uris' } as const;

function mismatch(frame: AccountFrame, found: RedirectMismatch): Html {
  const m = frame.messages.admin.events;
  const { difference, state } = found;
  const line = (differing: string) =>
    difference && html`<code>${difference.before}<mark>${differing}</mark>${difference.after}</code>`;
  return html`<dl class="difference">
<div><dt>${m.received}</dt><dd>${found.received === '' ? m.nothingReceived : (line(difference?.received ?? '') ?? html`<code>${found.received}</code>`)}</dd></div>
${difference !== undefined && html`<div><dt>${m.registered}</dt><dd>${line(difference.registered)}</dd></div>`}
</dl>
${difference !== undefined && html`<p class="quiet">${m.difference}</p>`}
${state === 'registered' && html`<p>${m.isRegistered}</p>`}
${typeof state === 'object' && html`<p>${m.cannotRegister(state.problem)}</p>`}
${state === 'can_be_registered' && html`<form method="post" action="/admin/applications/${found.clientId}/${uriPaths[found.list]}">${formToken(frame)}${hidden('uri', found.received)}<button type="submit">${m.register}</button></form>`}`;
}
