import { createHash, randomBytes } from 'node:crypto';
import express from 'express';
import simple from 'simple-oauth2';

const client = new simple.AuthorizationCode(settings);
const redirect_uri = process.env.OIDC_REDIRECT_URI;
const code_verifier = randomBytes(32).toString('base64url');
const app = express();
app.get('/sign-in', (_req, res) => {
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const pkce = { code_challenge, code_challenge_method: 'S256' };
  res.redirect(client.authorizeURL({ redirect_uri, scope: 'openid profile email', state: 'state', ...pkce }));
});
app.get('/callback', async (req, res) => {
  const { token } = await client.getToken({ code: req.query.code, redirect_uri, code_verifier });
  const headers = { Authorization: `Bearer ${token.access_token}` };
  res.json(await (await fetch(`${process.env.OIDC_ISSUER}/oauth/userinfo`, { headers })).json());
});
app.listen(process.env.PORT);
