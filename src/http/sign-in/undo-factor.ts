// The link "This wasn't me" from the email about a new second factor. Opening it changes nothing, because mail programs
// open links, too; the button on the page does.

import type { FastifyInstance } from 'fastify';
import { findAddition, undoFactor } from '../../operations/second-factors/undo-factor.ts';
import { factorUndonePage, undoFactorPage } from '../../pages/sign-in/undo-factor.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { linkSecret, sendLinkExpired } from '../email-links.ts';
import { formRoutes } from '../forms.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, sendPage } from '../send-page.ts';

/** Where somebody whose link is too old can still get rid of everyone else. */
const instead = '/reset-password';

export function undoFactorRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form } = formRoutes(app, context);

  app.get('/not-me', async (request, reply) => {
    const link = linkSecret(request);
    const addition = await findAddition(services, link);
    if (addition === undefined || link === undefined) return sendLinkExpired(context, reply, instead);
    return sendPage(reply, 200, undoFactorPage(frameOf(context, request), { addition, link }));
  });

  form('/not-me', async ({ request, reply, fields }) => {
    const undone = await undoFactor(services, fields.get('link'), requesterOf(request));
    if (!undone) return sendLinkExpired(context, reply, instead);
    clearSessionCookie(context, reply);
    return sendPage(reply, 200, factorUndonePage(frameOf(context, request)));
  });
}
