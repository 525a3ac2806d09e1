import { serve } from '@hono/node-server';
import { getAuth, oidcAuthMiddleware, processOAuthCallback } from '@hono/oidc-auth';
import { Hono } from 'hono';

const app = new Hono();
app.get('/callback', (c) => processOAuthCallback(c));
app.use('/sign-in', oidcAuthMiddleware());
app.get('/sign-in', async (c) => c.json(await getAuth(c)));
app.onError((error, c) => c.text(`${error.message} ${JSON.stringify(error.cause ?? '')}`, 500));
serve({ fetch: app.fetch, port: Number(process.env.PORT) });
