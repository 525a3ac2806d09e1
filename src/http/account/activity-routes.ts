// The activity page: what happened to the account.

import type { FastifyInstance } from 'fastify';
import { readActivity } from '../../operations/account/activity.ts';
import { activityPage } from '../../pages/account/activity.ts';
import type { HttpContext } from '../context.ts';
import { sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';

export function activityRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);

  pages.get('/account/activity', async ({ reply, query, signedIn, frame }) => {
    const activity = await readActivity(context.services, signedIn, query.get('before') ?? '');
    return sendPage(reply, 200, activityPage(frame, activity));
  });
}
