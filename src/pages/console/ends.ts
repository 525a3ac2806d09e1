// Access that ends by itself, in the console: whether it has ended, when it will, and the field for it. What it takes is
// more than a date, so it's a text, which works without JavaScript.

import type { Standing } from '../../protocol/account/standing.ts';
import type { AccountFrame } from '../account/account-layout.ts';
import { chips } from '../components/controls.ts';
import { badge, type Column } from '../components/display.ts';
import { field } from '../layout/form.ts';
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

export function endField(
  { messages }: AccountFrame,
  spec: { readonly value: string; readonly hint?: string; readonly idPrefix?: string },
): Html {
  const { label, hint } = messages.admin.people.fields.expires_at;
  return field({
    name: 'expires_at',
    label,
    hint,
    autocomplete: 'off',
    optional: true,
    limit: 100,
    verbatim: true,
    ...spec,
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
