// Which trace a request belongs to: that of its span, or without an SDK the one that its traceparent header names.

import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { TracedRequest, Tracing } from '../../platform/tracing.ts';
import { readTraceParent } from '../../protocol/trace-context.ts';
import { noRoute } from './request-metrics.ts';

/** How log entries name a request. */
export interface RequestIds {
  readonly reqId: string;
  readonly trace_id: string | undefined;
}

const traced = new WeakMap<IncomingMessage, TracedRequest>();

export function traceIdOf(raw: IncomingMessage): string | undefined {
  const { traceparent } = raw.headers;
  return traceparent === undefined
    ? traced.get(raw)?.traceId
    : (traced.get(raw) ?? readTraceParent(traceparent))?.traceId;
}

export function requestIdsOf({ id, raw }: { id: string; raw: IncomingMessage }): RequestIds {
  return { reqId: id, trace_id: traceIdOf(raw) };
}

/** The listener with a span for each request. Without an SDK it's the listener itself. */
export function withSpans<Message extends typeof IncomingMessage>(
  tracing: Tracing | undefined,
  scheme: string,
  listener: RequestListener<Message>,
): RequestListener<Message> {
  if (tracing === undefined) return listener;
  return (raw, response) => {
    const { traceparent, tracestate } = raw.headers;
    const request = tracing.startRequest({ method: raw.method ?? '', scheme, traceparent, tracestate });
    traced.set(raw, request);
    response.once('close', () => request.end(response.statusCode));
    request.run(() => listener(raw, response));
  };
}

/** Goes on in the span of the request: a body arrives in events, which don't know what they're part of. */
export function inSpanOf<Result>(raw: IncomingMessage, work: () => Result): Result {
  const request = traced.get(raw);
  return request === undefined ? work() : request.run(work);
}

export function nameSpan(raw: IncomingMessage, route: string): void {
  traced.get(raw)?.takenBy(route);
}

/** Names the spans of pages after their routes, and has their handlers run inside. */
export function traceRoutes(app: FastifyInstance, tracing: Tracing | undefined): void {
  if (tracing === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? noRoute;
    if (route !== noRoute) nameSpan(request.raw, route);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => inSpanOf(request.raw, done));
}
