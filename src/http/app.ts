// The HTTP application: everything but listening. It parses, calls one operation, and writes the answer.

import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { newSecret } from '../protocol/identifiers.ts';
import { accountRoutes } from './account/account-routes.ts';
import { securityRoutes } from './account/security-routes.ts';
import { apiRoutes } from './api/api-routes.ts';
import { assetRoutes } from './assets.ts';
import { consoleApiKeyRoutes } from './console/api-key-routes.ts';
import { consoleClientRoutes } from './console/client-routes.ts';
import { consoleEventRoutes } from './console/event-routes.ts';
import { consoleUserRoutes } from './console/user-routes.ts';
import type { HttpContext } from './context.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { failureOf, failures, sendFailure } from './failures.ts';
import { healthRoutes } from './health.ts';
import { bodyLimit, headerLimit, keepAliveTimeout, requestTimeout, strictTransport, urlLimit } from './limits.ts';
import { logoRoutes } from './logos.ts';
import { authorizationRoutes } from './oauth/authorization-page.ts';
import { decisionRoutes } from './oauth/decision.ts';
import { endpointServer } from './oauth/endpoint-server.ts';
import { oauthEndpoints } from './oauth/endpoints.ts';
import { outboxRoutes } from './outbox.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';

export interface AppOptions {
  readonly logger: NonNullable<FastifyServerOptions['logger']>;
  readonly trustProxy: readonly string[];
}

export function buildApp(context: HttpContext, options: AppOptions): FastifyInstance {
  const newRequestId = requestIds(context);
  const trust = proxyAddress.compile([...options.trustProxy]);
  let closing = false;
  const app: FastifyInstance = Fastify({
    logger: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit,
    forceCloseConnections: 'idle',
    serverFactory: (pages) => {
      const settings = { maxHeaderSize: headerLimit, requestTimeout, keepAliveTimeout, optimizeEmptyRequests: true };
      const machines = {
        secure: context.secure,
        newRequestId,
        // A connection that is gone already has no address.
        addressOf: (request: IncomingMessage) => (request.socket.remoteAddress ? proxyAddress(request, trust) : ''),
        isClosing: () => closing,
        log: () => app.log,
        errorPage: context.docs === 'on' ? `${context.baseUrl}/docs/errors` : undefined,
      };
      return createServer(settings, endpointServer(oauthEndpoints(context), machines, pages));
    },
    requestIdHeader: false,
    genReqId: newRequestId,
    // One logger for all requests: making one for each costs more than logging; what is logged names its request.
    childLoggerFactory: (logger) => logger,
    // Queries are read from the raw URL by those who need one, strictly.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 200 },
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(context, request, reply);
      sendFailure(context, request, reply, failureOf(error, request.log, request.id));
    },
  });

  app.addHook('preClose', async () => {
    closing = true;
  });

  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]));
  });

  // Bodies stay bytes here; protocol/parameters.ts reads them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(context, request, reply);
    const url = request.raw.url ?? '';
    if (url.length > urlLimit) sendFailure(context, request, reply, failures.urlTooLong);
    // Not every store has text with a zero byte in it, and no path of ours has one.
    else if (/^[^?]*%00/.test(url)) sendFailure(context, request, reply, failures.notFound);
    else done();
  });

  if (app.log.level === 'debug' || app.log.level === 'trace') {
    app.addHook('onResponse', (request, reply, done) => {
      // The route and never the address: an address can hold a code, a state or a misplaced secret.
      const route = request.routeOptions.url ?? '(none)';
      const facts = { route, method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
      request.log.debug({ reqId: request.id, ...facts }, 'answered');
      done();
    });
  }

  app.setErrorHandler<Error>((error, request, reply) =>
    sendFailure(context, request, reply, failureOf(error, request.log, request.id)),
  );

  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.get((request.raw.url ?? '').split('?')[0] ?? '');
    // A route that takes the method has sent the request on to here: for this caller there is nothing.
    if (allowed === undefined || allowed.has(request.method)) {
      return sendFailure(context, request, reply, failures.notFound);
    }
    reply.header('Allow', [...allowed].join(', '));
    return sendFailure(context, request, reply, failures.methodNotAllowed);
  });

  authorizationRoutes(app, context);
  decisionRoutes(app, context);
  signInRoutes(app, context);
  accountRoutes(app, context);
  securityRoutes(app, context);
  consoleClientRoutes(app, context);
  consoleUserRoutes(app, context);
  consoleEventRoutes(app, context);
  consoleApiKeyRoutes(app, context);
  outboxRoutes(app, context);
  apiRoutes(app, context);
  logoRoutes(app, context);
  docsRoutes(app, context);
  healthRoutes(app, context);
  assetRoutes(app, context.assets);
  return app;
}

function setCommonHeaders(context: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('X-Request-Id', request.id);
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('Referrer-Policy', 'same-origin');
  if (context.secure) reply.header('Strict-Transport-Security', strictTransport);
}

/** What is not HTTP is not looked at any further, and nothing of it is logged: it may hold a secret. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** Names a request for events, logs and error pages: the process, and its how-manieth request. */
function requestIds(context: HttpContext): () => string {
  const process = newSecret('', context.services.random)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
