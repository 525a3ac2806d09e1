// Reviews of who has access. Part of the tables in schema.ts.

import type { AccessReason } from '../../protocol/admin/access-filters.ts';
import type { ReviewDecision, ReviewPhase } from '../../protocol/admin/reviews.ts';
import { bytes, integer, json, nullable, table, text } from '../table.ts';

export const reviews = table('reviews', 'rw', ['id'], {
  id: text(),
  name: text(),
  status: text<ReviewPhase>(),
  due_at: integer(),
  created_at: integer(),
  /** Where filling goes on: how many of its applications are done, and the last person of the next one. */
  place: json<ReviewPlace>(),
  reminded_at: nullable(integer()),
  closed_at: nullable(integer()),
  /** Null for the command line. */
  closed_by: nullable(text()),
  /** How many people in it were deleted. Each got the next number. */
  deleted_people: integer(),
});

export const reviewApplications = table('review_applications', 'ra', ['review_id', 'client_id'], {
  review_id: text(),
  place: integer(),
  client_id: text(),
  /** As it was when the review was created. */
  name: text(),
  items: integer(),
  reviewed: integer(),
});

export const reviewItems = table('review_items', 'ri', ['id'], {
  id: text(),
  review_id: text(),
  client_id: text(),
  /** A deleted person has a number instead of ID, name and email address. */
  user_id: nullable(text()),
  name: nullable(text()),
  email: nullable(text()),
  deleted_number: nullable(integer()),
  reasons: json<readonly AccessReason[]>(),
  last_used_at: nullable(integer()),
  as_of: integer(),
  unused_since: integer(),
  sort_key: bytes(),
  decision: nullable(text<ReviewDecision>()),
  decided_by: nullable(text()),
  decided_at: nullable(integer()),
  /** Of a removal, once it's done; and what gives access then, if it's a task. */
  outcome: nullable(text<'removed' | 'task'>()),
  /** Groups in JSON. Empty if everyone has access. */
  remaining: nullable(text()),
});

export interface ReviewPlace {
  readonly application: number;
  readonly after: readonly [string, string] | null;
}
