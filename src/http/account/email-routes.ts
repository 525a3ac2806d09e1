// Changing the email address: requesting the change, and confirming it with the link from the email, both while signed in.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { confirmEmailChange, findEmailChange, requestEmailChange } from '../../operations/account/email-change.ts';
import { changeEmailPage, confirmEmailPage, emailChangedPage } from '../../pages/account/change-email.ts';
import { accountPage } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { linkSecret, sendEmailSent, sendLinkExpired } from '../email-links.ts';
import type { Visit } from '../visit.ts';
import { type AccountRequest, accountPages } from './account-pages.ts';

export function emailRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { emailQueue } = services;
  const pages = accountPages(app, context);
  // Anyone who has to sign in before the confirmation opens the link again.
  const confirmations = accountPages(app, context, '/account/email');

  pages.get('/account/email', (page) => sendChangeEmail(page, 200, ''));

  pages.powerful('/account/email', async (form) => {
    const email = form.field('email');
    if (!emailQueue.works) return sendChangeEmail(form, 403, email);
    const outcome = await requestEmailChange(services, form.signedIn, email, form.requester);
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'sent':
        return sendEmailSent(form.visit, { form: 'change_email', email, destination: accountPage });
      case 'invalid_email':
        return sendChangeEmail(form, 400, email, m.invalidEmail);
      case 'managed':
        return sendChangeEmail(form, 403, email, m.managed);
      case 'same_email':
        return sendChangeEmail(form, 400, email, m.changeEmail.same);
      case 'throttled': {
        const { status, problem } = form.visit.throttled(outcome, m.throttled);
        return sendChangeEmail(form, status, email, problem);
      }
    }
  });

  // Opening the link changes nothing, because mail programs open links, too; the button on the page does.
  confirmations.get('/account/email/confirm', async ({ visit, frame, signedIn }) => {
    const link = linkSecret(visit);
    const change = await findEmailChange(services, signedIn, link);
    if (change.kind !== 'found' || link === undefined) return sendUnusable(visit, change.kind);
    const page = { email: change.newEmail, current: signedIn.user.email, link };
    return visit.sendPage(200, confirmEmailPage(frame, page));
  });

  confirmations.post('/account/email/confirm', async ({ visit, frame, signedIn, fields, requester }) => {
    const input = { link: fields.get('link'), marks: visit.browser.marks };
    const outcome = await confirmEmailChange(services, signedIn, input, requester);
    if (outcome.kind !== 'changed') return sendUnusable(visit, outcome.kind);
    return visit.sendPage(200, emailChangedPage(frame, outcome.email, signedIn.user.email));
  });

  function sendUnusable(visit: Visit, why: string): FastifyReply {
    return why === 'other_account'
      ? visit.sendErrorPage(403, 'otherAccount')
      : sendLinkExpired(visit, '/account/email');
  }

  function sendChangeEmail(page: AccountRequest, status: number, newEmail: string, problem?: string): FastifyReply {
    const { email } = page.signedIn.user;
    const body = changeEmailPage(page.frame, { email, newEmail, available: emailQueue.works, problem });
    return page.send(status, body);
  }
}
