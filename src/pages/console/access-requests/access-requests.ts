// The console's requests for access: the list, and the questions before one is allowed or declined. What a person wrote is text
// of theirs: it's shown as such, and nowhere else than here.

import type { RequestStatus } from '../../../protocol/account/access-requests.ts';
import type { AccountFrame, PageResult } from '../../account/account-layout.ts';
import { tabs } from '../../components/controls.ts';
import type { Column } from '../../components/display.ts';
import { allows } from '../../layout/app-shell.ts';
import { textArea } from '../../layout/form.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime } from '../../layout/time.ts';
import { askLink, type ConfirmPage, consoleLayout, denseList, linkedName } from '../console-layout.ts';
import { endField } from '../ends.ts';
import { type ListPlace, listPager, listUrl } from '../lists.ts';

export const accessRequestsPath = '/admin/access-requests';

export interface ShownAccessRequest {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly application: { readonly id: string; readonly name: string };
  readonly status: RequestStatus;
  readonly note: string | null;
  readonly askedAt: number;
  readonly decidedAt: number | null;
  readonly decider: string | undefined;
}

export interface AccessRequestsPage extends PageResult {
  readonly requests: readonly ShownAccessRequest[];
  readonly place: ListPlace;
  readonly status: RequestStatus;
  readonly now: number;
}

const statuses: readonly RequestStatus[] = ['open', 'allowed', 'declined', 'expired'];

export function accessRequestsPage(frame: AccountFrame, page: AccessRequestsPage): string {
  const m = frame.messages.admin.accessRequests;
  const { status, now } = page;
  const choices = statuses.map((each) => ({
    href: listUrl(accessRequestsPath, { status: each === 'open' ? undefined : each }),
    label: m.statuses[each],
    current: each === status,
  }));
  const columns: Column<ShownAccessRequest>[] = [
    { label: m.person, kind: 'wide', cell: (request) => asker(frame, request) },
    {
      label: m.application,
      cell: ({ application }) => linkedName(frame, `/admin/applications/${application.id}`, application.name),
    },
    { label: m.asked, cell: ({ askedAt }) => agoTime(frame.messages, askedAt, now) },
    status === 'open'
      ? { label: m.decide, unlabelled: true, kind: 'end', cell: (request) => decisions(frame, request) }
      : { label: m.decided, cell: (request) => decided(frame, request, now) },
  ];
  const body = html`
<p>${m.lead}</p>
${tabs(m.filter, choices)}
${denseList({
  caption: m.title,
  rows: page.requests,
  columns,
  compact: 'wrap',
  none: { icon: 'key', title: status === 'open' ? m.noneOpen : m.none },
})}
${listPager(frame, accessRequestsPath, { status: status === 'open' ? undefined : status }, page.place)}`;
  const { notice, problem } = page;
  return consoleLayout(frame, { section: requestsSection(frame), title: m.title, notice, problem, body });
}

/** Where the navigation has it, which shows owners nothing but their applications. */
function requestsSection(frame: AccountFrame): 'applications' | 'owned' {
  return allows(frame, 'GET', '/admin/applications') ? 'applications' : 'owned';
}

function asker(frame: AccountFrame, { person, note }: ShownAccessRequest): Html {
  const name = linkedName(frame, `/admin/people/${personSegment(person.id)}`, person.name);
  return html`${name} <span class="quiet">${address(person.email)}</span>${note !== null && html`<br><bdi class="note">${note}</bdi>`}`;
}

function decisions(frame: AccountFrame, { id, person, application }: ShownAccessRequest): Html {
  const m = frame.messages.admin.accessRequests;
  const about = `${person.name}, ${application.name}`;
  const ask = (what: 'allow' | 'decline') =>
    askLink(frame, { label: m[what], href: `${accessRequestsPath}/${id}/${what}`, small: true, about });
  return html`${ask('allow')} ${ask('decline')}`;
}

function decided(frame: AccountFrame, { decidedAt, decider }: ShownAccessRequest, now: number): Html | undefined {
  if (decidedAt === null) return undefined;
  const m = frame.messages.admin.accessRequests;
  const by = decider !== undefined && html` <span class="quiet">${m.decidedBy(decider)}</span>`;
  return html`${agoTime(frame.messages, decidedAt, now)}${by}`;
}

/** What was typed in the question, and what is wrong with it. */
export interface DecisionAttempt {
  readonly value: string;
  readonly problem: string | undefined;
}

type Question = Omit<ConfirmPage, 'action'>;

export function allowQuestion(frame: AccountFrame, request: ShownAccessRequest, end: DecisionAttempt): Question {
  const m = frame.messages.admin.accessRequests;
  const { person, application } = request;
  return {
    section: requestsSection(frame),
    title: m.allowTitle(person.name),
    text: m.allowText(person.name, application.name),
    about: noteOf(request),
    controls: endField(frame.messages, { label: m.end, value: end.value, problem: end.problem }),
    button: m.allowConfirm,
    danger: false,
    back: accessRequestsPath,
  };
}

export function declineQuestion(
  frame: AccountFrame,
  request: ShownAccessRequest,
  reason: DecisionAttempt & { readonly limit: number; readonly canSendEmail: boolean },
): Question {
  const m = frame.messages.admin.accessRequests;
  const { person, application } = request;
  const { value, problem, limit } = reason;
  return {
    section: requestsSection(frame),
    title: m.declineTitle(person.name),
    text: m.declineText(person.name, application.name),
    about: noteOf(request),
    controls:
      reason.canSendEmail &&
      textArea({ name: 'reason', label: m.reason, value, rows: 3, optional: true, hint: m.reasonHint(limit), problem }),
    button: m.declineConfirm,
    back: accessRequestsPath,
  };
}

function noteOf({ note }: ShownAccessRequest): Html | undefined {
  return note === null ? undefined : html`<blockquote class="note"><bdi>${note}</bdi></blockquote>`;
}
