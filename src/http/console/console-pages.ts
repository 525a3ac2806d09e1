// Registers pages of the console: account pages that only administrators may open, whose changes are recorded with the
// administrator who made them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { clientIdFor, consumeSubmissionToken, newSubmissionToken } from '../../operations/admin/submit-once.ts';
import { lacksSecondFactor } from '../../operations/sign-in/second-factor-need.ts';
import { idInSegment, personSegment } from '../../pages/layout/person-path.ts';
import {
  type AccountRequest,
  type FormFields,
  openSession,
  type PageRoutes,
  pageRoutes,
} from '../account/account-pages.ts';
import { noticeOf } from '../account/notices.ts';
import type { HttpContext } from '../context.ts';
import { englishFrame, redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { signInUrlFor, verifyUrl } from '../sign-in/destination.ts';

export const clientsPath = '/admin/applications';

export interface ConsoleRequest extends AccountRequest {
  /** The part of the path that names a client or a user. */
  readonly id: string;
  /** What the query says was done (`?done=saved`). */
  readonly notice: string | undefined;
  /** For a form on this page that must not be submitted twice; it sends this in the field `once`. */
  readonly submissionToken: string;
  send(status: number, page: string): FastifyReply;
}

export type ConsoleForm = ConsoleRequest & FormFields;

export function consolePages(app: FastifyInstance, context: HttpContext): PageRoutes<ConsoleRequest> {
  const { services } = context;
  const pages = pageRoutes<ConsoleRequest>(app, context, async (request, reply) => {
    const page = await openSession(context, request, reply);
    if (page === undefined || (await lacksSecondFactor(services, page.signedIn))) {
      const [status, back] =
        request.method === 'GET' ? ([302, request.raw.url ?? ''] as const) : ([303, '/admin'] as const);
      redirect(reply, status, page === undefined ? signInUrlFor(back) : verifyUrl(back));
      return undefined;
    }
    const { user } = page.signedIn;
    if (user.adminSince === null) {
      sendErrorPage(context, request, reply, 403, 'notAdministrator');
      return undefined;
    }
    return {
      ...page,
      frame: { ...page.frame, ...englishFrame(context), returnTo: undefined },
      id: idInSegment((request.params as { id?: string }).id ?? ''),
      requester: { ...page.requester, actor: { kind: 'administrator', id: user.id } },
      notice: noticeOf(page, page.frame.messages.admin.notices),
      submissionToken: newSubmissionToken(services),
      send: (status, body) => sendPage(reply, status, body),
    };
  });

  return {
    ...pages,

    post(path, answer, multiline) {
      pages.post(path, once(answer, backOf(path)), multiline);
    },

    powerful(path, answer, options) {
      pages.powerful(path, once(answer, backOf(path)), options);
    },
  };

  /** The page of the application or person that the form is about, or the list. */
  function backOf(path: string): (form: ConsoleForm) => string {
    const [list = '', rest] = path.split('/:id');
    if (rest !== undefined) return ({ id }) => `${list}/${personSegment(id)}`;
    return (form) => (path === clientsPath ? `${path}/${clientIdFor(form.field('once'))}` : path);
  }

  function once(
    answer: (form: ConsoleForm) => FastifyReply | Promise<FastifyReply>,
    back: (form: ConsoleForm) => string,
  ) {
    return async (form: ConsoleForm) => {
      const token = form.fields.get('once');
      if (token !== undefined && !(await consumeSubmissionToken(services, token))) {
        // Reloading the page that showed a secret or a link once leads back to what it was about.
        return redirect(form.reply, 303, back(form));
      }
      return answer(form);
    };
  }
}
