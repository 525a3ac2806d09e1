// The page on which a user downloads everything that is stored about them, or deletes their account.

import type { FastifyInstance } from 'fastify';
import { downloadOwnData } from '../../operations/account/data-download.ts';
import { deleteAccount } from '../../operations/account/delete-account.ts';
import { accountDeletedPage, ownDataPage } from '../../pages/account/own-data.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';
import { refusalOf } from './notices.ts';

export function dataRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, '/account/data');

  pages.get('/account/data', ({ reply, frame }) => sendPage(reply, 200, ownDataPage(frame, undefined)));

  pages.get('/account/data.json', async ({ reply, signedIn, origin }) =>
    reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="latchkey-account.json"')
      .header('Cache-Control', 'no-store')
      .send(JSON.stringify(await downloadOwnData(services, signedIn, origin), null, 2)),
  );

  pages.post('/account/delete', async (form) => {
    const { reply, signedIn, origin, frame, field } = form;
    const outcome = await deleteAccount(services, signedIn, field('current_password'), origin);
    if (outcome.kind === 'deleted') {
      clearSessionCookie(context, reply);
      return sendPage(reply, 200, accountDeletedPage(frameOf(context)));
    }
    const { lastAdministrator } = frame.messages.account.data;
    const refusal =
      outcome.kind === 'last_administrator' ? { status: 409, problem: lastAdministrator } : refusalOf(form, outcome);
    return sendPage(reply, refusal.status, ownDataPage(frame, refusal.problem));
  });
}
