// The `/api/**` surface speaks `{success, message, data}`. It is opened by a session or by an API key; an access token of
// this service opens nothing here. Rights are checked before anything of the body is read, and what comes in before
// anything is looked up.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Reason, sentenceOf } from '../../operations/admin/outcome.ts';
import { logoLimit } from '../../protocol/reading/image.ts';
import type { HttpContext } from '../context.ts';
import { failureOf, failures, sendFailure } from '../failures.ts';
import { type ApiRefusal, identify, originOfCall, refusalOf } from './caller.ts';
import { sendData, sendEnvelope } from './envelope.ts';
import { readInput } from './input.ts';
import { apiDocument } from './openapi-document.ts';
import type { ApiOperation, Caller } from './operation.ts';
import { apiOperations } from './operations.ts';

const documentPath = '/api/openapi.json';
const statuses: Record<Reason, number> = { invalid: 400, not_found: 404, conflict: 409 };

export function apiRoutes(app: FastifyInstance, context: HttpContext): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  let document: string | undefined;

  for (const operation of apiOperations) {
    app.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.picture && { bodyLimit: logoLimit, errorHandler: pictureErrors }),
      onRequest: async (request, reply) => {
        const caller = await identify(context, request);
        const refusal = caller.kind === 'refused' ? caller : refusalOf(context, request, caller, operation.needs);
        if (refusal !== undefined) return sendRefusal(reply, refusal);
        if (caller.kind !== 'refused') callers.set(request, caller);
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error('a call has come through without a caller');
        return run(operation, caller, request, reply);
      },
    });
  }

  async function run(operation: ApiOperation, caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const input = await readInput(operation, request);
    if (input.kind === 'wrong') return sendEnvelope(reply, 400, input.message, input.field);
    const origin = originOfCall(request, caller, operation.needs);
    const outcome = await operation.run({ ...input, context, services: context.services, origin, caller });
    if (outcome.kind === 'refused') return sendEnvelope(reply, statuses[outcome.reason], sentenceOf(outcome));
    return sendData(reply, operation.status, operation.message, outcome.data);
  }

  app.get(documentPath, (_request, reply) => {
    document ??= JSON.stringify(apiDocument(context));
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(document);
  });

  /** What no operation is for: another method of an address that is known, or an address that is not. */
  const otherwise = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf((request.raw.url ?? '').split('?')[0] ?? '');
    // A parameter that is too long for the router comes here with a method that is allowed.
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      const { status, description } = failures.methodNotAllowed;
      return sendEnvelope(reply.header('Allow', allowed.join(', ')), status, description);
    }
    const caller = await identify(context, request);
    if (caller.kind === 'refused') return sendRefusal(reply, caller);
    return sendEnvelope(reply, failures.notFound.status, failures.notFound.description);
  };
  app.all('/api', otherwise);
  app.all('/api/*', otherwise);

  function pictureErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    if (error.statusCode === 413) return sendEnvelope(reply, 413, 'The picture is larger than 512 KiB.');
    return sendFailure(context, request, reply, failureOf(error, request.log, request.id));
  }
}

function sendRefusal(reply: FastifyReply, { status, message, headers }: ApiRefusal): FastifyReply {
  return sendEnvelope(reply.headers(headers), status, message);
}

const addresses = [...apiOperations, { path: documentPath, method: 'GET' as const }].map(({ path, method }) => ({
  form: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
}));

function methodsOf(path: string): string[] {
  return [...new Set(addresses.filter(({ form }) => form.test(path)).flatMap(({ methods }) => methods))];
}
