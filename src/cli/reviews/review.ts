// `latchkey review`: reviews of who has access. Deciding is for people, in the console and the API.

import { closeReview } from '../../operations/reviews/close-review.ts';
import { listReviewItems, reviewItemJson } from '../../operations/reviews/review-items.ts';
import { reviewCell, reviewColumns } from '../../operations/reviews/review-rows.ts';
import {
  createReview,
  findReview,
  listReviews,
  progressOf,
  reviewJson,
  type ShownReview,
  shownStatus,
} from '../../operations/reviews/reviews.ts';
import type { Services } from '../../operations/services.ts';
import { csvLine } from '../../protocol/admin/file-formats.ts';
import type { Requester } from '../../protocol/event.ts';
import { clientNamed } from '../clients/named-client.ts';
import { requireDone, UsageError } from '../command.ts';
import { limitOption, readList } from '../frame/lists.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { writeOut } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const exampleId = '06f3k9q2m4t7c1v8x5w0y3z6ra';
const one = { review: { label: '<review_id>' } } as const;

const titles = ['ID', 'STATUS', 'DUE', 'REVIEWED', 'NAME'];

function report(review: ShownReview) {
  const { items, reviewed } = progressOf(review);
  const names = review.applications.map(({ name }) => name).join(', ');
  return {
    json: reviewJson(review),
    fields: [
      ['id', review.id],
      ['name', review.name],
      ['status', shownStatus(review)],
      ['due at', shownTime(review.dueAt)],
      ['applications', names],
      ['reviewed', `${reviewed} of ${items}`],
      ...(review.status === 'closed' && review.closedAt !== null ? [['closed at', shownTime(review.closedAt)]] : []),
    ],
  };
}

async function* allItems(services: Services, id: string, requester: Requester) {
  let cursor: string | undefined;
  do {
    const { items } = requireDone(await listReviewItems(services, id, { cursor, limit: 200 }, requester));
    yield items.items;
    cursor = items.next;
  } while (cursor !== undefined);
}

export const review: CommandGroup = {
  summary: summaries.review,
  details:
    'A review lists who can use applications. Their owners decide who keeps access, in the console or with the API.',
  examples: ['latchkey review create "Access in 2027" --due 30d --limited', 'latchkey review list'],
  commands: {
    create: defineStoreCommand({
      summary: 'create a review, which opens once the running service has filled it',
      arguments: { name: { label: 'NAME' } },
      options: {
        due: { value: 'DATE', about: 'when it is due: 2027-01-31, 2027-01-31T17:00Z or 30d' },
        client: { value: 'ID|NAME', completes: 'client', many: true, about: 'an application' },
        limited: { about: 'all applications that are limited to their access lists' },
      },
      examples: [
        'latchkey review create "Access in 2027" --due 30d --limited',
        'latchkey review create "Photos, spring" --due 2027-04-30 --client photos',
      ],
      async run({ services, values, args, requester }) {
        const { due, client = [], limited } = values;
        if (due === undefined) throw new UsageError('--due is missing');
        if (client.length > 0 === (limited === true)) throw new UsageError('give either --client or --limited');
        const clients = await Promise.all(client.map((each) => clientNamed(services, each)));
        const applications = limited ? 'limited' : clients.map(({ id }) => id);
        const made = requireDone(
          await createReview(services, { name: args.name, due_at: due, applications }, requester),
        );
        return {
          json: reviewJson(made.review),
          text: `Created the review ${made.review.id}. It opens once it's filled.`,
        };
      },
    }),
    list: defineStoreCommand({
      summary: 'list reviews, newest first',
      options: limitOption,
      examples: ['latchkey review list'],
      async run({ services, values, requester }) {
        const { items, rest } = await readList(values, (request) => listReviews(services, request, requester));
        const rows = items.map((each) => {
          const { items: all, reviewed } = progressOf(each);
          return [each.id, shownStatus(each), briefTime(each.dueAt), `${reviewed}/${all}`, each.name];
        });
        return { json: items.map(reviewJson), list: [titles, ...rows], none: 'No reviews yet.', rest };
      },
    }),
    show: defineStoreCommand({
      summary: 'show a review',
      arguments: one,
      examples: [`latchkey review show ${exampleId}`],
      run: async ({ services, args, requester }) =>
        report(requireDone(await findReview(services, args.review, requester)).review),
    }),
    close: defineStoreCommand({
      summary: 'close a review: removals take people off access lists; undecided items are marked not reviewed',
      arguments: one,
      examples: [`latchkey review close ${exampleId}`],
      run: async ({ services, args, requester }) =>
        report(requireDone(await closeReview(services, args.review, requester)).review),
    }),
    export: defineStoreCommand({
      summary: 'write the items of a review to standard output, with what was decided and done',
      arguments: one,
      options: {
        format: { values: ['csv', 'json'], about: 'comma-separated, or one JSON object per line; default: csv' },
      },
      examples: [
        `latchkey review export ${exampleId} > review.csv`,
        `latchkey review export ${exampleId} --format json`,
      ],
      async run({ services, values, args, requester }) {
        requireDone(await findReview(services, args.review, requester));
        const asJson = values.format === 'json' || values.json;
        if (!asJson) await writeOut(csvLine(reviewColumns));
        for await (const items of allItems(services, args.review, requester)) {
          const lines = items.map((item) =>
            asJson
              ? `${JSON.stringify(reviewItemJson(item))}\n`
              : csvLine(reviewColumns.map((column) => reviewCell(item, column))),
          );
          await writeOut(lines.join(''));
        }
      },
    }),
  },
};
