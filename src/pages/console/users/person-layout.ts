// What every page about one person has in common: their name, their standing, and the tabs to the others.

import type { UserValues } from '../../../protocol/resources/user.ts';
import { type AccountFrame, allows, type PageResult } from '../../account/account-layout.ts';
import { tabs } from '../../components/controls.ts';
import { badge } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { consoleLayout, pageLink } from '../console-layout.ts';
import { type ShownStanding, standingMarks } from '../ends.ts';
import { managedBadge } from '../managed.ts';
import { roleBadges } from './roles.ts';

const personTabs = ['profile', 'access', 'security', 'activity', 'danger'] as const;
export type PersonTab = (typeof personTabs)[number];

export interface PersonHead
  extends ShownStanding,
    Pick<UserValues, 'id' | 'name' | 'email' | 'roles' | 'managedBy' | 'createdAt'> {
  readonly isYou: boolean;
  /** Whether their directory decides their names and email address. */
  readonly isOwned: boolean;
}

/** A page of a person, and what was just done on it. */
export interface PersonTabPage extends PageResult {
  readonly person: PersonHead;
  readonly now: number;
}

export function personPath(id: string, tab: PersonTab = 'profile'): string {
  const path = `/admin/people/${personSegment(id)}`;
  return tab === 'profile' ? path : `${path}/${tab}`;
}

/** One of the tabs. Those that the reader can't open aren't there. */
export function personLayout(frame: AccountFrame, tab: PersonTab, page: PersonTabPage, body: Html): string {
  const { people: m, person: words } = frame.messages.admin;
  const { person, now } = page;
  const links = personTabs
    .map((each) => ({ href: personPath(person.id, each), label: words.tabs[each], current: each === tab }))
    .filter(({ href }) => allows(frame, 'GET', href));
  return consoleLayout(frame, {
    section: 'people',
    title: person.name,
    back: 'section',
    marks: html`${standingMarks(frame, person, now)}${roleBadges(frame, person.roles)}${managedBadge(frame, person.managedBy)}${person.isYou && badge(m.you)}`,
    actions: person.isOwned
      ? undefined
      : pageLink(frame, { label: m.edit, href: `${personPath(person.id)}/edit`, icon: 'pencil' }),
    notice: page.notice,
    problem: page.problem,
    body: html`${tabs(words.tabsLabel(person.name), links)}${body}`,
  });
}
