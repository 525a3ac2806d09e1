// Connected apps: which clients have access to the account, and removing one.

import type { FastifyInstance } from 'fastify';
import { connectedApps, removeApp } from '../../operations/account/your-apps.ts';
import { connectedAppsPage } from '../../pages/account/connected-apps.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';

/** By the value of the query parameter `removed`. */
const notices: Readonly<Record<string, 'removed' | 'notConnected'>> = { yes: 'removed', no: 'notConnected' };

export function connectedAppRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context);

  pages.get('/account/apps', async ({ reply, query, signedIn, frame }) => {
    const apps = await connectedApps(services, signedIn);
    const body = connectedAppsPage(frame, {
      apps: apps.map((connected) => ({
        clientId: connected.client.id,
        app: appIdentity(connected.client),
        scopes: connected.scopes,
        grantedAt: connected.grantedAt,
        lastUsedAt: connected.lastUsedAt,
      })),
      notice: notices[query.get('removed') ?? ''],
      now: services.clock.now(),
    });
    return sendPage(reply, 200, body);
  });

  pages.post('/account/apps', async ({ request, reply, signedIn, requester, fields }) => {
    const clientId = fields.get('remove');
    if (clientId === undefined) return sendErrorPage(context, request, reply, 400, 'badRequest');
    const removed = await removeApp(services, signedIn, clientId, requester);
    return redirect(reply, 303, `/account/apps?removed=${removed ? 'yes' : 'no'}`);
  });
}
