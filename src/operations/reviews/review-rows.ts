// The items of a review as lines of a file: item, decision, who, when, and what was done.

import { isoTime } from '../../protocol/iso-time.ts';
import type { ShownReviewItem } from '../../storage/storage.ts';
import { reviewItemJson } from './review-items.ts';

const cells = {
  id: ({ id }) => id,
  person: ({ userId }) => userId,
  person_name: (item) => reviewItemJson(item).person.name,
  person_email: ({ email }) => email,
  application: ({ clientId }) => clientId,
  application_name: ({ application }) => application,
  reasons: ({ reasons }) => reasons.map(({ kind, group }) => (group ? `group ${group.name}` : kind)).join('; '),
  last_used_at: ({ lastUsedAt }) => isoTime(lastUsedAt),
  as_of: ({ asOf }) => isoTime(asOf),
  decision: ({ decision }) => decision,
  decided_by: ({ decidedBy }) => decidedBy,
  decided_by_name: ({ decidedByName }) => decidedByName ?? null,
  decided_at: ({ decidedAt }) => isoTime(decidedAt),
  outcome: ({ finalOutcome }) => finalOutcome,
  task: ({ finalOutcome, remainingGroups }) => {
    if (finalOutcome !== 'task') return null;
    return remainingGroups.map(({ name }) => `group ${name}`).join('; ') || 'everyone';
  },
} satisfies Readonly<Record<string, (item: ShownReviewItem) => string | null>>;

export const reviewColumns = Object.keys(cells) as (keyof typeof cells)[];

export function reviewCell(item: ShownReviewItem, column: keyof typeof cells): string | null {
  return cells[column](item);
}
