// Owners in the console: who owns an application, and for owners, their applications and what happens in them.

import type { Total } from '../../../protocol/admin/totals.ts';
import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button, chips } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { checkbox, textArea } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { personSegment } from '../../layout/person-path.ts';
import { accessRequestsPath } from '../access-requests/access-requests.ts';
import { consoleLayout, denseList, linkedName, pageLink, stoppedBadge } from '../console-layout.ts';
import { type EventRows, eventTable } from '../events/events.ts';
import { type ListPlace, listPager, listUrl } from '../lists.ts';
import { type ClientTabPage, clientLayout, clientPath } from './client-layout.ts';

export interface OwnersCard {
  readonly people: readonly { readonly id: string; readonly name: string; readonly email: string }[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  /** Whether people without access can ask for it. */
  readonly asking: boolean;
  /** What was sent, one in a line, when it was refused. */
  readonly sent?: { readonly people: string; readonly groups: string; readonly asking: boolean } | undefined;
}

export function ownersCard(frame: AccountFrame, clientId: string, { people, groups, asking, sent }: OwnersCard): Html {
  const m = frame.messages.admin.owners;
  const post = `${clientPath(clientId)}/owners`;
  const names = [
    ...people.map(({ id, name }) => linkedName(frame, `/admin/people/${personSegment(id)}`, name)),
    ...groups.map(({ id, name }) => linkedName(frame, `/admin/groups/${id}`, name)),
  ];
  const owners =
    names.length === 0
      ? html`<p class="quiet">${m.none}</p>`
      : html`<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`;
  const list = html`${owners}<p class="quiet">${asking ? m.asking : m.notAsking}</p>`;
  if (!allows(frame, 'POST', post)) return card({ title: m.title, lead: m.lead, body: list });
  const lines = (texts: readonly string[]) => texts.join('\n');
  const form = html`${textArea({
    name: 'people',
    idPrefix: 'owners-',
    label: m.people,
    hint: m.peopleHint,
    value: sent?.people ?? lines(people.map(({ email }) => email)),
    rows: 3,
    optional: true,
  })}
${textArea({
  name: 'groups',
  idPrefix: 'owners-',
  label: m.groups,
  hint: m.groupsHint,
  value: sent?.groups ?? lines(groups.map(({ name }) => name)),
  rows: 2,
  optional: true,
})}
${checkbox({ name: 'access_requests', label: m.letAsk, checked: sent?.asking ?? asking, value: 'on' })}
<p class="dependent hint seen">${m.letAskHint}</p>
${button({ label: m.save })}`;
  const change = html`<details class="more"${sent !== undefined && html` open`}><summary>${m.change}</summary>${postForm(frame, post, form)}</details>`;
  return card({ title: m.title, lead: m.lead, body: html`${list}${change}` });
}

export interface OwnedApplicationsPage extends PageResult {
  readonly clients: readonly {
    readonly id: string;
    readonly app: AppIdentity;
    readonly revoked: boolean;
    readonly access: 'everyone' | 'listed';
    readonly people: Total;
  }[];
}

export function ownedApplicationsPage(frame: AccountFrame, page: OwnedApplicationsPage): string {
  const { owners: m, access, sections, revoked, applications } = frame.messages.admin;
  const body = html`<p>${m.yourLead}</p>
${denseList<OwnedApplicationsPage['clients'][number]>({
  caption: sections.owned,
  rows: page.clients,
  compact: 'wrap',
  columns: [
    {
      label: applications.column.name,
      kind: 'wide',
      cell: (client) =>
        html`<span class="named">${appIcon(client.app)}<a href="${clientPath(client.id, 'access')}">${client.app.name}</a>${stoppedBadge(client.revoked && revoked)}</span>`,
    },
    {
      label: access.access,
      phone: 'hidden',
      cell: (client) => (client.access === 'everyone' ? access.openToEveryone : access.onlyListed),
    },
    {
      label: sections.people,
      cell: ({ people, ...client }) =>
        client.access === 'everyone' ? access.haveConnected(people) : access.canUse(people),
    },
  ],
  none: { icon: 'squares-2x2', title: m.yourNone },
})}`;
  const actions = pageLink(frame, { label: frame.messages.admin.accessRequests.title, href: accessRequestsPath });
  return consoleLayout(frame, { section: 'owned', notice: page.notice, problem: page.problem, actions, body });
}

export interface OwnedEventsPage extends ClientTabPage, EventRows {
  readonly failures: boolean;
  readonly place: ListPlace;
}

export function ownedEventsPage(frame: AccountFrame, page: OwnedEventsPage): string {
  const { admin } = frame.messages;
  const path = clientPath(page.client.id, 'activity');
  const query = { failures: page.failures ? 'yes' : undefined };
  const body = html`${chips(admin.people.filter.title, [
    {
      href: listUrl(path, { failures: page.failures ? '' : 'yes' }),
      label: admin.owners.failures,
      current: page.failures,
    },
  ])}
${eventTable(frame, { ...page, ofOne: true })}
${listPager(frame, path, query, page.place)}`;
  return clientLayout(frame, 'activity', page, body);
}
