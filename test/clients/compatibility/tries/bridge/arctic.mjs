// Sends its secret only as HTTP Basic.
import { CodeChallengeMethod, decodeIdToken, generateCodeVerifier, generateState, OAuth2Client } from 'arctic';
import express from 'express';

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI } = process.env;
const provider = await (await fetch(`${OIDC_ISSUER}/.well-known/openid-configuration`)).json();
const client = new OAuth2Client(OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI);
const scopes = ['openid', 'profile', 'email'];
let [state, verifier, tokens] = [];
const app = express();
app.get('/sign-in', (_req, res) => {
  [state, verifier] = [generateState(), generateCodeVerifier()];
  const { S256 } = CodeChallengeMethod;
  res.redirect(client.createAuthorizationURLWithPKCE(provider.authorization_endpoint, state, S256, verifier, scopes));
});
app.get('/callback', async (req, res) => {
  if (req.query.state !== state) return res.status(400).send('another state');
  if (req.query.error) return res.status(403).send(req.query.error);
  tokens = await client.validateAuthorizationCode(provider.token_endpoint, req.query.code, verifier);
  return res.json(decodeIdToken(tokens.idToken()));
});
app.get('/refresh', async (_req, res) => {
  try {
    const fresh = await client.refreshAccessToken(provider.token_endpoint, tokens.refreshToken(), []);
    const headers = { Authorization: `Bearer ${fresh.accessToken()}` };
    res.json(await (await fetch(provider.userinfo_endpoint, { headers })).json());
  } catch (error) {
    res.status(401).send(error.code ?? String(error));
  }
});
app.get('/sign-out', (_req, res) => {
  const query = new URLSearchParams({
    id_token_hint: tokens.idToken(),
    post_logout_redirect_uri: new URL('/signed-out', OIDC_REDIRECT_URI).href,
  });
  res.redirect(`${provider.end_session_endpoint}?${query}`);
});
app.get('/signed-out', (_req, res) => res.send('signed out'));
app.listen(process.env.PORT);
