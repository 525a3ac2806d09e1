// A route of SCIM: what it answers to a directory.

import type { FastifyRequest } from 'fastify';
import type { ScimError } from '../../protocol/scim/errors.ts';
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
