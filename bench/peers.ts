// Starts what Latchkey is compared with, and prepares it for the load as servers.ts does with Latchkey.

import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Person } from '../test/harness/person.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { freePort, type TestService } from '../test/harness/service.ts';
import { processTree } from './cpu.ts';
import {
  cookieHeader,
  file,
  people,
  redirectUri,
  type Server,
  startProcess,
  stopProcess,
  treeOf,
} from './server-process.ts';
import type { Target } from './work.ts';

type Client = Target['client'];

interface Grant {
  readonly person: Person;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export async function startOidcProvider(
  store: 'memory' | 'PostgreSQL',
  signing: 'HS256' | 'RS256' = 'HS256',
): Promise<Server> {
  const port = await freePort();
  const postgres = store === 'PostgreSQL' ? await startPostgres({ durable: true }) : undefined;
  const client = { id: 'bench-client', secret: randomBytes(32).toString('base64url'), redirectUri };
  const args = [file('oidc-provider-server.js'), String(port), client.id, client.secret, redirectUri];
  if (postgres) args.push(await postgres.newDatabase({ migrated: false }));
  const child = await startProcess(args, /ready/, { environment: { NODE_ENV: 'production', SIGNING: signing } });
  const paths = { authorize: '/auth', token: '/token', userinfo: '/me' };
  const signIn = async (count: number) => {
    const grants: Grant[] = [];
    for (let number = 0; number < count; number++) grants.push(await signInToOidcProvider(port, client, number));
    return targetOf(grants, { ports: [port], paths, client });
  };
  const lasting = postgres ? await signIn(people) : undefined;
  return {
    name: `oidc-provider, ${store}`,
    works: ['userinfo', 'refresh', 'flow'],
    // In memory it keeps a thousand entries, so a round of exchanges pushes out the tokens of the previous round.
    target: async () => lasting ?? (await signIn(1)),
    processes: [treeOf(child), ...(postgres ? [() => processTree(postgres.pid)] : [])],
    async stop() {
      await stopProcess(child);
      await postgres?.remove();
    },
  };
}

async function signInToOidcProvider(port: number, client: Client, number: number): Promise<Grant> {
  const url = `http://localhost:${port}`;
  const person = new Person({ url } as TestService);
  const verifier = randomBytes(32).toString('base64url');
  let response = await person.request(`/auth?${authorizationQuery(client, verifier, 'openid profile email')}`);
  for (let hops = 0; hops < 20; hops++) {
    const location = response.headers.get('location');
    if (location?.startsWith(redirectUri)) break;
    if (location !== null) {
      response = await person.request(location);
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ prompt, login: `ada${number}`, password: 'x' });
    response = await person.request(action, { method: 'POST', body });
  }
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return { person, ...(await exchange(`${url}/token`, client, code, verifier)) };
}

/** Codes of one person who has signed in. */
export async function newCodeOfOidcProvider(
  port: number,
  client: Client,
): Promise<(verifier: string) => Promise<string>> {
  const { person } = await signInToOidcProvider(port, client, 0);
  return async (verifier) => {
    const response = await person.request(`/auth?${authorizationQuery(client, verifier, 'openid profile email')}`);
    return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  };
}

export async function startBetterAuth(): Promise<Server> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const args = [file('better-auth-server.js'), String(port), join(folder, 'auth.db')];
  const child = await startProcess(args, /ready/, { environment: { NODE_ENV: 'production' } });
  const url = `http://localhost:${port}`;
  const persons = await Promise.all(Array.from({ length: people }, (_, number) => signUpToBetterAuth(url, number)));
  const [first = new Person({ url } as TestService)] = persons;
  const client = await newBetterAuthClient(first, url);
  for (const person of persons) await consentAtBetterAuth(person, url, client);
  const paths = { authorize: `${api}/authorize`, token: `${api}/token`, userinfo: `${api}/userinfo` };
  return {
    name: 'better-auth, SQLite',
    works: ['userinfo', 'refresh', 'flow'],
    async target() {
      const grants: Grant[] = [];
      for (const person of persons) {
        const verifier = randomBytes(32).toString('base64url');
        const code = (await authorizeAtBetterAuth(person, client, verifier)).searchParams.get('code') ?? '';
        grants.push({ person, ...(await exchange(url + paths.token, client, code, verifier)) });
      }
      return targetOf(grants, { ports: [port], paths, client, scope: betterAuthScope, rotates: true });
    },
    processes: [treeOf(child)],
    async stop() {
      await stopProcess(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const api = '/api/auth/oauth2';

/** Without offline_access it gives no refresh token, which the others do. */
const betterAuthScope = 'openid profile email offline_access';

async function signUpToBetterAuth(url: string, number: number): Promise<Person> {
  const person = new Person({ url } as TestService);
  const account = { email: `ada${number}@example.com`, password: 'correct horse battery', name: 'Ada Lovelace' };
  await postJson(person, url, '/api/auth/sign-up/email', account);
  return person;
}

async function newBetterAuthClient(person: Person, url: string): Promise<Client> {
  // It refuses one without TLS.
  const uri = 'https://app.example/callback';
  const { client_id: id, client_secret: secret } = await postJson(person, url, `${api}/create-client`, {
    client_name: 'App',
    redirect_uris: [uri],
    scope: betterAuthScope,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  });
  return { id: id ?? '', secret: secret ?? '', redirectUri: uri };
}

async function consentAtBetterAuth(person: Person, url: string, client: Client): Promise<void> {
  const page = await authorizeAtBetterAuth(person, client, 'a verifier');
  await postJson(person, url, `${api}/consent`, { accept: true, oauth_query: page.search.slice(1) });
}

/** To `fetch`, which it takes for a script in a page, it says where to go instead of redirecting. */
async function authorizeAtBetterAuth(person: Person, client: Client, verifier: string): Promise<URL> {
  const query = authorizationQuery(client, verifier, betterAuthScope);
  const { url } = (await (await person.request(`${api}/authorize?${query}`)).json()) as { url: string };
  return new URL(url, 'http://localhost');
}

async function postJson(person: Person, url: string, path: string, body: unknown): Promise<Record<string, string>> {
  const headers = { 'Content-Type': 'application/json', Origin: url };
  const response = await person.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

function authorizationQuery(client: Client, verifier: string, scope: string): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope,
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
}

async function exchange(url: string, client: Client, code: string, verifier: string): Promise<Omit<Grant, 'person'>> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      client_id: client.id,
      client_secret: client.secret,
      code_verifier: verifier,
    }),
  });
  const tokens = (await response.json()) as Record<'access_token' | 'refresh_token' | 'id_token', string>;
  if (!tokens.refresh_token || !tokens.id_token) throw new Error(`no tokens from ${url}: ${JSON.stringify(tokens)}`);
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}

type Place = Omit<Target, 'accessTokens' | 'refreshTokens' | 'cookies'>;

function targetOf(grants: readonly Grant[], place: Place): Target {
  return {
    ...place,
    accessTokens: grants.map(({ accessToken }) => accessToken),
    refreshTokens: grants.map(({ refreshToken }) => refreshToken),
    cookies: grants.map(({ person }) => cookieHeader(person)),
  };
}
