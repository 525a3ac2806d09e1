// Access that ends by itself, in the console: whether it has ended, when it will, and the field for it.

import type { Standing } from '../../protocol/account/standing.ts';
import type { AccountFrame } from '../account/account-layout.ts';
import { chips } from '../components/controls.ts';
import { badge, type Column } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { chosenTime } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { agoTime, sentenceWith } from '../layout/time.ts';
import { stoppedBadge } from './console-layout.ts';
import { type ListQuery, listUrl } from './lists.ts';

export interface ShownStanding {
  readonly standing: Standing;
  readonly disabledReason: 'inactive' | null;
  readonly expiresAt: number | null;
}

/** Why a person can't sign in. */
export function standingBadge(
  frame: AccountFrame,
  { standing, disabledReason }: Pick<ShownStanding, 'standing' | 'disabledReason'>,
): Html {
  const { admin } = frame.messages;
  if (standing === 'waiting') return badge(admin.waiting.title, 'warning');
  if (standing === 'expired') return badge(admin.ends.expired, 'danger');
  const stopped = disabledReason === null ? admin.disabled : admin.people.filter.values.status.inactive;
  return stoppedBadge(standing !== 'active' && stopped);
}

/** The badge of an account's standing, and until when it lasts. */
export function standingMarks(frame: AccountFrame, shown: ShownStanding, now: number): Html {
  const { standing, expiresAt } = shown;
  const isEnding = standing === 'active' && expiresAt !== null;
  return html`${standingBadge(frame, shown)}${isEnding && endText(frame, expiresAt, now)}`;
}

/** When something ends in a list; none if nothing in it does. */
export function endColumns<Row>(
  frame: AccountFrame,
  rows: readonly Row[],
  endOf: (row: Row) => number | null | undefined,
  now: number,
): Column<Row>[] {
  if (rows.every((row) => endOf(row) == null)) return [];
  const cell = (row: Row) => {
    const at = endOf(row);
    return at == null ? undefined : agoTime(frame.messages, at, now);
  };
  const { ends, brief } = frame.messages.admin;
  const words = (row: Row) => {
    const time = cell(row);
    return time && sentenceWith(time, brief.accessEnds);
  };
  return [{ label: ends.ends, cell, brief: words }];
}

/** "Ends in 5 days", with the exact time on hover. */
export function endText(frame: AccountFrame, at: number, now: number): Html {
  const { ends } = frame.messages.admin;
  if (at <= now) return badge(ends.expired, 'danger');
  return html`<span class="quiet">${ends.until} ${agoTime(frame.messages, at, now)}</span>`;
}

export interface EndField {
  /** What the form calls it; `expires_at` if undefined. */
  readonly name?: string;
  readonly label?: string;
  readonly hint?: string | undefined;
  readonly idPrefix?: string;
  readonly problem?: string | undefined;
  /** What was sent, as http/console/field-forms.ts reads it; empty for never. */
  readonly value: string;
  /** The end that is stored, which can be kept to the millisecond. */
  readonly current?: number | null;
}

/** The choice that the field for a date and a time belongs to. */
const ownTime = 'at';
const presets = ['7d', '30d', '90d', 'quarter'] as const;

/** A choice with a field for any other time, which has minutes. A time that it can't show exactly is a choice by itself. */
export function endField({ admin, dates }: Messages, spec: EndField): Html {
  const { ends: m, people } = admin;
  const { name = 'expires_at', label = people.fields.expires_at.label, hint = '', current = null } = spec;
  const value = spec.value || 'never';
  const stored = current === null ? null : new Date(current).toISOString();
  const at = /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? Date.parse(value) : Number.NaN;
  const exact = [stored, at % 60_000 > 0 ? value : null].filter((text) => text !== null);
  const isListed = ['never', ownTime, ...exact, ...presets].includes(value);
  const typed = Number.isNaN(at) ? value : new Date(at).toISOString().slice(0, 16);
  return chosenTime({
    ...(spec.idPrefix !== undefined && { idPrefix: spec.idPrefix }),
    problem: spec.problem,
    name,
    label,
    hint,
    own: ownTime,
    value: isListed ? value : ownTime,
    options: [
      { value: 'never', label: admin.never },
      ...[...new Set(exact)].map((text) => ({ value: text, label: dates.moment(Date.parse(text)) })),
      ...presets.map((preset) => ({ value: preset, label: m.choices[preset] })),
      { value: ownTime, label: m.choices.at },
    ],
    time: {
      name: `${name}_time`,
      label: m.time,
      value: isListed ? (stored ?? '').slice(0, 16) : typed,
    },
    words: { utc: m.inUtc, zone: m.inZone, chosen: m.chosen },
  });
}

/** Limits a list to what ends soon, or shows all of it again. */
export function endingChip(
  frame: AccountFrame,
  path: string,
  page: { readonly ending: boolean; readonly endingDays: number },
  query: ListQuery = {},
): Html {
  const { ends } = frame.messages.admin;
  const href = listUrl(path, page.ending ? query : { ...query, ending: 'yes' });
  return html`${chips(ends.filter, [{ href, label: ends.soon, current: page.ending }])}
${page.ending && html`<p class="hint">${ends.soonHint(page.endingDays)}</p>`}`;
}
