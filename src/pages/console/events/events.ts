// The console's events: one line for each, with the names of what it mentions, which expands to why something failed.

import type { RedirectMismatch } from '../../../protocol/admin/redirect-mismatch.ts';
import type { Actor, EventRecord } from '../../../protocol/event.ts';
import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, type Column, fact } from '../../components/display.ts';
import { icon } from '../../components/icon.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime, momentTime } from '../../layout/time.ts';
import { action, consoleLayout, denseList, linkedName } from '../console-layout.ts';
import { downloadMenu, type ListPlace, listPager, listUrl } from '../lists.ts';
import { type EventsFilter, eventFilter, type FilterView } from './event-filter.ts';
import { aboutOf, detailsOf, explanationOf } from './event-words.ts';

export interface ShownEvent extends EventRecord {
  readonly failed: boolean;
  readonly mismatch: RedirectMismatch | undefined;
  /** For someone who was refused access. */
  readonly hasAccess?: boolean | undefined;
}

export interface EventRows {
  readonly events: readonly ShownEvent[];
  /** By ID. A person without a name is deleted; another ID is shown as it is when its name is missing. */
  readonly names: {
    readonly users: ReadonlyMap<string, string>;
    readonly clients: ReadonlyMap<string, string>;
    readonly apiKeys: ReadonlyMap<string, string>;
  };
  readonly now: number;
  /** All are about one application, and have no IP address. */
  readonly ofOne?: true;
}

export interface EventsPage extends Omit<FilterView, 'names'>, PageResult, Omit<EventRows, 'events'> {
  /** Undefined when the filter doesn't say clearly which ones to list. */
  readonly events: readonly ShownEvent[] | undefined;
  readonly filtered: FilterView['names'];
  readonly place: ListPlace;
}

const path = '/admin/events';

export function eventsPage(frame: AccountFrame, page: EventsPage): string {
  const { events } = page;
  const body = html`
${eventFilter(frame, { ...page, names: page.filtered })}
${events && eventTable(frame, { ...page, events }, sortByTime(page.filter))}
${listPager(frame, path, { ...page.filter }, page.place)}`;
  return consoleLayout(frame, {
    section: 'events',
    actions: events && downloadMenu(frame, path, { ...page.filter }),
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

export function eventTable(frame: AccountFrame, page: EventRows, sort?: Column<ShownEvent>['sort']): Html {
  const { messages } = frame;
  const { events } = page;
  const { events: m, kinds } = messages.admin;
  const { column } = m;
  // A single event is shown with its details, as by the link of an error page's reference.
  const open = events.length === 1 && html` open`;
  return denseList<ShownEvent>({
    caption: messages.admin.sections.events,
    rows: events,
    rowId: ({ id }) => id,
    compact: 'cut',
    columns: [
      {
        label: column.what,
        kind: 'wide',
        cell: (event) => {
          const about = aboutOf(messages, event);
          return html`<details${open}><summary>${kinds[event.kind]}</summary></details>${event.failed && html` ${failureMark(frame, event)}`}${about !== undefined && html` <span class="quiet second">${about}</span>`}`;
        },
      },
      { label: column.who, kind: 'roomy', cell: (event) => who(frame, page, event) },
      ...(page.ofOne ? [] : placeColumns(frame, page)),
      {
        label: column.time,
        kind: 'end',
        phone: 'first',
        sort,
        cell: ({ at }) => agoTime(messages, at, page.now),
      },
    ],
    details: (event) => explained(frame, page, event),
    none: { icon: 'clock', title: m.none },
  });
}

function placeColumns(frame: AccountFrame, { names }: EventRows): Column<ShownEvent>[] {
  const { column } = frame.messages.admin.events;
  return [
    {
      label: column.application,
      cell: ({ clientId }) =>
        clientId && linkedName(frame, `/admin/applications/${clientId}`, names.clients.get(clientId) ?? clientId),
    },
    { label: column.address, phone: 'hidden', cell: ({ address }) => address },
  ];
}

/** In words only where the name of the event doesn't say it. */
function failureMark(frame: AccountFrame, { kind }: ShownEvent): Html {
  const saysIt = /_(failed|refused|given_up)$/.test(kind);
  if (saysIt) return html`<span class="failure-mark">${icon('x-circle', 'small')}</span>`;
  return badge(frame.messages.admin.events.failed, 'danger', 'x-circle');
}

function sortByTime(filter: EventsFilter): Column<ShownEvent>['sort'] {
  const oldestFirst = filter.sort === 'at';
  return {
    href: listUrl(path, { ...filter, sort: oldestFirst ? '' : 'at' }),
    now: oldestFirst ? 'ascending' : 'descending',
  };
}

/** Whom the event is about, and who did it if that was another person. */
function who(frame: AccountFrame, page: EventRows, event: ShownEvent): Html | undefined {
  const { userId, actor, detail } = event;
  const email = typeof detail?.email === 'string' ? html`${detail.email}` : undefined;
  const subject = userId === undefined ? email : personLink(frame, page, userId);
  if (subject === undefined || actor === undefined) return subject ?? actorOf(frame, page, event);
  const { deletedPerson } = frame.messages.admin.makers;
  const name =
    actor.kind === 'administrator' ? (page.names.users.get(actor.id) ?? deletedPerson) : programOf(frame, page, actor);
  return html`${subject} <span class="quiet">${frame.messages.admin.events.byActor(name)}</span>`;
}

function programOf(frame: AccountFrame, { names }: EventRows, { kind, id }: Actor): string {
  const m = frame.messages.admin.events;
  return kind === 'scim_token' ? m.directory : m.apiKey(names.apiKeys.get(id) ?? id);
}

function personLink(frame: AccountFrame, { names }: EventRows, id: string): Html {
  const name = names.users.get(id);
  if (name !== undefined) return linkedName(frame, `/admin/people/${personSegment(id)}`, name);
  const { deletedPerson } = frame.messages.admin.makers;
  if (!allows(frame, 'GET', path)) return html`<span title="${id}">${deletedPerson}</span>`;
  return html`<a href="${listUrl(path, { person: id })}" title="${id}">${deletedPerson}</a>`;
}

function explained(frame: AccountFrame, page: EventRows, event: ShownEvent): Html {
  const m = frame.messages.admin.events;
  const actor = actorOf(frame, page, event);
  const facts = [
    ...detailsOf(frame.messages, event.detail).map(({ label, value, isCode }) =>
      fact(label, isCode ? html`<code>${value}</code>` : value),
    ),
    ...(actor === undefined ? [] : [fact(m.by, actor)]),
    fact(m.column.time, momentTime(frame.messages, event.at)),
    ...(event.requestId === '' ? [] : [fact(m.reference, html`<code>${event.requestId}</code>`)]),
    ...(event.traceId === undefined ? [] : [fact(m.trace, html`<code>${event.traceId}</code>`)]),
  ];
  return html`${whatToDo(frame, event)}
<dl class="facts">${facts}</dl>`;
}

/** Why something failed, and what can be done about it right here. */
export function whatToDo(frame: AccountFrame, event: ShownEvent): Html {
  const explanation = explanationOf(frame.messages, event);
  return html`${explanation !== undefined && html`<p>${explanation}</p>`}
${event.mismatch !== undefined && mismatch(frame, event.mismatch)}
${event.hasAccess !== undefined && refusedAccess(frame, event)}`;
}

function refusedAccess(frame: AccountFrame, { clientId = '', userId = '', hasAccess }: ShownEvent): Html {
  const m = frame.messages.admin.events;
  if (hasAccess) return html`<p>${m.hasAccess}</p>`;
  return action(frame, `/admin/applications/${clientId}/access/allow`, m.allow, { fields: { person: userId } });
}

function actorOf(frame: AccountFrame, page: EventRows, { actor }: ShownEvent): Html | undefined {
  if (actor === undefined) return undefined;
  if (actor.kind === 'administrator') return personLink(frame, page, actor.id);
  return html`${programOf(frame, page, actor)}`;
}

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
${state === 'can_be_registered' && postForm(frame, `/admin/applications/${found.clientId}/${found.path}`, button({ label: m.register, small: true, asks: true }), { uri: found.received })}`;
}
