// Every way into an account and out of it, and the link by which a new second factor is undone.

import type { FastifyInstance } from 'fastify';
import { findAddition, undoFactor } from '../../operations/second-factors/second-factors.ts';
import { signOut } from '../../operations/sessions/sessions.ts';
import { signOutPage } from '../../pages/oauth/account-question.ts';
import { signedOutPage } from '../../pages/sign-in/dead-ends.ts';
import { factorUndonePage, undoFactorPage } from '../../pages/sign-in/emailed-links.ts';
import { accountPage } from '../../protocol/sign-in/destination.ts';
import { isFederated } from '../../protocol/sign-in/factors.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { emailSentRoutes, linkSecret, sendLinkExpired } from '../email-links.ts';
import { formToken, isFormToken, visitRoutes } from '../forms.ts';
import { redirect } from '../send-page.ts';
import { emailCodeRoutes } from './email-code.ts';
import { resetPasswordRoutes } from './reset-password.ts';
import { signInFormRoutes } from './sign-in-form.ts';
import { signUpRoutes } from './sign-up.ts';
import { verifyRoutes } from './verify.ts';

/** Where a person whose link to undo a second factor is too old can still sign everyone else out. */
const instead = '/reset-password';

export function signInRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form } = visitRoutes(app, context);

  get('/', (visit) => visit.redirect(302, accountPage.path));
  // Where password managers send people whose password they have found to be weak.
  app.get('/.well-known/change-password', (_request, reply) => redirect(reply, 302, '/account/security'));
  signInFormRoutes(app, context);
  emailCodeRoutes(app, context);
  verifyRoutes(app, context);
  signUpRoutes(app, context);
  resetPasswordRoutes(app, context);
  emailSentRoutes(app, context);

  get('/sign-out', async (visit) => {
    const signedIn = await visit.signedIn();
    if (signedIn === undefined) return visit.redirect(302, '/signed-out');
    visit.noteSender(signedIn.user);
    const fields = { form_token: formToken(context, visit.session ?? '') };
    return visit.sendPage(200, signOutPage(visit.frame(), { account: signedIn.user, action: '/sign-out', fields }));
  });

  form('/sign-out', async (visit, fields) => {
    const { session } = visit;
    if (session !== undefined && !isFormToken(context, session, fields.get('form_token'))) {
      return visit.sendFormExpired();
    }
    const signedIn = await visit.signedIn();
    if (signedIn !== undefined) {
      visit.noteSender(signedIn.user);
      await signOut(services, signedIn, visit.requester);
    }
    clearSessionCookie(context, visit.reply);
    const elsewhere = signedIn !== undefined && isFederated(signedIn.session.amr);
    return visit.redirect(303, `/signed-out${elsewhere ? '?elsewhere' : ''}`);
  });

  get('/signed-out', (visit) => visit.sendPage(200, signedOutPage(visit.frame(), visit.query.has('elsewhere'))));

  // The link "This wasn't me" from the email about a new second factor. Opening it changes nothing, because mail programs
  // open links, too; the button on the page does.
  get('/not-me', async (visit) => {
    const link = linkSecret(visit);
    const addition = await findAddition(services, link);
    if (addition === undefined || link === undefined) return sendLinkExpired(visit, instead);
    return visit.sendPage(200, undoFactorPage(visit.frame(), { addition, link }));
  });

  form('/not-me', async (visit, fields) => {
    const undone = await undoFactor(services, fields.get('link'), visit.requester);
    if (!undone) return sendLinkExpired(visit, instead);
    clearSessionCookie(context, visit.reply);
    return visit.sendPage(200, factorUndonePage(visit.frame()));
  });
}
