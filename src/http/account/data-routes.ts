// The page on which a user downloads everything that is stored about them, or deletes their account.

import type { FastifyInstance } from 'fastify';
import { downloadOwnData } from '../../operations/account/data-download.ts';
import { deleteAccount } from '../../operations/users/disable-user.ts';
import { accountDeletedPage, ownDataPage } from '../../pages/account/own-data.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { paced } from '../downloads/downloads.ts';
import { frameOf, sendErrorPage, sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';

export function dataRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, '/account/data');

  pages.get('/account/data', ({ reply, frame }) => sendPage(reply, 200, ownDataPage(frame, undefined)));

  pages.get('/account/data.json', async ({ request, reply, signedIn, requester }) => {
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="latchkey-account.json"',
      'Cache-Control': 'no-store',
    };
    if (request.method === 'HEAD') return reply.headers(headers).send();
    const outcome = await downloadOwnData(services, signedIn, requester);
    if (outcome.kind === 'begun') return reply.headers(headers).send(paced(outcome.pieces, outcome.end));
    reply.header('Retry-After', outcome.retryAfterSeconds);
    return sendErrorPage(context, request, reply, 429, 'tooManyDownloads');
  });

  pages.powerful('/account/delete', async ({ request, reply, signedIn, requester, frame }) => {
    const outcome = await deleteAccount(services, signedIn, requester);
    if (outcome.kind === 'deleted') {
      clearSessionCookie(context, reply);
      return sendPage(reply, 200, accountDeletedPage(frameOf(context, request, signedIn)));
    }
    return sendPage(reply, 409, ownDataPage(frame, frame.messages.account.data.lastAdministrator));
  });
}
