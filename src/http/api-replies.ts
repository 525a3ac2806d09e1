// How `/api/**` answers: always `{success, message, data}`.

import type { FastifyReply, FastifyRequest } from 'fastify';

export function isApi(request: FastifyRequest): boolean {
  return /^\/api(\/|\?|$)/.test(request.raw.url ?? '');
}

export function sendEnvelope(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('Cache-Control', 'no-store').send({ success: false, message, data: null });
}
