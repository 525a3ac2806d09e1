// A table with one line for each row. On phones each row becomes a card, with the column's name before each value.

import { type Html, html } from '../layout/html.ts';
import { icon } from './icon.ts';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => Html | string | undefined;
  /** Numbers stand at the end. The one wide column gets what is left, and is cut off where that's too little. */
  readonly kind?: 'number' | 'wide' | 'end' | undefined;
  /** Whether the label is only for screen readers, such as above a column of buttons. */
  readonly unlabelled?: boolean | undefined;
  /** Where the list is sorted by this column, and how it's sorted now. */
  readonly sort?: { readonly href: string; readonly now: 'ascending' | 'descending' | undefined } | undefined;
}

export interface Table<Row> {
  /** For screen readers. */
  readonly caption: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId?: ((row: Row) => string) | undefined;
  /** What a row shows over its full width when the <details> in one of its cells is open. */
  readonly details?: ((row: Row) => Html | undefined) | undefined;
}

export function table<Row>(spec: Table<Row>): Html {
  const head = spec.columns.map(heading);
  return html`<div class="rows" tabindex="0" role="region" aria-label="${spec.caption}">
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
  const cells = columns.map(({ label, cell, kind, unlabelled }, index) => {
    if (index === 0) return html`<th scope="row"${classOf(kind)}>${cell(row)}</th>`;
    return html`<td${classOf(kind)}${unlabelled !== true && html` data-label="${label}"`}>${cell(row)}</td>`;
  });
  const more = details?.(row);
  return html`<tr${rowId !== undefined && html` id="${rowId(row)}"`}>${cells}</tr>
${more !== undefined && html`<tr class="details"><td colspan="${columns.length}">${more}</td></tr>`}`;
}

function classOf(kind: 'number' | 'wide' | 'end' | undefined): Html | undefined {
  return kind && html` class="${kind}"`;
}
