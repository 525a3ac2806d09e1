// No PKCE; a nonce if it's told so. It reads ID tokens without verifying them.
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import Strategy from 'passport-openidconnect';

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI } = process.env;
const provider = await (await fetch(`${OIDC_ISSUER}/.well-known/openid-configuration`)).json();
let tokens;
const strategy = new Strategy(
  {
    issuer: OIDC_ISSUER,
    authorizationURL: provider.authorization_endpoint,
    tokenURL: provider.token_endpoint,
    userInfoURL: provider.userinfo_endpoint,
    ...{ clientID: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, callbackURL: OIDC_REDIRECT_URI },
    ...{ scope: 'profile email', nonce: true },
  },
  (_issuer, _uiProfile, profile, _context, idToken, _accessToken, refreshToken, _response, done) => {
    tokens = { idToken, refreshToken };
    done(null, profile);
  },
);
passport.use(strategy);
const app = express();
app.use(session({ secret: 'of this test', resave: false, saveUninitialized: false }));
app.get('/sign-in', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { session: false }), (req, res) => res.json(req.user));
app.get('/refresh', (_req, res) => {
  const refresh = { grant_type: 'refresh_token' };
  strategy._oauth2.getOAuthAccessToken(tokens.refreshToken, refresh, (error, accessToken) => {
    if (error) return res.status(401).send(error.data);
    return strategy._oauth2.get(provider.userinfo_endpoint, accessToken, (problem, body) => res.send(problem ?? body));
  });
});
app.get('/sign-out', (_req, res) => {
  const query = new URLSearchParams({
    id_token_hint: tokens.idToken,
    post_logout_redirect_uri: new URL('/signed-out', OIDC_REDIRECT_URI).href,
  });
  res.redirect(`${provider.end_session_endpoint}?${query}`);
});
app.get('/signed-out', (_req, res) => res.send('signed out'));
app.use((error, _req, res, _next) => res.status(500).send(String(error)));
app.listen(process.env.PORT);
