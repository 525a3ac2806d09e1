// The shape of every response under `/scim`.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, type ScimError } from '../../protocol/scim/errors.ts';

export function isScim(request: FastifyRequest): boolean {
  return /^\/scim(\/|\?|$)/.test(request.raw.url ?? '');
}

export function sendScimError(reply: FastifyReply, error: ScimError): FastifyReply {
  return sendScim(reply, error.status, errorBody(error));
}

export function sendScim(reply: FastifyReply, status: number, body: object): FastifyReply {
  return scimReply(reply, status).send(JSON.stringify(body));
}

export function scimReply(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .header('Content-Type', 'application/scim+json; charset=utf-8')
    .header('Cache-Control', 'no-store');
}
