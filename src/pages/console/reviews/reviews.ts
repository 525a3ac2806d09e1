// The console's pages about reviews of who has access: the list with the form that creates one, and a review with its items.

import type { ReviewDecision, ReviewOutcome, ReviewStatus } from '../../../protocol/admin/reviews.ts';
import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button, chips } from '../../components/controls.ts';
import { badge, type Column, card, fact, notice, table } from '../../components/display.ts';
import { field, hidden, select, textArea } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime, momentTime } from '../../layout/time.ts';
import { personColumn, reasonLine, reasonsBriefly, type ShownReason } from '../access-table.ts';
import {
  agoOrNever,
  askedAction,
  askLink,
  briefTime,
  consoleLayout,
  dangerZone,
  denseList,
  linkedName,
} from '../console-layout.ts';
import { downloadMenu, type ListPlace, listPager, listUrl } from '../lists.ts';

const list = '/admin/reviews';

export interface ShownReview {
  readonly id: string;
  readonly name: string;
  readonly status: ReviewStatus;
  readonly dueAt: number;
  readonly items: number;
  readonly reviewed: number;
  readonly applications: readonly { readonly clientId: string; readonly name: string }[];
  readonly closedAt: number | null;
  /** Null for the command line. */
  readonly closedBy: string | null;
  readonly closedByName: string | undefined;
}

export interface EnteredReview {
  readonly name?: string;
  readonly due?: string;
  readonly applications?: string;
}

export interface ReviewsPage extends PageResult {
  readonly reviews: readonly ShownReview[];
  readonly place: ListPlace;
  readonly entered: EnteredReview;
  readonly submissionToken: string;
  readonly now: number;
}

export function reviewsPage(frame: AccountFrame, page: ReviewsPage): string {
  const { reviews: m, sections } = frame.messages.admin;
  const reviews = denseList<ShownReview>({
    caption: sections.reviews,
    rows: page.reviews,
    compact: 'wrap',
    columns: [
      { label: m.column.name, kind: 'wide', cell: ({ id, name }) => linkedName(frame, `${list}/${id}`, name) },
      { label: m.column.status, cell: ({ status }) => statusBadge(frame, status) },
      {
        label: m.column.progress,
        kind: 'number',
        cell: ({ reviewed, items }) => m.progress(reviewed, items),
      },
      { label: m.column.due, cell: ({ dueAt }) => agoTime(frame.messages, dueAt, page.now) },
    ],
    none: { icon: 'shield-check', title: m.none },
  });
  const { name = '', due = '', applications = '' } = page.entered;
  const form = card({
    title: m.create,
    lead: m.lead,
    body: html`${field({ name: 'name', ...m.fields.name, autocomplete: 'off', value: name, limit: 100 })}
${field({ name: 'due_at', ...m.fields.due, type: 'date', autocomplete: 'off', value: due })}
${textArea({ name: 'applications', ...m.fields.applications, value: applications, rows: 4 })}`,
    actions: button({ label: m.create, kind: 'primary' }),
  });
  const body = html`
${reviews}
${listPager(frame, list, {}, page.place)}
${allows(frame, 'POST', list) && postForm(frame, list, form, { once: page.submissionToken })}`;
  return consoleLayout(frame, { section: 'reviews', notice: page.notice, problem: page.problem, body });
}

function statusBadge(frame: AccountFrame, status: ReviewStatus): Html {
  const m = frame.messages.admin.reviews;
  return badge(m.statuses[status], status === 'open' ? 'good' : 'neutral');
}

export interface ShownItem {
  readonly id: string;
  /** Null for a deleted person. */
  readonly userId: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly clientId: string;
  readonly application: string;
  readonly reasons: readonly ShownReason[];
  readonly lastUsedAt: number | null;
  readonly decision: ReviewDecision | null;
  readonly decidedBy: string | null;
  readonly decidedByName: string | undefined;
  readonly decidedAt: number | null;
  readonly finalOutcome: ReviewOutcome | null;
  readonly remainingGroups: readonly { readonly id: string; readonly name: string }[];
  /** Whether the reader may decide about it. */
  readonly mayDecide: boolean;
  /** Those of the remaining groups that the reader may change, and that the person is still in. */
  readonly endable: readonly { readonly id: string; readonly name: string }[];
}

export interface ReviewFilters {
  readonly decision?: 'none' | ReviewDecision | undefined;
  readonly unused?: string | undefined;
  readonly application?: string | undefined;
  readonly outcome?: 'task' | undefined;
}

export interface ReviewPage extends PageResult {
  readonly review: ShownReview;
  readonly items: readonly ShownItem[];
  readonly filters: ReviewFilters;
  readonly place: ListPlace;
  /** When the items of this page were read. */
  readonly asOf: number | undefined;
  readonly mayClose: boolean;
  readonly now: number;
}

/** The field of the item at a place of the page. */
export function itemField(index: number): string {
  return `item${index}`;
}

export function reviewPage(frame: AccountFrame, page: ReviewPage): string {
  const { reviews: m } = frame.messages.admin;
  const { review } = page;
  const path = `${list}/${review.id}`;
  const isClosed = review.status === 'closed';
  const facts = html`<dl class="facts">
${fact(m.column.due, momentTime(frame.messages, review.dueAt))}
${fact(m.column.progress, m.progress(review.reviewed, review.items))}
${isClosed && review.closedAt !== null && fact(m.statuses.closed, html`${momentTime(frame.messages, review.closedAt)} ${m.by(closer(frame, review))}`)}
</dl>`;
  const body = html`
${card({ body: facts, ...(page.mayClose && review.status === 'open' && { actions: askLink(frame, { label: m.close, href: `${path}/close` }) }) })}
${review.status === 'filling' ? notice(m.filling) : itemsCard(frame, page, path)}
${review.status !== 'closed' && allows(frame, 'POST', `${path}/due`) && card({ title: m.dueTitle, body: postForm(frame, `${path}/due`, html`${field({ name: 'due_at', label: m.fields.due.label, type: 'date', autocomplete: 'off', value: new Date(review.dueAt).toISOString().slice(0, 10) })}${button({ label: m.save })}`, {}, html` class="inline-form"`) })}
${dangerZone(frame, [askedAction(frame, m.deleteHint, { label: m.delete, href: `${path}/delete` })])}`;
  return consoleLayout(frame, {
    section: 'reviews',
    title: review.name,
    back: 'section',
    marks: statusBadge(frame, review.status),
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function closer(frame: AccountFrame, { closedBy, closedByName }: ShownReview): string {
  const m = frame.messages.admin.reviews;
  return closedBy === null ? m.commandLine : (closedByName ?? m.formerReviewer);
}

function itemsCard(frame: AccountFrame, page: ReviewPage, path: string): Html {
  const { reviews: m } = frame.messages.admin;
  const { filters, items } = page;
  const query = { ...filters };
  const decides = allows(frame, 'POST', `${path}/items`) && items.some(({ mayDecide }) => mayDecide);
  const rows = items.length === 0 ? html`<p class="quiet">${m.noItems}</p>` : itemsTable(frame, page, path, decides);
  const buttons = html`<p class="hint">${m.selectHint}</p>
<div class="actions">${button({ label: m.keepSelected, name: 'decision', value: 'keep' })}
${button({ label: m.removeSelected, name: 'decision', value: 'remove', kind: 'danger' })}</div>`;
  const form = decides
    ? postForm(frame, `${path}/items`, html`${rows}${buttons}${hiddenFilters(query, 'filter_')}`)
    : rows;
  return card({
    ...(page.asOf !== undefined && { lead: m.asOf(frame.messages.dates.moment(page.asOf)) }),
    body: html`<div class="list-bar">${applicationFilter(frame, page, path)}${downloadMenu(frame, `${path}/items`, query)}</div>
${filterChips(frame, page, path)}
${form}
${listPager(frame, path, query, page.place)}`,
  });
}

function filterChips(frame: AccountFrame, { review, filters }: ReviewPage, path: string): Html {
  const m = frame.messages.admin.reviews;
  const { application } = filters;
  const chip = (label: string, name: 'decision' | 'unused' | 'outcome', value: string) => {
    const current = filters[name] === value;
    return { label, current, href: listUrl(path, { application, ...(!current && { [name]: value }) }) };
  };
  return chips(m.filter, [
    chip(m.filters.none, 'decision', 'none'),
    chip(m.filters.unused, 'unused', '90d'),
    chip(m.filters.keep, 'decision', 'keep'),
    chip(m.filters.remove, 'decision', 'remove'),
    ...(review.status === 'closed' ? [chip(m.filters.task, 'outcome', 'task')] : []),
  ]);
}

function applicationFilter(frame: AccountFrame, { review, filters }: ReviewPage, path: string): Html {
  const m = frame.messages.admin.reviews;
  if (review.applications.length < 2) return html``;
  const { application = '', ...others } = filters;
  const options = [
    { value: '', label: m.allApplications },
    ...review.applications.map(({ clientId, name }) => ({ value: clientId, label: name })),
  ];
  return html`<form class="inline-form" method="get" action="${path}">${select({ name: 'application', label: m.application, value: application, options })}${hiddenFilters(others)}${button({ label: m.show })}</form>`;
}

function hiddenFilters(filters: ReviewFilters, prefix = ''): Html[] {
  return Object.entries(filters).flatMap(([name, value]) => (value ? [hidden(`${prefix}${name}`, value)] : []));
}

function itemsTable(frame: AccountFrame, page: ReviewPage, path: string, decides: boolean): Html {
  const m = frame.messages.admin.reviews;
  const { review, items, now } = page;
  const isClosed = review.status === 'closed';
  const indexOf = new Map(items.map(({ id }, index) => [id, index]));
  const selection: Column<ShownItem> = {
    label: m.column.decision,
    unlabelled: true,
    phone: 'first',
    cell: (item) =>
      item.mayDecide
        ? html`<input type="checkbox" name="${itemField(indexOf.get(item.id) ?? 0)}" value="${item.id}" aria-label="${m.select(item.name)}">`
        : html`<span class="quiet">${m.ownAccess}</span>`,
  };
  const who = personColumn<ShownItem>(frame, ({ userId, name, email }) => ({
    id: userId ?? '',
    name,
    email: email ?? '',
  }));
  return table<ShownItem>({
    caption: review.name,
    rows: items,
    compact: 'wrap',
    columns: [
      { ...who, cell: (item) => (item.userId === null ? item.name : who.cell(item)) },
      ...(review.applications.length > 1
        ? [{ label: m.column.application, cell: ({ application }: ShownItem) => application }]
        : []),
      {
        label: m.column.access,
        cell: ({ reasons }) => html`${reasons.map((reason) => reasonLine(frame, reason, now))}`,
        brief: ({ reasons }) => reasonsBriefly(frame, reasons),
      },
      // What is closed is read for what was done.
      ...(isClosed
        ? []
        : [
            {
              label: m.column.lastUsed,
              cell: ({ lastUsedAt }: ShownItem) => agoOrNever(frame, lastUsedAt, now),
              brief: ({ lastUsedAt }: ShownItem) => briefTime(frame, lastUsedAt, now, frame.messages.admin.brief.used),
            },
          ]),
      {
        label: m.column.decision,
        cell: (item) => (isClosed && item.decision === null ? undefined : decisionCell(frame, item, now)),
        brief: ({ decision }) => (decision === null ? (isClosed ? '–' : m.undecided) : m.decisions[decision]),
      },
      ...(isClosed ? [{ label: m.column.outcome, cell: (item: ShownItem) => outcomeCell(frame, item, path) }] : []),
      ...(decides ? [selection] : []),
    ],
  });
}

function decisionCell(frame: AccountFrame, item: ShownItem, now: number): Html | string {
  const m = frame.messages.admin.reviews;
  const { decision, decidedBy, decidedByName, decidedAt } = item;
  if (decision === null) return html`<span class="quiet">${m.undecided}</span>`;
  const by = decidedBy === null ? '' : (decidedByName ?? m.formerReviewer);
  const when = decidedAt === null ? '' : agoTime(frame.messages, decidedAt, now);
  return html`${badge(m.decisions[decision], decision === 'keep' ? 'good' : 'warning')} <span class="reason quiet">${by} ${when}</span>`;
}

function outcomeCell(frame: AccountFrame, item: ShownItem, path: string): Html | string {
  const m = frame.messages.admin.reviews;
  const { finalOutcome, remainingGroups, endable, id, name } = item;
  if (finalOutcome !== 'task') return finalOutcome === null ? '' : m.outcomes[finalOutcome];
  const lines = remainingGroups.map((group) => html`<p>${m.taskGroup(group.name)}</p>`);
  const buttons = endable.map((group) =>
    askLink(frame, {
      label: m.endMembership,
      href: listUrl(`${path}/end`, { item: id, group: group.id }),
      small: true,
      danger: true,
      about: `${name}, ${group.name}`,
    }),
  );
  const everyone = remainingGroups.length === 0 && html`<p>${m.taskEveryone}</p>`;
  return html`${badge(m.outcomes.task, 'warning')} ${lines}${everyone}${buttons}`;
}
