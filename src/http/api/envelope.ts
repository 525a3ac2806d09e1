// How `/api/**` answers: always `{success, message, data}`.

import type { FastifyReply, FastifyRequest } from 'fastify';

export function isApi(request: FastifyRequest): boolean {
  return /^\/api(\/|\?|$)/.test(request.raw.url ?? '');
}

/** A refusal; `field` names what was wrong in the request, where it was one thing. */
export function sendEnvelope(reply: FastifyReply, status: number, message: string, field?: string): FastifyReply {
  return send(reply, status, { success: false, message, data: field === undefined ? null : { field } });
}

export function sendData(reply: FastifyReply, status: number, message: string, data: unknown): FastifyReply {
  return send(reply, status, { success: true, message, data });
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('Cache-Control', 'no-store').send(body);
}
