// The console's requests for access: the list, and allowing or declining one of them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  allowAccessRequest,
  declineAccessRequest,
  findAccessRequest,
  listAccessRequests,
} from '../../../operations/access-requests/access-requests.ts';
import { type Refused, refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  accessRequestsPage,
  accessRequestsPath,
  allowQuestion,
  type DecisionAttempt,
  declineQuestion,
} from '../../../pages/console/access-requests/access-requests.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { preselectedDays, requestStatuses } from '../../../protocol/account/access-requests.ts';
import { messageLimit } from '../../../protocol/account/standing.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { endIn } from '../field-forms.ts';
import { cursorIn, isGone, listedIn } from '../list-requests.ts';

export function consoleAccessRequestRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'access_requests');
  const [allowPath, declinePath] = [`${accessRequestsPath}/:id/allow`, `${accessRequestsPath}/:id/decline`];

  pages.get(accessRequestsPath, (page) => sendList(page, 200));

  const noAttempt = { value: `${preselectedDays}d`, problem: undefined };

  async function askToAllow(page: ConsoleRequest, end: DecisionAttempt = noAttempt) {
    const found = await findAccessRequest(services, page.id, page.requester);
    return found.kind === 'refused' ? found : allowQuestion(page.frame, found.request, end);
  }

  async function askToDecline(page: ConsoleRequest, { value, problem }: Partial<DecisionAttempt> = {}) {
    const found = await findAccessRequest(services, page.id, page.requester);
    if (found.kind === 'refused') return found;
    const reason = { value: value ?? '', problem, limit: messageLimit, canSendEmail: services.emailQueue.works };
    return declineQuestion(page.frame, found.request, reason);
  }

  pages.question(allowPath, 'applications', (page) => askToAllow(page));
  pages.question(declinePath, 'applications', (page) => askToDecline(page));

  pages.powerful(allowPath, async (form) => {
    const value = endIn(form, 'expires_at');
    const outcome = await allowAccessRequest(services, form.id, { expiresAt: value || null }, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${accessRequestsPath}?done=request-allowed`);
    return again(form, outcome, await askToAllow(form, { value, problem: refusalSentence(outcome) }));
  });

  pages.post(
    declinePath,
    async (form) => {
      const value = form.field('reason');
      const outcome = await declineAccessRequest(services, form.id, value, form.requester);
      if (outcome.kind === 'done') return form.goTo(`${accessRequestsPath}?done=request-declined`);
      return again(form, outcome, await askToDecline(form, { value, problem: refusalSentence(outcome) }));
    },
    ['reason'],
  );

  /** With what was typed, or the list if the request isn't what it was. */
  function again(
    form: ConsoleForm,
    refused: Refused,
    question: Refused | ReturnType<typeof allowQuestion>,
  ): FastifyReply | Promise<FastifyReply> {
    if ('reason' in question) return form.refuse(question);
    if (refused.reason !== 'invalid') return sendList(form, form.statusOf(refused), refusalSentence(refused));
    const action = form.request.url;
    return form.send(400, confirmPage(form.frame, { action, ...question }));
  }

  async function sendList(page: ConsoleRequest, status: number, problem?: string): Promise<FastifyReply> {
    const filter = requestStatuses.find((each) => each === page.query.get('status')) ?? 'open';
    const outcome = await listAccessRequests(services, { ...cursorIn(page), status: filter }, page.requester);
    const { items, ...listed } = listedIn(outcome, status, problem);
    if (isGone(listed.place)) return page.sendMoved();
    const shown = { ...listed, requests: items, status: filter, now: services.clock.now(), notice: page.notice };
    return page.send(listed.status, accessRequestsPage(page.frame, shown));
  }
}
