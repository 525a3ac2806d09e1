import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import express from 'express';

const client = new OAuth2Client(settings);
const redirectUri = process.env.OIDC_REDIRECT_URI;
const codeVerifier = await generateCodeVerifier();
const app = express();
app.get('/sign-in', async (_req, res) => {
  const scope = ['openid', 'profile', 'email'];
  res.redirect(await client.authorizationCode.getAuthorizeUri({ redirectUri, state: 'state', codeVerifier, scope }));
});
app.get('/callback', async (req, res) => {
  const back = new URL(req.url, redirectUri).href;
  const token = await client.authorizationCode.getTokenFromCodeRedirect(back, {
    redirectUri,
    state: 'state',
    codeVerifier,
  });
  const headers = { Authorization: `Bearer ${token.accessToken}` };
  res.json(await (await fetch(`${process.env.OIDC_ISSUER}/oauth/userinfo`, { headers })).json());
});
app.listen(process.env.PORT);
