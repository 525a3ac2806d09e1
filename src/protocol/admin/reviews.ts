// Reviews of who has access: what they can be, who decides about an item, and what becomes of it.

import { DAY } from '../durations.ts';

export const reviewStatuses = ['filling', 'open', 'closed'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
/** What is stored: while removals are carried out, nothing can be decided any more, and what was deleted isn't shown. */
export type ReviewPhase = ReviewStatus | 'closing' | 'deleted';

export const reviewDecisions = ['keep', 'remove'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];
export const reviewOutcomes = ['kept', 'removed', 'task', 'not_reviewed'] as const;
export type ReviewOutcome = (typeof reviewOutcomes)[number];

/** Of all applications of a review together. */
export const mostReviewItems = 50_000;
/** Decided in one request. */
export const mostDecided = 500;
/** What nobody has used for so long comes first. */
export const unusedFirst = 90 * DAY;
/** How long before the due date reviewers get an email. */
export const reminderBefore = 7 * DAY;

/** Until its removals are carried out, a review isn't closed. */
export function statusOf(phase: ReviewPhase): ReviewStatus {
  return phase === 'closing' || phase === 'deleted' ? 'open' : phase;
}

/** Null while the review isn't closed. */
export function outcomeOf(
  phase: ReviewPhase,
  { decision, outcome }: { readonly decision: ReviewDecision | null; readonly outcome: 'removed' | 'task' | null },
): ReviewOutcome | null {
  if (phase !== 'closed') return null;
  if (decision === null) return 'not_reviewed';
  return decision === 'keep' ? 'kept' : outcome;
}

/** Who acts: an administrator, or an owner of applications. */
export interface Reviewer {
  readonly id: string;
  readonly isAdministrator: boolean;
  owns(clientId: string): boolean;
}

/** Nobody decides about their own access. */
export function mayDecide(
  reviewer: Reviewer,
  item: { readonly clientId: string; readonly userId: string | null },
): boolean {
  return item.userId !== reviewer.id && (reviewer.isAdministrator || reviewer.owns(item.clientId));
}

/**
 * Since when a person has had access that they didn't use: since the last use, or since what gives it began. What began before that was
 * noted began long ago.
 */
export function unusedSince(lastUsedAt: number | null, reasons: readonly { readonly since: number | null }[]): number {
  const began = Math.min(...reasons.map(({ since }) => since ?? 0));
  return Math.max(lastUsedAt ?? 0, Number.isFinite(began) ? began : 0);
}

/** In the order of reviewing, as text: unused for long first, then by name. A deleted person has no name. */
export function reviewOrder(isUnused: boolean, name: string): string {
  return `${isUnused ? 0 : 1}${name.toLowerCase().slice(0, 60).toWellFormed()}`;
}
