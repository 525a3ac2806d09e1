// The home page of the account: the applications that the user can open.

import type { FastifyInstance } from 'fastify';
import { yourApps } from '../../operations/account/your-apps.ts';
import { yourAppsPage } from '../../pages/account/your-apps.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';
import { noticeOf } from './notices.ts';

export function homeRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);

  pages.get('/account', async (page) => {
    const { apps, next } = await yourApps(context.services, page.signedIn, page.query.get('after') ?? '');
    const body = yourAppsPage(page.frame, {
      apps: apps.map(({ client, url }) => ({ app: appIdentity(client), url })),
      next,
      notice: noticeOf(page),
    });
    return sendPage(page.reply, 200, body);
  });
}
