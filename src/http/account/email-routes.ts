// Changing the email address: requesting the change while signed in, and confirming it with the link from the email.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { confirmEmailChange, findEmailChange, requestEmailChange } from '../../operations/account/email-change.ts';
import { changeEmailPage, confirmEmailPage, emailChangedPage } from '../../pages/account/change-email.ts';
import type { HttpContext } from '../context.ts';
import { linkSecret, sendEmailSent, sendLinkExpired } from '../email-links.ts';
import { formRoutes } from '../forms.ts';
import { originOf } from '../origin.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { type AccountRequest, accountPages } from './account-pages.ts';
import { refusalOf } from './notices.ts';

export function emailRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { emailQueue } = services;
  const pages = accountPages(app, context);
  const forms = formRoutes(app, context);

  pages.get('/account/email', (page) => sendChangeEmail(page, 200, '', undefined));

  pages.post('/account/email', async (form) => {
    const email = form.field('email');
    if (!emailQueue.works) return sendChangeEmail(form, 403, email, undefined);
    const input = { email, currentPassword: form.field('current_password') };
    const outcome = await requestEmailChange(services, form.signedIn, input, form.origin);
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'sent':
        return sendEmailSent(context, form.reply, email);
      case 'invalid_email':
        return sendChangeEmail(form, 400, email, m.invalidEmail);
      case 'same_email':
        return sendChangeEmail(form, 400, email, m.changeEmail.same);
      default: {
        const refusal = refusalOf(form, outcome);
        return sendChangeEmail(form, refusal.status, email, refusal.problem);
      }
    }
  });

  // For whoever has the email, signed in or not. Opening the link changes nothing, because mail programs open links,
  // too; the button on the page does.
  app.get('/account/email/confirm', async (request, reply) => {
    const link = linkSecret(request);
    const change = await findEmailChange(services, link);
    if (change === undefined || link === undefined) return sendLinkExpired(context, reply, '/account/email');
    // The page names the account: a link can be forwarded to somebody who has nothing to do with it.
    const page = { email: change.newEmail, current: change.currentEmail, link };
    return sendPage(reply, 200, confirmEmailPage(frameOf(context), page));
  });

  forms.form('/account/email/confirm', async ({ request, reply, fields }) => {
    const outcome = await confirmEmailChange(services, fields.get('link'), originOf(request));
    if (outcome.kind === 'link_expired') return sendLinkExpired(context, reply, '/account/email');
    return sendPage(reply, 200, emailChangedPage(frameOf(context), outcome.email));
  });

  function sendChangeEmail(
    page: AccountRequest,
    status: number,
    newEmail: string,
    problem: string | undefined,
  ): FastifyReply {
    const { email } = page.signedIn.user;
    const body = changeEmailPage(page.frame, { email, newEmail, available: emailQueue.works, problem });
    return sendPage(page.reply, status, body);
  }
}
