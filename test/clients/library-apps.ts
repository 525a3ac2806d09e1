// Small Express applications that sign people in with a library, and what the library reports when that goes wrong.

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Person } from '../harness/person.ts';
import type { TestClient, TestService, TestUser } from '../harness/service.ts';

type Handler = (request: unknown, response: unknown, next: (error?: unknown) => void) => void;
type ErrorHandler = (error: unknown, request: unknown, response: Answer, next: unknown) => void;
interface Answer {
  status(code: number): { end(): void };
}
interface App {
  use(handler: Handler | ErrorHandler): void;
  use(path: string, handler: Handler): void;
  listen(port: number, host: string, ready: () => void): Server;
}
type Settings = Readonly<Record<string, unknown>>;

// These packages have no types of their own, or ones that need the types of Express.
const require = createRequire(import.meta.url);
const express: () => App = require('express');
const session: (settings: Settings) => Handler = require('express-session');
const passport: { authenticate(strategy: object, settings: Settings): Handler } = require('passport');
const OAuth2Strategy: new (settings: Settings, verify: () => void) => object = require('passport-oauth2');
const { auth }: { auth(settings: Settings): Handler } = require('express-openid-connect');
const { ExpressAuth }: { ExpressAuth(settings: Settings): Handler } = require('@auth/express');

interface Library {
  readonly callback: string;
  /** Starts a sign-in and returns where the browser is sent. */
  readonly start: (person: Person, origin: string) => Promise<Response>;
  readonly install: (app: App, setup: Setup) => void;
}

interface Setup {
  readonly issuer: string;
  readonly origin: string;
  readonly client: TestClient;
  /** What differs from the guide. */
  readonly changes: Settings;
  readonly report: (error: unknown) => void;
}

const sessionSecret = randomBytes(32).toString('hex');
const scope = 'openid profile email';

export const libraries = {
  passport: {
    callback: '/callback',
    start: (person, origin) => person.request(`${origin}/sign-in`),
    install(app, { issuer, client, changes }) {
      const settings = {
        authorizationURL: `${issuer}/oauth-authorize`,
        tokenURL: `${issuer}/oauth/token`,
        ...{ clientID: client.id, clientSecret: client.secret, callbackURL: client.redirectUri },
        ...{ scope, pkce: 'S256', state: true, ...changes },
      };
      app.use(session({ secret: sessionSecret, resave: false, saveUninitialized: false }));
      app.use(passport.authenticate(new OAuth2Strategy(settings, () => {}), { failWithError: true, session: false }));
    },
  },
  expressOpenidConnect: {
    callback: '/callback',
    start: (person, origin) => person.request(`${origin}/login`),
    install(app, { issuer, origin, client, changes }) {
      const settings = {
        ...{ issuerBaseURL: issuer, baseURL: origin, clientID: client.id, clientSecret: client.secret },
        ...{ clientAuthMethod: 'client_secret_post', idTokenSigningAlg: 'HS256', secret: sessionSecret },
        ...{ authorizationParams: { response_type: 'code', scope }, authRequired: false, enableTelemetry: false },
      };
      app.use(auth({ ...settings, ...changes }));
    },
  },
  authJs: {
    callback: '/auth/callback/latchkey',
    async start(person, origin) {
      const { csrfToken } = (await (await person.request(`${origin}/auth/csrf`)).json()) as { csrfToken: string };
      const body = new URLSearchParams({ csrfToken });
      return person.request(`${origin}/auth/signin/latchkey`, { method: 'POST', body });
    },
    install(app, { issuer, client, changes, report }) {
      const metadata = { token_endpoint_auth_method: 'client_secret_post', id_token_signed_response_alg: 'HS256' };
      const provider = {
        ...{ id: 'latchkey', name: 'Latchkey', type: 'oidc', issuer, clientId: client.id, clientSecret: client.secret },
        ...{ client: { ...metadata, ...changes }, checks: ['pkce', 'state', 'nonce'], idToken: false },
      };
      // Auth.js shows a page of its own and tells only its logger why.
      const logger = { error: report, warn: () => {}, debug: () => {} };
      app.use('/auth', ExpressAuth({ secret: sessionSecret, trustHost: true, providers: [provider], logger }));
    },
  },
} satisfies Record<string, Library>;

export interface Mistake {
  readonly changes?: Settings;
  /** The browser comes back without the cookies of the application. */
  readonly elsewhere?: boolean;
}

/** Signs the user in through an application that makes the mistake, and returns what its library reported. */
export async function reportOf(
  { callback, start, install }: Library,
  { service, user }: { readonly service: TestService; readonly user: TestUser },
  { changes = {}, elsewhere = false }: Mistake,
): Promise<unknown> {
  const reports: unknown[] = [];
  const report = (error: unknown) => void reports.push(error);
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const started = app.listen(0, '127.0.0.1', () => resolve(started));
  });
  try {
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const client = await service.newClient({ redirectUris: [origin + callback] });
    install(app, { issuer: service.url, origin, client, changes, report });
    app.use((error: unknown, _request: unknown, response: Answer, _next: unknown) => {
      report(error);
      response.status(400).end();
    });
    const person = new Person(service);
    const sent = await start(person, origin);
    const back = await person.authorize(sent.headers.get('location') ?? '', user);
    await (elsewhere ? new Person(service) : person).request(back.href);
    if (reports.length !== 1) throw new Error(`${reports.length} reports instead of one`);
    return reports[0];
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
