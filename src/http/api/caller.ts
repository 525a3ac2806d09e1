// Who calls the API, and what they may do. An API key comes in the Authorization header, a session in a cookie. When
// there is an Authorization header, the cookie is ignored: a caller with an invalid key must not act as the browser's
// user.

import type { FastifyRequest } from 'fastify';
import { reviewIsDue } from '../../operations/account/review.ts';
import { authorityOf, rightRefused } from '../../operations/admin/authority.ts';
import { findApiKey } from '../../operations/api-keys/api-keys.ts';
import { currentSession } from '../../operations/sessions/sessions.ts';
import { lacksSecondFactor } from '../../operations/sign-in/second-factor-need.ts';
import { type Authority, authorityOfKey, type Right, rights } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import { errorTable } from '../../protocol/oauth/errors.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { formToken, isFormToken, isSameOrigin } from '../forms.ts';
import { retryAfterSeconds } from '../oauth/responses.ts';
import { requesterOf } from '../requests.ts';
import { applicationOf } from '../route-rights.ts';
import type { ApiOperation, Caller, Needs } from './define-operation.ts';

export const csrfHeader = 'X-CSRF-Token';

export interface ApiRefusal {
  readonly kind: 'refused';
  readonly status: 401 | 403 | 429;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For callers that can do something about it. */
  readonly code?: 'PROOF_REQUIRED' | 'REVIEW_REQUIRED';
}

const bearer = /^Bearer +(\S+)$/i;
const challenge = 'Bearer realm="Latchkey"';

export async function identify(context: HttpContext, request: FastifyRequest): Promise<Caller | ApiRefusal> {
  const { services } = context;
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const secret = bearer.exec(authorization)?.[1];
    const key = secret === undefined ? undefined : await findApiKey(services, secret);
    if (key !== undefined) return { kind: 'api_key', key };
    if (services.secretGuesses.countWrong(requesterOf(request).address)) {
      services.meters.throttled.add({ limit: 'api_key' });
      const headers = { 'Retry-After': String(retryAfterSeconds.RATE_LIMITED) };
      return refused(429, errorTable.RATE_LIMITED.sentence, headers);
    }
    const headers = { 'WWW-Authenticate': `${challenge}, error="invalid_token"` };
    return refused(401, "The Authorization header doesn't contain a valid API key.", headers);
  }
  const secret = readCookie(context, request, 'session');
  const signedIn = await currentSession(services, secret);
  if (secret === undefined || signedIn === undefined) {
    return refused(401, 'Sign in first, or send an API key.', { 'WWW-Authenticate': challenge });
  }
  if (await lacksSecondFactor(services, signedIn)) {
    return refused(
      403,
      `This session needs a second factor: open ${context.baseUrl}/account and take the second step.`,
    );
  }
  if (await reviewIsDue(services, signedIn.user)) {
    const message = `Review what has access to your account at ${context.baseUrl}/account/review first.`;
    return { ...refused(403, message), code: 'REVIEW_REQUIRED' };
  }
  const authority = await authorityOf(services, signedIn.user);
  return { kind: 'session', signedIn, csrfToken: formToken(context, secret), authority };
}

/** Undefined when the caller may do it. */
export function permissionRefusal(
  context: HttpContext,
  request: FastifyRequest,
  caller: Caller,
  needs: Needs,
): ApiRefusal | undefined {
  if (needs === 'self' && caller.kind === 'api_key') {
    return refused(403, "This endpoint is for people who are signed in. API keys can't use it.");
  }
  if (
    needs !== 'self' &&
    rightRefused(context.services, requesterOfCall(request, caller, needs), needs, applicationOf(request))
  ) {
    return refused(403, missingRight(authorityOfCaller(caller), needs));
  }
  if (caller.kind === 'api_key') return undefined;
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  // A browser sends the cookie whichever site made the request; only our own pages know the token.
  if (!isSameOrigin(context, request)) return refused(403, 'The request comes from another site.');
  const token = request.headers[csrfHeader.toLowerCase()];
  const session = readCookie(context, request, 'session') ?? '';
  return typeof token === 'string' && isFormToken(context, session, token)
    ? undefined
    : refused(403, `The header ${csrfHeader} must contain the csrf_token from GET /api/me.`);
}

function authorityOfCaller(caller: Caller): Authority {
  return caller.kind === 'api_key' ? authorityOfKey(caller.key) : caller.authority;
}

/** Says what is missing, and nothing about what is there. */
function missingRight(authority: Authority, right: Right): string {
  if ('permission' in authority) {
    const { key } = rights[right];
    return key === undefined ? "API keys can't do this." : `This API key needs the permission "${key}" for this.`;
  }
  return authority.roles.length === 0 && !authority.owns?.size
    ? 'You need admin access.'
    : "Your role doesn't include this.";
}

/** Undefined when the caller has recently proved who they are, or need not. An API key is never asked. */
export async function proofRefusal(
  { services, baseUrl }: HttpContext,
  caller: Caller,
  { powerful }: Pick<ApiOperation, 'powerful'>,
  body: object,
): Promise<ApiRefusal | undefined> {
  if (powerful === undefined || caller.kind === 'api_key') return undefined;
  if (powerful !== true && !(await powerful(body, services))) return undefined;
  if (isProven(caller.signedIn.session, services.clock.now())) return undefined;
  const message = `Confirm it's you at ${baseUrl}/account/proof first. Confirmations are valid for 15 minutes.`;
  return { ...refused(403, message), code: 'PROOF_REQUIRED' };
}

/** Events about others name the administrator or the key behind them; events about one's own account need not. */
export function requesterOfCall(request: FastifyRequest, caller: Caller, needs: Needs): Requester {
  const requester = requesterOf(request);
  if (needs === 'self') return requester;
  const authority = authorityOfCaller(caller);
  if (caller.kind === 'api_key') return { ...requester, authority, actor: { kind: 'api_key', id: caller.key.id } };
  return { ...requester, authority, actor: { kind: 'administrator', id: caller.signedIn.user.id } };
}

function refused(
  status: ApiRefusal['status'],
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ApiRefusal {
  return { kind: 'refused', status, message, headers };
}
