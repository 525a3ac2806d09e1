// What a route of SCIM answers to a directory, and how it's sent.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, type ScimError } from '../../protocol/scim/errors.ts';
import type { ScimToken } from '../../storage/storage.ts';

export interface ScimAnswer {
  readonly status: 200 | 201 | 204;
  readonly body?: object;
  /** A body that is made while it's being sent. */
  readonly pieces?: AsyncGenerator<string, void>;
  readonly location?: string;
}

export interface ScimRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Behind `/scim/v2`. */
  readonly path: string;
  run(request: FastifyRequest, token: ScimToken): Promise<ScimAnswer | ScimError>;
}

export function isScim(request: FastifyRequest): boolean {
  return /^\/scim(\/|\?|$)/.test(request.raw.url ?? '');
}

export function sendScimError(reply: FastifyReply, error: ScimError): FastifyReply {
  return sendScim(reply, error.status, errorBody(error));
}

export function sendScim(reply: FastifyReply, status: number, body: object): FastifyReply {
  // Fastify would add a charset to a string's type.
  return scimReply(reply, status).send(Buffer.from(JSON.stringify(body)));
}

export function scimReply(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).header('Content-Type', 'application/scim+json').header('Cache-Control', 'no-store');
}
