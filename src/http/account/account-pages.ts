// Registers pages for signed-in users. A route gets the session and the frame of its page, and a form reaches its route
// only when it was made for that session. Who may open a page is decided by `open`: here every signed-in user, in
// console/console-pages.ts those whose role includes it.

import type { FastifyContextConfig, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stepToPage } from '../../operations/sign-in/second-factor-need.ts';
import type { AccountFrame } from '../../pages/account/account-layout.ts';
import { hasRole } from '../../protocol/account/roles.ts';
import type { Requester } from '../../protocol/event.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import { parsePage } from '../../protocol/sign-in/destination.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { failureOf, sendFailure } from '../failures.ts';
import { bodyOf, formToken, isFormToken, isSameOrigin, readUpload, receiveForm } from '../forms.ts';
import { requestIdsOf } from '../observing/traces.ts';
import { type PageNeeds, redirect, sendErrorPage } from '../send-page.ts';
import { urlBefore } from '../sign-in/destination.ts';
import { Visit } from '../visit.ts';
import { heldBodyLimit, requireProof } from './proof-in-place.ts';

export interface AccountRequest {
  readonly visit: Visit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly query: URLSearchParams;
  /** Where the request comes from, as events record it. */
  readonly requester: Requester;
  readonly signedIn: SignedIn;
  readonly frame: AccountFrame;
  /** What the query says was done (`?done=profile`). */
  readonly notice: string | undefined;
  send(status: number, page: string, needs?: PageNeeds): FastifyReply;
  /** Where a form leads to. */
  goTo(location: string): FastifyReply;
}

export interface FormFields {
  readonly fields: Parameters;
  /** A field that is missing is an empty string. */
  field(name: string): string;
  /** The time, for a form that says when something ends. */
  now(): number;
}

export interface Upload {
  /** The file of a field; undefined when none was chosen. */
  file(name: string): Promise<Uint8Array | undefined>;
  field(name: string): string;
}

export type AccountForm = AccountRequest & FormFields;

export type Answer = FastifyReply | Promise<FastifyReply>;

/** Undefined when the user may not open the page; the reply has been sent then. `path` is that of the route. */
type Open<Page> = (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<Page | undefined>;

export interface PowerfulOptions<Page> {
  readonly multiline?: readonly string[];
  /** Whether this form changes something powerful; by default every one does. */
  when?(form: Page & FormFields): boolean | Promise<boolean>;
  pageNeeds?(form: FormFields): PageNeeds | Promise<PageNeeds>;
}

export interface PageRoutes<Page> {
  get(path: string, answer: (page: Page) => Answer): void;
  /** Fields have one line, except for those in `multiline`. */
  post(path: string, answer: (form: Page & FormFields) => Answer, multiline?: readonly string[]): void;
  /** A form whose change needs recent proof of identity; without it, the proof is asked for first. */
  powerful(path: string, answer: (form: Page & FormFields) => Answer, options?: PowerfulOptions<Page>): void;
  /**
   * A form with a file of at most `limit` bytes. A larger one is refused while it arrives, with the page `tooLarge`.
   */
  upload(
    path: string,
    limit: number,
    answer: (upload: Page & Upload) => Answer,
    tooLarge: (page: Page) => Answer,
  ): void;
}

/** Room for what a form puts around a file. */
const formOverhead = 8 * 1024;

/**
 * `formsBackTo`: where to go after signing in, when a form was posted without a session. By default its own path. `isOfReview`:
 * whether they are the review after a recovery, which comes before all others, or a part of it.
 */
export function accountPages(
  app: FastifyInstance,
  context: HttpContext,
  formsBackTo?: string,
  isOfReview = false,
): PageRoutes<AccountRequest> {
  return pageRoutes(app, context, async (request, reply, path) => {
    const page = await openSession(context, request, reply, formsBackTo ?? path);
    const isForm = request.method === 'POST';
    const back = isForm ? (formsBackTo ?? path) : ownUrl(request.raw.url ?? '', path);
    const step = await stepToPage(context.services, page?.signedIn);
    if (step.kind === 'done' || (step.kind === 'review' && isOfReview)) return page;
    redirect(reply, isForm ? 303 : 302, urlBefore(step, back));
    return undefined;
  });
}

/** The page with its query, where that is of a form that a sign-in may lead to. */
function ownUrl(url: string, path: string): string {
  return parsePage(url) === undefined ? path : url;
}

/** What a page of a signed-in user is made from; undefined when nobody is signed in. `formUrl` is where a form stands. */
export async function openSession(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  formUrl?: string,
): Promise<AccountRequest | undefined> {
  const visit = new Visit(context, request, reply);
  const { session: secret, query, requester } = visit;
  const signedIn = await visit.signedIn();
  if (secret === undefined || signedIn === undefined) return undefined;
  visit.noteSender(signedIn.user);
  const { name, email } = signedIn.user;
  const account = { name, email, administrator: hasRole(signedIn.user) };
  const frame = {
    ...visit.frame({ ...signedIn, formUrl }),
    account,
    formToken: formToken(context, secret),
  };
  return {
    visit,
    request,
    reply,
    query,
    requester,
    signedIn,
    frame,
    notice: noticeOf(visit, frame.messages.account.notices),
    send: (status, page, needs) => visit.sendPage(status, page, needs),
    goTo: (location) => visit.redirect(303, location),
  };
}

/** The notice that a page's query asks for; undefined for anything that isn't one of ours. A form has none. */
export function noticeOf(
  { query, request }: Pick<Visit, 'query' | 'request'>,
  notices: Readonly<Record<string, string>>,
): string | undefined {
  const done = query.get('done') ?? '';
  return request.method !== 'POST' && Object.hasOwn(notices, done) ? notices[done] : undefined;
}

export function pageRoutes<Page extends AccountRequest>(
  app: FastifyInstance,
  context: HttpContext,
  open: Open<Page>,
  config: FastifyContextConfig = {},
): PageRoutes<Page> {
  const fieldsOf = (fields: Parameters): FormFields => ({
    fields,
    field: (name) => fields.get(name) ?? '',
    now: () => context.services.clock.now(),
  });
  const belongsToSession = (request: FastifyRequest, token: string | undefined) =>
    isFormToken(context, readCookie(context, request, 'session') ?? '', token);

  async function receive(request: FastifyRequest, reply: FastifyReply, path: string, multiline: readonly string[]) {
    const fields = receiveForm(context, request, reply, multiline);
    const page = fields && (await open(request, reply, path));
    if (fields === undefined || page === undefined) return undefined;
    if (belongsToSession(request, fields.get('form_token'))) return { ...page, ...fieldsOf(fields) };
    page.visit.sendFormExpired();
    return undefined;
  }

  return {
    get(path, answer) {
      app.get(path, { config }, async (request, reply) => {
        const page = await open(request, reply, path);
        return page === undefined ? reply : answer(page);
      });
    },

    post(path, answer, multiline = []) {
      app.post(path, { config }, async (request, reply) => {
        const form = await receive(request, reply, path, multiline);
        return form === undefined ? reply : answer(form);
      });
    },

    powerful(path, answer, { multiline = [], when = () => true, pageNeeds = () => ({}) } = {}) {
      app.post(path, { config, bodyLimit: heldBodyLimit }, async (request, reply) => {
        const form = await receive(request, reply, path, multiline);
        if (form === undefined) return reply;
        const proven = await requireProof(form, form.fields, {
          multiline,
          needsProof: (fields) => when({ ...form, ...fieldsOf(fields) }),
          pageNeeds: (fields) => pageNeeds(fieldsOf(fields)),
        });
        return proven === undefined
          ? reply
          : answer({ ...form, ...fieldsOf(proven.fields), signedIn: proven.signedIn });
      });
    },

    upload(path, limit, answer, tooLarge) {
      const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        if (error.statusCode !== 413) {
          return sendFailure(context, request, reply, failureOf(error, request.log, requestIdsOf(request)));
        }
        const page = await open(request, reply, path);
        return page === undefined ? reply : tooLarge(page);
      };
      app.post(path, { config, bodyLimit: limit + formOverhead, errorHandler }, async (request, reply) => {
        if (!isSameOrigin(context, request))
          return sendErrorPage(context, request, reply, { status: 403, topic: 'foreignForm' });
        const page = await open(request, reply, path);
        if (page === undefined) return reply;
        const data = await readUpload(request.headers['content-type'], bodyOf(request));
        if (data === undefined) return sendErrorPage(context, request, reply, { status: 400, topic: 'badRequest' });
        const upload = uploadOf(data);
        if (!belongsToSession(request, upload.field('form_token'))) return page.visit.sendFormExpired();
        return answer({ ...page, ...upload });
      });
    },
  };
}

function uploadOf(data: FormData): Upload {
  return {
    async file(name) {
      const value = data.get(name);
      // A browser sends an empty file when none was chosen.
      return value instanceof File && value.size > 0 ? new Uint8Array(await value.arrayBuffer()) : undefined;
    },
    field(name) {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    },
  };
}
