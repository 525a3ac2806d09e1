// The first page about one person: who they are, and their attributes. And the one about what they did last.

import type { UserValues } from '../../../protocol/resources/user.ts';
import { type AccountFrame, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card, fact, notice } from '../../components/display.ts';
import { type AttributeField, attributeFields } from '../../layout/attribute-fields.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { pictureHost, portrait } from '../../layout/identity.ts';
import { agoTime, momentTime } from '../../layout/time.ts';
import { agoOrNever, askLink, pageLink } from '../console-layout.ts';
import { type EventRows, eventTable } from '../events/events.ts';
import { type PersonTabPage, personLayout, personPath } from './person-layout.ts';
import { waitingCard } from './waiting.ts';

export interface UserPage extends PersonTabPage, Pick<UserValues, 'emailVerified'> {
  readonly lastSignInAt: number | null;
  readonly lastActiveAt: number | null;
  readonly attributes: readonly AttributeField[];
  /** Its URL, as applications get it. */
  readonly picture: string | null;
  /** Names that are also another person's. */
  readonly sharedNames: readonly string[];
}

export function userPage(frame: AccountFrame, page: UserPage): string {
  const m = frame.messages.admin.people;
  const body = html`
${page.sharedNames.map((text) => notice(m.sharedName(text), 'warning'))}
${page.person.standing === 'waiting' && waitingCard(frame, page.person.id)}
${profile(frame, page)}
${page.attributes.length > 0 && attributes(frame, page)}`;
  return personLayout(frame, 'profile', page, body);
}

function profile(frame: AccountFrame, page: UserPage): Html {
  const { messages } = frame;
  const { admin } = messages;
  const { people: m, managed } = admin;
  const { person, picture, now } = page;
  const { id, email, managedBy, roles, expiresAt } = person;
  const verify = askLink(frame, { label: m.verify, href: `${personPath(id)}/verify-email`, small: true });
  const verified = page.emailVerified ? badge(m.verified, 'good') : html`${badge(m.unverified, 'warning')} ${verify}`;
  const owner = person.isOwned ? managed.person : managed.personWithRole;
  return card({
    title: m.profile,
    body: html`<dl class="facts">
<div><dt>${m.email}</dt><dd class="fact-line">${address(email)} ${verified}</dd></div>
${fact(m.id, html`<code>${id}</code>`)}
${picture !== null && fact(m.picture, portrait(picture, 40) ?? pictureHost(picture))}
${managedBy !== null && fact(managed.managedBy, html`${managedBy}<div class="quiet">${owner}</div>`)}
${fact(m.lastSignIn, agoOrNever(frame, page.lastSignInAt, now))}
${fact(m.lastActive, agoOrNever(frame, page.lastActiveAt, now))}
${fact(admin.roles.title, roles.length === 0 ? m.noRoles : messages.list(roles.map((role) => admin.roles.names[role])))}
${fact(admin.ends.ends, expiresAt === null ? admin.never : momentTime(messages, expiresAt))}
${fact(admin.created, agoTime(messages, person.createdAt, now))}
</dl>`,
  });
}

function attributes(frame: AccountFrame, page: UserPage): Html {
  const m = frame.messages.admin.attributes;
  const content = card({
    title: m.section,
    body: attributeFields(frame.messages, page.attributes),
    actions: button({ label: m.saveValues }),
  });
  return valuesForm(frame, `${personPath(page.person.id)}/attributes`, content);
}

export type UserActivityPage = PersonTabPage & EventRows;

export function userActivityPage(frame: AccountFrame, page: UserActivityPage): string {
  const m = frame.messages.admin.person;
  const href = `/admin/events?person=${encodeURIComponent(page.person.id)}`;
  const all = pageLink(frame, { label: m.allEvents, href, icon: 'clock' });
  const body = html`<h2 class="section-title">${m.recentActivity}</h2>
${eventTable(frame, page)}
<div class="actions">${all}</div>`;
  return personLayout(frame, 'activity', page, body);
}
