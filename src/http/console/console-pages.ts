// Registers pages of the console: account pages that need a right of administration, whose changes are recorded with the
// person who made them. What many of its pages have, such as buttons and questions, is registered here too.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorityOf, isAllowed, noteRefusal, rightRefused } from '../../operations/admin/authority.ts';
import { type AdminOutcome, type Refused, refusalSentence } from '../../operations/admin/outcome.ts';
import { defaultPageLength } from '../../operations/admin/paging.ts';
import type { Action } from '../../operations/admin/subject.ts';
import { clientIdFor, consumeSubmissionToken, newSubmissionToken } from '../../operations/admin/submit-once.ts';
import type { Services } from '../../operations/services.ts';
import { stepToPage } from '../../operations/sign-in/second-factor-need.ts';
import type { AccountFrame } from '../../pages/account/account-layout.ts';
import {
  type AskedQuestion,
  type ConfirmPage,
  confirmPage,
  notAllowedPage,
  ownedPath,
} from '../../pages/console/console-layout.ts';
import { noListPage } from '../../pages/console/lists.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import { idInSegment, personSegment } from '../../pages/layout/person-path.ts';
import { hasRole, rolesOf } from '../../protocol/account/roles.ts';
import { type Area, ownedBy, type Right, rightIn } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import { logoLimit } from '../../protocol/reading/image.ts';
import {
  type AccountRequest,
  type Answer,
  type FormFields,
  noticeOf,
  openSession,
  type PageRoutes,
  pageRoutes,
  type Upload,
} from '../account/account-pages.ts';
import type { HttpContext } from '../context.ts';
import { isPhone } from '../requests.ts';
import { applicationIn, applicationOf } from '../route-rights.ts';
import { englishFrame, redirect } from '../send-page.ts';
import { urlBefore } from '../sign-in/destination.ts';
import { listProblem } from './list-filters.ts';
import { offeredUndo } from './undo.ts';

export const clientsPath = '/admin/applications';
/** Two lines each: about three screens of a phone. */
const phonePageLength = 25;

/** Where a form leads to may contain `:id`, which stands for the ID in the form's own path. */
export interface ConsoleRequest extends AccountRequest {
  /** The part of the path that names a client or a user. */
  readonly id: string;
  /** For a form on this page that must not be submitted twice; it sends this in the field `once`. */
  readonly submissionToken: string;
  /** How many items a list shows at once. */
  readonly pageLength: number;
  /** Sends the page that says so, or that there is no such page if what it's about doesn't exist. */
  refuse(refused: Refused): FastifyReply;
  /** Says that this page of the list is gone, and links to its first page. */
  sendMoved(): FastifyReply;
  /** Of the page that shows what was refused; what the person may not do is recorded. */
  statusOf(refused: Refused): 400 | 403;
  /** The path with this ID instead of `:id`. */
  own(path: string): string;
  /** The frame of a page that offers no change below the path. */
  readOnly(path: string): AccountFrame;
}

export type ConsoleForm = ConsoleRequest & FormFields;

/** Shows the page that a form stands on again, with what was wrong. */
type Again = (page: ConsoleRequest, status: number, attempt: { readonly problem: string }) => Answer;

interface Button<Target> {
  run(services: Services, target: Target, requester: Requester, form: ConsoleForm): Promise<AdminOutcome<object>>;
  readonly done: string;
  readonly powerful?: true | undefined;
}

/** Buttons of actions, with where each of them leads. */
export function buttonsOf<Name extends string>(
  actions: Readonly<Record<Name, Action>>,
  leadsTo: Partial<Readonly<Record<Name, string>>>,
): Readonly<Record<string, Button<string>>> {
  const buttons = (Object.entries(leadsTo) as [Name, string][]).map(([name, done]): [string, Button<string>] => {
    const { run, proof } = actions[name];
    return [
      name,
      { run: (services, key, requester) => run(services, key, requester, false), done, powerful: proof && true },
    ];
  });
  return Object.fromEntries(buttons);
}

interface ImageForm {
  /** Removes the image if there are no bytes. */
  change(page: ConsoleRequest, bytes: Uint8Array | null): Promise<AdminOutcome<object>>;
  readonly done: string;
  words(messages: Messages['admin']): { readonly none: string; readonly tooLarge: string };
}

/** Pages that `get` registers need the right to read their area; everything else, also questions, needs the right to change it. */
export interface ConsoleRoutes extends Omit<PageRoutes<ConsoleRequest>, 'upload'> {
  /** Registers what needs this right instead, such as a page that only leads to a change. */
  needing(right: Right): ConsoleRoutes;
  /** Buttons that change what the page is about, by the last part of their path. */
  buttons<Target>(
    path: string,
    again: Again,
    target: (form: ConsoleForm) => Target,
    buttons: Readonly<Record<string, Button<Target>>>,
  ): void;
  /** The page that asks before the form at the same path; without a question, what it's about doesn't exist. */
  question(
    path: string,
    section: ConfirmPage['section'],
    ask: (page: ConsoleRequest) => Promise<(AskedQuestion & Partial<ConfirmPage>) | Refused | undefined>,
  ): void;
  /**
   * The question that the form at this path is answered with, by itself: for a script, which opens it as a dialog before the
   * form is sent. Nothing is changed. Undefined when there's none.
   */
  asks(path: string, ask: (form: ConsoleForm) => Promise<string | undefined>, multiline?: readonly string[]): void;
  /** The form that sets or removes an image. */
  image(path: string, field: string, again: Again, form: ImageForm): void;
}

export function consolePages(app: FastifyInstance, context: HttpContext, area: Area): ConsoleRoutes {
  return routesNeeding(app, context, (does) => rightIn(area, does));
}

function routesNeeding(
  app: FastifyInstance,
  context: HttpContext,
  right: (does: 'read' | 'change') => Right,
): ConsoleRoutes {
  const { services } = context;

  async function open(request: FastifyRequest, reply: FastifyReply, needs: Right): Promise<ConsoleRequest | undefined> {
    const page = await openSession(context, request, reply);
    const step = await stepToPage(services, page?.signedIn);
    if (page === undefined || step.kind !== 'done') {
      const [status, back] =
        request.method === 'GET' ? ([302, request.raw.url ?? ''] as const) : ([303, '/admin'] as const);
      redirect(reply, status, urlBefore(step, back));
      return undefined;
    }
    const { visit, signedIn } = page;
    const authority = await authorityOf(services, signedIn.user);
    const requester = { ...page.requester, authority, actor: { kind: 'administrator', id: signedIn.user.id } } as const;
    const allows: NonNullable<AccountFrame['allows']> = (method, path) => {
      if (path === ownedPath && ownedBy(authority).size === 0) return false;
      const needed = app.routeRights.find(method, path);
      return needed === undefined || isAllowed(authority, needed, applicationIn(path));
    };
    const english = { ...page.frame, ...englishFrame(context), returnTo: undefined, allows };
    const frame = { ...english, undo: offeredUndo(page, english.messages.admin) };
    // Their console begins there.
    if (request.routeOptions.url === '/admin' && rolesOf(signedIn.user).length === 0 && ownedBy(authority).size > 0) {
      visit.redirect(302, ownedPath);
      return undefined;
    }
    if (rightRefused(services, requester, needs, applicationOf(request))) {
      if (!hasRole(signedIn.user)) visit.sendErrorPage(403, 'notAdministrator');
      else visit.sendPage(403, notAllowedPage(frame));
      return undefined;
    }
    const url = request.raw.url ?? '';
    const problem = request.method === 'POST' ? undefined : listProblem(request.routeOptions.url ?? '', page.query);
    if (problem !== undefined) {
      visit.sendPage(400, noListPage(frame, url, problem === 'moved' ? undefined : problem));
      return undefined;
    }
    const id = idInSegment((request.params as { id?: string }).id ?? '');
    const own = (path: string) => path.replace(':id', personSegment(id));
    const statusOf = ({ reason, right = 'roles.change' }: Refused) => {
      if (reason !== 'forbidden') return 400;
      noteRefusal(services, requester, right);
      return 403;
    };
    return {
      ...page,
      frame,
      id,
      requester,
      notice: noticeOf(page, frame.messages.admin.notices),
      submissionToken: newSubmissionToken(services),
      pageLength: isPhone(request.headers) ? phonePageLength : defaultPageLength,
      statusOf,
      refuse: (refused) =>
        refused.reason === 'not_found'
          ? visit.sendErrorPage(404, 'notFound')
          : visit.sendPage(statusOf(refused), notAllowedPage(frame)),
      sendMoved: () => visit.sendPage(404, noListPage(frame, url)),
      own,
      readOnly: (fixed) => {
        const isChange = (method: string, path: string) =>
          path.startsWith(`${fixed}/`) && app.routeRights.find(method, path)?.endsWith('.change');
        return { ...frame, allows: (method, path) => allows(method, path) && !isChange(method, path) };
      },
      goTo: (path) => visit.redirect(303, own(path)),
    };
  }

  const pagesFor = (needs: Right) =>
    pageRoutes<ConsoleRequest>(app, context, (request, reply) => open(request, reply, needs), { needs });
  const changing = () => pagesFor(right('change'));
  const post: ConsoleRoutes['post'] = (path, answer, multiline) => changing().post(path, once(path, answer), multiline);
  const powerful: ConsoleRoutes['powerful'] = (path, answer, options) =>
    changing().powerful(path, once(path, answer), options);

  return {
    get: (path, answer) => pagesFor(right('read')).get(path, answer),
    post,
    powerful,
    needing: (own) => routesNeeding(app, context, () => own),

    buttons(path, again, target, buttons) {
      for (const [name, { run, done, ...button }] of Object.entries(buttons)) {
        (button.powerful ? powerful : post)(`${path}/${name}`, async (form) => {
          const outcome = await run(services, target(form), form.requester, form);
          if (outcome.kind === 'refused') {
            return again(form, form.statusOf(outcome), { problem: refusalSentence(outcome) });
          }
          return form.goTo(done);
        });
      }
    },

    question(path, section, ask) {
      changing().get(path, async (page) => {
        const asked = await ask(page);
        if (asked === undefined) return page.visit.sendErrorPage(404, 'notFound');
        if ('reason' in asked) return page.refuse(asked);
        const [action, back] = [page.own(path), page.own(path.slice(0, path.lastIndexOf('/')))];
        return page.send(200, confirmPage(page.frame, { section, action, back, ...asked }));
      });
    },

    asks(path, ask, multiline) {
      const answer = async (form: ConsoleForm) => {
        const question = await ask(form);
        return question === undefined ? form.reply.code(204).send() : form.send(200, question);
      };
      changing().post(`${path}/ask`, answer, multiline);
    },

    image(path, field, again, { change, done, words }) {
      const answer = async (upload: ConsoleRequest & Upload) => {
        const bytes = upload.field('remove') === 'yes' ? null : await upload.file(field);
        if (bytes === undefined) return again(upload, 400, { problem: words(upload.frame.messages.admin).none });
        const outcome = await change(upload, bytes);
        if (outcome.kind === 'refused') return again(upload, 400, { problem: refusalSentence(outcome) });
        return upload.goTo(done);
      };
      changing().upload(path, logoLimit, answer, (page) =>
        again(page, 413, { problem: words(page.frame.messages.admin).tooLarge }),
      );
    },
  };

  /** A form that has been sent before leads to the page of what it's about, or to the list. */
  function once(path: string, answer: (form: ConsoleForm) => Answer) {
    const [list = '', rest] = path.split('/:id');
    return async (form: ConsoleForm) => {
      const token = form.fields.get('once');
      if (token === undefined || (await consumeSubmissionToken(services, token))) return answer(form);
      // Reloading the page that showed a secret or a link once leads back to what it was about.
      if (rest !== undefined) return form.goTo(`${list}/:id`);
      return form.goTo(path === clientsPath ? `${path}/${clientIdFor(token)}` : path);
    };
  }
}
