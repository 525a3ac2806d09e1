// The parts of a person's page about what they are in, what that opens to them, and the devices they use, with what ends when.

import type { AccountFrame } from '../../account/account-layout.ts';
import { card, table } from '../../components/display.ts';
import { deviceInWords } from '../../layout/device.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime, sentenceWith } from '../../layout/time.ts';
import { agoOrNever, askLink, briefTime, linkedName } from '../console-layout.ts';
import { endColumns } from '../ends.ts';

interface Moment {
  readonly now: number;
}

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly listedUntil: number | null;
}

export function groupsCard(frame: AccountFrame, { groups, now }: Moment & { readonly groups: readonly ShownGroup[] }) {
  const { people: m, sections, groups: words } = frame.messages.admin;
  const list = table<ShownGroup>({
    caption: sections.groups,
    rows: groups,
    compact: 'wrap',
    columns: [
      {
        label: words.fields.name.label,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/groups/${id}`, name),
      },
      ...endColumns(frame, groups, ({ listedUntil }) => listedUntil, now),
    ],
  });
  return card({
    title: sections.groups,
    body: groups.length === 0 ? html`<p class="quiet">${m.noGroups}</p>` : list,
  });
}

/** An application that they can use, or that they've connected. */
export interface ShownApp {
  readonly id: string;
  readonly name: string;
  /** Whether everyone can use it; otherwise the groups by which they can, undefined being their own place on the list. */
  readonly access: 'everyone' | readonly (string | undefined)[];
  /** When their access ends; null for never. */
  readonly until: number | null;
  /** Null if they haven't. */
  readonly connectedAt: number | null;
}

export function appsCard(frame: AccountFrame, { apps, now }: Moment & { readonly apps: readonly ShownApp[] }): Html {
  const { messages } = frame;
  const m = messages.admin.people;
  const accessOf = ({ access }: ShownApp) => {
    if (access === 'everyone') return m.appAccess.everyone;
    if (access.length === 0) return m.appAccess.none;
    return messages.list(access.map((group) => (group === undefined ? m.appAccess.listed : m.appAccess.group(group))));
  };
  const list = table<ShownApp>({
    caption: m.apps,
    rows: apps,
    compact: 'wrap',
    columns: [
      {
        label: messages.admin.applications.column.name,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/applications/${id}`, name),
      },
      { label: m.appAccess.label, cell: accessOf },
      ...endColumns(frame, apps, ({ until }) => until, now),
      {
        label: m.connectedAt,
        cell: ({ connectedAt }) => agoOrNever(frame, connectedAt, now),
        brief: ({ connectedAt }) => briefTime(frame, connectedAt, now, messages.admin.brief.connected),
      },
    ],
  });
  return card({
    title: m.apps,
    lead: m.appsLead,
    body: apps.length === 0 ? html`<p class="quiet">${m.noApps}</p>` : list,
  });
}

export interface ShownDevices {
  readonly sessions: readonly {
    readonly device: string | null;
    readonly address: string | null;
    readonly lastSeenAt: number;
  }[];
  /** The browsers in which they aren't asked for a second factor. */
  readonly trusted: readonly {
    readonly device: string | null;
    readonly lastSeenAt: number;
    readonly trustedUntil: number;
  }[];
}

export function devicesCard(frame: AccountFrame, page: Moment & ShownDevices, path: string): Html {
  const { messages } = frame;
  const m = messages.admin.people;
  const ago = (at: number) => agoTime(messages, at, page.now);
  const sessions = table<ShownDevices['sessions'][number]>({
    caption: m.sessions,
    rows: page.sessions,
    compact: 'wrap',
    columns: [
      { label: m.device, kind: 'wide', cell: ({ device }) => html`<span>${deviceInWords(messages, device)}</span>` },
      { label: m.address, cell: ({ address }) => address ?? '' },
      { label: m.lastSeen, kind: 'end', phone: 'first', cell: ({ lastSeenAt }) => ago(lastSeenAt) },
    ],
  });
  const trusted = table<ShownDevices['trusted'][number]>({
    caption: m.trusted,
    rows: page.trusted,
    compact: 'wrap',
    columns: [
      { label: m.device, kind: 'wide', cell: ({ device }) => html`<span>${deviceInWords(messages, device)}</span>` },
      { label: m.lastSeen, phone: 'first', cell: ({ lastSeenAt }) => ago(lastSeenAt) },
      {
        label: m.trustedUntil,
        cell: ({ trustedUntil }) => ago(trustedUntil),
        brief: ({ trustedUntil }) => sentenceWith(ago(trustedUntil), messages.admin.brief.trusted),
      },
    ],
  });
  const end = askLink(frame, { label: m.endSessions, href: `${path}/end-sessions` });
  return card({
    title: m.devices,
    body: html`<h3>${m.sessions}</h3>
${page.sessions.length === 0 ? html`<p class="quiet">${m.noSessions}</p>` : sessions}
${page.trusted.length > 0 && html`<h3>${m.trusted}</h3><p class="hint">${m.trustedHint}</p>${trusted}`}`,
    actions: page.sessions.length === 0 || end.text === '' ? undefined : end,
  });
}
