// Which directory a request comes from. Nothing but a SCIM token is accepted, and it's accepted nowhere else.

import type { FastifyRequest } from 'fastify';
import { TokenBuckets } from '../../operations/in-memory/token-buckets.ts';
import { findScimToken } from '../../operations/scim/scim-tokens.ts';
import type { Requester } from '../../protocol/event.ts';
import { errorTable } from '../../protocol/oauth/errors.ts';
import { ScimError } from '../../protocol/scim/errors.ts';
import type { ScimToken } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { requesterOf } from '../requests.ts';

const bearer = /^Bearer +(\S+)$/i;
/** Of one token, in each process. */
const rate = { burst: 50, perSecond: 50 };
const mostTokens = 1000;

/** Identifies each request, and counts it. */
export function directoryReader({ services }: HttpContext) {
  const requests = new TokenBuckets(services.clock, rate, mostTokens);
  return async (request: FastifyRequest): Promise<ScimToken | ScimError> => {
    const secret = bearer.exec(request.headers.authorization ?? '')?.[1];
    const token = secret === undefined ? undefined : await findScimToken(services, secret);
    if (token !== undefined) return requests.take(token.id) === 0 ? token : tooFast;
    const isGuessing = secret !== undefined && services.secretGuesses.countWrong(requesterOf(request).address);
    return isGuessing ? tooMany : new ScimError(401, undefined, 'Send a SCIM token in the Authorization header.');
  };
}

export const tooFast = new ScimError(429, undefined, `A token is limited to ${rate.perSecond} requests a second.`);
const tooMany = new ScimError(429, undefined, errorTable.RATE_LIMITED.sentence);

export function requesterFor(request: FastifyRequest, { id }: ScimToken): Requester {
  return { ...requesterOf(request), actor: { kind: 'scim_token', id } };
}
