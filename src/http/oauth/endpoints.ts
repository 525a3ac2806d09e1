// The endpoints that client applications call: token, userinfo, revoke, discovery and the key set.

import { setTimeout as wait } from 'node:timers/promises';
import { issueTokens } from '../../operations/oauth/issue-tokens.ts';
import { readClaims } from '../../operations/oauth/read-claims.ts';
import { revokeToken } from '../../operations/oauth/revoke-token.ts';
import { discoveryDocument } from '../../protocol/oauth/discovery.ts';
import { fault } from '../../protocol/oauth/errors.ts';
import { readBody } from '../../protocol/reading/parameters.ts';
import type { HttpContext } from '../context.ts';
import { type Answer, faultAnswer, jsonAnswer, publicAnswer, toldInBody, withHeaders } from './responses.ts';
import type { MachineRequest, MachineRoutes } from './endpoint-server.ts';

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const slowdown = 1000;

export function machineRoutes({ services, baseUrl }: HttpContext): MachineRoutes {
  async function token({ raw, body, origin }: MachineRequest): Promise<Answer> {
    const reading = readBody(raw.headers['content-type'], body);
    if (reading.kind === 'malformed') return faultAnswer(raw, fault('OAUTH_INVALID_REQUEST', reading.description));
    const outcome = await issueTokens(services, reading.parameters, origin);
    return outcome.kind === 'refused' ? faultAnswer(raw, outcome.fault) : jsonAnswer(outcome.response);
  }

  /** The status stays 200 whatever came; the body tells what was wrong. */
  async function revoke({ raw, body, origin }: MachineRequest): Promise<Answer> {
    const reading = readBody(raw.headers['content-type'], body);
    if (reading.kind === 'malformed') {
      const facts = { kind: 'revocation_refused', detail: { reason: 'malformed' } } as const;
      services.journal.noteFromStranger(facts, origin);
      return toldInBody(fault('OAUTH_INVALID_REQUEST', reading.description));
    }
    const outcome = await revokeToken(services, reading.parameters, origin);
    if (outcome.kind === 'done') return jsonAnswer({});
    if (outcome.fault.code !== 'RATE_LIMITED') return toldInBody(outcome.fault);
    // Who guesses too fast cannot be told so by a status, and is made to wait instead.
    await wait(slowdown);
    return toldInBody(fault('OAUTH_INVALID_CLIENT'));
  }

  async function userinfo({ raw }: MachineRequest): Promise<Answer> {
    const { authorization } = raw.headers;
    const accessToken = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    const claims = accessToken === undefined ? undefined : await readClaims(services, accessToken);
    if (claims !== undefined) return jsonAnswer(claims);
    // RFC 6750 §3.1: a request without any credentials is told how to authenticate, not what was wrong with them.
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    const challenge = `Bearer realm="Latchkey"${error}`;
    return withHeaders(faultAnswer(raw, fault('TOKEN_INVALID')), 'WWW-Authenticate', challenge);
  }

  const discovery = publicAnswer(JSON.stringify(discoveryDocument(baseUrl)));
  const keySet = publicAnswer('{"keys": []}');
  return [
    { path: '/oauth/token', methods: ['POST'], answer: token },
    { path: '/oauth/revoke', methods: ['POST'], answer: revoke },
    { path: '/oauth/userinfo', methods: ['GET'], answer: userinfo },
    { path: '/oauth/jwks.json', methods: ['GET', 'HEAD'], answer: async () => keySet },
    { path: '/.well-known/openid-configuration', methods: ['GET', 'HEAD'], answer: async () => discovery },
  ];
}
