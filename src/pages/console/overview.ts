// The console's first page: what needs attention, what is left to do, charts of the last day or month, and the busiest applications.

import type { BackupProblem } from '../../protocol/scheduled-backups.ts';
import { type AccountFrame, allows } from '../account/account-layout.ts';
import { barChart } from '../components/chart.ts';
import { stats, table } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { type Html, html } from '../layout/html.ts';
import { dayTime, hourTime, sentenceWith } from '../layout/time.ts';
import { accessRequestsPath } from './access-requests/access-requests.ts';
import { consoleLayout, linkedName } from './console-layout.ts';
import { firstStepsCard, type ShownSteps } from './first-steps.ts';
import { type ListQuery, listUrl } from './lists.ts';
import { type WaitingPerson, waitingOverview } from './users/waiting.ts';

type SeriesName = 'sign_in' | 'failure' | 'refresh';

interface Series {
  readonly from: number;
  readonly step: number;
  readonly totals: Readonly<Record<SeriesName, readonly number[]>>;
}

export type Period = 'day' | 'month';

interface Count {
  readonly count: number;
  readonly more: boolean;
}

export interface OverviewPage {
  readonly notice?: string | undefined;
  readonly period: Period;
  /** Of that period; undefined for those who don't see all events. */
  readonly series: Series | undefined;
  /** What is left to do; none if nothing is. */
  readonly steps: ShownSteps;
  /** Whether the documentation is served. */
  readonly docs: boolean;
  /** How many wait for approval, and the first few of them. */
  readonly waiting: { readonly count: number; readonly people: readonly WaitingPerson[] };
  readonly now: number;
  /** Of the service. */
  readonly version: string;
  readonly users: Readonly<Record<'all' | 'neverSignedIn' | 'withoutFactor', number>> | undefined;
  readonly filtered: Readonly<Record<'signedIn' | 'inactive', Count>> | undefined;
  /** For access to applications, that wait. */
  readonly requests: Count;
  readonly clients: readonly {
    readonly id: string;
    readonly name: string;
    readonly signIns: number;
    readonly refreshes: number;
    readonly failures: number;
  }[];
  readonly warnings: readonly (
    | {
        readonly kind: 'no_mail' | 'outbox' | 'plain_http' | 'instances_differ' | 'store_clock_differs' | BackupProblem;
      }
    | { readonly kind: 'clock_differs'; readonly instances: readonly string[] }
    | { readonly kind: 'administrator_keys'; readonly keys: readonly string[] }
    | { readonly kind: 'old_secret_in_use'; readonly client: { id: string; name: string }; readonly usedAt: number }
  )[];
}

const names: readonly SeriesName[] = ['sign_in', 'failure', 'refresh'];

export function overviewPage(frame: AccountFrame, page: OverviewPage): string {
  const m = frame.messages.admin.overview;
  const { steps } = page;
  // What the checklist says isn't said twice.
  const listed = page.warnings.filter(({ kind }) => !steps.some(({ step }) => step === stepOfWarning[kind]));
  const outbox = page.warnings.some(({ kind }) => kind === 'outbox');
  // Without an application there's nothing that a chart could show.
  const isEmpty = steps.some(({ step, done }) => step === 'first_application' && !done);
  const body = html`
${page.waiting.count > 0 && waitingOverview(frame, { ...page.waiting, now: page.now })}
${steps.length > 0 && firstStepsCard(frame, steps, { docs: page.docs, outbox })}
${listed.length > 0 && warnings(frame, listed)}
${stats(tiles(frame, page))}
${page.series && !isEmpty && activity(frame, page.period, page.series)}
${
  !isEmpty &&
  allows(frame, 'GET', '/admin/applications') &&
  html`<section>
<h2 class="section-title">${m.byUse}</h2>
${page.clients.length === 0 ? html`<p class="quiet">${m.noUse}</p>` : busiestClients(frame, page.clients)}
</section>`
}
<p class="quiet">${m.version(page.version)}</p>`;
  return consoleLayout(frame, { section: 'overview', notice: page.notice, body });
}

const stepOfWarning: Readonly<Record<string, string>> = { no_mail: 'email', outbox: 'email', plain_http: 'base_url' };

function tiles(frame: AccountFrame, { users, filtered, requests }: OverviewPage) {
  const m = frame.messages.admin.overview;
  const upTo = ({ count: found, more }: Count) => (more ? m.atLeast(count(frame, found)) : count(frame, found));
  const tile = (label: string, value: string, query: ListQuery) => ({
    label,
    value,
    href: listUrl('/admin/people', query),
  });
  const asked = { label: frame.messages.admin.accessRequests.tile, value: upTo(requests), href: accessRequestsPath };
  return [
    ...(requests.count === 0 ? [] : [asked]),
    ...(users === undefined ? [] : [tile(m.people, count(frame, users.all), {})]),
    ...(users === undefined || filtered === undefined
      ? []
      : [
          tile(m.signedIn, upTo(filtered.signedIn), { signed_in: '30d', sort: '-last_sign_in' }),
          tile(m.neverSignedIn, count(frame, users.neverSignedIn), { signed_in: 'never' }),
          tile(m.withoutSecondFactor, count(frame, users.withoutFactor), { second_factor: 'none' }),
          tile(m.inactive, upTo(filtered.inactive), { inactive: '90d', status: 'active' }),
        ]),
  ];
}

function warnings(frame: AccountFrame, list: OverviewPage['warnings']): Html {
  const { admin } = frame.messages;
  const m = admin.overview.warnings;
  const items = list.map((warning) => {
    if (warning.kind === 'administrator_keys') {
      const names = frame.messages.list(warning.keys);
      return html`<li>${m.administrator_keys(names)} <a href="/admin/keys">${m.administrator_keys_todo}</a></li>`;
    }
    if (warning.kind === 'clock_differs') {
      const instances = frame.messages.list(warning.instances);
      return html`<li>${m.clock_differs(instances)} <span class="quiet">${m.clock_differs_todo}</span></li>`;
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

const ranges = { day: '24h', month: '30d' } as const;
/** The events that are counted; refreshes are counted alone. */
const events: Readonly<Record<SeriesName, ListQuery | undefined>> = {
  sign_in: { kind: 'signed_in' },
  failure: { failures: 'yes' },
  refresh: undefined,
};

function activity(frame: AccountFrame, period: Period, series: Series): Html {
  const { messages } = frame;
  const m = messages.admin.overview;
  const title = m[period];
  const timeOf = (index: number) => series.from + index * series.step;
  const dateOf = (index: number) =>
    period === 'day'
      ? hourTime('hour', messages.dates.hour(timeOf(index)), timeOf(index))
      : html`${messages.dates.day(timeOf(index))}`;
  const figures = names.map((name) => {
    const values = series.totals[name];
    const total = sum(values);
    return barChart({
      id: name,
      href: events[name] && listUrl('/admin/events', { ...events[name], range: ranges[period] }),
      title: m.series[name],
      total: count(frame, total),
      summary: m.chart(m.series[name], title, total, Math.max(0, ...values)),
      bars: values.map((value, index) => ({ value, text: html`${dateOf(index)}: ${count(frame, value)}` })),
      dates: ticks(frame, period, series),
      language: frame.messages.language,
      kind: name === 'failure' ? 'failure' : 'normal',
    });
  });
  const rows = series.totals.sign_in.map((_, index) => index).toReversed();
  const choices = (Object.keys(ranges) as Period[]).map(
    (each) =>
      html`<li><a class="chip" href="${listUrl('/admin', { period: each === 'day' ? undefined : ranges[each] })}"${each === period && html` aria-current="true"`}>${m[each]}</a></li>`,
  );
  const zone =
    period === 'day'
      ? html`<p class="hint" data-zone="${m.inZone}">${m.inUtc}</p>`
      : html`<p class="hint">${m.utcDays}</p>`;
  return html`<section>
<div class="chart-head"><h2 class="section-title">${m.activity}</h2><ul class="chips" aria-label="${m.period}">${choices}</ul></div>
<div class="figures">${figures}</div>
${zone}
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
function ticks(frame: AccountFrame, period: Period, series: Series): (Html | string)[] {
  const { ticks: m } = frame.messages.admin.overview;
  const last = series.totals.sign_in.length - 1;
  const at = (part: number) => series.from + Math.round(part * last) * series.step;
  if (period === 'month') return [0, 1 / 3, 2 / 3, 1].map((part) => m.day(at(part)));
  const { inUtc } = frame.messages.dates;
  const end = (time: number) => hourTime('short', inUtc(m.dayAndTime(time)), time);
  return [end(at(0)), hourTime('clock', inUtc(m.time(at(0.5))), at(0.5)), end(at(1))];
}

function busiestClients(frame: AccountFrame, list: OverviewPage['clients']): Html {
  const { overview: m, brief } = frame.messages.admin;
  type Client = OverviewPage['clients'][number];
  const number = (label: string, words: (count: number) => string, of: (client: Client) => number) => ({
    label,
    kind: 'number' as const,
    cell: (client: Client) => count(frame, of(client)),
    brief: (client: Client) => words(of(client)),
  });
  return table<Client>({
    caption: m.byUse,
    rows: list,
    compact: 'wrap',
    columns: [
      {
        label: m.application,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/applications/${id}`, name),
      },
      number(m.exchanges, brief.signIns, ({ signIns }) => signIns),
      number(m.series.refresh, brief.refreshes, ({ refreshes }) => refreshes),
      number(m.series.failure, brief.failures, ({ failures }) => failures),
    ],
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function count(frame: AccountFrame, value: number): string {
  return value.toLocaleString(frame.messages.language);
}
