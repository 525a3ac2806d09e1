import { betterAuth } from 'better-auth';
import { toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';
import express from 'express';

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PORT } = process.env;
const auth = betterAuth({
  baseURL: `http://localhost:${PORT}`,
  secret: 'of this test, and long enough for it',
  telemetry: { enabled: false },
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'latchkey',
          discoveryUrl: `${OIDC_ISSUER}/.well-known/openid-configuration`,
          clientId: OIDC_CLIENT_ID,
          clientSecret: OIDC_CLIENT_SECRET,
          tokenEndpointAuth: { method: 'client_secret_post' },
          scopes: ['openid', 'profile', 'email'],
        },
      ],
    }),
  ],
});
const app = express();
app.all('/api/auth/*path', toNodeHandler(auth));
app.get('/sign-in', async (_req, res) => {
  const body = { provider: 'latchkey', callbackURL: '/', errorCallbackURL: '/failed' };
  const { headers, response } = await auth.api.signInSocial({ body, returnHeaders: true });
  for (const cookie of headers.getSetCookie()) res.append('Set-Cookie', cookie);
  res.redirect(response.url);
});
app.get('/failed', (req, res) => res.send(req.query.error));
app.listen(PORT);
