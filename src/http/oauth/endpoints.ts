// The endpoints that clients call: token, revocation, userinfo, discovery and the key set. Each parses the request, calls
// one operation, and turns its outcome into a response.

import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { issueTokens, noteUnreadableTokenRequest, refuseBasic } from '../../operations/oauth/issue-tokens.ts';
import { noteUnreadableRevocation, readClaims, revokeToken } from '../../operations/oauth/revoke-token.ts';
import { type Eventual, whenThere } from '../../protocol/eventual.ts';
import { discoveryDocument } from '../../protocol/oauth/discovery.ts';
import { oauthError } from '../../protocol/oauth/errors.ts';
import { isBasic } from '../../protocol/oauth/token-refusals.ts';
import { readBody } from '../../protocol/reading/parameters.ts';
import type { HttpContext } from '../context.ts';
import type { Endpoint, EndpointRequest } from './endpoint-server.ts';
import {
  type EndpointResponse,
  errorResponse,
  jsonResponse,
  okWithError,
  publicResponse,
  withHeaders,
} from './responses.ts';

/** What follows is a token of this service or not. Its characters needn't be looked at. */
const bearer = /^Bearer +/i;
const form = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** In milliseconds. */
const delayOfTooManyGuesses = 1000;

export function oauthEndpoints({ services, baseUrl }: HttpContext): readonly Endpoint[] {
  function token({ raw, body, requester }: EndpointRequest): Eventual<EndpointResponse> {
    const reading = readBody(raw.headers['content-type'], body);
    const { authorization } = raw.headers;
    if (isBasic(authorization)) {
      const clientId = reading.kind === 'invalid' ? undefined : reading.parameters.get('client_id');
      return refuseBasic(services, authorization, clientId, requester).then((error) => errorResponse(raw, error));
    }
    if (reading.kind === 'invalid') {
      noteUnreadableTokenRequest(services, 'invalid_request');
      return errorResponse(raw, oauthError('OAUTH_INVALID_REQUEST', reading.description));
    }
    return whenThere(issueTokens(services, reading.parameters, requester), (outcome) =>
      outcome.kind === 'refused' ? errorResponse(raw, outcome.error) : jsonResponse(outcome.json),
    );
  }

  /** The status is 200 whatever was sent; what was wrong with the request is in the body. */
  async function revoke({ raw, body, requester }: EndpointRequest): Promise<EndpointResponse> {
    const reading = readBody(raw.headers['content-type'], body);
    if (reading.kind === 'invalid') {
      noteUnreadableRevocation(services, requester);
      return okWithError(oauthError('OAUTH_INVALID_REQUEST', reading.description));
    }
    const outcome = await revokeToken(services, reading.parameters, requester);
    if (outcome.kind === 'done') return jsonResponse('{}');
    if (outcome.error.code !== 'RATE_LIMITED') return okWithError(outcome.error);
    // A status of 429 is not allowed here, so guessing is slowed down by making the caller wait.
    await wait(delayOfTooManyGuesses);
    return okWithError(oauthError('OAUTH_INVALID_CLIENT'));
  }

  function userinfo({ raw }: EndpointRequest): Eventual<EndpointResponse> {
    const { authorization } = raw.headers;
    const scheme = authorization === undefined ? undefined : bearer.exec(authorization)?.[0];
    const claims = scheme && readClaims(services, (authorization ?? '').slice(scheme.length));
    return whenThere(claims, (claims) => (claims ? jsonResponse(JSON.stringify(claims)) : invalidToken(raw)));
  }

  function invalidToken(raw: IncomingMessage): EndpointResponse {
    const { authorization } = raw.headers;
    // RFC 6750, section 3.1: the challenge names an error only when the request had credentials.
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    const challenge = `Bearer realm="Latchkey"${error}`;
    // RFC 6750, section 2.2 has the token in a form as well; some libraries send it there.
    const isForm = authorization === undefined && form.test(raw.headers['content-type'] ?? '');
    const description = isForm ? 'Send the access token in the Authorization header: a form is not read.' : undefined;
    return withHeaders(errorResponse(raw, oauthError('TOKEN_INVALID', description)), 'WWW-Authenticate', challenge);
  }

  const discovery = publicResponse(JSON.stringify(discoveryDocument(baseUrl)));
  const keySet = publicResponse('{"keys": []}');
  const security = `${baseUrl}/account/security`;
  const passkeyPages = publicResponse(JSON.stringify({ enroll: security, manage: security }));
  return [
    { path: '/oauth/token', methods: ['POST'], respond: token },
    { path: '/oauth/revoke', methods: ['POST'], respond: revoke },
    { path: '/oauth/userinfo', methods: ['GET', 'POST'], respond: userinfo },
    { path: '/oauth/jwks.json', methods: ['GET', 'HEAD'], respond: () => keySet },
    { path: '/.well-known/openid-configuration', methods: ['GET', 'HEAD'], respond: () => discovery },
    { path: '/.well-known/oauth-authorization-server', methods: ['GET', 'HEAD'], respond: () => discovery },
    { path: '/.well-known/passkey-endpoints', methods: ['GET', 'HEAD'], respond: () => passkeyPages },
  ];
}
