// Serves the OAuth endpoints on node:http, in front of the framework. They are a few exact paths that get far more traffic
// than any page and need none of what the framework does for pages, which would cost them a quarter of their speed.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Requester } from '../../protocol/event.ts';
import type { Eventual } from '../../protocol/eventual.ts';
import { oauthError } from '../../protocol/oauth/errors.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { type Failure, failureOf, failures, type Log } from '../failures.ts';
import { strictTransport, urlLimit } from '../limits.ts';
import type { RouteMetrics } from '../observing/request-metrics.ts';
import { inSpanOf, nameSpan, type RequestIds, traceIdOf } from '../observing/traces.ts';
import type { CollectingMessage } from './collected-body.ts';
import { type EndpointResponse, errorResponse, withHeaders, writeResponse } from './responses.ts';

export interface EndpointRequest {
  readonly raw: IncomingMessage;
  readonly body: Uint8Array;
  readonly requester: Requester;
}

export interface Endpoint {
  readonly path: string;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /** At once if it can. */
  respond(request: EndpointRequest): Eventual<EndpointResponse>;
}

export interface EndpointServerOptions {
  readonly secure: boolean;
  readonly newRequestId: () => string;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isDraining: () => boolean;
  readonly log: () => Log;
  /** Whether every request is logged. */
  readonly logsRequests: () => boolean;
  /** The page of the documentation that explains errors, if it is served. */
  readonly errorPage: string | undefined;
  readonly metricsOf: (path: string) => RouteMetrics;
}

/** An endpoint with what counts its requests, from the first one on. */
interface Route {
  readonly endpoint: Endpoint;
  metrics?: RouteMetrics;
}

const emptyBody = new Uint8Array();

/** Requests for other paths go to `pages`. */
export function endpointServer(
  endpoints: readonly Endpoint[],
  options: EndpointServerOptions,
  pages: RequestListener,
): RequestListener<typeof CollectingMessage> {
  const routes: readonly Route[] = endpoints.map((endpoint) => ({ endpoint }));
  const commonHeaders = [
    'X-Content-Type-Options',
    'nosniff',
    'Access-Control-Allow-Origin',
    '*',
    ...(options.secure ? ['Strict-Transport-Security', strictTransport] : []),
  ];

  /** `body` is undefined when it was too large. */
  function serve(route: Route, raw: IncomingMessage, to: ServerResponse, body?: Uint8Array): void {
    const started = performance.now();
    const requester = { address: options.addressOf(raw), requestId: options.newRequestId(), traceId: traceIdOf(raw) };
    let response: Eventual<EndpointResponse>;
    try {
      response =
        responseWithoutEndpoint(route.endpoint, raw, body) ??
        route.endpoint.respond({ raw, body: body ?? emptyBody, requester });
    } catch (error) {
      response = failedResponse(raw, requester, error);
    }
    const exchange = { route, raw, to, requester, closes: body === undefined, started };
    if (response instanceof Promise) {
      response.catch((error: unknown) => failedResponse(raw, requester, error)).then((later) => send(exchange, later));
    } else send(exchange, response);
  }

  function failedResponse(raw: IncomingMessage, requester: Requester, error: unknown): EndpointResponse {
    return failureResponse(raw, failureOf(error, options.log(), idsOf(requester)));
  }

  function send({ route, raw, to, requester, closes, started }: Exchange, response: EndpointResponse): void {
    const sent = closes || options.isDraining() ? withHeaders(response, 'Connection', 'close') : response;
    writeResponse(to, sent, commonHeaders, requester.requestId, options.errorPage);
    const took = performance.now() - started;
    const { path } = route.endpoint;
    route.metrics ??= options.metricsOf(path);
    route.metrics.count(raw.method, response.status, took);
    if (!options.logsRequests()) return;
    // The path is logged and never the URL: a query can contain a secret that was put there by mistake.
    const facts = { route: path, method: raw.method, status: response.status, ms: Math.round(took) };
    options.log().debug({ ...idsOf(requester), ...facts }, 'answered');
  }

  return (raw, response) => {
    const url = raw.url ?? '';
    const route = routes.find(({ endpoint }) => isAt(endpoint.path, url));
    if (route === undefined) return pages(raw, response);
    nameSpan(raw, route.endpoint.path);
    // A request without a body ends with its head.
    if (raw.readableEnded) serve(route, raw, response, emptyBody);
    else raw.collect((body) => inSpanOf(raw, () => serve(route, raw, response, body)));
  };
}

/** A request that is being answered. */
interface Exchange {
  readonly route: Route;
  readonly raw: IncomingMessage;
  readonly to: ServerResponse;
  readonly requester: Requester;
  /** Whether the connection ends with the response. */
  readonly closes: boolean;
  readonly started: number;
}

function idsOf({ requestId, traceId }: Requester): RequestIds {
  return { reqId: requestId, trace_id: traceId };
}

/** The response to a request that the endpoint need not see; undefined when it has to. */
function responseWithoutEndpoint(
  endpoint: Endpoint,
  raw: IncomingMessage,
  body: Uint8Array | undefined,
): EndpointResponse | undefined {
  if ((raw.url ?? '').length > urlLimit) return failureResponse(raw, failures.urlTooLong);
  if (body === undefined) return failureResponse(raw, failures.bodyTooLarge);
  if (raw.method === 'OPTIONS') return preflight(endpoint);
  if (includes(endpoint.methods, raw.method)) return undefined;
  const allowed = [...endpoint.methods, 'OPTIONS'].join(', ');
  return withHeaders(failureResponse(raw, failures.methodNotAllowed), 'Allow', allowed);
}

function failureResponse(raw: IncomingMessage, failure: Failure): EndpointResponse {
  return errorResponse(raw, oauthError(failure.code, failure.description), failure.status);
}

function preflight(endpoint: Endpoint): EndpointResponse {
  const headers = [
    'Access-Control-Allow-Methods',
    // HEAD needs no preflight.
    endpoint.methods.filter((method) => method !== 'HEAD').join(', '),
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type',
    'Access-Control-Max-Age',
    '86400',
  ];
  return { status: 204, headers, body: '' };
}

function isAt(path: string, url: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url.charAt(path.length) === '?');
}
