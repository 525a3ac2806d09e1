// Spans, through the OpenTelemetry API only: the operator loads the SDK (docs/monitoring.md). Without one there's no Tracing
// at all, so requests don't pay for it.

import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Eventual } from '../protocol/eventual.ts';
import { readTraceParent } from '../protocol/trace-context.ts';

type Header = string | readonly string[] | undefined;

export interface TracedRequest {
  readonly traceId: string;
  /** Spans that begin meanwhile are children of the request's. */
  run<Result>(work: () => Result): Result;
  /** Names the span after the request's route. */
  takenBy(route: string): void;
  end(status: number): void;
}

export interface Tracing {
  startRequest(request: { method: string; scheme: string; traceparent: Header; tracestate: Header }): TracedRequest;
  /** Runs the work in a child span if it's part of a request. */
  inSpan<Result>(
    name: string,
    kind: 'internal' | 'client',
    attributes: Attributes,
    work: () => Eventual<Result>,
  ): Promise<Result>;
}

const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const spanKinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** Undefined when no SDK has been registered. */
export function findTracing(): Tracing | undefined {
  const provider = trace.getTracerProvider();
  const isMissing =
    provider instanceof ProxyTracerProvider && provider.getDelegate() === new ProxyTracerProvider().getDelegate();
  if (isMissing) return undefined;
  const tracer = trace.getTracer('latchkey');

  return {
    startRequest({ method, scheme, traceparent, tracestate }) {
      // Never an unknown method from a request.
      const known = knownMethods.includes(method) ? method : '_OTHER';
      const name = known === '_OTHER' ? 'HTTP' : known;
      const parent = parentOf(traceparent, tracestate);
      const attributes = { 'http.request.method': known, 'url.scheme': scheme };
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      const inside = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        run: (work) => context.with(inside, work),
        takenBy(route) {
          span.updateName(`${name} ${route}`);
          span.setAttribute('http.route', route);
        },
        end(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) fail(span, String(status));
          span.end();
        },
      };
    },

    async inSpan(name, kind, attributes, work) {
      if (trace.getActiveSpan() === undefined) return work();
      const span = tracer.startSpan(name, { kind: spanKinds[kind], attributes });
      try {
        return await context.with(trace.setSpan(context.active(), span), work);
      } catch (error) {
        // Its message may quote user input.
        fail(span, error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

/** The span of an active instrumentation, or the caller's from `traceparent`. */
function parentOf(traceparent: Header, tracestate: Header): Context {
  const active = context.active();
  if (trace.getSpan(active) !== undefined) return active;
  const remote = readTraceParent(traceparent);
  if (remote === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = remote;
  const state = typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & 1, isRemote: true, ...state });
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
