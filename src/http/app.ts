// Builds the HTTP application: the routes, and what applies to all of them. Listening on a port is left to the caller; the
// OAuth endpoints are served in front of the framework (oauth/endpoint-server.ts).

import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { trackChanges } from '../platform/changes.ts';
import { createServer } from '../platform/node-http.ts';
import { newSecret } from '../protocol/identifiers.ts';
import { assetRoutes } from './assets.ts';
import type { HttpContext } from './context.ts';
import { devRoutes } from './dev.ts';
import { failureOf, failures, sendFailure } from './failures.ts';
import { healthRoutes } from './health.ts';
import { languageRoutes } from './language-routes.ts';
import { lateSections, sectionAt, templateOf, withSections } from './late-sections.ts';
import * as limits from './limits.ts';
import { imageRoutes } from './logos.ts';
import { authorizationDoor } from './oauth/authorization-door.ts';
import { authorizationRoutes } from './oauth/authorization-page.ts';
import { CollectingMessage } from './oauth/collected-body.ts';
import { type Endpoint, endpointServer } from './oauth/endpoint-server.ts';
import { oauthEndpoints } from './oauth/endpoints.ts';
import { logoutRoutes } from './oauth/logout.ts';
import { noRoute, type RequestMetrics, requestMetrics } from './observing/request-metrics.ts';
import { requestIdsOf, traceRoutes, withSpans } from './observing/traces.ts';
import { isPlainQuery } from './requests.ts';
import { collectRights } from './route-rights.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { upstreamRoutes } from './upstreams/upstream-routes.ts';

export interface AppOptions {
  readonly logger: NonNullable<FastifyServerOptions['logger']>;
  readonly trustProxy: readonly string[];
  readonly requestTimeout?: number | undefined;
  /** For tests: with false, the framework answers authorization requests that need no page, too. */
  readonly authorizesInFront?: boolean | undefined;
}

export interface App {
  /** What listens and closes, with all routes but those of the sections that are loaded late. */
  readonly app: FastifyInstance;
  /** What serves the path. */
  frameworkAt(path: string): Promise<FastifyInstance>;
}

export function buildApp(context: HttpContext, options: AppOptions): App {
  const endpoints = oauthEndpoints(context);
  const methods: MethodsByPath = new Map();
  let counted: RequestMetrics | undefined;
  const metrics = () => {
    counted ??= requestMetrics(context.metrics, methodsOf(endpoints, methods));
    return counted;
  };
  const rules: CommonRules = { context, trustProxy: options.trustProxy, newRequestId: requestIds(context), metrics };
  const late = new Map<string, Promise<FastifyInstance>>();

  async function frameworkAt(path: string): Promise<FastifyInstance> {
    const section = sectionAt(path);
    if (section === undefined) return app;
    const known = late.get(section.path);
    if (known !== undefined) return known;
    const loading = section.load().then(async (addSection) => {
      const framework = newFramework(rules, { loggerInstance: app.log });
      addCommonRules(framework, rules, new Map());
      addSection(framework, context);
      await framework.ready();
      return framework;
    });
    late.set(section.path, loading);
    // The next request tries again.
    loading.catch(() => late.delete(section.path));
    return loading;
  }

  const serverFactory = (pages: RequestListener<typeof IncomingMessage>) =>
    publicServer(pages, endpoints, frameworkAt, rules, { ...options, log: () => app.log });
  const app = newFramework(rules, { logger: options.logger, serverFactory });
  addCommonRules(app, rules, methods);
  addRoutes(app, context);
  // Which series there are follows from the routes, so they have to be complete when the first request arrives.
  metrics();
  return { app, frameworkAt };
}

/** The methods that each path takes, filled in as routes are added. */
type MethodsByPath = Map<string, Set<string>>;

/** Of all routes, by their template. */
function methodsOf(endpoints: readonly Endpoint[], pages: MethodsByPath): ReadonlyMap<string, Iterable<string>> {
  const ownMethods = endpoints.map(({ path, methods }) => [path, [...methods, 'OPTIONS', 'other']] as const);
  const lateMethods = lateSections.map((section) => [templateOf(section), section.methods] as const);
  return new Map<string, Iterable<string>>([...pages, ...ownMethods, ...lateMethods]);
}

/** What applies to all frameworks: that of most pages, and those of the sections that are loaded late. */
interface CommonRules {
  readonly context: HttpContext;
  readonly trustProxy: readonly string[];
  readonly newRequestId: () => string;
  readonly metrics: () => RequestMetrics;
}

/** Leaves pages to the framework and answers the OAuth endpoints itself. */
function publicServer(
  pages: RequestListener<typeof IncomingMessage>,
  endpoints: readonly Endpoint[],
  frameworkAt: App['frameworkAt'],
  { context, trustProxy, newRequestId, metrics }: CommonRules,
  {
    log,
    requestTimeout = limits.requestTimeout,
    authorizesInFront = true,
  }: Pick<AppOptions, 'requestTimeout' | 'authorizesInFront'> & { log: () => FastifyBaseLogger },
): Server {
  const settings = {
    maxHeaderSize: limits.headerLimit,
    requestTimeout,
    connectionsCheckingInterval: requestTimeout * limits.requestTimeoutTolerance,
    keepAliveTimeout: limits.keepAliveTimeout,
    optimizeEmptyRequests: true,
    IncomingMessage: CollectingMessage,
  };
  const metricsOf = (path: string) => metrics().of(path);
  const endpointOptions = {
    secure: context.secure,
    newRequestId,
    addressOf: addressReader(trustProxy),
    isDraining: () => isDraining(context),
    log,
    logsRequests: () => logsRequests(log()),
    errorPage: context.docs === 'on' ? `${context.baseUrl}/docs/errors` : undefined,
    metricsOf,
  };
  const all = withSections(pages, { frameworkOf: ({ path }) => frameworkAt(path), metricsOf, log });
  const door = authorizesInFront ? authorizationDoor(context, endpointOptions, all) : all;
  const scheme = context.secure ? 'https' : 'http';
  return createServer(settings, withSpans(context.tracing, scheme, endpointServer(endpoints, endpointOptions, door)));
}

function newFramework(
  { context, trustProxy, newRequestId, metrics }: CommonRules,
  own: Pick<FastifyServerOptions, 'logger' | 'loggerInstance' | 'serverFactory'>,
): FastifyInstance {
  return Fastify({
    ...own,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: limits.bodyLimit,
    forceCloseConnections: 'idle',
    // A request that arrives on a kept connection while the others are finished is answered like them.
    return503OnClosing: false,
    requestIdHeader: false,
    // Routes read their input themselves. Fastify would load its schema compilers all the same, a third of a start's time.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: newRequestId,
    // All requests share one logger: creating one for each costs more than logging. Log lines name the request instead.
    childLoggerFactory: (logger) => logger,
    // Routes that take a query read it from the raw URL, with the strict parser of protocol/reading/parameters.ts.
    // A person's id has 255 characters at most, three times as many when it's percent-encoded.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 800 },
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, metrics()),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(context, request, reply);
      sendFailure(context, request, reply, failureOf(error, request.log, requestIdsOf(request)));
      // The framework calls no other hook for these.
      metrics().of(noRoute).count(request.method, reply.statusCode, reply.elapsedTime);
    },
  });
}

/** How every request is read, checked and counted, and what is answered if no route does. Comes before the routes. */
function addCommonRules(app: FastifyInstance, { context, metrics }: CommonRules, methods: MethodsByPath): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining(context)) reply.header('Connection', 'close');
    done();
  });

  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]));
  });

  collectRights(app);

  // Bodies stay bytes; routes read them with the strict parsers of protocol/reading/.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  // With optimizeEmptyRequests, a request without a body never emits its end, and a parser would wait for it forever.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    done(null, length === undefined && encoding === undefined ? Readable.from([]) : payload);
  });

  traceRoutes(app, context.tracing);
  // Once the body is there: it arrives in events, which don't know what they're part of.
  app.addHook('preHandler', (_request, _reply, done) => trackChanges(done));

  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(context, request, reply);
    const url = request.raw.url ?? '';
    if (url.length > limits.urlLimit) sendFailure(context, request, reply, failures.urlTooLong);
    // No path has a zero byte, and not every database can store or compare one.
    else if (/^[^?]*%00/.test(url)) sendFailure(context, request, reply, failures.notFound);
    else if (!request.routeOptions.config.rawQuery && !isPlainQuery(request)) {
      sendFailure(context, request, reply, failures.query);
    } else done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    metrics().of(request.routeOptions.url).count(request.method, reply.statusCode, reply.elapsedTime);
    done();
  });

  if (logsRequests(app.log)) {
    app.addHook('onResponse', (request, reply, done) => {
      // The route is logged and never the URL, which can contain a code, a state, or a secret put there by mistake.
      const route = request.routeOptions.url ?? noRoute;
      const facts = { route, method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
      request.log.debug({ ...requestIdsOf(request), ...facts }, 'answered');
      done();
    });
  }

  app.setErrorHandler<Error>((error, request, reply) =>
    sendFailure(context, request, reply, failureOf(error, request.log, requestIdsOf(request))),
  );

  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.get((request.raw.url ?? '').split('?')[0] ?? '');
    // A route that accepts the method may come here too (callNotFound), when what it was asked for does not exist.
    if (allowed === undefined || allowed.has(request.method)) {
      return sendFailure(context, request, reply, failures.notFound);
    }
    reply.header('Allow', [...allowed].join(', '));
    return sendFailure(context, request, reply, failures.methodNotAllowed);
  });
}

function addRoutes(app: FastifyInstance, context: HttpContext): void {
  authorizationRoutes(app, context);
  logoutRoutes(app, context);
  languageRoutes(app, context);
  signInRoutes(app, context);
  upstreamRoutes(app, context);
  devRoutes(app, context);
  imageRoutes(app, context);
  healthRoutes(app, context);
  assetRoutes(app, context.assets);
}

function isDraining({ lifecycle }: HttpContext): boolean {
  return lifecycle.phase === 'draining';
}

function logsRequests({ level }: FastifyBaseLogger): boolean {
  return level === 'debug' || level === 'trace';
}

function noSchemas(): never {
  throw new Error('a route has a schema, but Fastify has no schema compiler here');
}

function setCommonHeaders(context: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('X-Request-Id', request.id);
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('Referrer-Policy', 'same-origin');
  if (context.secure) reply.header('Strict-Transport-Security', limits.strictTransport);
}

const statusOfBroken: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Answers what could not be parsed as HTTP, or took too long to arrive. Nothing of it is logged, because it may contain a secret. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket, metrics: RequestMetrics): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, phrase] = statusOfBroken[error.code ?? ''] ?? [400, 'Bad Request'];
  metrics.of(noRoute).count(undefined, status, 0);
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** The client's address, as the trusted proxies name it. A connection that has been closed has none. */
function addressReader(proxies: readonly string[]): (request: IncomingMessage) => string {
  if (proxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyAddress.compile([...proxies]);
  return (request) => (request.socket.remoteAddress ? proxyAddress(request, trust) : '');
}

/** Ids of requests for events, logs and error pages: a random prefix for the process, then a counter. */
function requestIds(context: HttpContext): () => string {
  const process = newSecret('', context.services.random)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}
