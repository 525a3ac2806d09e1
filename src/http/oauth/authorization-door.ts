// Answers an authorization request in front of the framework if the answer is a redirect to the client, as it is for everyone
// who is signed in and has approved the application before. Whatever needs a page goes on to the framework, together with what
// was decided here, so that nothing is decided or recorded twice.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type AuthorizeOutcome, authorize } from '../../operations/oauth/authorize.ts';
import { authorizationPath } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { strictTransport, urlLimit } from '../limits.ts';
import { nameSpan, traceIdOf } from '../observing/traces.ts';
import type { EndpointServerOptions } from './endpoint-server.ts';

interface Begun {
  readonly requestId: string;
  readonly outcome: Promise<AuthorizeOutcome>;
}

const begun = new WeakMap<IncomingMessage, Begun>();

/** What was decided about a request before it came to the framework, if anything was. */
export function begunAuthorization(raw: IncomingMessage): Begun | undefined {
  return begun.get(raw);
}

const start = `${authorizationPath}?`;

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
    nameSpan(raw, authorizationPath);
    const started = performance.now();
    const requestId = options.newRequestId();
    const requester = { address: options.addressOf(raw), requestId, traceId: traceIdOf(raw) };
    const outcome = authorize(services, url.slice(start.length), session, requester);
    begun.set(raw, { requestId, outcome });
    outcome.then(
      (decided) => {
        if ('location' in decided && decided.kind !== 'no_access') {
          redirect(raw, to, requestId, started, decided.location);
        } else pages(raw, to);
      },
      () => pages(raw, to),
    );
  };
}
