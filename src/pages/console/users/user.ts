// The console's page about one person: who they are, what they use, and everything an administrator can do for them.

import type { Standing } from '../../../protocol/account/standing.ts';
import type { Role } from '../../../protocol/admin/rights.ts';
import type { UserValues } from '../../../protocol/resources/user.ts';
import { type AccountFrame, allows, type PageResult, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card, notice } from '../../components/display.ts';
import { type AttributeField, attributeFields } from '../../layout/attribute-fields.ts';
import { type Html, html } from '../../layout/html.ts';
import { pictureHost, portrait } from '../../layout/identity.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime, momentTime } from '../../layout/time.ts';
import {
  action,
  agoOrNever,
  askedAction,
  askLink,
  consoleLayout,
  dangerousAction,
  dangerZone,
  pageLink,
} from '../console-layout.ts';
import { endField, standingMarks } from '../ends.ts';
import { managedBadge } from '../managed.ts';
import { linkedIdentities, type ShownIdentity } from '../upstreams/list.ts';
import { roleBadges, rolesCard } from './roles.ts';
import { appsCard, devicesCard, groupsCard, type ShownApp, type ShownDevices, type ShownGroup } from './user-access.ts';
import { withOwner } from './user-questions.ts';
import { waitingCard } from './waiting.ts';

type ShownFields =
  | 'id'
  | 'name'
  | 'email'
  | 'emailVerified'
  | 'roles'
  | 'managedBy'
  | 'expiresAt'
  | 'createdAt'
  | 'breachedSince';

export interface UserPage extends PageResult, Pick<UserValues, ShownFields> {
  /** Undefined for those who may not see them. */
  readonly devices: ShownDevices | undefined;
  readonly isYou: boolean;
  /** Those that were ticked in their form, when it was refused. */
  readonly ticked?: readonly Role[] | undefined;
  /** Whether the person who looks at the page can give and remove roles. */
  readonly canChangeRoles: boolean;
  /** Whether it decides their names and email address. */
  readonly isOwned: boolean;
  readonly standing: Standing;
  /** When access ends, for the form; or what was entered there and refused. */
  readonly end: string;
  readonly lastSignInAt: number | null;
  readonly authenticator: boolean;
  readonly passkeys: number;
  /** Authenticator apps and passkeys that are out of use since a password reset, until the person decides. */
  readonly pausedFactors: number;
  readonly groups: readonly ShownGroup[];
  readonly apps: readonly ShownApp[];
  /** Undefined while there are neither identity providers nor identities. */
  readonly identities: readonly ShownIdentity[] | undefined;
  readonly attributes: readonly AttributeField[];
  /** Its URL, as applications get it. */
  readonly picture: string | null;
  readonly canSendEmail: boolean;
  /** Names that are also another person's. */
  readonly sharedNames: readonly string[];
  readonly now: number;
}

export function userPage(frame: AccountFrame, page: UserPage): string {
  const m = frame.messages.admin.people;
  const path = `/admin/people/${personSegment(page.id)}`;
  const marks = html`${standingMarks(frame, page, page.now)}${roleBadges(frame, page.roles)}${managedBadge(frame, page.managedBy)}${page.isYou && badge(m.you)}`;
  const body = html`
${page.sharedNames.map((text) => notice(m.sharedName(text), 'warning'))}
${page.standing === 'waiting' && waitingCard(frame, page.id)}
${profile(frame, page, path)}
${groupsCard(frame, page)}
${appsCard(frame, page)}
${page.attributes.length > 0 && attributes(frame, page, path)}
${page.identities && linkedIdentities(frame, { name: page.name, path }, page.identities, page.now)}
${page.devices && devicesCard(frame, { ...page.devices, now: page.now }, path)}
${page.canChangeRoles && page.standing !== 'waiting' && rolesCard(frame, path, page)}
${endForm(frame, page, path)}
${page.standing === 'active' && allows(frame, 'POST', `${path}/recovery-link`) && recovery(frame, page, path)}
${dangerZone(frame, dangers(frame, page, path))}`;
  return consoleLayout(frame, {
    section: 'people',
    title: page.name,
    back: 'section',
    marks,
    actions: html`${pageLink(frame, { label: m.events, href: `/admin/events?person=${encodeURIComponent(page.id)}`, icon: 'clock' })}${!page.isOwned && pageLink(frame, { label: m.edit, href: `${path}/edit`, icon: 'pencil' })}`,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function factorsOf(frame: AccountFrame, page: UserPage): string[] {
  const m = frame.messages.admin.people;
  return [
    ...(page.authenticator ? [m.authenticator] : []),
    ...(page.passkeys > 0 ? [m.passkeys(page.passkeys)] : []),
    ...(page.pausedFactors > 0 ? [m.pausedFactors(page.pausedFactors)] : []),
  ];
}

function profile(frame: AccountFrame, page: UserPage, path: string): Html {
  const { messages } = frame;
  const { admin } = messages;
  const { people: m, managed } = admin;
  const ago = (at: number) => agoTime(messages, at, page.now);
  const factors = factorsOf(frame, page);
  const verify = askLink(frame, { label: m.verify, href: `${path}/verify-email`, small: true });
  return card({
    title: m.profile,
    body: html`<dl class="facts">
<div><dt>${m.email}</dt><dd class="fact-line">${page.email} ${page.emailVerified ? badge(m.verified, 'good') : html`${badge(m.unverified, 'warning')} ${verify}`}</dd></div>
<div><dt>${m.id}</dt><dd><code>${page.id}</code></dd></div>
${page.picture !== null && html`<div><dt>${m.picture}</dt><dd>${portrait(page.picture, 40) ?? pictureHost(page.picture)}</dd></div>`}
${page.managedBy !== null && html`<div><dt>${managed.managedBy}</dt><dd>${page.managedBy}<div class="quiet">${page.isOwned ? managed.person : managed.personWithRole}</div></dd></div>`}
<div><dt>${m.lastSignIn}</dt><dd>${agoOrNever(frame, page.lastSignInAt, page.now)}</dd></div>
<div><dt>${admin.roles.title}</dt><dd>${page.roles.length === 0 ? m.noRoles : messages.list(page.roles.map((role) => admin.roles.names[role]))}</dd></div>
<div><dt>${m.secondFactors}</dt><dd>${factors.length === 0 ? m.off : messages.list(factors)}</dd></div>
${page.breachedSince !== null && html`<div><dt>${m.password}</dt><dd class="fact-line">${badge(m.breached, 'warning')} ${ago(page.breachedSince)}</dd></div>`}
<div><dt>${admin.ends.ends}</dt><dd>${page.expiresAt === null ? admin.never : momentTime(messages, page.expiresAt)}</dd></div>
<div><dt>${admin.created}</dt><dd>${ago(page.createdAt)}</dd></div>
</dl>`,
  });
}

function endForm(frame: AccountFrame, page: UserPage, path: string): Html {
  const m = frame.messages.admin.ends;
  const content = card({
    title: m.title,
    lead: m.lead,
    body: endField(frame.messages, { value: page.end, current: page.expiresAt }),
    actions: button({ label: m.save }),
  });
  return postForm(frame, `${path}/end`, content);
}

function attributes(frame: AccountFrame, page: UserPage, path: string): Html {
  const m = frame.messages.admin.attributes;
  const content = card({
    title: m.section,
    body: attributeFields(frame.messages, page.attributes),
    actions: button({ label: m.saveValues }),
  });
  return valuesForm(frame, `${path}/attributes`, content);
}

function recovery(frame: AccountFrame, page: UserPage, path: string): Html {
  const m = frame.messages.admin.people;
  const removeFactors = askLink(frame, { label: m.removeFactors, href: `${path}/remove-second-factors`, danger: true });
  const link = askLink(frame, { label: m.recoveryLink, href: `${path}/recovery-link` });
  return card({
    title: m.recovery,
    lead: page.canSendEmail ? m.recoveryHint : m.noEmail,
    actions: html`${page.canSendEmail && action(frame, `${path}/send-reset`, m.sendReset)}${link}${factorsOf(frame, page).length > 0 && removeFactors}`,
  });
}

function dangers(frame: AccountFrame, page: UserPage, path: string): Html[] {
  const { people: m, managed } = frame.messages.admin;
  const owner = page.isOwned ? page.managedBy : null;
  const disabling =
    page.standing === 'disabled'
      ? dangerousAction(withOwner(m.enableHint, owner, managed.enable), action(frame, `${path}/enable`, m.enable))
      : askedAction(frame, withOwner(m.disableHint, owner, managed.disable), {
          label: m.disable,
          href: `${path}/disable`,
        });
  const last = askedAction(frame, withOwner(m.deleteHint, owner, managed.delete), {
    label: m.delete,
    href: `${path}/delete`,
  });
  // If access has ended, a later end restores it; people who wait need approval.
  return page.standing === 'active' || page.standing === 'disabled' ? [disabling, last] : [last];
}
