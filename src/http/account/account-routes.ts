// The pages of a user's own account that are a list and perhaps a button: the applications to open, where they are signed in,
// which applications have access, what happened, and everything that is stored. The others have a file each.

import type { FastifyInstance } from 'fastify';
import { readActivity } from '../../operations/account/activity.ts';
import { downloadOwnData } from '../../operations/account/data-download.ts';
import { connectedApps, removeApp, yourApps } from '../../operations/account/your-apps.ts';
import {
  endOtherSessions,
  endOwnSession,
  endOwnTrust,
  listOwnSessions,
  listOwnTrustedDevices,
} from '../../operations/sessions/sessions.ts';
import { deleteAccount } from '../../operations/users/disable-user.ts';
import { activityPage } from '../../pages/account/activity.ts';
import { connectedAppsPage } from '../../pages/account/connected-apps.ts';
import { accountDeletedPage, deleteAccountPage, ownDataPage } from '../../pages/account/own-data.ts';
import { sessionsPage } from '../../pages/account/sessions.ts';
import { longestAppSearch, yourAppsPage } from '../../pages/account/your-apps.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { paced } from '../downloads/downloads.ts';
import { appIdentity } from '../logos.ts';
import { accountPages } from './account-pages.ts';
import { createPasskeyRoutes } from './create-passkey.ts';
import { emailRoutes } from './email-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { securityRoutes } from './security-routes.ts';

/** By the value of the query parameter `removed`. */
const appNotices: Readonly<Record<string, 'removed' | 'notConnected'>> = { yes: 'removed', no: 'notConnected' };

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context);
  // Anyone who has to sign in before they delete their account returns to the page with the button.
  const dataPages = accountPages(app, context, '/account/data');

  pages.get('/account', async ({ signedIn, query, frame, notice, send }) => {
    const search = (query.get('search') ?? '').slice(0, longestAppSearch).trim();
    const cursor = query.get('after') ?? '';
    const { apps, next } = await yourApps(services, signedIn, { text: search, cursor });
    const shown = apps.map(({ client, url }) => ({ app: appIdentity(client), url }));
    return send(200, yourAppsPage(frame, { apps: shown, search, isLater: cursor !== '', next, notice }));
  });

  profileRoutes(app, context);
  emailRoutes(app, context);
  reviewRoutes(app, context);
  createPasskeyRoutes(app, context);
  securityRoutes(app, context);

  pages.get('/account/sessions', async ({ visit, signedIn, frame, notice, send }) => {
    const sessions = await listOwnSessions(services, signedIn);
    const trusted = await listOwnTrustedDevices(services, signedIn, visit.browser.marks);
    return send(200, sessionsPage(frame, { sessions, trusted, notice, now: services.clock.now() }));
  });

  pages.post('/account/sessions', async ({ goTo, signedIn, requester, field }) => {
    if (field('end_others') === 'yes') {
      await endOtherSessions(services, signedIn, requester);
      return goTo('/account/sessions?done=sessions');
    }
    if (field('untrust') !== '') {
      const ended = await endOwnTrust(services, signedIn, field('untrust'), requester);
      return goTo(`/account/sessions?done=${ended ? 'untrusted' : 'not-possible'}`);
    }
    const ended = await endOwnSession(services, signedIn, field('end'), requester);
    return goTo(`/account/sessions?done=${ended ? 'session' : 'not-possible'}`);
  });

  pages.get('/account/apps', async ({ query, signedIn, frame, send }) => {
    const apps = await connectedApps(services, signedIn);
    const body = connectedAppsPage(frame, {
      apps: apps.map(({ client, ...connected }) => ({ ...connected, clientId: client.id, app: appIdentity(client) })),
      notice: appNotices[query.get('removed') ?? ''],
      now: services.clock.now(),
    });
    return send(200, body);
  });

  pages.post('/account/apps', async ({ visit, goTo, signedIn, requester, fields }) => {
    const clientId = fields.get('remove');
    if (clientId === undefined) return visit.sendErrorPage(400, 'badRequest');
    const removed = await removeApp(services, signedIn, clientId, requester);
    return goTo(`/account/apps?removed=${removed ? 'yes' : 'no'}`);
  });

  pages.get('/account/activity', async ({ query, signedIn, frame, send }) => {
    const activity = await readActivity(services, signedIn, query.get('before') ?? '');
    return send(200, activityPage(frame, activity));
  });

  dataPages.get('/account/data', ({ send, frame }) => send(200, ownDataPage(frame, undefined)));

  dataPages.get('/account/data.json', async ({ visit, request, reply, signedIn, requester }) => {
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="latchkey-account.json"',
      'Cache-Control': 'no-store',
    };
    if (request.method === 'HEAD') return reply.headers(headers).send();
    const outcome = await downloadOwnData(services, signedIn, requester);
    if (outcome.kind === 'begun') return reply.headers(headers).send(paced(outcome.pieces, outcome.end));
    reply.header('Retry-After', outcome.retryAfterSeconds);
    return visit.sendErrorPage(429, 'tooManyDownloads');
  });

  dataPages.get('/account/delete', ({ send, frame }) => send(200, deleteAccountPage(frame)));

  dataPages.powerful('/account/delete', async ({ visit, signedIn, requester, frame, send }) => {
    const outcome = await deleteAccount(services, signedIn, requester);
    if (outcome.kind !== 'deleted') return send(409, ownDataPage(frame, frame.messages.account.data.lastAdministrator));
    clearSessionCookie(context, visit.reply);
    return send(200, accountDeletedPage(visit.frame(signedIn)));
  });
}
