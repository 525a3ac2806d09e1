// Starts each of the compared servers as a process of its own on the server's core, and prepares it for the load: a
// user who is signed in and has consented, and tokens.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, outputMatching, root } from '../test/harness/command.ts';
import { Person } from '../test/harness/person.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { obtainTokens } from '../test/harness/relying-party.ts';
import { populate } from '../test/harness/served.ts';
import { freePort, type TestService } from '../test/harness/service.ts';
import { processTree } from './cpu.ts';
import { onCore, serverCore } from './load.ts';
import type { Target } from './load-generator.ts';

export interface Server {
  readonly name: string;
  /** Where to send what. Called before every measurement, because a server may have dropped its tokens. */
  target(): Promise<Target>;
  stop(): Promise<void>;
  /** The processes of the service, and then those of its database. */
  readonly processes: readonly (() => readonly number[])[];
  readonly pid?: number | undefined;
  readonly dataDir?: string;
  /** From the start of the process to its first response. */
  readonly readyAfterMs?: number;
}

/** Approvals are limited for each person, so a flow is spread over many. */
const people = 60;

const redirectUri = 'http://localhost:9999/callback';
export const password = 'correct horse battery';

async function start(
  args: readonly string[],
  ready: RegExp,
  environment: Record<string, string> = {},
  program = process.execPath,
  everyCore = false,
): Promise<ChildProcess> {
  const [command, commandArgs] = everyCore ? [program, [...args]] : onCore(serverCore, program, args);
  const child = spawn(command, commandArgs, { cwd: root, env: cleanEnvironment(environment) });
  await outputMatching(child, ready);
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

const treeOf = (child: ChildProcess) => () => (child.pid === undefined ? [] : processTree(child.pid));

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function startBare(sizes: { get: number; post: number }): Promise<Server> {
  const port = await freePort();
  const child = await start([file('bare-server.ts'), String(port), String(sizes.get), String(sizes.post)], /ready/);
  const paths = { authorize: '/', token: '/', userinfo: '/' };
  const client = { id: 'a'.repeat(26), secret: 'b'.repeat(53), redirectUri };
  const target = {
    port,
    paths,
    client,
    accessTokens: ['c'.repeat(500)],
    refreshTokens: ['d'.repeat(74)],
    cookies: [''],
  };
  return { name: 'node:http', target: async () => target, stop: () => stop(child), processes: [treeOf(child)] };
}

export interface LatchkeyOptions {
  readonly environment?: Record<string, string>;
  readonly everyCore?: boolean;
  /** Adds rows to the embedded store before the service starts, and may return grants to ask for instead of its own. */
  readonly fill?: (store: FilledStore) => Pick<Target, 'accessTokens' | 'refreshTokens'> | undefined;
}

export interface FilledStore {
  readonly dataDir: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The service's key. */
  readonly key: string;
}

export async function startLatchkey(
  engine: 'SQLite' | 'PostgreSQL',
  { environment: settings, everyCore, fill }: LatchkeyOptions = {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const postgres = engine === 'PostgreSQL' ? await startPostgres({ durable: true }) : undefined;
  const port = await freePort();
  const key = randomBytes(32).toString('base64url');
  const issuer = `http://localhost:${port}`;
  const environment = {
    LATCHKEY_BASE_URL: issuer,
    LATCHKEY_DATA_DIR: folder,
    LATCHKEY_LOG_LEVEL: 'info',
    LATCHKEY_KEYS: key,
    ...(postgres && { DATABASE_URL: await postgres.newDatabase() }),
    ...settings,
  };
  const { client, users } = await populate(environment, people, {});
  const filled = fill?.({ dataDir: folder, issuer, clientId: client.id, key });
  const started = performance.now();
  const child = await start(['serve'], /Latchkey serves/, environment, join(root, 'latchkey'), everyCore);
  await fetch(`${issuer}/readyz`);
  const readyAfterMs = performance.now() - started;
  const service = { url: issuer } as TestService;
  const grants = await Promise.all(users.map((user) => obtainTokens(service, client, { ...user, password })));
  const target = {
    port,
    paths: { authorize: '/oauth-authorize', token: '/oauth/token', userinfo: '/oauth/userinfo' },
    client: { id: client.id, secret: client.secret, redirectUri: client.redirectUri },
    accessTokens: grants.map(({ tokens }) => tokens.access_token),
    refreshTokens: grants.map(({ tokens }) => tokens.refresh_token),
    cookies: grants.map(({ person }) => cookieHeader(person)),
    ...filled,
  };
  return {
    name: `Latchkey, ${engine}`,
    target: async () => target,
    processes: [treeOf(child), ...(postgres ? [() => processTree(postgres.pid)] : [])],
    pid: child.pid,
    dataDir: folder,
    readyAfterMs,
    async stop() {
      await stop(child);
      await postgres?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startOidcProvider(): Promise<Server> {
  const port = await freePort();
  const client = { id: 'bench-client', secret: randomBytes(32).toString('base64url'), redirectUri };
  const args = [file('oidc-provider-server.js'), String(port), client.id, client.secret, redirectUri];
  const child = await start(args, /ready/);
  // Its in-memory adapter keeps a thousand entries, so a round of exchanges pushes out the tokens of the previous
  // round.
  return {
    name: 'oidc-provider',
    target: () => signInToOidcProvider(port, client),
    stop: () => stop(child),
    processes: [treeOf(child)],
  };
}

async function signInToOidcProvider(port: number, client: Target['client']): Promise<Target> {
  const url = `http://localhost:${port}`;
  const person = new Person({ url } as TestService);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let response = await person.request(`/auth?${query}`);
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
    const body = new URLSearchParams({ prompt, login: 'ada', password: 'x' });
    response = await person.request(action, { method: 'POST', body });
  }
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const exchange = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: client.id,
      client_secret: client.secret,
      code_verifier: verifier,
    }),
  });
  const tokens = (await exchange.json()) as { access_token: string; refresh_token: string };
  if (!tokens.refresh_token) throw new Error(`oidc-provider gave no refresh token: ${JSON.stringify(tokens)}`);
  return {
    port,
    paths: { authorize: '/auth', token: '/token', userinfo: '/me' },
    client,
    accessTokens: [tokens.access_token],
    refreshTokens: [tokens.refresh_token],
    cookies: [cookieHeader(person)],
  };
}

function cookieHeader(person: Person): string {
  return [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
