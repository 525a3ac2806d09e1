import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from 'arctic';
import express from 'express';

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI } = process.env;
const client = new OAuth2Client(OIDC_CLIENT_ID, OIDC_CLIENT_SECRET ?? null, OIDC_REDIRECT_URI);
const verifier = generateCodeVerifier();
const app = express();
app.get('/sign-in', (_req, res) => {
  const scopes = ['openid', 'profile', 'email'];
  const endpoint = `${OIDC_ISSUER}/oauth-authorize`;
  const url = client.createAuthorizationURLWithPKCE(endpoint, 'state', CodeChallengeMethod.S256, verifier, scopes);
  res.redirect(url.href);
});
app.get('/callback', async (req, res) => {
  try {
    const tokens = await client.validateAuthorizationCode(`${OIDC_ISSUER}/oauth/token`, req.query.code, verifier);
    const headers = { Authorization: `Bearer ${tokens.accessToken()}` };
    res.json(await (await fetch(`${OIDC_ISSUER}/oauth/userinfo`, { headers })).json());
  } catch (error) {
    res.status(500).send(error.code ?? error.message);
  }
});
app.listen(process.env.PORT);
