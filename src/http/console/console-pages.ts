// What every page of the console needs: an administrator's session, the frame, and forms that belong to the session.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { sessionLimits } from '../../protocol/sign-in/session-limits.ts';
import { type AccountRequest, accountPages } from '../account/account-pages.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { failureOf, sendFailure } from '../failures.ts';
import { bodyOf, isFormToken, isSameOrigin, receiveForm } from '../forms.ts';
import { originOf } from '../origin.ts';
import { redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { readUpload } from '../uploads.ts';

export interface ConsoleRequest extends AccountRequest {
  /** The part of the address that names an application or a person. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Where a change comes from, and who makes it. */
  readonly origin: Origin;
  send(status: number, page: string): FastifyReply;
  /** For a form on this page that must not be sent twice. */
  readonly once: string;
  /** What the address says was done. */
  readonly notice: string | undefined;
}

export interface ConsoleFormRequest extends ConsoleRequest {
  field(name: string): string;
}

export interface ConsoleUploadRequest extends ConsoleRequest {
  readonly fields: FormData;
}

type Answer = FastifyReply | Promise<FastifyReply>;

export function consolePages(app: FastifyInstance, context: HttpContext) {
  const own = accountPages(app, context);

  /** Undefined when the reply has been given already. */
  async function open(request: FastifyRequest, reply: FastifyReply): Promise<ConsoleRequest | undefined> {
    const page = await own.open(request, reply);
    const url = request.raw.url ?? '';
    if (page === undefined) {
      const [status, back] = request.method === 'GET' ? ([302, url] as const) : ([303, '/admin'] as const);
      redirect(reply, status, `/sign-in?to=${encodeURIComponent(back).replaceAll('%2F', '/')}`);
      return undefined;
    }
    const { user } = page.signedIn;
    if (user.adminSince === null) {
      sendErrorPage(context, request, reply, 403, 'notAdministrator');
      return undefined;
    }
    const m = page.frame.messages.admin;
    const query = new URLSearchParams(url.split('?')[1]);
    const done = query.get('done') ?? '';
    return {
      ...page,
      query,
      id: (request.params as { id?: string }).id ?? '',
      origin: { ...originOf(request), actor: { kind: 'administrator', id: user.id } },
      send: (status, text) => sendPage(reply, status, text, { script: true }),
      once: newSecret('', context.services.random),
      notice: Object.hasOwn(m.notices, done) ? m.notices[done as keyof typeof m.notices] : undefined,
    };
  }

  function spend(once: string): Promise<boolean> {
    return context.services.storage.spendTicket(digestOf(once), context.services.clock.now() + sessionLimits.absolute);
  }

  return {
    page(path: string, answer: (page: ConsoleRequest) => Answer): void {
      app.get(path, async (request, reply) => {
        const page = await open(request, reply);
        return page === undefined ? reply : answer(page);
      });
    },

    /** A form with a field `once` does what it is for once, however often it is sent. */
    form(path: string, answer: (form: ConsoleFormRequest) => Answer, multiline: readonly string[] = []): void {
      app.post(path, async (request, reply) => {
        const fields = receiveForm(context, request, reply, multiline);
        if (fields === undefined) return reply;
        const page = await open(request, reply);
        if (page === undefined) return reply;
        if (!isFormToken(context, readCookie(context, request, 'session') ?? '', fields.get('form_token'))) {
          return sendErrorPage(context, request, reply, 403, 'formExpired');
        }
        const once = fields.get('once');
        if (once !== undefined && !(await spend(once)))
          return sendErrorPage(context, request, reply, 409, 'doneAlready');
        return answer({ ...page, field: (name) => fields.get(name) ?? '' });
      });
    },

    /** A form with a file. One that is far too large is refused while it arrives, by `tooLarge`. */
    upload(
      path: string,
      limit: number,
      answer: (upload: ConsoleUploadRequest) => Answer,
      tooLarge: (page: ConsoleRequest) => Answer,
    ): void {
      const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        if (error.statusCode !== 413) {
          return sendFailure(context, request, reply, failureOf(error, request.log, request.id));
        }
        const page = await open(request, reply);
        return page === undefined ? reply : tooLarge(page);
      };
      // Room for the file and for what a form puts around it.
      app.post(path, { bodyLimit: limit + 8 * 1024, errorHandler }, async (request, reply) => {
        if (!isSameOrigin(context, request)) return sendErrorPage(context, request, reply, 403, 'foreignForm');
        const page = await open(request, reply);
        if (page === undefined) return reply;
        const fields = await readUpload(request.headers['content-type'], bodyOf(request));
        if (fields === undefined) return sendErrorPage(context, request, reply, 400, 'badRequest');
        const token = fields.get('form_token');
        const session = readCookie(context, request, 'session') ?? '';
        if (typeof token !== 'string' || !isFormToken(context, session, token)) {
          return sendErrorPage(context, request, reply, 403, 'formExpired');
        }
        return answer({ ...page, fields });
      });
    },
  };
}
