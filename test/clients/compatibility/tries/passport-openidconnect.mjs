import express from 'express';
import session from 'express-session';
import passport from 'passport';
import Strategy from 'passport-openidconnect';

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI } = process.env;
passport.use(
  new Strategy(
    {
      issuer: OIDC_ISSUER,
      authorizationURL: `${OIDC_ISSUER}/oauth-authorize`,
      tokenURL: `${OIDC_ISSUER}/oauth/token`,
      userInfoURL: `${OIDC_ISSUER}/oauth/userinfo`,
      ...{ clientID: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, callbackURL: OIDC_REDIRECT_URI },
    },
    (_issuer, profile, done) => done(null, profile),
  ),
);
const app = express();
app.use(session({ secret: 'of this test', resave: false, saveUninitialized: false }));
app.get('/sign-in', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { session: false }), (req, res) => res.json(req.user));
app.use((error, _req, res, _next) => res.status(500).send(String(error)));
app.listen(process.env.PORT);
