// A relying party: a server-side web application that signs people in with Latchkey and keeps every rule that the
// interface sets for clients. Tokens never reach the browser; it gets a random cookie and nothing else.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { LatchkeyClient, SignInFailed } from './latchkey-client.ts';
import { openSealer } from './sealed.ts';
import { type AppUser, openStore } from './store.ts';
import { homePage, problemPage, welcomePage } from './views.ts';

const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '', APP_URL = '', APP_DATA_DIR = '.' } = process.env;
const latchkey = new LatchkeyClient({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  redirectUri: `${APP_URL}/callback`,
});
const store = openStore(join(APP_DATA_DIR, 'app.db'), openSealer(join(APP_DATA_DIR, 'app.key')));
const stylesheet = readFileSync(new URL('./style.css', import.meta.url));

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

const routes: Record<string, Handler> = {
  'GET /': (request, response, url) => {
    const user = currentUser(request);
    const named = url.searchParams.get('notice') ?? '';
    const notice = Object.hasOwn(notices, named) ? notices[named] : undefined;
    sendPage(response, 200, user ? homePage(user, ISSUER, notice) : welcomePage(notice));
  },

  'GET /style.css': (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/css', 'X-Content-Type-Options': 'nosniff' }).end(stylesheet);
  },

  'GET /sign-in': async (_request, response) => {
    const { url, pending } = await latchkey.begin();
    setCookie(response, 'demo_pending', store.addPending(pending), 900);
    redirect(response, url);
  },

  'GET /callback': async (request, response, url) => {
    const pending = store.takePending(cookie(request, 'demo_pending') ?? '');
    if (pending === undefined) throw new SignInFailed('it was not started in this browser, or too long ago');
    const { sub, tokens } = await latchkey.finish(url.searchParams, pending);
    const claims = await latchkey.claims(tokens.accessToken);
    // Userinfo must speak of the person whom the ID token names.
    if (claims?.sub !== sub) throw new SignInFailed('the claims are about somebody else');
    store.saveUser({ sub, claims }, tokens);
    setCookie(response, 'demo_session', store.startSession(sub), 30 * 24 * 3600);
    redirect(response, '/');
  },

  'POST /claims': async (request, response) => {
    await withTokens(request, response, async (user, tokens) => {
      const claims = await latchkey.claims(tokens.accessToken);
      if (claims !== undefined) store.saveUser({ sub: user.sub, claims }, tokens);
      return claims === undefined ? undefined : 'claims';
    });
  },

  'POST /refresh': async (request, response) => {
    await withTokens(request, response, async (user, tokens) => {
      const fresh = await latchkey.refresh(tokens.refreshToken);
      if (fresh !== undefined) store.saveUser(user, fresh);
      return fresh === undefined ? undefined : 'refreshed';
    });
  },

  'POST /sign-out': async (request, response) => {
    const user = currentUser(request);
    const tokens = user && store.tokensOf(user.sub);
    if (user !== undefined) store.signOut(user.sub);
    if (tokens !== undefined) await latchkey.revoke(tokens.refreshToken).catch(() => {});
    setCookie(response, 'demo_session', '', 0);
    redirect(response, '/?notice=signed-out');
  },
};

const notices: Readonly<Record<string, string>> = {
  claims: 'The claims have been read again.',
  refreshed: 'There is a new access token. The refresh token stays the same.',
  ended: 'Latchkey says that the access has ended. Sign in again.',
  'signed-out': 'You are signed out, and the tokens have been given back.',
};

/**
 * Does one thing with the user's tokens and shows how it went. A refusal means that the grant is over or the token has
 * expired: it is not tried again, the person signs in anew.
 */
async function withTokens(
  request: IncomingMessage,
  response: ServerResponse,
  work: (user: AppUser, tokens: NonNullable<ReturnType<typeof store.tokensOf>>) => Promise<string | undefined>,
): Promise<void> {
  const user = currentUser(request);
  const tokens = user && store.tokensOf(user.sub);
  const done = user && tokens && (await work(user, tokens));
  if (user !== undefined && done === undefined) store.signOut(user.sub);
  redirect(response, `/?notice=${done ?? 'ended'}`);
}

function currentUser(request: IncomingMessage): AppUser | undefined {
  return store.userOf(cookie(request, 'demo_session') ?? '');
}

function cookie(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function setCookie(response: ServerResponse, name: string, value: string, maxAge: number): void {
  const secure = APP_URL.startsWith('https:') ? '; Secure' : '';
  response.appendHeader('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}

function sendPage(response: ServerResponse, status: number, page: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    })
    .end(page);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '/', APP_URL);
  const route = `${request.method} ${url?.pathname}`;
  const handler = Object.hasOwn(routes, route) ? routes[route] : undefined;
  // Cookies do not tell ports apart, so a form must say that it comes from this very application.
  const foreign = request.method === 'POST' && request.headers.origin !== APP_URL;
  if (url === null || handler === undefined || foreign) {
    response.writeHead(foreign ? 403 : 404, { 'Content-Type': 'text/plain' }).end('There is nothing here.\n');
    return;
  }
  try {
    await handler(request, response, url);
  } catch (error) {
    if (error instanceof SignInFailed) return sendPage(response, 400, problemPage(error.message));
    process.stderr.write(`demo application: ${error instanceof Error ? error.message : error}\n`);
    sendPage(response, 502, problemPage('Latchkey could not be reached'));
  }
}

const server = createServer((request, response) => void answer(request, response));
server.on('error', (error) => {
  process.stderr.write(`demo application: ${error.message}\n`);
  process.exit(1);
});
server.listen(Number(new URL(APP_URL).port), '127.0.0.1', () => process.stdout.write(`ready at ${APP_URL}\n`));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => {
      store.close();
      process.exit(0);
    });
    server.closeIdleConnections();
    setTimeout(() => process.exit(0), 2000).unref();
  });
}
