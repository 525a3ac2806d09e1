// The console's list of identity providers, and the part of a person's page about their identities there.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { UpstreamValues } from '../../../protocol/resources/upstream.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { card, table } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { agoTime } from '../../layout/time.ts';
import { counted } from '../../messages/counts.ts';
import {
  agoOrNever,
  askLink,
  briefTime,
  consoleLayout,
  denseList,
  linkedName,
  pageLink,
  stoppedBadge,
} from '../console-layout.ts';
import { listUrl } from '../lists.ts';

export const upstreamsPath = '/admin/providers';

export interface ListedUpstream extends Pick<UpstreamValues, 'name' | 'issuer' | 'createsAccounts' | 'disabledAt'> {
  readonly identity: AppIdentity;
  /** How many people have an identity there. */
  readonly people: Total;
}

export interface UpstreamsPage {
  readonly upstreams: readonly ListedUpstream[];
  /** Whether the documentation is served. */
  readonly docs: boolean;
  readonly notice: string | undefined;
}

export function upstreamsPage(frame: AccountFrame, page: UpstreamsPage): string {
  const { admin } = frame.messages;
  const m = admin.upstreams;
  const guide = page.docs && html` <a href="/docs/upstreams">${m.guide}</a>`;
  const list = denseList<ListedUpstream>({
    caption: admin.sections.providers,
    rows: page.upstreams,
    columns: [
      {
        label: m.column.provider,
        kind: 'wide',
        cell: ({ name, identity, disabledAt }) =>
          html`<span class="named">${appIcon(identity)}<a href="${upstreamsPath}/${name}">${identity.name}</a>${stoppedBadge(disabledAt !== null && admin.disabled)}</span>`,
      },
      { label: m.column.issuer, cell: ({ issuer }) => new URL(issuer).host },
      { label: m.column.newAccounts, cell: ({ createsAccounts }) => m.newAccounts[createsAccounts ? 'yes' : 'no'] },
      { label: m.column.people, kind: 'number', cell: ({ people }) => counted(people) },
    ],
    none: { icon: 'identification', title: m.none, text: m.noneText },
  });
  return consoleLayout(frame, {
    section: 'providers',
    actions: pageLink(frame, { label: m.new, href: `${upstreamsPath}/new`, kind: 'primary', icon: 'plus' }),
    notice: page.notice,
    body: html`<p>${m.lead}${guide}</p>${list}`,
  });
}

export interface ShownIdentity {
  /** Undefined if the identity provider was deleted. */
  readonly upstream: { readonly name: string; readonly label: string } | undefined;
  readonly subject: string;
  /** The latest email address from the identity provider. */
  readonly email: string | null;
  readonly linkedAt: number;
  readonly lastUsedAt: number | null;
}

/** The part of a person's page that is about their identities. */
export function linkedIdentities(
  frame: AccountFrame,
  person: { readonly name: string; readonly path: string },
  identities: readonly ShownIdentity[],
  now: number,
): Html {
  const m = frame.messages.admin.upstreams;
  const list = table<ShownIdentity>({
    caption: m.identities,
    rows: identities,
    compact: 'wrap',
    columns: [
      {
        label: m.identity.provider,
        kind: 'wide',
        cell: ({ upstream }) =>
          upstream === undefined
            ? html`<span>${m.deletedProvider}</span>`
            : linkedName(frame, `${upstreamsPath}/${upstream.name}`, upstream.label),
      },
      { label: m.identity.email, cell: ({ email, subject }) => email ?? html`<code>${subject}</code>` },
      {
        label: m.identity.used,
        cell: ({ lastUsedAt }) => agoOrNever(frame, lastUsedAt, now),
        brief: ({ lastUsedAt }) => briefTime(frame, lastUsedAt, now, frame.messages.admin.brief.used),
      },
      { label: m.identity.linked, phone: 'hidden', cell: ({ linkedAt }) => agoTime(frame.messages, linkedAt, now) },
      { label: m.unlink, kind: 'end', phone: 'first', cell: (identity) => unlinkButton(frame, person, identity) },
    ],
  });
  const none = html`<p class="quiet">${m.noIdentities}</p>`;
  return card({ title: m.identities, body: identities.length === 0 ? none : list });
}

function unlinkButton(
  frame: AccountFrame,
  person: { readonly name: string; readonly path: string },
  identity: ShownIdentity,
): Html | string {
  const { upstream, subject, email } = identity;
  if (upstream === undefined) return '';
  const m = frame.messages.admin.upstreams;
  return askLink(frame, {
    label: m.unlink,
    href: listUrl(`${person.path}/unlink`, { upstream: upstream.name, subject }),
    small: true,
    about: `${upstream.label} ${email ?? subject}`,
    danger: true,
  });
}
