// The signed-in person's own pages.

import type { FastifyInstance } from 'fastify';
import { connectedApps, removeApp } from '../operations/connected-apps.ts';
import { currentSession } from '../operations/sessions.ts';
import { connectedAppsPage } from '../pages/connected-apps.ts';
import { faceOf } from './authorize-routes.ts';
import type { HttpContext } from './context.ts';
import { readCookie } from './cookies.ts';
import { formToken, isFormToken, receiveForm } from './forms.ts';
import { originOf } from './origin.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from './pages.ts';

const notices: Readonly<Record<string, 'removed' | 'notConnected'>> = { yes: 'removed', no: 'notConnected' };

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;

  app.get('/account', (_request, reply) => redirect(reply, 302, '/account/apps'));

  app.get('/account/apps', async (request, reply) => {
    const session = readCookie(context, request, 'session');
    const signedIn = await currentSession(services, session);
    if (session === undefined || signedIn === undefined) return redirect(reply, 302, '/sign-in');
    const apps = await connectedApps(services, signedIn);
    const removed = new URLSearchParams(request.raw.url?.split('?')[1]).get('removed') ?? '';
    const page = connectedAppsPage(frameOf(context), {
      account: signedIn.user,
      apps: apps.map((connected) => ({
        clientId: connected.client.id,
        face: faceOf(connected.client),
        scopes: connected.scopes,
        grantedAt: connected.grantedAt,
        lastUsedAt: connected.lastUsedAt,
      })),
      notice: notices[removed],
      now: services.clock.now(),
      formToken: formToken(context, session),
    });
    return sendPage(reply, 200, page);
  });

  app.post('/account/apps', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const session = readCookie(context, request, 'session');
    const signedIn = await currentSession(services, session);
    if (session === undefined || signedIn === undefined) return redirect(reply, 303, '/sign-in');
    const clientId = fields.get('remove');
    if (!isFormToken(context, session, fields.get('form_token'))) {
      return sendErrorPage(context, request, reply, 403, 'formExpired');
    }
    if (clientId === undefined) return sendErrorPage(context, request, reply, 400, 'badRequest');
    const removed = await removeApp(services, signedIn, clientId, originOf(request));
    return redirect(reply, 303, `/account/apps?removed=${removed ? 'yes' : 'no'}`);
  });
}
