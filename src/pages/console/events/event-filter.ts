// The filter of the console's events: chips for what is chosen, each of which can be removed, and a form for the rest. The
// filter is part of the URL, so it works without JavaScript and can be bookmarked.

import type { EventKind } from '../../../protocol/events/kinds.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { button, chips, linkButton, type Tab } from '../../components/controls.ts';
import { checkbox, field, hidden, select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { listUrl } from '../lists.ts';

export interface EventsFilter {
  readonly person: string;
  readonly application: string;
  readonly kind: string;
  /** Whether only failures are shown: anything but an empty text. */
  readonly failures: string;
  readonly reference: string;
  /** How long ago an event may be, as one of `eventRanges`. */
  readonly range: string;
  readonly since: string;
  readonly until: string;
  /** `at` for oldest first. */
  readonly sort: string;
}

/** What the filter's person or application could be, when the text isn't clear. */
export interface FilterChoices {
  readonly person: Choice | undefined;
  readonly application: Choice | undefined;
}

interface Choice {
  readonly title: string;
  readonly found: readonly { readonly id: string; readonly name: string; readonly email?: string }[];
}

export interface FilterView {
  readonly filter: EventsFilter;
  /** The names of the person and the application that are filtered by, if they are known. */
  readonly names: { readonly person: string | undefined; readonly application: string | undefined };
  readonly choices: FilterChoices;
  /** The applications to suggest in the form. */
  readonly applications: readonly { readonly id: string; readonly name: string }[];
}

export const eventRanges = ['24h', '7d', '30d'] as const;
export type EventRange = (typeof eventRanges)[number];

const path = '/admin/events';

export function eventFilter(frame: AccountFrame, view: FilterView): Html {
  const m = frame.messages.admin.events;
  return html`
${chips(m.filters, chipsOf(frame, view))}
${view.choices.person !== undefined && chooser(view.filter, 'person', view.choices.person)}
${view.choices.application !== undefined && chooser(view.filter, 'application', view.choices.application)}
${filterForm(frame, view)}`;
}

function chipsOf(frame: AccountFrame, { filter, names }: FilterView): Tab[] {
  const { admin } = frame.messages;
  const { chip, ranges, failures } = admin.events;
  const without = (...removed: (keyof EventsFilter)[]) =>
    listUrl(path, { ...filter, ...Object.fromEntries(removed.map((name) => [name, ''])) });
  const kindName = (kind: string) => (Object.hasOwn(admin.kinds, kind) ? admin.kinds[kind as EventKind] : kind);
  const chosen: Tab[] = [
    ...(filter.person === '' ? [] : [{ href: without('person'), label: chip.person(names.person ?? filter.person) }]),
    ...(filter.application === ''
      ? []
      : [{ href: without('application'), label: chip.application(names.application ?? filter.application) }]),
    ...(filter.kind === '' ? [] : [{ href: without('kind'), label: chip.kind(kindName(filter.kind)) }]),
    ...(filter.since === '' ? [] : [{ href: without('since'), label: chip.since(filter.since) }]),
    ...(filter.until === '' ? [] : [{ href: without('until'), label: chip.until(filter.until) }]),
    ...(filter.reference === '' ? [] : [{ href: without('reference'), label: chip.reference(filter.reference) }]),
  ].map((tab) => ({ ...tab, current: true }));
  const failuresOnly = {
    label: failures,
    current: filter.failures !== '',
    href: filter.failures === '' ? listUrl(path, { ...filter, failures: 'yes' }) : without('failures'),
  };
  const hasDates = filter.since !== '' || filter.until !== '';
  const times = eventRanges
    .filter((range) => range === filter.range || !hasDates)
    .map((range) => ({
      label: ranges[range],
      current: range === filter.range,
      href: range === filter.range ? without('range') : listUrl(path, { ...filter, range }),
    }));
  return [failuresOnly, ...chosen, ...times];
}

/** Links that put the ID in the place of what was typed. */
function chooser(filter: EventsFilter, name: keyof FilterChoices, { title, found }: Choice): Html {
  const items = found.map(
    (each) =>
      html`<li><a href="${listUrl(path, { ...filter, [name]: each.id })}">${each.name}</a>${each.email !== undefined && html` <span class="quiet">${each.email}</span>`}</li>`,
  );
  return html`<div class="chooser"><p><strong>${title}</strong></p><ul>${items}</ul></div>`;
}

function filterForm(frame: AccountFrame, { filter, applications }: FilterView): Html {
  const { events: m, kinds } = frame.messages.admin;
  const kindOptions = (Object.entries(kinds) as [EventKind, string][])
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
    .map(([value, label]) => ({ value, label }));
  const text = { autocomplete: 'off', optional: true, verbatim: true } as const;
  const suggestions = applications.map(({ name }) => html`<option value="${name}"></option>`);
  return html`<details class="filter-form">
<summary>${m.addFilter}</summary>
<form class="filter" method="get" action="${path}" role="search">
${field({ ...text, name: 'person', label: m.person, value: filter.person, hint: m.personHint })}
<div class="field">
<label for="application">${m.application}</label>
<input id="application" name="application" list="applications" value="${filter.application}" autocomplete="off" spellcheck="false" aria-describedby="application-hint">
<p class="hint" id="application-hint">${m.applicationHint}</p>
<datalist id="applications">${suggestions}</datalist>
</div>
${select({ name: 'kind', label: m.kind, value: filter.kind, options: [{ value: '', label: m.anyKind }, ...kindOptions], optional: true })}
${field({ ...text, name: 'since', label: m.since, type: 'date', value: filter.since })}
${field({ ...text, name: 'until', label: m.until, type: 'date', value: filter.until })}
${field({ ...text, name: 'reference', label: m.reference, value: filter.reference })}
${filter.range !== '' && hidden('range', filter.range)}
${filter.sort !== '' && hidden('sort', filter.sort)}
${checkbox({ name: 'failures', label: m.failures, checked: filter.failures !== '' })}
<div class="actions">${button({ label: m.show, kind: 'primary' })}${linkButton({ label: m.clear, href: path })}</div>
</form>
</details>`;
}
