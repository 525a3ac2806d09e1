// The link "This wasn't me" from the email about a new second factor. Opening it changes nothing, because mail programs
// open links, too; the button on the page does.

import type { FastifyInstance } from 'fastify';
import { findAddition, undoFactor } from '../../operations/second-factors/second-factors.ts';
import { factorUndonePage, undoFactorPage } from '../../pages/sign-in/undo-factor.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { linkSecret, sendLinkExpired } from '../email-links.ts';
import { visitRoutes } from '../forms.ts';

/** Where somebody whose link is too old can still sign everyone else out. */
const instead = '/reset-password';

export function undoFactorRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form } = visitRoutes(app, context);

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
