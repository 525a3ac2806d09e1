// The page about how a person signs in, how to help them back in, and what they can do in administration.

import type { Role } from '../../../protocol/admin/rights.ts';
import { type AccountFrame, allows } from '../../account/account-layout.ts';
import { badge, card, fact, table } from '../../components/display.ts';
import { deviceInWords } from '../../layout/device.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime, sentenceWith } from '../../layout/time.ts';
import { action, agoOrNever, askLink } from '../console-layout.ts';
import { linkedIdentities, type ShownIdentity } from '../upstreams/list.ts';
import { type PersonTabPage, personLayout, personPath } from './person-layout.ts';
import { rolesCard } from './roles.ts';

export interface UserSecurityPage extends PersonTabPage {
  readonly lastSignInAt: number | null;
  readonly breachedSince: number | null;
  readonly authenticator: boolean;
  readonly passkeys: number;
  /** Authenticator apps and passkeys that are out of use since a password reset, until the person decides. */
  readonly pausedFactors: number;
  /** Undefined while there are neither identity providers nor identities. */
  readonly identities: readonly ShownIdentity[] | undefined;
  /** Undefined for those who may not see them. */
  readonly devices: ShownDevices | undefined;
  /** Whether the person who looks at the page can give and remove roles. */
  readonly canChangeRoles: boolean;
  /** Those that were ticked in their form, when it was refused. */
  readonly ticked?: readonly Role[] | undefined;
  readonly canSendEmail: boolean;
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

export function userSecurityPage(frame: AccountFrame, page: UserSecurityPage): string {
  const { person, identities, devices, now } = page;
  const path = personPath(person.id);
  const canRecover = person.standing === 'active' && allows(frame, 'POST', `${path}/recovery-link`);
  const body = html`
${signInCard(frame, page)}
${identities && linkedIdentities(frame, { name: person.name, path }, identities, now)}
${devices && devicesCard(frame, devices, path, now)}
${canRecover && recovery(frame, page, path)}
${page.canChangeRoles && person.standing !== 'waiting' && rolesCard(frame, path, { roles: person.roles, ticked: page.ticked })}`;
  return personLayout(frame, 'security', page, body);
}

function factorsOf(frame: AccountFrame, page: UserSecurityPage): string[] {
  const m = frame.messages.admin.people;
  return [
    ...(page.authenticator ? [m.authenticator] : []),
    ...(page.passkeys > 0 ? [m.passkeys(page.passkeys)] : []),
    ...(page.pausedFactors > 0 ? [m.pausedFactors(page.pausedFactors)] : []),
  ];
}

function signInCard(frame: AccountFrame, page: UserSecurityPage): Html {
  const { messages } = frame;
  const { people: m, person: words } = messages.admin;
  const factors = factorsOf(frame, page);
  const { breachedSince, now } = page;
  return card({
    title: words.signIn,
    body: html`<dl class="facts">
${fact(m.lastSignIn, agoOrNever(frame, page.lastSignInAt, now))}
${fact(m.secondFactors, factors.length === 0 ? m.off : messages.list(factors))}
${breachedSince !== null && html`<div><dt>${m.password}</dt><dd class="fact-line">${badge(m.breached, 'warning')} ${agoTime(messages, breachedSince, now)}</dd></div>`}
</dl>`,
  });
}

function devicesCard(frame: AccountFrame, page: ShownDevices, path: string, now: number): Html {
  const { messages } = frame;
  const m = messages.admin.people;
  const ago = (at: number) => agoTime(messages, at, now);
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

function recovery(frame: AccountFrame, page: UserSecurityPage, path: string): Html {
  const m = frame.messages.admin.people;
  const removeFactors = askLink(frame, { label: m.removeFactors, href: `${path}/remove-second-factors`, danger: true });
  const link = askLink(frame, { label: m.recoveryLink, href: `${path}/recovery-link` });
  return card({
    title: m.recovery,
    lead: page.canSendEmail ? m.recoveryHint : m.noEmail,
    actions: html`${page.canSendEmail && action(frame, `${path}/send-reset`, m.sendReset)}${link}${factorsOf(frame, page).length > 0 && removeFactors}`,
  });
}
