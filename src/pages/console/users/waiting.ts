// The console's people who wait for approval: the list, the question before they're declined, and what the overview and the page of a person show.

import type { UserValues } from '../../../protocol/resources/user.ts';
import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card, emptyState } from '../../components/display.ts';
import { questionCard } from '../../layout/app-shell.ts';
import { textArea } from '../../layout/form.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime } from '../../layout/time.ts';
import { consoleLayout, pageLink } from '../console-layout.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { peopleTabs } from './user-list.ts';

export const waitingPath = '/admin/people/waiting';

/** The checkbox of a person has this before their ID. */
export const chosenPrefix = 'person_';

export type WaitingPerson = Pick<UserValues, 'id' | 'name' | 'email' | 'pendingSince'>;

export interface WaitingPage extends PageResult {
  readonly people: readonly WaitingPerson[];
  readonly place: ListPlace;
  readonly now: number;
}

export function waitingPeoplePage(frame: AccountFrame, page: WaitingPage): string {
  const m = frame.messages.admin.waiting;
  const list =
    page.people.length === 0
      ? emptyState({ icon: 'users', title: m.none })
      : waitingForm(frame, page.people, page.now, { lead: m.lead });
  const body = html`
${peopleTabs(frame, 'waiting')}
${list}
${listPager(frame, waitingPath, {}, page.place)}`;
  return consoleLayout(frame, { section: 'people', notice: page.notice, problem: page.problem, body });
}

/** The first page of the console has the first few of them. */
export function waitingOverview(
  frame: AccountFrame,
  { count, people, now }: { readonly count: number; readonly people: readonly WaitingPerson[]; readonly now: number },
): Html {
  const m = frame.messages.admin.waiting;
  const more = count > people.length ? pageLink(frame, { label: m.seeAll(count), href: waitingPath }) : undefined;
  return waitingForm(frame, people, now, { title: m.title, more });
}

/** Any number of them can be chosen, without a script. */
function waitingForm(
  frame: AccountFrame,
  people: readonly WaitingPerson[],
  now: number,
  { more, ...head }: { readonly title?: string; readonly lead?: string; readonly more?: Html | undefined },
): Html {
  const m = frame.messages.admin.waiting;
  const lines = people.map(({ id, name, email, pendingSince }) => {
    const ago = pendingSince !== null && html`<br>${agoTime(frame.messages, pendingSince, now)}`;
    const href = `/admin/people/${personSegment(id)}`;
    const spoken = frame.messages.admin.named(m.view, name);
    return html`<li>
<div>${choice(`${chosenPrefix}${id}`, html`${name} <span class="quiet">${address(email)}${ago}</span>`)}</div>
${pageLink(frame, { label: m.view, href, small: true, spoken })}
</li>`;
  });
  const content = card({
    ...head,
    body: html`<ul class="things">${lines}</ul>${people.length > 1 && choice('all', m.all)}`,
    actions: html`${decisions(frame)}${more}`,
  });
  return postForm(frame, waitingPath, content, { listed: people.map(({ id }) => id).join(' ') });
}

function choice(name: string, label: Html | string): Html {
  return html`<label class="choice-line"><input type="checkbox" name="${name}" value="yes"><span>${label}</span></label>`;
}

function decisions(frame: AccountFrame): Html {
  const m = frame.messages.admin.waiting;
  const approve = button({ label: m.approve, kind: 'primary', name: 'decision', value: 'approve' });
  return html`${approve}${button({ label: m.decline, name: 'decision', value: 'decline', asks: true })}`;
}

/** On the page of a person. */
export function waitingCard(frame: AccountFrame, id: string): Html {
  const m = frame.messages.admin.waiting;
  const content = card({ title: m.title, lead: m.personLead, actions: decisions(frame) });
  return postForm(frame, waitingPath, content, { people: id });
}

export interface DeclinePage {
  readonly people: readonly Pick<WaitingPerson, 'id' | 'name' | 'email'>[];
  readonly message: string;
  readonly messageLimit: number;
  readonly canSendEmail: boolean;
  readonly problem: string | undefined;
}

export function declinePage(frame: AccountFrame, page: DeclinePage): string {
  const { people, message, canSendEmail, problem } = page;
  const { admin } = frame.messages;
  const m = admin.waiting;
  const count = people.length;
  const names = people.map(({ name, email }) => html`<li>${name} <span class="quiet">${address(email)}</span></li>`);
  const hint = m.messageHint(page.messageLimit);
  const body = questionCard(frame, {
    text: m.declineText(count),
    about: html`<ul>${names}</ul>`,
    controls:
      canSendEmail &&
      textArea({ name: 'message', label: m.message, value: message, rows: 4, optional: true, hint, problem }),
    action: waitingPath,
    fields: { people: people.map(({ id }) => id).join(' '), decision: 'decline', confirmed: 'yes' },
    button: m.declineConfirm(count),
    back: waitingPath,
    cancel: admin.cancel,
  });
  return consoleLayout(frame, { section: 'people', title: m.declineTitle(count, people[0]?.name ?? ''), body });
}
