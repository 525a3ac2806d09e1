// Signing out, and the page that confirms it.

import type { FastifyInstance } from 'fastify';
import { signOut } from '../../operations/sessions/sessions.ts';
import { signedOutPage } from '../../pages/sign-in/signed-out.ts';
import { isFederated } from '../../protocol/sign-in/factors.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { isFormToken, visitRoutes } from '../forms.ts';

export function signOutRoutes(app: FastifyInstance, context: HttpContext): void {
  const { get, form } = visitRoutes(app, context);

  form('/sign-out', async (visit, fields) => {
    const { session } = visit;
    if (session !== undefined && !isFormToken(context, session, fields.get('form_token'))) {
      return visit.sendFormExpired();
    }
    const signedIn = await visit.signedIn();
    if (signedIn !== undefined) {
      visit.noteSender(signedIn.user);
      await signOut(context.services, signedIn, visit.requester);
    }
    clearSessionCookie(context, visit.reply);
    const elsewhere = signedIn !== undefined && isFederated(signedIn.session.amr);
    return visit.redirect(303, `/signed-out${elsewhere ? '?elsewhere' : ''}`);
  });

  get('/signed-out', (visit) => visit.sendPage(200, signedOutPage(visit.frame(), visit.query.has('elsewhere'))));
}
