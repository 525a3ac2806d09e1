// Reads the query string as the browser sent it.

import type { FastifyRequest } from 'fastify';

export function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.raw.url?.split('?')[1]);
}
