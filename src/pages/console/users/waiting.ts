// The console's people who wait for approval: the list, the question before they're declined, and what the overview and the page of a person show.

import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card, emptyState, table } from '../../components/display.ts';
import { textArea } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime } from '../../layout/time.ts';
import { consoleLayout } from '../console-layout.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { peopleTabs } from './user-list.ts';

export const waitingPath = '/admin/people/waiting';

/** The checkbox of a person has this before their ID. */
export const chosenPrefix = 'person_';

export interface WaitingPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly pendingSince: number | null;
}

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
      : html`<p class="quiet">${m.lead}</p>${waitingForm(frame, page.people, page.now)}`;
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
  const more = count > people.length && linkButton({ label: m.seeAll(count), href: waitingPath });
  return html`<section aria-labelledby="waiting">
<h2 class="section-title" id="waiting">${m.title}</h2>
${waitingForm(frame, people, now, more)}
</section>`;
}

/** Any number of them can be chosen, without a script. */
function waitingForm(
  frame: AccountFrame,
  people: readonly WaitingPerson[],
  now: number,
  more: Html | false = false,
): Html {
  const { admin } = frame.messages;
  const m = admin.waiting;
  const list = table<WaitingPerson>({
    caption: m.title,
    rows: people,
    columns: [
      {
        label: admin.people.column.name,
        kind: 'wide',
        cell: ({ id, name, email }) =>
          html`<input type="checkbox" name="${chosenPrefix}${id}" value="yes" aria-label="${m.choose(email)}"> <a href="/admin/people/${personSegment(id)}">${name}</a> <span class="quiet">${email}</span>`,
      },
      {
        label: m.signedUp,
        kind: 'end',
        cell: ({ pendingSince }) => (pendingSince === null ? undefined : agoTime(frame.messages, pendingSince, now)),
      },
    ],
  });
  const all = html`<label class="choice-line"><input type="checkbox" name="all" value="yes"> ${m.all}</label>`;
  return postForm(
    frame,
    waitingPath,
    html`<div class="dense">${list}</div>
${people.length > 1 && all}
<div class="actions">${button({ label: m.approve, kind: 'primary', name: 'decision', value: 'approve' })}${button({ label: m.decline, name: 'decision', value: 'decline' })}${more}</div>`,
    { listed: people.map(({ id }) => id).join(' ') },
  );
}

/** On the page of a person. */
export function waitingCard(frame: AccountFrame, id: string): Html {
  const m = frame.messages.admin.waiting;
  const buttons = html`${button({ label: m.approve, kind: 'primary', name: 'decision', value: 'approve' })}${button({ label: m.decline, name: 'decision', value: 'decline' })}`;
  return postForm(frame, waitingPath, card({ title: m.title, lead: m.personLead, actions: buttons }), { people: id });
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
  const names = people.map(({ name, email }) => html`<li>${name} <span class="quiet">${email}</span></li>`);
  const hint = m.messageHint(page.messageLimit);
  const body = postForm(
    frame,
    waitingPath,
    card({
      body: html`<p>${m.declineText(count)}</p>
<ul>${names}</ul>
${canSendEmail && textArea({ name: 'message', label: m.message, value: message, rows: 4, optional: true, hint, problem })}`,
      actions: html`${button({ label: m.declineConfirm(count), kind: 'danger' })}${linkButton({ label: admin.cancel, href: waitingPath })}`,
    }),
    { people: people.map(({ id }) => id).join(' '), decision: 'decline', confirmed: 'yes' },
  );
  return consoleLayout(frame, { section: 'people', title: m.declineTitle(count, people[0]?.name ?? ''), body });
}
