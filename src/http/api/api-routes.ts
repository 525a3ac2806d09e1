// Routes for every operation of the API and for its OpenAPI document. A caller has a session or an API key; access
// tokens of this service are refused here. Permissions are checked before the body is read, and the input before
// anything else is looked up.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteRefusal } from '../../operations/admin/authority.ts';
import { type Reason, refusalSentence } from '../../operations/admin/outcome.ts';
import { logoLimit } from '../../protocol/reading/image.ts';
import type { HttpContext } from '../context.ts';
import { downloadRetryAfter, downloadTypes } from '../downloads/downloads.ts';
import { failureOf, failures, sendFailure } from '../failures.ts';
import { requestIdsOf } from '../observing/traces.ts';
import { apiOperations } from './all-operations.ts';
import { type ApiRefusal, identify, permissionRefusal, proofRefusal, requesterOfCall } from './caller.ts';
import type { ApiOperation, Caller, Download } from './define-operation.ts';
import { sendApiError, sendData } from './envelope.ts';
import { readInput } from './input.ts';
import { apiDocument } from './openapi-document.ts';

const documentPath = '/api/openapi.json';
const statuses: Record<Reason, number> = { invalid: 400, not_found: 404, conflict: 409, busy: 429, forbidden: 403 };

export function apiRoutes(app: FastifyInstance, context: HttpContext): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  let document: string | undefined;

  for (const operation of apiOperations) {
    app.route({
      method: operation.method,
      // An error names the parameter, and comes after the caller's rights.
      config: { rawQuery: true, needs: operation.needs },
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.takesImage && { bodyLimit: logoLimit, errorHandler: imageErrors }),
      ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
      onRequest: async (request, reply) => {
        const caller = await identify(context, request);
        if (caller.kind === 'refused') return sendRefusal(reply, caller);
        const refusal = permissionRefusal(context, request, caller, operation.needs);
        if (refusal !== undefined) return sendRefusal(reply, refusal);
        callers.set(request, caller);
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error('the caller was not identified');
        return run(operation, caller, request, reply);
      },
    });
  }

  async function run(operation: ApiOperation, caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const input = await readInput(operation, request);
    if (input.kind === 'invalid')
      return sendApiError(reply, 400, input.message, input.field === undefined ? null : { field: input.field });
    const givesAdminAccess = (await operation.givesAdminAccess?.(context.services, input.body)) ?? false;
    const refusal = givesAdminAccess
      ? (permissionRefusal(context, request, caller, 'roles.change') ??
        (await proofRefusal(context, caller, { powerful: true }, input.body)))
      : await proofRefusal(context, caller, operation, input.body);
    if (refusal !== undefined) return sendRefusal(reply, refusal);
    if (operation.download !== undefined && request.method === 'HEAD') {
      return reply.header('Content-Type', downloadTypes[operation.download]).header('Cache-Control', 'no-store').send();
    }
    const requester = requesterOfCall(request, caller, operation.needs);
    const outcome = await operation.run({ ...input, services: context.services, requester, caller });
    if (outcome.kind === 'refused') {
      if (outcome.reason === 'forbidden') noteRefusal(context.services, requester, outcome.right ?? 'roles.change');
      if (outcome.reason === 'busy') reply.header('Retry-After', downloadRetryAfter);
      return sendApiError(reply, statuses[outcome.reason], refusalSentence(outcome));
    }
    if (operation.download !== undefined) return (outcome.data as Download).send(reply);
    return sendData(reply, operation.status ?? 200, operation.message, outcome.data);
  }

  app.get(documentPath, { config: { needs: 'nothing' } }, (_request, reply) => {
    document ??= JSON.stringify(apiDocument(context));
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(document);
  });

  /** Answers a method that a path doesn't take, and a path that doesn't exist. */
  const noOperation = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf((request.raw.url ?? '').split('?')[0] ?? '');
    // A path parameter that is too long for the router also ends up here, with a method that is allowed.
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      const { status, description } = failures.methodNotAllowed;
      return sendApiError(reply.header('Allow', allowed.join(', ')), status, description);
    }
    const caller = await identify(context, request);
    if (caller.kind === 'refused') return sendRefusal(reply, caller);
    return sendApiError(reply, failures.notFound.status, failures.notFound.description);
  };
  app.all('/api', { config: { needs: 'nothing' } }, noOperation);
  app.all('/api/*', { config: { needs: 'nothing' } }, noOperation);

  function imageErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    if (error.statusCode === 413) return sendApiError(reply, 413, 'The picture is larger than 512 KB.');
    return sendFailure(context, request, reply, failureOf(error, request.log, requestIdsOf(request)));
  }
}

function sendRefusal(reply: FastifyReply, { status, message, headers, code }: ApiRefusal): FastifyReply {
  return sendApiError(reply.headers(headers), status, message, code && { error_code: code });
}

const paths = [...apiOperations, { path: documentPath, method: 'GET' as const }].map(({ path, method }) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
}));

function methodsOf(path: string): string[] {
  return [...new Set(paths.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}
