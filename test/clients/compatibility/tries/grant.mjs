import express from 'express';
import session from 'express-session';
import Grant from 'grant';

const app = express();
app.use(session({ secret: 'of this test', resave: false, saveUninitialized: false }));
app.use(Grant.express(settings));
app.get('/sign-in', (_req, res) => res.redirect('/connect/latchkey'));
app.get('/done', (req, res) => res.json(req.session.grant.response));
app.listen(process.env.PORT);
