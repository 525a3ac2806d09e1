// What every page about one application has in common: its name, its state, and the tabs to the others.

import { type AccountFrame, allows, type PageResult } from '../../account/account-layout.ts';
import { tabs } from '../../components/controls.ts';
import { type Html, html } from '../../layout/html.ts';
import type { AppIdentity } from '../../layout/identity.ts';
import { consoleLayout, pageLink, stoppedBadge } from '../console-layout.ts';

const clientTabs = ['connect', 'settings', 'access', 'activity', 'claims', 'secrets', 'webhook', 'danger'] as const;
export type ClientTab = (typeof clientTabs)[number];

export interface ClientHead {
  readonly id: string;
  readonly app: AppIdentity;
  readonly revokedAt: number | null;
}

/** A page of an application, and what was just done on it. */
export interface ClientTabPage extends PageResult {
  readonly client: ClientHead;
}

export function clientPath(id: string, tab: ClientTab = 'connect'): string {
  return tab === 'connect' ? `/admin/applications/${id}` : `/admin/applications/${id}/${tab}`;
}

/** One of its tabs. Those that someone can't open aren't there. */
export function clientLayout(frame: AccountFrame, tab: ClientTab, page: ClientTabPage, body: Html): string {
  const { admin } = frame.messages;
  const m = admin.applications;
  const { id, app, revokedAt } = page.client;
  // Those who see events of all applications have a list with filters.
  const seesAllEvents = allows(frame, 'GET', '/admin/events');
  const activity = clientPath(id, 'activity');
  const links = clientTabs
    .map((each) => ({ href: clientPath(id, each), label: m.tabs[each], current: each === tab }))
    .filter(({ href }) => allows(frame, 'GET', href) && (href !== activity || !seesAllEvents));
  return consoleLayout(frame, {
    section: allows(frame, 'GET', '/admin/applications') ? 'applications' : 'owned',
    title: app.name,
    back: 'section',
    marks: stoppedBadge(revokedAt !== null && admin.revoked),
    actions: pageLink(frame, { label: m.events, href: `/admin/events?application=${id}`, icon: 'clock' }),
    notice: page.notice,
    problem: page.problem,
    body: html`${tabs(m.tabsLabel(app.name), links)}${body}`,
  });
}
