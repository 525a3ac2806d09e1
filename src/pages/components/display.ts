// What pages show: badges, notices, cards, tables, empty states and figures.

import { type Html, html, type Interpolation } from '../layout/html.ts';
import { type IconName, icon } from './icon.ts';

const icons = {
  neutral: undefined,
  accent: 'information-circle',
  info: 'information-circle',
  good: 'check-circle',
  warning: 'exclamation-triangle',
  danger: 'no-symbol',
} as const;

export type BadgeKind = Exclude<keyof typeof icons, 'info'>;

/** A status has an icon; a neutral badge without one is a label, such as the type of an application. */
export function badge(text: string, kind: BadgeKind = 'neutral', name: IconName | undefined = icons[kind]): Html {
  return html`<span class="badge ${kind}">${name !== undefined && icon(name, 'small')}${text}</span>`;
}

/** Something that stands on the page from the beginning. */
export function notice(content: Interpolation, kind: 'info' | 'good' | 'warning' = 'info'): Html {
  return html`<p class="notice ${kind}">${icon(icons[kind])}<span>${content}</span></p>`;
}

/** That what the person did has worked. It's read out. Without JavaScript, dismissing it loads the page without it. */
export function doneNotice(text: string | undefined, dismiss: string, action: Html | false = false): Html | undefined {
  if (text === undefined) return undefined;
  const link = html`<a class="dismiss" href="?" data-dismiss="" aria-label="${dismiss}">${icon('x-mark', 'small')}</a>`;
  return html`<p class="notice good" role="status">${icon('check-circle')}<span>${text}</span>${action}${link}</p>`;
}

/** A problem that isn't one of a single field. */
export function alert(text: string | undefined): Html | undefined {
  if (text === undefined) return undefined;
  return html`<p class="alert" role="alert">${icon('exclamation-circle')}<span>${text}</span></p>`;
}

/** One subject of a page, with a fixed place for its actions. */
export interface Card {
  readonly title?: string | undefined;
  readonly lead?: string | undefined;
  /** Beside the title, such as a badge. */
  readonly aside?: Html | undefined;
  readonly body?: Html | undefined;
  /** Buttons and links, at the bottom. */
  readonly actions?: Html | undefined;
  readonly id?: string | undefined;
  /** For what can't be undone. */
  readonly danger?: boolean | undefined;
}

export function card(spec: Card): Html {
  const title = spec.title !== undefined && html`<h2>${spec.title}</h2>`;
  const lead = spec.lead !== undefined && html`<p class="card-lead">${spec.lead}</p>`;
  const head = (title || lead) && html`<header>${title}${spec.aside}${lead}</header>`;
  const id = spec.id === undefined ? html`` : html` id="${spec.id}"`;
  return html`<section class="card${spec.danger === true && ' danger-zone'}"${id}>
${head}
${spec.body !== undefined && html`<div class="card-body">${spec.body}</div>`}
${spec.actions !== undefined && html`<footer>${spec.actions}</footer>`}
</section>`;
}

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => Html | string | undefined;
  /** Numbers stand at the end. The one wide column gets what is left, and is cut off where that's too little; a roomy one has names beside each other. */
  readonly kind?: 'number' | 'wide' | 'roomy' | 'end' | undefined;
  /** Whether the label is only for screen readers, such as above a column of buttons. */
  readonly unlabelled?: boolean | undefined;
  /** In a compact table on a phone: at the end of a row's first line, or left out. Others are facts on its second line. */
  readonly phone?: 'first' | 'hidden' | undefined;
  /** What a compact table says instead on a phone, where the column has no name: "3 members" for 3. */
  readonly brief?: ((row: Row) => Html | string | undefined) | undefined;
  /** Where the list is sorted by this column, and how it's sorted now. */
  readonly sort?: { readonly href: string; readonly now: 'ascending' | 'descending' | undefined } | undefined;
}

export interface Table<Row> {
  /** For screen readers. */
  readonly caption: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** On phones, a row is two lines instead of a card. Facts that don't fit on the second one wrap, or are cut off. */
  readonly compact?: 'wrap' | 'cut' | undefined;
  readonly rowId?: ((row: Row) => string) | undefined;
  /** What a row shows over its full width when the <details> in one of its cells is open. */
  readonly details?: ((row: Row) => Html | undefined) | undefined;
}

/** One line for each row. On phones each row becomes two lines, or a card with the column's name before each value. */
export function table<Row>(spec: Table<Row>): Html {
  const head = spec.columns.map(heading);
  return html`<div class="rows${spec.compact && ` compact ${spec.compact}`}" tabindex="0" role="region" aria-label="${spec.caption}">
<table>
<caption class="unseen">${spec.caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${spec.rows.map((row) => tableRow(spec, row))}</tbody>
</table>
</div>`;
}

function heading<Row>({ label, kind, unlabelled, sort }: Column<Row>): Html {
  const sorted = sort?.now === undefined ? html`` : html` aria-sort="${sort.now}"`;
  const arrow = sort?.now === undefined ? 'chevron-up-down' : sort.now === 'ascending' ? 'chevron-up' : 'chevron-down';
  const text = unlabelled ? html`<span class="unseen">${label}</span>` : html`${label}`;
  const content = sort === undefined ? text : html`<a href="${sort.href}">${text}${icon(arrow, 'small')}</a>`;
  return html`<th scope="col"${classOf(kind)}${sorted}>${content}</th>`;
}

function tableRow<Row>({ columns, rowId, details }: Table<Row>, row: Row): Html {
  const cells = columns.map(({ label, cell, brief, kind, phone, unlabelled }, index) => {
    if (index === 0) return html`<th scope="row"${classOf(kind)}>${cell(row)}</th>`;
    return html`<td${classOf(kind, phone && `phone-${phone}`)}${unlabelled !== true && html` data-label="${label}"`}>${brief === undefined ? cell(row) : twice(cell(row), brief(row))}</td>`;
  });
  const more = details?.(row);
  return html`<tr${rowId !== undefined && html` id="${rowId(row)}"`}>${cells}</tr>
${more !== undefined && html`<tr class="details"><td colspan="${columns.length}">${more}</td></tr>`}`;
}

/** Each screen shows one of them. */
function twice(text: Html | string | undefined, brief: Html | string | undefined): Html | undefined {
  if (text === undefined) return undefined;
  return html`<span class="off-phone">${text}</span><span class="on-phone">${brief}</span>`;
}

function classOf(...names: readonly (string | undefined)[]): Html | undefined {
  const given = names.filter((name) => name !== undefined);
  return given.length === 0 ? undefined : html` class="${given.join(' ')}"`;
}

export interface EmptyState {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string | undefined;
}

/** What a list shows when it's empty: what would be here, and how to get there. */
export function emptyState(spec: EmptyState): Html {
  return html`<div class="empty">
${icon(spec.icon)}
<p><strong>${spec.title}</strong></p>
${spec.text !== undefined && html`<p class="quiet">${spec.text}</p>`}
</div>`;
}

/** One line of a <dl class="facts">. */
export function fact(label: Interpolation, value: Interpolation): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

/** Figures at the top of a page, each of which leads to what it counts. */
export function stats(
  list: readonly { readonly label: string; readonly value: string; readonly href?: string | undefined }[],
): Html {
  const figures = list.map(({ label, value, href }) =>
    fact(href === undefined ? label : html`<a href="${href}">${label}</a>`, value),
  );
  return html`<dl class="stats">${figures}</dl>`;
}
