// The request that a proxy asks about. Its method, URI, host and scheme are in headers that only a proxy may send.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CookieKind } from '../platform/relying-party/cookies.ts';
import { webhookAddresses } from '../platform/webhooks/addresses.ts';
import { isLoopbackHost } from '../protocol/oauth/redirect-uri.ts';

/** Where the browser is. */
export interface Place {
  /** In lower case, without the port that the scheme has anyway. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** Plain http somewhere else than on this machine. */
  readonly isInsecure: boolean;
}

export interface OriginalRequest extends Place {
  readonly method: string;
  /** The path with its query. */
  readonly uri: string;
}

const hostForm = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;
/** A name of 253 characters and a port. */
const longestHost = 259;
/** No spaces, so none that were sent twice, which Node joins with a comma and a space. */
const uriForm = /^\/[\x21-\x7e\x80-\xff]*$/;
/** A token of HTTP: WebDAV's VERSION-CONTROL has a hyphen. */
const methodForm = /^[\w!#$%&'*+.^`|~-]{1,40}$/;
/** Traefik says which protocol a connection is upgraded to. */
const schemes: Readonly<Record<string, Place['scheme']>> = { http: 'http', https: 'https', ws: 'http', wss: 'https' };

/** Undefined if the proxy's headers are missing, repeated or malformed. */
export function originalRequest({ headers }: IncomingMessage): OriginalRequest | undefined {
  const place = placeFrom(headers['x-forwarded-host'], headers['x-forwarded-proto']);
  const method = headers['x-forwarded-method'];
  const uri = headers['x-forwarded-uri'];
  if (place === undefined || typeof method !== 'string' || typeof uri !== 'string') return undefined;
  if (!methodForm.test(method) || !uriForm.test(uri)) return undefined;
  return { ...place, method: method.toUpperCase(), uri };
}

/** The place of a request that the browser itself sends, through the proxy. */
export function placeOf({ headers }: IncomingMessage): Place | undefined {
  return placeFrom(headers['x-forwarded-host'] ?? headers.host, headers['x-forwarded-proto'] ?? 'http');
}

function placeFrom(givenHost: unknown, givenScheme: unknown): Place | undefined {
  if (typeof givenHost !== 'string' || typeof givenScheme !== 'string') return undefined;
  const scheme = Object.hasOwn(schemes, givenScheme) ? schemes[givenScheme] : undefined;
  const lower = givenHost.toLowerCase();
  if (scheme === undefined || lower.length > longestHost || !hostForm.test(lower)) return undefined;
  const host = lower.replace(scheme === 'https' ? /:443$/ : /:80$/, '');
  return { host, scheme, isInsecure: scheme === 'http' && !isLoopbackHost(host.replace(/:\d+$/, '')) };
}

const cookies = { session: 'latchkey_gate', browser: 'latchkey_gate_browser' } as const;

export function cookieAt({ scheme }: Place, kind: keyof typeof cookies): CookieKind {
  return { name: cookies[kind], secure: scheme === 'https' };
}

/** Whether the connection comes from a proxy that is believed. Judged once for each connection. */
export function trustIn(proxies: readonly string[]): (socket: Socket) => boolean {
  const { isAllowed } = webhookAddresses(proxies);
  const judged = new WeakMap<Socket, boolean>();
  return (socket) => {
    const known = judged.get(socket);
    if (known !== undefined) return known;
    const trusted = isAllowed(socket.remoteAddress ?? '');
    judged.set(socket, trusted);
    return trusted;
  };
}
