// A running gate: what a proxy asks before it lets a request through.

import { mkdirSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type Clock, systemClock } from '../platform/clock.ts';
import { readKeyFile } from '../platform/key-file.ts';
import { MetricRegistry } from '../platform/metrics/registry.ts';
import { Outage } from '../platform/outage.ts';
import { issuerAt } from '../platform/relying-party/issuer.ts';
import { atMost, noticesTo } from '../platform/relying-party/notices.ts';
import { Reachability } from '../platform/relying-party/reachability.ts';
import { sender } from '../platform/relying-party/requests.ts';
import { type Serving, serving } from '../platform/relying-party/serving.ts';
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

export interface GateOptions {
  readonly log: GateLog;
  readonly clock?: Clock;
  /** For requests to Latchkey, in milliseconds. */
  readonly deadline?: number | undefined;
}

/** A logout token has less than one kilobyte. */
const bodyLimit = 16 * 1024;

type Respond = (request: IncomingMessage, query: string) => GateResponse | Promise<GateResponse>;

export async function startGate(
  config: GateConfig,
  { clock = systemClock, log, deadline }: GateOptions,
): Promise<Serving> {
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

  return serving({
    listen: config.listen,
    metrics: config.metrics,
    registry,
    respond: responder(context, trustIn(config.trustedProxies)),
    sweep: () => sessions.sweep(),
    sweepFailed: (error) => log.error({ err: error }, "expired sessions couldn't be deleted"),
    close() {
      send.close();
      file.close();
    },
  });
}

function responder(context: GateContext, isTrusted: ReturnType<typeof trustIn>): RequestListener {
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
