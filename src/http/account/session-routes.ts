// The devices page: where a user is signed in, and which browsers they trust; signing out there, and ending the trust.

import type { FastifyInstance } from 'fastify';
import {
  endOtherSessions,
  endOwnSession,
  endOwnTrust,
  listOwnSessions,
  listOwnTrustedDevices,
} from '../../operations/sessions/sessions.ts';
import { sessionsPage } from '../../pages/account/sessions.ts';
import type { HttpContext } from '../context.ts';
import { readMarks } from '../cookies.ts';
import { redirect, sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';
import { noticeOf } from './notices.ts';

export function sessionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context);

  pages.get('/account/sessions', async (page) => {
    const sessions = await listOwnSessions(services, page.signedIn);
    const trusted = await listOwnTrustedDevices(services, page.signedIn, readMarks(context, page.request));
    const body = sessionsPage(page.frame, { sessions, trusted, notice: noticeOf(page), now: services.clock.now() });
    return sendPage(page.reply, 200, body);
  });

  pages.post('/account/sessions', async ({ reply, signedIn, requester, field }) => {
    if (field('end_others') === 'yes') {
      await endOtherSessions(services, signedIn, requester);
      return redirect(reply, 303, '/account/sessions?done=sessions');
    }
    if (field('untrust') !== '') {
      const ended = await endOwnTrust(services, signedIn, field('untrust'), requester);
      return redirect(reply, 303, `/account/sessions?done=${ended ? 'untrusted' : 'not-possible'}`);
    }
    const ended = await endOwnSession(services, signedIn, field('end'), requester);
    return redirect(reply, 303, `/account/sessions?done=${ended ? 'session' : 'not-possible'}`);
  });
}
