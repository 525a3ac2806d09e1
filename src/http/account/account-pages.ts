// What every page of a signed-in person needs: the session, the frame, and forms that belong to the session.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { currentSession } from '../../operations/sign-in/sessions.ts';
import type { AccountFrame } from '../../pages/account/account-layout.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { formToken, isFormToken, receiveForm } from '../forms.ts';
import { frameOf, redirect, sendErrorPage } from '../send-page.ts';

export interface AccountRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signedIn: SignedIn;
  readonly frame: AccountFrame;
}

export interface AccountFormRequest extends AccountRequest {
  readonly fields: Parameters;
}

type Answer = FastifyReply | Promise<FastifyReply>;

export function accountPages(app: FastifyInstance, context: HttpContext) {
  async function open(request: FastifyRequest, reply: FastifyReply): Promise<AccountRequest | undefined> {
    const session = readCookie(context, request, 'session');
    const signedIn = await currentSession(context.services, session);
    if (session === undefined || signedIn === undefined) return undefined;
    const { name, email, adminSince } = signedIn.user;
    const account = { name, email, administrator: adminSince !== null };
    const frame = { ...frameOf(context), account, formToken: formToken(context, session) };
    return { request, reply, signedIn, frame };
  }

  return {
    page(path: string, answer: (page: AccountRequest) => Answer): void {
      app.get(path, async (request, reply) => {
        const page = await open(request, reply);
        return page === undefined ? redirect(reply, 302, `/sign-in?to=${path}`) : answer(page);
      });
    },

    /** `backTo` is where somebody who is not signed in any more is led after signing in again. */
    form(path: string, backTo: string, answer: (form: AccountFormRequest) => Answer): void {
      app.post(path, async (request, reply) => {
        const fields = receiveForm(context, request, reply);
        if (fields === undefined) return reply;
        const page = await open(request, reply);
        if (page === undefined) return redirect(reply, 303, `/sign-in?to=${backTo}`);
        if (!isFormToken(context, readCookie(context, request, 'session') ?? '', fields.get('form_token'))) {
          return sendErrorPage(context, request, reply, 403, 'formExpired');
        }
        return answer({ ...page, fields });
      });
    },

    open,
  };
}
