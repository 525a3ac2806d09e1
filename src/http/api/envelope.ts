// The shape of every response under `/api`: `{success, message, data}`.

import type { FastifyReply, FastifyRequest } from 'fastify';

export function isApi(request: FastifyRequest): boolean {
  return /^\/api(\/|\?|$)/.test(request.raw.url ?? '');
}

/** `field` is the one part of the request that was wrong, if it was one. `error_code` is for programs. */
export type ErrorData = { readonly field: string } | { readonly error_code: string };

export function sendApiError(
  reply: FastifyReply,
  status: number,
  message: string,
  data: ErrorData | null = null,
): FastifyReply {
  return send(reply, status, { success: false, message, data });
}

export function sendData(reply: FastifyReply, status: number, message: string, data: unknown): FastifyReply {
  return send(reply, status, { success: true, message, data });
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('Cache-Control', 'no-store').send(body);
}
