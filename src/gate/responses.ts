// Responses of the gate: none is cached, and pages are in the reader's language.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatePage } from './pages/page.ts';
import { gatePage } from './pages/render.ts';

export interface GateResponse {
  readonly status: number;
  /** Names and values, one after the other, with the body's length. */
  readonly headers: readonly string[];
  readonly body: string;
}

const noStore = ['Cache-Control', 'no-store'];

export function emptyResponse(status: number, headers: readonly string[] = []): GateResponse {
  return withBody(status, [...noStore, ...headers], '');
}

export function textResponse(status: number, text: string): GateResponse {
  return withBody(status, [...noStore, 'Content-Type', 'text/plain; charset=utf-8'], `${text}\n`);
}

export function redirectTo(url: string, headers: readonly string[] = []): GateResponse {
  return emptyResponse(303, ['Location', url, ...headers]);
}

/** `formActions` are the origins that the page's form may lead to besides its own. */
export function pageResponse(
  request: IncomingMessage,
  page: GatePage,
  { formActions = [], headers = [] }: { formActions?: readonly string[]; headers?: readonly string[] } = {},
): GateResponse {
  const { status, html, headers: own } = gatePage(page, request.headers['accept-language'], { formActions });
  return withBody(status, [...Object.entries(own).flat(), ...headers], html);
}

function withBody(status: number, headers: string[], body: string): GateResponse {
  headers.push('Content-Length', String(Buffer.byteLength(body)));
  return { status, headers, body };
}

export function write(response: ServerResponse, { status, headers, body }: GateResponse): void {
  // Node reads the list and leaves it as it is.
  response.writeHead(status, headers as string[]);
  response.end(body);
}
