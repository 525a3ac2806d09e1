// A running gate: what a proxy asks before it lets a request through.

import { mkdirSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { ListenAddress } from '../platform/config-file/rules.ts';
import { readKeyFile } from '../platform/key-file.ts';
import { serveMetrics } from '../platform/metrics/listener.ts';
import { measureProcess } from '../platform/metrics/process-metrics.ts';
import { MetricRegistry } from '../platform/metrics/registry.ts';
import { createServer } from '../platform/node-http.ts';
import { Outage } from '../platform/outage.ts';
import { issuerAt } from '../platform/relying-party/issuer.ts';
import { atMost, noticesTo } from '../platform/relying-party/notices.ts';
import { Reachability } from '../platform/relying-party/reachability.ts';
import { sender } from '../platform/relying-party/requests.ts';
import { messageOf } from '../protocol/reading/caught-errors.ts';
import { check } from './check.ts';
import type { GateApplication, GateConfig } from './config-file.ts';
import {
  backchannelLogoutPath,
  callbackPath,
  checkPath,
  type GateContext,
  type GateLog,
  healthPath,
  signInPath,
  signOutPath,
} from './context.ts';
import { gateMeters } from './meters.ts';
import { placeOf, trustIn } from './original-request.ts';
import { emptyResponse, type GateResponse, pageResponse, textResponse, write } from './responses.ts';
import { gateKeys } from './sealing.ts';
import { openSessionFile } from './session-file.ts';
import { Sessions } from './sessions.ts';
import { beginSignIn, finishSignIn, type Visit } from './sign-in.ts';
import { backchannelLogout, confirmSignOut, signOut } from './sign-out.ts';

export type { GateLog } from './context.ts';

export interface RunningGate {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface GateOptions {
  readonly log: GateLog;
  readonly clock?: Clock;
  /** For requests to Latchkey, in milliseconds. */
  readonly deadline?: number | undefined;
}

/** Node refuses more with 431. */
const headerLimit = 32 * 1024;
/** A logout token has less than one kilobyte. */
const bodyLimit = 16 * 1024;
/** Milliseconds. Longer than proxies keep connections, so that they're the ones to close them. */
const keepAliveTimeout = 75_000;
const requestTimeout = 15_000;
const sweepEvery = 600_000;

type Respond = (request: IncomingMessage, query: string) => GateResponse | Promise<GateResponse>;

export async function startGate(
  config: GateConfig,
  { clock = systemClock, log, deadline }: GateOptions,
): Promise<RunningGate> {
  const now = () => clock.now();
  // The key file may be in there, too.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const keys = gateKeys(readKeyFile(config.keyFile)[0]);
  const file = openSessionFile(config.dataDir);
  const send = sender('Latchkey gate', deadline);
  const registry = new MetricRegistry();
  const meters = gateMeters(registry, () => sessions.figures());
  const issuer = issuerAt(config.issuer, send, now, meters.unanswered);
  const outage = new Outage(
    {
      level: 'warn',
      begins: "Latchkey doesn't answer: sessions that were checked a moment ago still pass, and nobody can sign in",
      continues: "Latchkey still doesn't answer",
      ends: 'Latchkey answers again',
    },
    () => log,
  );
  const reachability = new Reachability({
    failed: (problem) => outage.failed('check', new Error(problem)),
    invalid: (problem) => context.notice('answer', `Latchkey's answer to a check is invalid: ${problem}`),
    answered: () => outage.succeeded('check'),
  });
  const sessions = new Sessions({
    config,
    file,
    keys,
    issuer,
    reachability,
    now,
    rechecked: meters.rechecked,
    ended({ application: { host }, facts: { sub } }, reason) {
      log.info({ host, sub, reason }, 'access ended');
      if (reason.includes('invalid_client')) {
        context.notice('secret', `Latchkey refuses the client ID and secret of ${host}, which ends its sessions`);
      }
    },
    unsaved: (error) => context.notice('file', `the result of a check couldn't be stored: ${messageOf(error)}`),
  });
  const context: GateContext = {
    issuerUrl: config.issuer,
    applications: new Map(config.applications.map((application) => [application.host, application])),
    sessions,
    keys,
    issuer,
    log,
    meters,
    now,
    notice: noticesTo(log),
  };

  let isStopping = false;
  const server = createServer(
    { maxHeaderSize: headerLimit, keepAliveTimeout, requestTimeout },
    listener(context, trustIn(config.trustedProxies), () => isStopping),
  );
  // Some versions of Node leave out all but the first 2,000, and those that the proxy has set may be the last.
  server.maxHeadersCount = 0;
  const sweep = () => {
    try {
      sessions.sweep();
    } catch (error) {
      log.error({ err: error }, "expired sessions couldn't be deleted");
    }
  };
  sweep();
  const sweeping = setInterval(sweep, sweepEvery).unref();
  let stopMetrics = async () => {};
  const stop = async () => {
    isStopping = true;
    clearInterval(sweeping);
    const closed = new Promise((resolve) => server.close(resolve));
    // Connections of requests that are answered in the meantime become idle one after the other.
    const closing = setInterval(() => server.closeIdleConnections(), 50);
    await closed;
    clearInterval(closing);
    await stopMetrics();
    send.close();
    file.close();
  };
  try {
    if (config.metrics !== undefined) stopMetrics = await servedMetrics(config.metrics, registry);
    const { port } = await listening(server, config.listen);
    return { host: config.listen.host, port, stop };
  } catch (error) {
    clearInterval(sweeping);
    await stopMetrics();
    file.close();
    throw error;
  }
}

/** Returns a function that stops it. */
async function servedMetrics(address: ListenAddress, registry: MetricRegistry): Promise<() => Promise<void>> {
  const listener = await serveMetrics(address, async () => registry.snapshot());
  const stopMeasuring = measureProcess(registry);
  return async () => {
    stopMeasuring();
    await listener.close();
  };
}

function listening(
  server: ReturnType<typeof createServer>,
  { host, port }: GateConfig['listen'],
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function listener(
  context: GateContext,
  isTrusted: ReturnType<typeof trustIn>,
  isStopping: () => boolean,
): RequestListener {
  const routes = routesOf(context);

  function respond(request: IncomingMessage): GateResponse | Promise<GateResponse> {
    const url = request.url ?? '';
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    if (path === healthPath) return textResponse(200, 'ok');
    if (path === backchannelLogoutPath && request.method === 'POST') return logoutOf(context, request);
    if (!isTrusted(request.socket)) {
      context.notice('peer', `requests come from ${request.socket.remoteAddress}, which isn't in trusted_proxies`);
      return textResponse(403, 'Only a proxy that the gate trusts may ask.');
    }
    const route = routes.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`);
    return route === undefined
      ? pageResponse(request, { kind: 'not_found' })
      : route(request, at < 0 ? '' : url.slice(at));
  }

  const isWorthALine = atMost(20);
  function failed(request: IncomingMessage, error: unknown): GateResponse {
    if (request.url?.startsWith(checkPath)) context.meters.checked('failed');
    if (isWorthALine()) context.log.error({ err: error }, 'a request failed');
    return emptyResponse(503, ['Retry-After', '5']);
  }

  return (request, response) => {
    if (isStopping()) response.shouldKeepAlive = false;
    try {
      const answer = respond(request);
      // A response that can't be written is a fault as well, and none of them may end the process.
      if (answer instanceof Promise)
        answer.then((later) => write(response, later)).catch((error) => write(response, failed(request, error)));
      else write(response, answer);
    } catch (error) {
      write(response, failed(request, error));
    }
  };
}

function routesOf(context: GateContext): ReadonlyMap<string, Respond> {
  const finishing = new Set<string>();
  /** For what the browser itself asks, at the host of an application. */
  const visited =
    (respond: (visit: Visit) => GateResponse | Promise<GateResponse>): Respond =>
    (request, query) => {
      const place = placeOf(request);
      if (place === undefined) return textResponse(403, "The proxy doesn't say which host this is about.");
      const application: GateApplication | undefined = context.applications.get(place.host);
      if (application === undefined) return pageResponse(request, { kind: 'unknown_host', host: place.host });
      if (place.isInsecure) return pageResponse(request, { kind: 'insecure', host: place.host });
      return respond({ request, place, application, query });
    };
  return new Map<string, Respond>([
    [`GET ${checkPath}`, (request) => check(context, request)],
    [`GET ${signInPath}`, visited((visit) => beginSignIn(context, visit))],
    [`GET ${callbackPath}`, visited((visit) => finishSignIn(context, visit, finishing))],
    [`GET ${signOutPath}`, visited((visit) => confirmSignOut(context, visit))],
    [`POST ${signOutPath}`, visited((visit) => signOut(context, visit))],
  ]);
}

async function logoutOf(context: GateContext, request: IncomingMessage): Promise<GateResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > bodyLimit) return emptyResponse(413, ['Connection', 'close']);
      chunks.push(chunk);
    }
  } catch {
    // The sender has gone, which isn't worth a line in the log: anyone could do that.
    return emptyResponse(400);
  }
  return backchannelLogout(context, request.headers['content-type'], Buffer.concat(chunks));
}
