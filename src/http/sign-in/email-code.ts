// Signing in with a code by email. Both forms post to the same path: one brings an email address, the other a code.

import type { FastifyInstance } from 'fastify';
import { requestEmailCode, signInWithEmailCode } from '../../operations/sign-in/email-codes.ts';
import { emailLimit } from '../../protocol/account/email-address.ts';
import type { HttpContext } from '../context.ts';
import { visitRoutes } from '../forms.ts';
import { chooseLanguage, inPickedLanguage } from '../language-routes.ts';
import { answerStep } from './dispatch.ts';
import { emailCodeTicket, keepIn, signInTicket } from './sign-in-tickets.ts';
import { emailCodeLanguagePath, showStep } from './step-pages.ts';

export function emailCodeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form, ticketForm } = visitRoutes(app, context);

  form('/sign-in/code', async (visit, fields) => {
    const { browser } = visit;
    const code = fields.get('code');
    if (code !== undefined) {
      const step = visit.readTicket(emailCodeTicket, fields);
      if (step === undefined) return visit.sendFormExpired();
      const { asked, destination, keep } = step;
      const way = { destination, browser, keep };
      const outcome = await signInWithEmailCode(services, asked, code, way, visit.requester);
      return answerStep(visit, { page: 'email_code', ...step }, outcome);
    }
    const destination = visit.readTicket(signInTicket, fields);
    if (destination === undefined) return visit.sendFormExpired();
    const [email, keep] = [fields.get('email') ?? '', keepIn(fields)];
    const requester = visit.requesterReading({ destination });
    const outcome = await requestEmailCode(services, email, browser.marks, requester);
    switch (outcome.kind) {
      case 'sent':
        return showStep(visit, { page: 'email_code', asked: outcome.asked, destination, keep });
      case 'expired':
        return visit.sendFormExpired();
      default:
        return showStep(visit, { page: 'sign_in', destination, email: email.slice(0, emailLimit), keep }, outcome);
    }
  });

  ticketForm(emailCodeLanguagePath, emailCodeTicket, async (visit, step, fields) => {
    if (!(await chooseLanguage(visit, fields))) return visit.sendErrorPage(400, 'badRequest');
    return showStep(visit, { page: 'email_code', ...step, destination: inPickedLanguage(step.destination) });
  });
}
