// The endpoints that client applications call: token, userinfo, revoke, discovery and the key set.

import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { issueTokens } from '../operations/issue-tokens.ts';
import { readClaims } from '../operations/read-claims.ts';
import { revokeToken } from '../operations/revoke-token.ts';
import { discoveryDocument } from '../protocol/discovery.ts';
import { fault, faultBody } from '../protocol/errors.ts';
import { readBody } from '../protocol/parameters.ts';
import type { HttpContext } from './context.ts';
import { failureOf, sendFailure } from './failures.ts';
import { bodyOf } from './forms.ts';
import { machineEndpoints, sendFault } from './machine-replies.ts';
import { originOf } from './origin.ts';

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const slowdown = 1000;

export function machineRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;

  for (const [path, method] of Object.entries(machineEndpoints)) {
    app.options(path, (_request, reply) =>
      reply
        .code(204)
        .header('Access-Control-Allow-Methods', method)
        .header('Access-Control-Allow-Headers', 'Authorization, Content-Type')
        .header('Access-Control-Max-Age', '86400')
        .send(),
    );
  }

  app.post('/oauth/token', async (request, reply) => {
    const reading = readBody(request.headers['content-type'], bodyOf(request));
    if (reading.kind === 'malformed') {
      return sendFault(request, reply, fault('OAUTH_INVALID_REQUEST', reading.description));
    }
    const outcome = await issueTokens(services, reading.parameters, originOf(request));
    if (outcome.kind === 'refused') return sendFault(request, reply, outcome.fault);
    return reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache').send(outcome.response);
  });

  /** The status stays 200 whatever came; the body tells what was wrong with the form. */
  function refuseRevocation(request: FastifyRequest, reply: FastifyReply, description: string): FastifyReply {
    const facts = { kind: 'revocation_refused', detail: { reason: 'malformed' } } as const;
    services.journal.noteFromStranger(facts, originOf(request));
    const body = faultBody(fault('OAUTH_INVALID_REQUEST', description));
    return reply.code(200).header('Cache-Control', 'no-store').send(body);
  }

  const revokeOptions = {
    // A Content-Type that the framework cannot even parse is one more wrong form.
    errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      if (error.statusCode === 415) return refuseRevocation(request, reply, 'The Content-Type cannot be read.');
      return sendFailure(context, request, reply, failureOf(error, request));
    },
  };
  app.post('/oauth/revoke', revokeOptions, async (request, reply) => {
    const reading = readBody(request.headers['content-type'], bodyOf(request));
    reply.header('Cache-Control', 'no-store');
    if (reading.kind === 'malformed') return refuseRevocation(request, reply, reading.description);
    const outcome = await revokeToken(services, reading.parameters, originOf(request));
    if (outcome.kind === 'done') return reply.send({});
    // The status stays 200 whatever happens; who guesses too fast is made to wait instead.
    if (outcome.fault.code === 'RATE_LIMITED') await wait(slowdown);
    return reply.send(faultBody(outcome.fault.code === 'RATE_LIMITED' ? fault('OAUTH_INVALID_CLIENT') : outcome.fault));
  });

  app.get('/oauth/userinfo', { exposeHeadRoute: false }, async (request, reply) => {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    const claims = token === undefined ? undefined : await readClaims(services, token);
    if (claims !== undefined) return reply.header('Cache-Control', 'no-store').send(claims);
    // RFC 6750 §3.1: a request without any credentials is told how to authenticate, not what was wrong with them.
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    reply.header('WWW-Authenticate', `Bearer realm="Latchkey"${error}`);
    return sendFault(request, reply, fault('TOKEN_INVALID'));
  });

  const discovery = JSON.stringify(discoveryDocument(context.baseUrl));
  app.get('/.well-known/openid-configuration', (_request, reply) => sendPublicJson(reply, discovery));
  app.get('/oauth/jwks.json', (_request, reply) => sendPublicJson(reply, '{"keys": []}'));
}

function sendPublicJson(reply: FastifyReply, json: string): FastifyReply {
  return reply
    .header('Content-Type', 'application/json; charset=utf-8')
    .header('Cache-Control', 'public, max-age=300')
    .send(json);
}
