// The console's people who wait for approval: the list, and approving or declining one or many of them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AdminOutcome } from '../../../operations/admin/outcome.ts';
import { approveUser, declineUser, listWaiting } from '../../../operations/users/approval.ts';
import { findUser } from '../../../operations/users/users.ts';
import { chosenPrefix, declinePage, waitingPath, waitingPeoplePage } from '../../../pages/console/users/waiting.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import { cleanMessage, messageLimit, messageProblem } from '../../../protocol/account/standing.ts';
import { sentenceOf } from '../../../protocol/problem.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { cursorIn, isGone, listedIn } from '../list-requests.ts';

export function consoleWaitingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'sign_up');

  pages.get(waitingPath, (page) => sendWaiting(page, 200));

  pages.post(
    waitingPath,
    (form) => {
      const ids = chosenIn(form);
      if (ids.length === 0) return sendWaiting(form, 400, form.frame.messages.admin.waiting.nobodyChosen);
      return form.field('decision') === 'approve' ? approve(form, ids) : decline(form, ids);
    },
    ['message'],
  );

  pages.asks(waitingPath, (form) => declineQuestion(form, chosenIn(form), form.field('message'), undefined), [
    'message',
  ]);

  async function approve(form: ConsoleForm, ids: readonly string[]): Promise<FastifyReply> {
    const problems = await eachOf(ids, (id) => approveUser(services, { id }, form.requester));
    if (problems.length > 0) return sendWaiting(form, 400, problems.join(' '));
    const [only] = ids.length === 1 ? ids : [];
    const next = only === undefined ? waitingPath : `/admin/people/${personSegment(only)}`;
    return form.goTo(`${next}?done=approved`);
  }

  /** Asks first, and for the message. */
  async function decline(form: ConsoleForm, ids: readonly string[]): Promise<FastifyReply> {
    const message = form.field('message');
    const wrong = messageProblem(cleanMessage(message));
    if (form.field('confirmed') !== 'yes' || wrong !== undefined) {
      const problem = wrong && sentenceOf({ subject: 'the message', says: wrong });
      const question = await declineQuestion(form, ids, message, problem);
      if (question !== undefined) return form.send(problem === undefined ? 200 : 400, question);
      return sendWaiting(form, 400, saysOf(await findUser(services, { id: ids[0] ?? '' }))[0]);
    }
    const problems = await eachOf(ids, (id) => declineUser(services, { id }, message, form.requester));
    if (problems.length > 0) return sendWaiting(form, 400, problems.join(' '));
    return form.goTo(`${waitingPath}?done=${ids.length === 1 ? 'declined' : 'all-declined'}`);
  }

  /** Undefined if none of them exists. */
  async function declineQuestion(
    form: ConsoleForm,
    ids: readonly string[],
    message: string,
    problem: string | undefined,
  ) {
    const found = await Promise.all(ids.map((id) => findUser(services, { id })));
    const people = found.flatMap((each) => (each.kind === 'done' ? [each.user] : []));
    if (people.length === 0) return undefined;
    const canSendEmail = services.emailQueue.works;
    return declinePage(form.frame, { people, message, messageLimit, canSendEmail, problem });
  }

  async function sendWaiting(page: ConsoleRequest, status: number, problem?: string): Promise<FastifyReply> {
    const { items, ...listed } = listedIn(await listWaiting(services, cursorIn(page)), status, problem);
    if (isGone(listed.place)) return page.sendMoved();
    const now = services.clock.now();
    const body = waitingPeoplePage(page.frame, { ...listed, people: items, now, notice: page.notice });
    return page.send(listed.status, body);
  }
}

/** Those whose box is ticked, everyone on the page, or those that an earlier form has named. */
function chosenIn(form: ConsoleForm): string[] {
  const named = form.field(form.field('all') === 'yes' ? 'listed' : 'people').split(' ');
  const ticked = [...form.fields.keys()]
    .filter((name) => name.startsWith(chosenPrefix))
    .map((name) => name.slice(chosenPrefix.length));
  return [...new Set([...named, ...ticked])].filter((id) => id !== '');
}

/** What was refused, in sentences: someone else may have decided about one of them. The others are done all the same. */
async function eachOf(
  ids: readonly string[],
  decide: (id: string) => Promise<AdminOutcome<object>>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const id of ids) problems.push(...saysOf(await decide(id)));
  return problems;
}

function saysOf(outcome: AdminOutcome<object>): string[] {
  return outcome.kind === 'refused' ? outcome.problems.map(sentenceOf) : [];
}
