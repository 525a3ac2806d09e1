// Serves the endpoints for machines on node:http itself. They are five exact paths, asked for many times more often than
// any page, and need nothing of what the framework does for pages; it would cost them a quarter of their speed.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origin } from '../../protocol/event.ts';
import { oauthError } from '../../protocol/oauth/errors.ts';
import { type Failure, failureOf, failures, type Log } from '../failures.ts';
import { bodyLimit, strictTransport, urlLimit } from '../limits.ts';
import { type Answer, errorResponse, withHeaders, writeResponse } from './responses.ts';

export interface EndpointRequest {
  readonly raw: IncomingMessage;
  readonly body: Uint8Array;
  readonly origin: Origin;
}

interface MachineRoute {
  readonly path: string;
  /** The first is the one that the interface names. */
  readonly methods: readonly ['GET' | 'POST', ...'HEAD'[]];
  answer(request: EndpointRequest): Promise<Answer>;
}

export type EndpointTable = readonly MachineRoute[];

export interface EndpointServerOptions {
  readonly secure: boolean;
  readonly newRequestId: () => string;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isClosing: () => boolean;
  readonly log: () => Log;
  /** Where errors are explained, if the documentation is served. */
  readonly errorPage: string | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const nothing = new Uint8Array();

/** Answers what is for a machine; everything else goes on to `others`. */
export function endpointServer(routes: EndpointTable, options: EndpointServerOptions, others: Handler): Handler {
  const routeOf = new Map(routes.map((route) => [route.path, route]));
  const everywhere = [
    ...['X-Content-Type-Options', 'nosniff', 'Access-Control-Allow-Origin', '*'],
    ...(options.secure ? ['Strict-Transport-Security', strictTransport] : []),
  ];

  async function serve(route: MachineRoute, raw: IncomingMessage, response: ServerResponse, body?: Uint8Array) {
    const requestId = options.newRequestId();
    const started = performance.now();
    let answer: Answer;
    try {
      answer = refusalOf(route, raw, body) ?? (await route.answer(requestFor(raw, body ?? nothing, requestId)));
    } catch (error) {
      answer = failureAnswer(raw, failureOf(error as Error, options.log(), requestId));
    }
    if (body === undefined || options.isClosing()) answer = withHeaders(answer, 'Connection', 'close');
    writeResponse(response, answer, [...everywhere, 'X-Request-Id', requestId], options.errorPage);
    // The route and never the address: an address can hold a misplaced secret.
    const facts = { route: route.path, method: raw.method, status: answer.status };
    options.log().debug({ reqId: requestId, ...facts, ms: Math.round(performance.now() - started) }, 'answered');
  }

  function requestFor(raw: IncomingMessage, body: Uint8Array, requestId: string): EndpointRequest {
    return { raw, body, origin: { address: options.addressOf(raw), requestId } };
  }

  return (raw, response) => {
    const route = routeOf.get(pathOf(raw.url ?? ''));
    if (route === undefined) others(raw, response);
    else if (raw.readableEnded) serve(route, raw, response, nothing);
    else receiveBody(raw, (body) => serve(route, raw, response, body));
  };
}

/** The answer to what no route is asked about; a body that is missing here was too large. */
function refusalOf(route: MachineRoute, raw: IncomingMessage, body: Uint8Array | undefined): Answer | undefined {
  if ((raw.url ?? '').length > urlLimit) return failureAnswer(raw, failures.urlTooLong);
  if (body === undefined) return failureAnswer(raw, failures.bodyTooLarge);
  if (raw.method === 'OPTIONS') return preflight(route);
  if ((route.methods as readonly string[]).includes(raw.method ?? '')) return undefined;
  const allowed = [...route.methods, 'OPTIONS'].join(', ');
  return withHeaders(failureAnswer(raw, failures.methodNotAllowed), 'Allow', allowed);
}

function failureAnswer(raw: IncomingMessage, failure: Failure): Answer {
  return errorResponse(raw, oauthError(failure.code, failure.description), failure.status);
}

function preflight(route: MachineRoute): Answer {
  const headers = [
    ...['Access-Control-Allow-Methods', route.methods[0]],
    ...['Access-Control-Allow-Headers', 'Authorization, Content-Type'],
    ...['Access-Control-Max-Age', '86400'],
  ];
  return { status: 204, headers, body: '' };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Hands over the whole body, or undefined as soon as it is too large; nothing when the connection breaks. */
function receiveBody(raw: IncomingMessage, done: (body: Uint8Array | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > bodyLimit) finish(undefined);
  };
  const finish = (body: Uint8Array | undefined) => {
    raw.off('data', collect).off('end', finishWhole).resume();
    done(body);
  };
  const finishWhole = () => finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  raw
    .on('error', () => {})
    .on('data', collect)
    .on('end', finishWhole);
}
