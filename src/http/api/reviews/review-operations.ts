// `/api/reviews`: reviews of who has access, for administrators and the owners of applications.

import { Type } from 'typebox';
import { downloadReviewItems } from '../../../operations/downloads/list-download.ts';
import { closeReview } from '../../../operations/reviews/close-review.ts';
import { decideItems, listReviewItems, reviewItemJson } from '../../../operations/reviews/review-items.ts';
import {
  changeReview,
  createReview,
  deleteReview,
  findReview,
  listReviews,
  mostReviewed,
  reviewJson,
  type ShownReview,
} from '../../../operations/reviews/reviews.ts';
import { mostDecided, reviewDecisions, reviewOutcomes, reviewStatuses } from '../../../protocol/admin/reviews.ts';
import { endRule } from '../../../protocol/ends.ts';
import { sendDownload } from '../../downloads/downloads.ts';
import { reviewDownload } from '../../downloads/lists.ts';
import { Reason } from '../clients/people-operations.ts';
import {
  type ApiOperation,
  type Download,
  done,
  nothing,
  operationsAt,
  operationsOn,
  strict,
} from '../define-operation.ts';
import { downloadFormats, Lines, namesOfFormats } from '../download-schemas.ts';
import { Count, component, Id, nullable, page, pageJson, pageOf, Text, Time } from '../schemas.ts';

const Application = Type.Object({ id: Text, name: Text });
const Somebody = Type.Object({ id: nullable(Text), name: nullable(Text) });

const Review = component('Review', {
  id: Text,
  name: Text,
  status: Type.Enum(reviewStatuses),
  due_at: Time,
  applications: Type.Array(Application, { description: 'Those that you may see.' }),
  items: Count,
  reviewed: Type.Integer({ minimum: 0, description: 'How many of the items were decided.' }),
  closed_at: nullable(Time),
  closed_by: nullable(Somebody),
});
const ReviewItem = component('ReviewItem', {
  id: Text,
  person: Type.Object(
    { id: nullable(Text), name: Text, email: nullable(Text) },
    { description: 'As they were when the item was read. A deleted person has a number for a name.' },
  ),
  application: Application,
  reasons: Type.Array(Reason),
  last_used_at: nullable(Time),
  as_of: Type.String({ format: 'date-time', description: 'When the item was read.' }),
  decision: nullable(Type.Enum(reviewDecisions)),
  decided_by: nullable(Somebody),
  decided_at: nullable(Time),
  outcome: nullable(Type.Enum(reviewOutcomes, { description: 'Null until the review is closed.' })),
  task: Type.Optional(
    Type.Object(
      { groups: Type.Array(Application), everyone: Type.Boolean() },
      { description: 'With the outcome `task`: what still gives the person access.' },
    ),
  ),
});

const Due = Type.String({
  maxLength: 100,
  description: `When it is due; ${endRule}. A date is the end of that day, UTC.`,
});
const filters = {
  decision: Type.Optional(Type.Enum(['none', ...reviewDecisions], { description: 'Only those with this decision.' })),
  unused: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Only those who had had access for longer than this many days and had not used it since, such as 90d.',
    }),
  ),
  application: Type.Optional(Type.String({ maxLength: 40, description: 'Only those of this application, by its ID.' })),
};

const subject = {
  tag: 'reviews',
  path: '/api/reviews',
  area: 'reviews',
  data: Review,
  json: ({ review }: { readonly review: ShownReview }) => reviewJson(review),
} as const;
const onReviews = operationsAt(subject);
const onReview = operationsOn(subject, { id: Id }, ({ id }) => id);
const right = 'reviews.decide';

export const reviewOperations: readonly ApiOperation[] = [
  onReviews('listReviews', 'GET', {
    summary: 'List reviews of access, newest first',
    query: page,
    data: pageOf(Review),
    message: 'Reviews retrieved.',
    run: (services, { query }, requester) => listReviews(services, query, requester),
    json: (found: Parameters<typeof pageJson<ShownReview, object>>[0]) => pageJson(found, reviewJson),
  }),
  onReviews('createReview', 'POST', {
    summary: 'Create a review of access; it opens once it has all its items',
    status: 201,
    powerful: true,
    body: Type.Object(
      {
        name: Type.String({ maxLength: 1000, description: 'What the review is called.' }),
        due_at: Due,
        applications: Type.Union([
          Type.Array(Id, { minItems: 1, maxItems: mostReviewed }),
          Type.Literal('limited', { description: 'All that are limited to their access lists.' }),
        ]),
      },
      strict,
    ),
    message: 'Review created.',
    run: (services, { body }, requester) => createReview(services, body, requester),
  }),
  onReview('getReview', 'GET', {
    summary: 'Read a review of access',
    message: 'Review retrieved.',
    run: (services, id, requester) => findReview(services, id, requester),
  }),
  onReview('updateReview', 'PATCH', {
    summary: 'Change when a review of access is due',
    body: Type.Object({ due_at: Due }, strict),
    message: 'Review updated.',
    run: (services, id, requester, { body }) => changeReview(services, id, body, requester),
  }),
  onReview('deleteReview', 'DELETE', {
    summary: 'Delete a review of access and its items',
    powerful: true,
    ...nothing,
    message: 'Review deleted.',
    run: (services, id, requester) => deleteReview(services, id, requester),
  }),
  onReview('listReviewItems', 'GET /items', {
    summary: 'List the items of a review: unused for 90 days first, then by name',
    query: { ...filters, ...page },
    data: pageOf(ReviewItem),
    message: 'Items retrieved.',
    run: (services, id, requester, { query }) => listReviewItems(services, id, query, requester),
    json: ({ items }) => pageJson(items, reviewItemJson),
  }),
  ...downloadFormats.map((format) =>
    onReview(`downloadReviewItems_${format}`, `GET /items.${format}`, {
      summary: `Download the items of a review as ${namesOfFormats[format]}`,
      query: filters,
      download: format,
      data: Lines(format),
      message: `The items, as ${namesOfFormats[format]}.`,
      run: async (services, id, requester, { query }) => {
        const caller = requester.actor?.id ?? '';
        const outcome = await downloadReviewItems(services, id, query, { format, caller, requester });
        if (outcome.kind === 'refused') return outcome;
        return done<Download>({ send: (reply) => sendDownload(reply, format, reviewDownload, outcome) });
      },
      json: ({ data }: { readonly data: Download }) => data,
    }),
  ),
  onReview('decideReviewItems', 'PATCH /items', {
    right,
    summary: 'Decide who keeps access; nothing else changes until the review is closed',
    body: Type.Object(
      {
        ids: Type.Array(Id, { minItems: 1, maxItems: mostDecided }),
        decision: Type.Enum(reviewDecisions),
      },
      strict,
    ),
    data: Type.Object({ review: Review, items: Type.Array(ReviewItem) }),
    message: 'Decided.',
    run: (services, id, requester, { body }) => decideItems(services, id, body, requester),
    json: ({ review, items }) => ({ review: reviewJson(review), items: items.map(reviewItemJson) }),
  }),
  onReview('closeReview', 'POST /close', {
    right,
    summary: 'Close a review: removals take people off access lists; undecided items are marked not reviewed',
    powerful: true,
    message: 'Review closed.',
    run: (services, id, requester) => closeReview(services, id, requester),
  }),
];
