// Answers an authorization request in front of the framework if nothing has to be asked, as for most people who are signed in
// and approved the application before. All other requests go on to the framework, as if nobody had looked at them, unless looking
// has failed.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { authorizeAgain } from '../../operations/oauth/authorize.ts';
import type { Eventual } from '../../protocol/eventual.ts';
import { authorizationPath } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { strictTransport, urlLimit } from '../limits.ts';
import { nameSpan, traceIdOf } from '../observing/traces.ts';
import type { EndpointServerOptions } from './endpoint-server.ts';

const start = `${authorizationPath}?`;
const failures = new WeakMap<IncomingMessage, unknown>();

/** Why a request couldn't be answered here, for its page to fail by at once: asking a store that is gone again takes long. */
export function failureInFront(raw: IncomingMessage): unknown {
  return failures.get(raw);
}

export function authorizationDoor<Message extends typeof IncomingMessage>(
  context: HttpContext,
  options: EndpointServerOptions,
  pages: RequestListener<Message>,
): RequestListener<Message> {
  const { services } = context;
  const commonHeaders = [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'same-origin',
    ...(context.secure ? ['Strict-Transport-Security', strictTransport] : []),
  ];
  const metrics = () => options.metricsOf(authorizationPath);

  function redirect(raw: IncomingMessage, to: ServerResponse, requestId: string, started: number, location: string) {
    const headers = [...commonHeaders, 'X-Request-Id', requestId, 'Location', location];
    headers.push('Cache-Control', 'no-store', 'Content-Length', '0');
    if (options.isDraining()) headers.push('Connection', 'close');
    nameSpan(raw, authorizationPath);
    to.writeHead(302, headers).end();
    const took = performance.now() - started;
    metrics().count(raw.method, 302, took);
    if (!options.logsRequests()) return;
    const facts = { route: authorizationPath, method: raw.method, status: 302, ms: Math.round(took) };
    options.log().debug({ reqId: requestId, trace_id: traceIdOf(raw), ...facts }, 'answered');
  }

  return (raw, to) => {
    const url = raw.url ?? '';
    // A visitor without a session gets a page in any case.
    const session =
      raw.method === 'GET' && raw.readableEnded && url.startsWith(start) && url.length <= urlLimit
        ? readCookie(context, raw, 'session')
        : undefined;
    if (session === undefined) return pages(raw, to);
    const started = performance.now();
    // Read while the connection is there; it's known from then on, to the page as well.
    const address = options.addressOf(raw);
    let requestId = '';
    const requester = () => {
      requestId = options.newRequestId();
      return { address, requestId, traceId: traceIdOf(raw) };
    };
    const answer = (location: string | undefined) => {
      if (location === undefined) pages(raw, to);
      else redirect(raw, to, requestId, started, location);
    };
    const fail = (error: unknown) => {
      failures.set(raw, error);
      pages(raw, to);
    };
    let location: Eventual<string | undefined>;
    try {
      location = authorizeAgain(services, url.slice(start.length), session, requester);
    } catch (error) {
      return fail(error);
    }
    if (location instanceof Promise) location.then(answer, fail);
    else answer(location);
  };
}
