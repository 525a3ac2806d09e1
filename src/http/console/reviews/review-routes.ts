// The console's pages about reviews of who has access.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { groupContentRefusal } from '../../../operations/admin/authority.ts';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { downloadReviewItems } from '../../../operations/downloads/list-download.ts';
import { changeMembers, clientsOpenedBy, clientsWithClaimsOf, findGroup } from '../../../operations/groups/groups.ts';
import { closeReview, mayCloseReview } from '../../../operations/reviews/close-review.ts';
import {
  countDecisions,
  decideItems,
  deletedName,
  endableGroups,
  findReviewItem,
  type ItemFilters,
  listReviewItems,
} from '../../../operations/reviews/review-items.ts';
import {
  changeReview,
  createReview,
  deleteReview,
  findReview,
  listReviews,
  progressOf,
  reviewerBehind,
  type ShownReview,
  shownStatus,
} from '../../../operations/reviews/reviews.ts';
import { listUrl } from '../../../pages/console/lists.ts';
import { type EnteredReview, itemField, reviewPage, reviewsPage } from '../../../pages/console/reviews/reviews.ts';
import { isUserId } from '../../../protocol/account/names.ts';
import { mayDecide, reviewDecisions } from '../../../protocol/admin/reviews.ts';
import type { HttpContext } from '../../context.ts';
import { reviewDownload } from '../../downloads/lists.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { downloadRoutes } from '../download-routes.ts';
import { cursorIn, isGone, placeOf, sendNoList } from '../list-requests.ts';

const list = '/admin/reviews';
const own = `${list}/:id`;

export function consoleReviewRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'reviews');
  const deciding = pages.needing('reviews.decide');

  pages.get(list, (page) => sendList(page, 200));
  pages.powerful(
    list,
    async (form) => {
      const entered = { name: form.field('name'), due: form.field('due_at'), applications: form.field('applications') };
      const named = entered.applications.split(/\s+/).filter((id) => id !== '');
      const applications = named.length === 0 ? ('limited' as const) : named;
      const given = { name: entered.name, due_at: entered.due, applications };
      const outcome = await createReview(services, given, form.requester);
      if (outcome.kind === 'done') return form.goTo(`${list}/${outcome.review.id}?done=review-created`);
      return sendList(form, form.statusOf(outcome), { problem: refusalSentence(outcome), entered });
    },
    { multiline: ['applications'] },
  );

  pages.get(own, (page) => sendReview(page, 200));
  downloadRoutes(
    app,
    context,
    { section: 'reviews', path: `${own}/items` },
    async () => reviewDownload,
    (page, request) => downloadReviewItems(services, page.id, filtersIn(page), request),
  );
  // Where the way back from a refused download leads.
  pages.get(`${own}/items`, async (page) => page.goTo(own));

  deciding.post(`${own}/items`, async (form) => {
    const ids = Array.from({ length: form.pageLength }, (_, index) => form.field(itemField(index))).filter(isUserId);
    const decision = reviewDecisions.find((each) => each === form.field('decision'));
    if (decision === undefined) return form.visit.sendErrorPage(400, 'badRequest');
    const kept = { ...filtersOf((name) => form.field(`filter_${name}`)) };
    if (ids.length === 0) {
      return sendReview(form, 400, form.frame.messages.admin.reviews.nothingSelected, kept);
    }
    const outcome = await decideItems(services, form.id, { ids, decision }, form.requester);
    if (outcome.kind === 'done') return form.goTo(listUrl(form.own(own), { ...kept, done: 'review-decided' }));
    return sendReview(form, form.statusOf(outcome), refusalSentence(outcome), kept);
  });

  pages.post(`${own}/due`, async (form) => {
    const outcome = await changeReview(services, form.id, { due_at: form.field('due_at') }, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${own}?done=review-due`);
    return sendReview(form, form.statusOf(outcome), refusalSentence(outcome));
  });

  deciding.question(`${own}/close`, 'reviews', async ({ id, frame, requester }) => {
    const found = await findReview(services, id, requester);
    if (found.kind === 'refused') return undefined;
    const { reviews: m } = frame.messages.admin;
    const { removed, kept, open } = await countDecisions(services, found.review);
    return { title: m.closeTitle(found.review.name), text: m.closeText(removed, kept, open), button: m.close };
  });
  pages.question(`${own}/delete`, 'reviews', async ({ id, frame, requester }) => {
    const found = await findReview(services, id, requester);
    if (found.kind === 'refused') return undefined;
    const { reviews: m } = frame.messages.admin;
    return { title: m.deleteTitle(found.review.name), text: m.deleteHint, button: m.delete };
  });
  const again = (page: ConsoleRequest, status: number, { problem }: { readonly problem: string }) =>
    sendReview(page, status, problem);
  deciding.buttons(own, again, ({ id }) => id, {
    close: {
      run: (all, id, requester) => closeReview(all, id, requester),
      done: `${own}?done=review-closed`,
      powerful: true,
    },
  });
  pages.buttons(own, again, ({ id }) => id, {
    delete: {
      run: (all, id, requester) => deleteReview(all, id, requester),
      done: `${list}?done=review-deleted`,
      powerful: true,
    },
  });

  const groups = pages.needing('groups.change');
  groups.question(`${own}/end`, 'reviews', async ({ id, frame, query, requester }) => {
    const asked = await taskIn({ id, requester }, query.get('item') ?? '', query.get('group') ?? '');
    if (asked === undefined) return undefined;
    const { item, group } = asked;
    const refusal = groupContentRefusal(requester, group);
    if (refusal !== undefined) return refusal;
    const [opened, claiming] = await Promise.all([
      clientsOpenedBy(services, group),
      clientsWithClaimsOf(services, group),
    ]);
    const { reviews: m } = frame.messages.admin;
    const names = (all: readonly { readonly name: string }[]) => frame.messages.list(all.map(({ name }) => name));
    return {
      title: m.endTitle(item.name ?? '', group.name),
      text: m.endText(names(opened), names(claiming)),
      button: m.endMembership,
      fields: { item: item.id, group: group.id },
    };
  });
  groups.powerful(`${own}/end`, async (form) => {
    const asked = await taskIn(form, form.field('item'), form.field('group'));
    if (asked === undefined) return form.visit.sendErrorPage(404, 'notFound');
    const { item, group } = asked;
    const change = { remove: [{ id: item.userId ?? '' }], expiresAt: null };
    const outcome = await changeMembers(services, { id: group.id }, change, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${own}?outcome=task&done=review-member`);
    return sendReview(form, form.statusOf(outcome), refusalSentence(outcome));
  });

  /** A task of the review, and one of the groups that it names. */
  async function taskIn({ id, requester }: Pick<ConsoleForm, 'id' | 'requester'>, itemId: string, groupId: string) {
    const item = await findReviewItem(services, id, itemId, requester);
    const named = item?.finalOutcome === 'task' && item.remainingGroups.some((group) => group.id === groupId);
    if (item === undefined || !named || item.userId === null) return undefined;
    const found = await findGroup(services, { id: groupId });
    return found.kind === 'refused' ? undefined : { item, group: found.group };
  }

  async function sendList(
    page: ConsoleRequest,
    status: number,
    attempt: { readonly problem?: string; readonly entered?: EnteredReview } = {},
  ): Promise<FastifyReply> {
    const found = await listReviews(services, cursorIn(page), page.requester);
    if (found.kind === 'refused') return sendNoList(page, found);
    if (isGone(placeOf(found))) return page.sendMoved();
    const body = reviewsPage(page.frame, {
      reviews: found.items.map(shown),
      place: placeOf(found),
      entered: attempt.entered ?? {},
      submissionToken: page.submissionToken,
      now: services.clock.now(),
      notice: page.notice,
      problem: attempt.problem,
    });
    return page.send(status, body);
  }

  async function sendReview(
    page: ConsoleRequest,
    status: number,
    problem?: string,
    filters = filtersIn(page),
  ): Promise<FastifyReply> {
    const { requester } = page;
    const found = await listReviewItems(services, page.id, { ...cursorIn(page), ...filters }, requester);
    if (found.kind === 'refused') return sendNoList(page, found);
    const { review, items } = found;
    if (isGone(placeOf(items))) return page.sendMoved();
    const reviewer = reviewerBehind(requester);
    const isOpen = review.status === 'open';
    const body = reviewPage(page.frame, {
      review: shown(review),
      items: await Promise.all(
        items.items.map(async (item) => ({
          ...item,
          name: item.name ?? deletedName(item.deletedNumber),
          mayDecide: isOpen && reviewer !== undefined && mayDecide(reviewer, item),
          endable: await endableGroups(services, item, requester),
        })),
      ),
      filters,
      place: placeOf(items),
      asOf: items.items[0]?.asOf,
      mayClose: await mayCloseReview(services, review, requester),
      now: services.clock.now(),
      notice: page.notice,
      problem,
    });
    return page.send(status, body);
  }
}

function shown(review: ShownReview) {
  return { ...review, status: shownStatus(review), ...progressOf(review) };
}

function filtersIn({ query }: Pick<ConsoleRequest, 'query'>): ItemFilters {
  return filtersOf((name) => query.get(name) ?? '');
}

function filtersOf(given: (name: string) => string): ItemFilters {
  const decision = (['none', ...reviewDecisions] as const).find((each) => each === given('decision'));
  return {
    ...(decision && { decision }),
    ...(given('unused') && { unused: given('unused') }),
    ...(given('application') && { application: given('application') }),
    ...(given('outcome') === 'task' && { outcome: 'task' as const }),
  };
}
