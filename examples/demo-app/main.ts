// The demo application: a server-side relying party that follows every rule for clients. Tokens never reach the
// browser, which only gets random cookies, but for the ID token that tells Latchkey whom to sign out.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ExpiredCodes } from './expired-code.ts';
import { LatchkeyClient, SignInFailed } from './latchkey-client.ts';
import { failingStep, Recordings } from './recording.ts';
import { routesOf } from './routes.ts';
import { openSealer } from './sealed.ts';
import { openStore } from './store.ts';
import { problemPage } from './views.ts';
import { cookie, sendPage } from './web.ts';

const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '', APP_URL = '', APP_DATA_DIR = '.' } = process.env;
// How long the expired-code experiment waits. A code lives for 60 seconds.
const { EXPIRED_AFTER_SECONDS = '61' } = process.env;
// The inspector links to it, if there is one.
const { GATED_PAGE_URL } = process.env;

const recordings = new Recordings();
const routes = routesOf({
  issuer: ISSUER,
  gatedPageUrl: GATED_PAGE_URL,
  secure: APP_URL.startsWith('https:'),
  latchkey: new LatchkeyClient({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirectUri: `${APP_URL}/callback`,
    postLogoutRedirectUri: `${APP_URL}/signed-out`,
  }),
  store: openStore(join(APP_DATA_DIR, 'app.db'), openSealer(join(APP_DATA_DIR, 'app.key'))),
  recordings,
  expiredCodes: new ExpiredCodes(Number(EXPIRED_AFTER_SECONDS)),
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '/', APP_URL);
  const route = `${request.method} ${url?.pathname}`;
  const handler = Object.hasOwn(routes, route) ? routes[route] : undefined;
  // Cookies are shared between ports, so the Origin has to prove that the form is this application's.
  const foreign = request.method === 'POST' && request.headers.origin !== APP_URL;
  if (url === null || handler === undefined || foreign) {
    response
      .writeHead(foreign ? 403 : 404, { 'Content-Type': 'text/plain' })
      .end(foreign ? 'Forbidden.\n' : 'Not found.\n');
    return;
  }
  try {
    await handler(request, response, url);
  } catch (error) {
    const recording = recordings.find(cookie(request, 'demo_recording'));
    const problem = (text: string) => problemPage(text, recording !== undefined, recording && failingStep(recording));
    if (error instanceof SignInFailed) return sendPage(response, 400, problem(error.message));
    process.stderr.write(`demo application: ${error instanceof Error ? error.message : error}\n`);
    sendPage(response, 502, problem('Latchkey can’t be reached'));
  }
}

const server = createServer((request, response) => void answer(request, response));
server.on('error', (error) => {
  process.stderr.write(`demo application: ${error.message}\n`);
  process.exit(1);
});
server.listen(Number(new URL(APP_URL).port), '127.0.0.1', () => process.stdout.write(`ready at ${APP_URL}\n`));
