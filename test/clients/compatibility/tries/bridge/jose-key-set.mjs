// Verifies ID tokens with nothing but the key set, as API gateways do.
import { randomBytes } from 'node:crypto';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI } = process.env;
const provider = await (await fetch(`${OIDC_ISSUER}/.well-known/openid-configuration`)).json();
const keys = createRemoteJWKSet(new URL(provider.jwks_uri));
let [state, nonce, tokens] = [];

async function ask(parameters) {
  const headers = { Authorization: `Basic ${btoa(`${OIDC_CLIENT_ID}:${OIDC_CLIENT_SECRET}`)}` };
  const response = await fetch(provider.token_endpoint, {
    ...{ method: 'POST', headers, body: new URLSearchParams(parameters) },
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, {
    ...{ issuer: OIDC_ISSUER, audience: OIDC_CLIENT_ID },
  });
  return { ...body, claims: { ...payload, alg: protectedHeader.alg } };
}

const app = express();
app.get('/sign-in', (_req, res) => {
  [state, nonce] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: OIDC_CLIENT_ID, redirect_uri: OIDC_REDIRECT_URI },
    ...{ scope: 'openid profile email', state, nonce },
  });
  res.redirect(`${provider.authorization_endpoint}?${query}`);
});
app.get('/callback', async (req, res) => {
  if (req.query.state !== state) return res.status(400).send('another state');
  if (req.query.error) return res.status(403).send(req.query.error);
  tokens = await ask({
    ...{ grant_type: 'authorization_code', code: req.query.code, redirect_uri: OIDC_REDIRECT_URI },
  });
  return tokens.claims.nonce === nonce ? res.json(tokens.claims) : res.status(400).send('another nonce');
});
app.get('/refresh', async (_req, res) => {
  const fresh = await ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }).catch((error) => error);
  if (fresh instanceof Error) return res.status(401).send(fresh.message);
  return res.json(fresh.claims);
});
app.get('/sign-out', (_req, res) => {
  const query = new URLSearchParams({
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: new URL('/signed-out', OIDC_REDIRECT_URI).href,
  });
  res.redirect(`${provider.end_session_endpoint}?${query}`);
});
app.get('/signed-out', (_req, res) => res.send('signed out'));
app.listen(process.env.PORT);
