// Where a request came from, as events record it.

import type { FastifyRequest } from 'fastify';
import type { Requester } from '../protocol/event.ts';
import { deviceName } from '../protocol/sign-in/device-name.ts';
import { traceIdOf } from './observing/traces.ts';

export function requesterOf(request: FastifyRequest): Requester {
  // A connection that has been closed has no address.
  return {
    address: request.ip ?? '',
    requestId: request.id,
    traceId: traceIdOf(request.raw),
    device: deviceName(request.headers['user-agent']),
  };
}
