// The endpoints that client applications call: token, userinfo, revoke, discovery and the key set.

import { setTimeout as wait } from 'node:timers/promises';
import { issueTokens } from '../../operations/oauth/issue-tokens.ts';
import { readClaims } from '../../operations/oauth/read-claims.ts';
import { revokeToken } from '../../operations/oauth/revoke-token.ts';
import { discoveryDocument } from '../../protocol/oauth/discovery.ts';
import { oauthError } from '../../protocol/oauth/errors.ts';
import { readBody } from '../../protocol/reading/parameters.ts';
import type { HttpContext } from '../context.ts';
import type { EndpointRequest, EndpointTable } from './endpoint-server.ts';
import { type Answer, errorResponse, jsonResponse, publicResponse, toldInBody, withHeaders } from './responses.ts';

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const slowdown = 1000;

export function oauthEndpoints({ services, baseUrl }: HttpContext): EndpointTable {
  async function token({ raw, body, origin }: EndpointRequest): Promise<Answer> {
    const reading = readBody(raw.headers['content-type'], body);
    if (reading.kind === 'invalid') return errorResponse(raw, oauthError('OAUTH_INVALID_REQUEST', reading.description));
    const outcome = await issueTokens(services, reading.parameters, origin);
    return outcome.kind === 'refused' ? errorResponse(raw, outcome.error) : jsonResponse(outcome.response);
  }

  /** The status stays 200 whatever came; the body tells what was wrong. */
  async function revoke({ raw, body, origin }: EndpointRequest): Promise<Answer> {
    const reading = readBody(raw.headers['content-type'], body);
    if (reading.kind === 'invalid') {
      const facts = { kind: 'revocation_refused', detail: { reason: 'malformed' } } as const;
      services.journal.noteFromStranger(facts, origin);
      return toldInBody(oauthError('OAUTH_INVALID_REQUEST', reading.description));
    }
    const outcome = await revokeToken(services, reading.parameters, origin);
    if (outcome.kind === 'done') return jsonResponse({});
    if (outcome.error.code !== 'RATE_LIMITED') return toldInBody(outcome.error);
    // Who guesses too fast cannot be told so by a status, and is made to wait instead.
    await wait(slowdown);
    return toldInBody(oauthError('OAUTH_INVALID_CLIENT'));
  }

  async function userinfo({ raw }: EndpointRequest): Promise<Answer> {
    const { authorization } = raw.headers;
    const accessToken = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    const claims = accessToken === undefined ? undefined : await readClaims(services, accessToken);
    if (claims !== undefined) return jsonResponse(claims);
    // RFC 6750 §3.1: a request without any credentials is told how to authenticate, not what was wrong with them.
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    const challenge = `Bearer realm="Latchkey"${error}`;
    return withHeaders(errorResponse(raw, oauthError('TOKEN_INVALID')), 'WWW-Authenticate', challenge);
  }

  const discovery = publicResponse(JSON.stringify(discoveryDocument(baseUrl)));
  const keySet = publicResponse('{"keys": []}');
  return [
    { path: '/oauth/token', methods: ['POST'], answer: token },
    { path: '/oauth/revoke', methods: ['POST'], answer: revoke },
    { path: '/oauth/userinfo', methods: ['GET'], answer: userinfo },
    { path: '/oauth/jwks.json', methods: ['GET', 'HEAD'], answer: async () => keySet },
    { path: '/.well-known/openid-configuration', methods: ['GET', 'HEAD'], answer: async () => discovery },
  ];
}
