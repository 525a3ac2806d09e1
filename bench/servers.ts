// Starts Latchkey, on either engine, and the bare server, and prepares them for the load: people who are signed in and
// have consented, and tokens. peers.ts starts what they are compared with.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment, root } from '../test/harness/command.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { obtainTokens } from '../test/harness/relying-party.ts';
import { freePort, type TestService } from '../test/harness/service.ts';
import { processTree } from './cpu.ts';
import { bareServer } from './cpu-per-request.ts';
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

export const password = 'correct horse battery';

export async function startBare(
  sizes: { get: number; post: number },
  environment: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort();
  const args = [file('bare-server.js'), String(port), String(sizes.get), String(sizes.post)];
  const child = await startProcess(args, /ready/, { environment });
  const paths = { authorize: '/', token: '/', userinfo: '/' };
  const client = { id: 'a'.repeat(26), secret: 'b'.repeat(53), redirectUri };
  const target = {
    ports: [port],
    paths,
    client,
    accessTokens: ['c'.repeat(500)],
    refreshTokens: ['d'.repeat(74)],
    cookies: [''],
  };
  return {
    name: bareServer,
    works: ['userinfo', 'refresh', 'first'],
    target: async () => target,
    stop: () => stopProcess(child),
    processes: [treeOf(child)],
    pid: child.pid,
  };
}

/** So that the bare server sends as much as Latchkey does. */
export async function responseSizes({ ports, paths, client, accessTokens, refreshTokens }: Target) {
  const url = `http://localhost:${ports[0]}`;
  const headers = { Authorization: `Bearer ${accessTokens[0]}` };
  const refresh = { grant_type: 'refresh_token', refresh_token: refreshTokens[0] ?? '' };
  const body = new URLSearchParams({ ...refresh, client_id: client.id, client_secret: client.secret });
  const get = await fetch(url + paths.userinfo, { headers });
  const post = await fetch(url + paths.token, { method: 'POST', body });
  return { get: (await get.text()).length, post: (await post.text()).length };
}

export interface LatchkeyOptions {
  readonly environment?: Record<string, string>;
  readonly everyCore?: boolean;
  /** Another checkout of Latchkey, such as the commit before a change. */
  readonly checkout?: string | undefined;
  /** Adds rows to the embedded store before the service starts, and may return grants to ask for instead of its own. */
  readonly fill?: (store: FilledStore) => Pick<Target, 'accessTokens' | 'refreshTokens'> | undefined;
  /** How many are signed in and have consented. A flow needs many, because approvals are limited for each. */
  readonly signedIn?: number;
  /** So many processes with a port of their own, as behind a load balancer. Only on PostgreSQL. */
  readonly instances?: number;
  /** Where the service finds its database, given where it is: a proxy in between, for example. */
  readonly databaseUrl?: (url: string) => Promise<string>;
  /** Instead of a PostgreSQL of its own: where the database is, and the processes of each group of its servers. */
  readonly database?: { readonly url: string; readonly processes: readonly (() => readonly number[])[] } | undefined;
}

export interface FilledStore {
  readonly dataDir: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The service's key. */
  readonly key: string;
}

/** An application and so many people, put into the store by the version that runs on it, which may have another schema. */
export async function populateIn(checkout: string, environment: Record<string, string>, count: number) {
  const served: typeof import('../test/harness/served.ts') = await import(join(checkout, 'test/harness/served.ts'));
  return served.populate(environment, count, {});
}

export async function startLatchkey(
  engine: 'SQLite' | 'PostgreSQL',
  {
    environment: settings,
    everyCore = false,
    checkout = root,
    fill,
    signedIn = people,
    instances = 1,
    databaseUrl = async (url) => url,
    database,
  }: LatchkeyOptions = {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const postgres =
    engine === 'PostgreSQL' && database === undefined ? await startPostgres({ durable: true }) : undefined;
  const ports: number[] = [];
  while (ports.length < instances) ports.push(await freePort());
  const key = randomBytes(32).toString('base64url');
  const issuer = `http://localhost:${ports[0]}`;
  const environment = {
    LATCHKEY_BASE_URL: issuer,
    LATCHKEY_DATA_DIR: folder,
    LATCHKEY_LOG_LEVEL: 'info',
    LATCHKEY_KEYS: key,
    ...(database && { DATABASE_URL: database.url }),
    ...(postgres && { DATABASE_URL: await databaseUrl(await postgres.newDatabase({ migrated: false })) }),
    ...settings,
  };
  // Not synchronously: the database may be behind a proxy in this process.
  const env = cleanEnvironment(environment);
  if (engine === 'PostgreSQL') await promisify(execFile)(join(checkout, 'latchkey'), ['migrate'], { env });
  const { client, users } = await populateIn(checkout, environment, signedIn);
  const filled = fill?.({ dataDir: folder, issuer, clientId: client.id, key });
  const started = performance.now();
  const serve = (port: number) =>
    startProcess(['serve'], /Latchkey is running at/, {
      environment: { ...environment, LATCHKEY_PORT: String(port) },
      program: join(checkout, 'latchkey'),
      everyCore,
    });
  const children = await Promise.all(ports.map(serve));
  await fetch(`${issuer}/readyz`);
  const readyAfterMs = performance.now() - started;
  const service = { url: issuer } as TestService;
  const grants = await Promise.all(users.map((user) => obtainTokens(service, client, { ...user, password })));
  const target = {
    ports,
    paths: { authorize: '/oauth-authorize', token: '/oauth/token', userinfo: '/oauth/userinfo' },
    client: { id: client.id, secret: client.secret, redirectUri: client.redirectUri },
    accessTokens: grants.map(({ tokens }) => tokens.access_token),
    refreshTokens: grants.map(({ tokens }) => tokens.refresh_token),
    cookies: grants.map(({ person }) => cookieHeader(person)),
    ...filled,
  };
  return {
    works: ['userinfo', 'refresh', 'flow', 'authorize', 'exchange', 'first'],
    name: `Latchkey${checkout === root ? '' : ' before'}, ${engine}`,
    target: async () => target,
    processes: [
      () => children.flatMap((child) => treeOf(child)()),
      ...(postgres ? [() => processTree(postgres.pid)] : (database?.processes ?? [])),
    ],
    pid: children[0]?.pid,
    dataDir: folder,
    readyAfterMs,
    async stop() {
      await Promise.all(children.map(stopProcess));
      await postgres?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
