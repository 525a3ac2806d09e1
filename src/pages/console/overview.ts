// The console's first page: what needs attention, charts of the last day and month, and the busiest applications.

import { type AccountFrame, allows } from '../account/account-layout.ts';
import { barChart } from '../components/chart.ts';
import { stats, table } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { type Html, html } from '../layout/html.ts';
import { dayTime, sentenceWith } from '../layout/time.ts';
import { consoleLayout, linkedName } from './console-layout.ts';
import { type WaitingPerson, waitingOverview } from './users/waiting.ts';

type SeriesName = 'sign_in' | 'failure' | 'refresh';

interface Series {
  readonly from: number;
  readonly step: number;
  readonly totals: Readonly<Record<SeriesName, readonly number[]>>;
}

export interface OverviewPage {
  /** Undefined for those who don't see all events. */
  readonly day: Series | undefined;
  readonly month: Series | undefined;
  /** How many wait for approval, and the first few of them. */
  readonly waiting: { readonly count: number; readonly people: readonly WaitingPerson[] };
  readonly now: number;
  readonly users: { readonly all: number; readonly active: number } | undefined;
  readonly clients: readonly {
    readonly id: string;
    readonly name: string;
    readonly signIns: number;
    readonly refreshes: number;
    readonly failures: number;
  }[];
  readonly warnings: readonly (
    | { readonly kind: 'no_mail' | 'outbox' | 'plain_http' | 'instances_differ' }
    | { readonly kind: 'administrator_keys'; readonly keys: readonly string[] }
    | { readonly kind: 'old_secret_in_use'; readonly client: { id: string; name: string }; readonly usedAt: number }
  )[];
}

const names: readonly SeriesName[] = ['sign_in', 'failure', 'refresh'];

export function overviewPage(frame: AccountFrame, page: OverviewPage): string {
  const m = frame.messages.admin.overview;
  const body = html`
${page.waiting.count > 0 && waitingOverview(frame, { ...page.waiting, now: page.now })}
${page.warnings.length > 0 && warnings(frame, page.warnings)}
${stats([
  ...(page.users === undefined
    ? []
    : [
        { label: m.people, value: count(frame, page.users.all) },
        { label: m.active, value: count(frame, page.users.active) },
      ]),
  ...(page.day === undefined
    ? []
    : [
        { label: m.signIns, value: count(frame, sum(page.day.totals.sign_in)) },
        { label: m.failures, value: count(frame, sum(page.day.totals.failure)) },
      ]),
])}
${page.day && period(frame, m.day, page.day, 'hour')}
${page.month && period(frame, m.month, page.month, 'day')}
${
  allows(frame, 'GET', '/admin/applications') &&
  html`<section>
<h2 class="section-title">${m.byUse}</h2>
${page.clients.length === 0 ? html`<p class="quiet">${m.noUse}</p>` : busiestClients(frame, page.clients)}
</section>`
}`;
  return consoleLayout(frame, { section: 'overview', body });
}

function warnings(frame: AccountFrame, list: OverviewPage['warnings']): Html {
  const { admin } = frame.messages;
  const m = admin.overview.warnings;
  const items = list.map((warning) => {
    if (warning.kind === 'administrator_keys') {
      const names = frame.messages.list(warning.keys);
      return html`<li>${m.administrator_keys(names)} <a href="/admin/keys">${m.administrator_keys_todo}</a></li>`;
    }
    if (warning.kind !== 'old_secret_in_use') {
      const outbox = warning.kind === 'outbox' && html` <a href="/dev/outbox">${m.outbox_link}</a>`;
      return html`<li>${m[warning.kind]} <span class="quiet">${m[`${warning.kind}_todo`]}</span>${outbox}</li>`;
    }
    const { client, usedAt } = warning;
    return html`<li>${sentenceWith(dayTime(frame.messages, usedAt), (day) => m.old_secret_in_use(client.name, day))} ${linkedName(frame, `/admin/applications/${client.id}/secrets`, m.old_secret_todo)}</li>`;
  });
  return html`<section class="warnings" aria-labelledby="attention">
<h2 class="section-title" id="attention">${icon('exclamation-triangle')}${admin.overview.attention}</h2>
<ul>${items}</ul>
</section>`;
}

function period(frame: AccountFrame, title: string, series: Series, unit: 'hour' | 'day'): Html {
  const m = frame.messages.admin.overview;
  const label = frame.messages.dates[unit];
  const dateOf = (index: number) => label(series.from + index * series.step);
  const figures = names.map((name) => {
    const values = series.totals[name];
    const total = sum(values);
    return barChart({
      id: `${unit}-${name}`,
      title: m.series[name],
      total: count(frame, total),
      summary: m.chart(m.series[name], title, total, Math.max(0, ...values)),
      bars: values.map((value, index) => ({ value, text: m.bar(dateOf(index), value) })),
      dates: ticks(frame, series, unit),
      language: frame.messages.language,
      kind: name === 'failure' ? 'failure' : 'normal',
    });
  });
  const rows = series.totals.sign_in.map((_, index) => index).toReversed();
  return html`<section>
<h2 class="section-title">${title}</h2>
<div class="figures">${figures}</div>
<details>
<summary>${m.asTable}<span class="unseen">: ${title}</span></summary>
${table<number>({
  caption: title,
  rows,
  columns: [
    { label: m.when, cell: dateOf },
    ...names.map((name) => ({
      label: m.series[name],
      kind: 'number' as const,
      cell: (index: number) => count(frame, series.totals[name][index] ?? 0),
    })),
  ],
})}
</details>
</section>`;
}

/** Few enough that they fit below the narrowest chart; the middle of a day needs no date. */
function ticks(frame: AccountFrame, series: Series, unit: 'hour' | 'day'): string[] {
  const { ticks: m } = frame.messages.admin.overview;
  const last = series.totals.sign_in.length - 1;
  const at = (part: number) => series.from + Math.round(part * last) * series.step;
  if (unit === 'day') return [0, 1 / 3, 2 / 3, 1].map((part) => m.day(at(part)));
  return [m.dayAndTime(at(0)), m.time(at(0.5)), m.dayAndTime(at(1))];
}

function busiestClients(frame: AccountFrame, list: OverviewPage['clients']): Html {
  const m = frame.messages.admin.overview;
  const number = (label: string, of: (client: OverviewPage['clients'][number]) => number) => ({
    label,
    kind: 'number' as const,
    cell: (client: OverviewPage['clients'][number]) => count(frame, of(client)),
  });
  return table<OverviewPage['clients'][number]>({
    caption: m.byUse,
    rows: list,
    columns: [
      {
        label: m.application,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/applications/${id}`, name),
      },
      number(m.exchanges, ({ signIns }) => signIns),
      number(m.series.refresh, ({ refreshes }) => refreshes),
      number(m.series.failure, ({ failures }) => failures),
    ],
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function count(frame: AccountFrame, value: number): string {
  return value.toLocaleString(frame.messages.language);
}
