// A real bridge beside a real Latchkey: the test is the applications behind it, and the browser, which goes to Latchkey and back.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBridge } from '../../src/bridge/bridge.ts';
import type { BridgeApplication, BridgeConfig } from '../../src/bridge/config-file.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { keptLog, type LoggedLine } from './kept-log.ts';
import { Person } from './person.ts';
import { challengeOf, newVerifier, type TokenBody } from './relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from './service.ts';

export interface BridgeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: TokenBody & Record<string, unknown>;
}

export interface TestBridge {
  readonly url: string;
  readonly config: BridgeConfig;
  /** The first application, and its client at Latchkey. */
  readonly application: BridgeApplication;
  readonly client: TestClient;
  readonly lines: readonly LoggedLine[];
  stop(): Promise<void>;
}

export interface BridgeOptions {
  /** Of the first application. */
  readonly application?: Partial<BridgeApplication>;
  readonly more?: readonly BridgeApplication[];
  readonly config?: Partial<BridgeConfig>;
  readonly clock?: Clock;
  readonly deadline?: number;
  /** Another process on the same files. */
  readonly beside?: TestBridge;
}

export const redirectUri = 'http://localhost:9999/callback';
export const afterSignOut = 'http://localhost:9999/bye?from=bridge';

export const onlySecret = (...secrets: [string, ...string[]]) => ({ secrets, file: undefined });

/** The client at Latchkey of an application behind a bridge. */
export function bridgeClient(
  service: TestService,
  url: string,
  more: Parameters<TestService['newClient']>[0] = {},
): Promise<TestClient> {
  return service.newClient({
    name: 'Vault',
    redirectUris: [`${url}/callback`],
    postLogoutRedirectUris: [`${url}/signed-out`],
    ...more,
  });
}

export function applicationFor(
  { id, secret }: TestClient,
  changes: Partial<BridgeApplication> = {},
): BridgeApplication {
  return {
    clientId: id,
    clientSecret: onlySecret(secret),
    applicationSecret: undefined,
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [afterSignOut],
    backchannelLogoutUri: undefined,
    claims: ['email', 'email_verified', 'name'],
    pkce: 'required',
    nonce: 'required',
    signing: 'ES256',
    ...changes,
  };
}

export async function startTestBridge(service: TestService, options: BridgeOptions = {}): Promise<TestBridge> {
  const { beside, clock = service.clock } = options;
  const port = await freePort();
  const url = beside?.url ?? `http://127.0.0.1:${port}`;
  const client = beside?.client ?? (await bridgeClient(service, url));
  const folder = beside === undefined ? mkdtempSync(join(tmpdir(), 'latchkey-bridge-')) : undefined;
  const application = beside?.application ?? applicationFor(client, options.application);
  const config: BridgeConfig = {
    baseUrl: url,
    issuer: service.baseUrl ?? service.url,
    metrics: undefined,
    dataDir: folder ?? '',
    keyFile: join(folder ?? '', 'key'),
    trustedProxies: ['127.0.0.1', '::1'],
    applications: [application, ...(options.more ?? [])],
    ...beside?.config,
    listen: { host: '127.0.0.1', port },
    ...options.config,
  };
  const { lines, log } = keptLog();
  const running = await startBridge(config, { clock, log, deadline: options.deadline });
  return {
    url: `http://127.0.0.1:${running.port}`,
    config,
    application,
    client,
    lines,
    async stop() {
      await running.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Readonly<Record<string, string | undefined>>;
}

/** A request without cookies. */
export async function ask(bridge: Pick<TestBridge, 'url'>, path: string, { method, headers = {}, form }: Sent = {}) {
  const given = Object.entries(form ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(bridge.url + path, {
    method: method ?? (form === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(form !== undefined && { body: new URLSearchParams(given) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const body = (isJson ? JSON.parse(text) : {}) as BridgeAnswer['body'];
  return { status: response.status, headers: response.headers, text, body } satisfies BridgeAnswer;
}

export type Changes = Readonly<Record<string, string | undefined>>;

/** The path of an authorization request; a parameter set to undefined is left out. */
export function authorizePath(
  { clientId }: Pick<BridgeApplication, 'clientId'>,
  verifier: string,
  changes: Changes = {},
) {
  const parameters: Changes = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `/authorize?${query}`;
}

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64')}`;

export function tokenForm({ clientId, clientSecret }: BridgeApplication, form: Changes): Changes {
  return { client_id: clientId, client_secret: clientSecret.secrets[0], ...form };
}

export function exchangeForm(application: BridgeApplication, code: string, verifier: string | undefined): Changes {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  return tokenForm(application, form);
}

export const exchange = (bridge: TestBridge, code: string, verifier: string | undefined, changes: Changes = {}) =>
  ask(bridge, '/token', { form: { ...exchangeForm(bridge.application, code, verifier), ...changes } });

export const refresh = (bridge: TestBridge, refreshToken: string, changes: Changes = {}) =>
  ask(bridge, '/token', {
    form: tokenForm(bridge.application, { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes }),
  });

export const revoke = (bridge: TestBridge, token: string, changes: Changes = {}) =>
  ask(bridge, '/revoke', { form: tokenForm(bridge.application, { token, ...changes }) });

export const userinfo = (bridge: TestBridge, token: string) =>
  ask(bridge, '/userinfo', { headers: { Authorization: `Bearer ${token}` } });

/** A browser at the bridge and at Latchkey. */
export class BridgeVisitor {
  bridge: TestBridge;
  readonly person: Person;
  /** Of the bridge. */
  readonly cookies = new Map<string, string>();

  constructor(bridge: TestBridge, service: TestService, person = new Person(service)) {
    this.bridge = bridge;
    this.person = person;
  }

  /** A page of the bridge. `path` may be a URL of it. */
  async open(path: string, sent: Sent = {}): Promise<BridgeAnswer> {
    const { origin, pathname, search } = new URL(path, this.bridge.config.baseUrl);
    assert.equal(origin, this.bridge.config.baseUrl);
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(cookie !== '' && { Cookie: cookie }), ...sent.headers };
    const answer = await ask(this.bridge, pathname + search, { ...sent, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }

  /** Where the bridge sends the browser. */
  async led(path: string): Promise<URL> {
    const answer = await this.open(path);
    // On the way back from Latchkey, it's a page that goes on.
    const [, onward] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(answer.text) ?? [];
    const led = answer.headers.get('location') ?? onward?.replaceAll('&amp;', '&');
    assert.ok(led !== undefined, `${answer.status}: ${answer.text}`);
    return new URL(led);
  }

  /** To the callback's URL, without opening it. */
  async callbackFor(user: TestUser, path: string): Promise<URL> {
    const { pathname, search } = await this.led(path);
    return this.person.authorize(pathname + search, user);
  }

  /** What the application gets: a code or an error. */
  async authorize(user: TestUser, verifier: string, changes: Changes = {}): Promise<URL> {
    const path = authorizePath(this.bridge.application, verifier, changes);
    return this.led((await this.callbackFor(user, path)).href);
  }

  async signIn(user: TestUser, changes: Changes = {}): Promise<TokenBody> {
    const verifier = newVerifier();
    const code = (await this.authorize(user, verifier, changes)).searchParams.get('code') ?? '';
    const answer = await exchange(this.bridge, code, verifier);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }
}
