// The page about what a person did last, and what was done to them.

import type { AccountFrame } from '../../account/account-layout.ts';
import { html } from '../../layout/html.ts';
import { pageLink } from '../console-layout.ts';
import { type EventRows, eventTable } from '../events/events.ts';
import { type PersonTabPage, personLayout } from './person-layout.ts';

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
