// Signing out, and the page that confirms it.

import type { FastifyInstance } from 'fastify';
import { currentSession, signOut } from '../../operations/sessions/sessions.ts';
import { signedOutPage } from '../../pages/sign-in/signed-out.ts';
import { isFederated } from '../../protocol/sign-in/second-factor-policy.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie, readCookie } from '../cookies.ts';
import { formRoutes, isFormToken, sendFormExpired } from '../forms.ts';
import { noteSender } from '../language.ts';
import { queryOf } from '../query.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, redirect, sendPage } from '../send-page.ts';

export function signOutRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form } = formRoutes(app, context);

  form('/sign-out', async (received) => {
    const { request, reply, fields } = received;
    const session = readCookie(context, request, 'session');
    if (session !== undefined && !isFormToken(context, session, fields.get('form_token'))) {
      return sendFormExpired(context, received);
    }
    const signedIn = await currentSession(services, session);
    if (signedIn !== undefined) {
      noteSender(context, request, reply, signedIn.user);
      await signOut(services, signedIn, requesterOf(request));
    }
    clearSessionCookie(context, reply);
    const elsewhere = signedIn !== undefined && isFederated(signedIn.session.amr);
    return redirect(reply, 303, `/signed-out${elsewhere ? '?elsewhere' : ''}`);
  });

  app.get('/signed-out', (request, reply) =>
    sendPage(reply, 200, signedOutPage(frameOf(context, request), queryOf(request).has('elsewhere'))),
  );
}
