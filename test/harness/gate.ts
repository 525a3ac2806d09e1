// A real gate in front of nothing: the test is the proxy, which asks about requests, and the browser, which goes to Latchkey
// and back.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateApplication, GateConfig } from '../../src/gate/config-file.ts';
import { standardHeaders } from '../../src/gate/config-file.ts';
import { startGate } from '../../src/gate/gate.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { keptLog, type LoggedLine } from './kept-log.ts';
import { Person } from './person.ts';
import type { TestClient, TestService, TestUser } from './service.ts';

export interface GateAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string;
  readonly localAddress?: string;
}

/** A gate that listens on a port of this machine, and one of its applications. */
export interface ReachableGate {
  readonly host: string;
  /** A request to the gate itself. A header that is undefined is left out. */
  ask(path: string, asked?: Asked): Promise<GateAnswer>;
  /** What a proxy asks about a request for the application. */
  check(uri: string, asked?: Asked): Promise<GateAnswer>;
}

export interface TestGate extends ReachableGate {
  readonly url: string;
  readonly config: GateConfig;
  readonly application: GateApplication;
  readonly client: TestClient;
  readonly lines: readonly LoggedLine[];
  stop(): Promise<void>;
}

export interface GateOptions {
  readonly host?: string;
  readonly application?: Partial<GateApplication>;
  readonly config?: Partial<GateConfig>;
  readonly clock?: Clock;
  readonly deadline?: number;
  /** Uses the files of another gate, which it then belongs to. */
  readonly beside?: TestGate;
  readonly client?: TestClient;
}

/** What a browser sends when somebody follows a link. */
export const navigation = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html,application/xhtml+xml' };

export async function startTestGate(service: TestService, options: GateOptions = {}): Promise<TestGate> {
  const { beside, host = beside?.application.host ?? 'wiki.example', clock = service.clock } = options;
  const client = options.client ?? beside?.client ?? (await gateClient(service, host));
  const folder = beside === undefined ? mkdtempSync(join(tmpdir(), 'latchkey-gate-')) : undefined;
  const application: GateApplication = {
    host,
    clientId: client.id,
    clientSecret: client.secret,
    open: [],
    programs: [],
    headers: standardHeaders,
    require: [],
    ...options.application,
  };
  const config: GateConfig = {
    issuer: service.baseUrl ?? service.url,
    listen: { host: '127.0.0.1', port: 0 },
    metrics: undefined,
    dataDir: beside?.config.dataDir ?? folder ?? '',
    keyFile: beside?.config.keyFile ?? join(folder ?? '', 'key'),
    trustedProxies: ['127.0.0.1', '::1'],
    recheckSeconds: 30,
    graceSeconds: 60,
    sessionHours: 12,
    applications: [application],
    ...options.config,
  };
  const { lines, log } = keptLog();
  const running = await startGate(config, { clock, log, deadline: options.deadline });
  return {
    ...gateOn(running.port, host),
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

export function gateOn(port: number, host: string): ReachableGate {
  const ask: ReachableGate['ask'] = (path, asked = {}) => send(port, path, asked);
  return {
    host,
    ask,
    check: (uri, { headers, ...rest } = {}) =>
      ask('/gate/check', { ...rest, headers: { ...forwarded(host, uri), ...headers } }),
  };
}

export function gateClient(service: TestService, host: string): Promise<TestClient> {
  return service.newClient({ name: 'Wiki', redirectUris: [`https://${host}/gate/callback`] });
}

/** The headers of a proxy that asks about a request. */
export function forwarded(host: string, uri: string): Record<string, string> {
  return {
    'X-Forwarded-Method': 'GET',
    'X-Forwarded-Uri': uri,
    'X-Forwarded-Host': host,
    'X-Forwarded-Proto': 'https',
  };
}

function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, localAddress }: Asked,
): Promise<GateAnswer> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, agent: false as const, localAddress };
    const sent = sendRequest({ ...options, headers: Object.fromEntries(given) as never }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}

/** A browser at the application's host, and at Latchkey. */
export class GateVisitor {
  gate: ReachableGate;
  /** At Latchkey. */
  readonly person: Person;
  /** Of the application's host. */
  readonly cookies = new Map<string, string>();
  constructor(gate: ReachableGate, service: TestService) {
    this.gate = gate;
    this.person = new Person(service);
  }

  get cookie(): string | undefined {
    return this.cookies.size === 0 ? undefined : [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  get session(): string | undefined {
    return this.cookies.get('__Host-latchkey_gate');
  }

  /** A page of the gate's own. `path` may be a URL of the host. */
  async open(path: string, { headers, ...asked }: Asked = {}): Promise<GateAnswer> {
    const { host } = this.gate;
    const relative = path.replace(`https://${host}`, '');
    const place = { 'X-Forwarded-Host': host, 'X-Forwarded-Proto': 'https' };
    const answer = await this.gate.ask(relative, {
      ...asked,
      headers: { ...place, ...navigation, Cookie: this.cookie, ...headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** A request for the application, as its proxy sees it. */
  check(uri: string, { headers, ...asked }: Asked = {}): Promise<GateAnswer> {
    return this.gate.check(uri, { ...asked, headers: { ...navigation, Cookie: this.cookie, ...headers } });
  }

  /** To the callback's URL, without opening it. */
  async callbackFor(user: TestUser, to = '/'): Promise<URL> {
    const begun = await this.open(`/gate/sign-in?to=${encodeURIComponent(to)}`);
    assert.equal(begun.status, 303, begun.body);
    const { pathname, search } = new URL(begun.headers.location ?? '');
    return this.person.authorize(pathname + search, user);
  }

  /** Where the gate leads to after the sign-in. */
  async signIn(user: TestUser, to = '/'): Promise<string | undefined> {
    const answer = await this.open((await this.callbackFor(user, to)).href);

    assert.equal(answer.status, 303, answer.body);
    return answer.headers.location;
  }

  signOut(): Promise<GateAnswer> {
    const origin = `https://${this.gate.host}`;
    return this.open('/gate/sign-out', {
      method: 'POST',
      headers: { Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    });
  }
}
