// What routes read from a request besides its body: the query, where it came from, and whether it's a phone's.

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Requester } from '../protocol/event.ts';
import { readQuery } from '../protocol/reading/parameters.ts';
import { deviceName } from '../protocol/sign-in/device-name.ts';
import { traceIdOf } from './observing/traces.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route judges its raw query by rules of its own. */
    readonly rawQuery?: true;
  }
}

export function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(rawQueryOf(request));
}

/** False for control characters and for what isn't percent-encoded UTF-8, in a name or a value. */
export function isPlainQuery(request: FastifyRequest): boolean {
  const { hasInvalidNames, invalid } = readQuery(rawQueryOf(request));
  return !hasInvalidNames && invalid.size === 0;
}

/** Without the question mark. */
export function rawQueryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

export function requesterOf(request: FastifyRequest): Requester {
  // A connection that has been closed has no address.
  return {
    address: request.ip ?? '',
    requestId: request.id,
    traceId: traceIdOf(request.raw),
    device: deviceName(request.headers['user-agent']),
  };
}

/** Chromium says so in a header of its own. Other phones have "Mobi" in the name of their browser; tablets don't. */
export function isPhone(headers: IncomingHttpHeaders): boolean {
  const hint = headers['sec-ch-ua-mobile'];
  if (hint === '?1' || hint === '?0') return hint === '?1';
  return /\bMobi/.test(headers['user-agent'] ?? '');
}
