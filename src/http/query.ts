// Reads the query string as the browser sent it. A query that isn't plain text is refused before any page sees it, because
// what pages read from it reaches the store, and not every database has text with a zero byte.

import type { FastifyRequest } from 'fastify';
import { readQuery } from '../protocol/reading/parameters.ts';

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
