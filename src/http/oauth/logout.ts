// Where a client sends the browser to sign its user out: the question, the answer to it, and the page in the end.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { confirmLogout, type LogoutOutcome, type LogoutQuestion, logout } from '../../operations/oauth/logout.ts';
import { signOutPage } from '../../pages/oauth/account-question.ts';
import { signedOutPage } from '../../pages/sign-in/dead-ends.ts';
import { type Claimant, logoutPath, readLogoutRequest } from '../../protocol/oauth/logout.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import { isFederated } from '../../protocol/sign-in/factors.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie, forgetAccount } from '../cookies.ts';
import { visitRoutes } from '../forms.ts';
import { appIdentity } from '../logos.ts';
import { rawQueryOf } from '../requests.ts';
import type { TicketKind, Visit } from '../visit.ts';
import { redirectToPage } from './posted-query.ts';

export function logoutRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, ticketForm } = visitRoutes(app, context);
  // Parameters that mean nothing here are ignored, whatever they are.
  const config = { rawQuery: true } as const;

  const answer = async (visit: Visit) => {
    const outcome = await logout(services, rawQueryOf(visit.request), visit.session, visit.requester);
    return sendOutcome(visit, outcome, undefined);
  };
  // No HEAD: answering a request can end a session, which a HEAD request must not do.
  get(logoutPath, answer, { config, exposeHeadRoute: false });

  const isValid = (query: string) => readLogoutRequest(readQuery(query)) !== undefined;
  app.post(logoutPath, { config }, (request, reply) => redirectToPage(context, request, reply, logoutPath, isValid));

  ticketForm(`${logoutPath}/confirm`, questionTicket, async (visit, question) => {
    const outcome = await confirmLogout(services, question, visit.session, visit.requester);
    return sendOutcome(visit, outcome, question.uiLocales);
  });
}

/**
 * Bound to the browser: the person who has signed out in another window meanwhile still goes back to the client. One value on each
 * line, none of which can contain a line break; the hint isn't among them. The bytes of UTF-8 as Latin-1, as in earlier versions.
 */
const questionTicket: TicketKind<LogoutQuestion> = {
  purpose: 'logout',
  field: 'request',
  boundTo: 'browser',
  write({ userId, clientId = '', doubt = '', postLogoutRedirectUri = '', state = '', uiLocales = '' }) {
    return Buffer.from([userId, clientId, doubt, postLogoutRedirectUri, state, uiLocales].join('\n')).toString(
      'latin1',
    );
  },
  read(text) {
    const lines = Buffer.from(text, 'latin1').toString().split('\n');
    const [userId = '', clientId, doubt, postLogoutRedirectUri, state, uiLocales] = lines.map(
      (line) => line || undefined,
    );
    return { userId, clientId, doubt: doubt as Claimant['doubt'], postLogoutRedirectUri, state, uiLocales };
  },
};

function sendOutcome(visit: Visit, outcome: LogoutOutcome, uiLocales: string | undefined): FastifyReply {
  if (outcome.kind !== 'invalid' && outcome.signedIn) visit.noteSender(outcome.signedIn.user);
  // Without the language picker, whose form would repeat the hint in the URL.
  const frame = visit.fixedFrame({ uiLocales });
  switch (outcome.kind) {
    case 'invalid':
      return visit.sendErrorPage(400, 'badRequest');
    case 'ask': {
      const { question, signedIn, client, return: back } = outcome;
      const page = signOutPage(frame, {
        app: client && appIdentity(client),
        account: signedIn.user,
        action: `${logoutPath}/confirm`,
        fields: { [questionTicket.field]: visit.makeTicket(questionTicket, question) },
      });
      return visit.sendPage(200, page, back.kind === 'redirect' ? { formAction: formActionSource(back.uri) } : {});
    }
    case 'signed_out': {
      const { signedIn, client, return: back } = outcome;
      // Only then: the response to an image on another site must not take a cookie away.
      if (signedIn !== undefined) clearSessionCookie(visit.context, visit.reply);
      else forgetAccount(visit.context, visit.reply);
      if (back.kind === 'redirect') return visit.redirect(303, back.location);
      const app = client && appIdentity(client);
      const noReturn = back.kind === 'refused' ? { reason: back.reason, reference: visit.request.id, app } : undefined;
      const elsewhere = signedIn !== undefined && isFederated(signedIn.session.amr);
      return visit.sendPage(200, signedOutPage(frame, elsewhere, noReturn));
    }
  }
}
