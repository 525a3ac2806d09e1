// `/scim/v2`: routes for directories (RFC 7644). Who asks is known before a body is read.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listAttributes } from '../../operations/attributes/attributes.ts';
import { changeOwnGroup, createOwnGroup, deleteOwnGroup } from '../../operations/scim/change-groups.ts';
import { changePerson, createPerson, deletePerson } from '../../operations/scim/change-people.ts';
import {
  findOwnGroup,
  groupFilterAttributes,
  groupFor,
  groupInPieces,
  listOwnGroups,
} from '../../operations/scim/scim-groups.ts';
import { findPerson, listPeople, personFor, scimBase } from '../../operations/scim/scim-people.ts';
import { resourceTypes, schemas, serviceProviderConfig } from '../../protocol/scim/documents.ts';
import { notFound, ScimError, tooLarge } from '../../protocol/scim/errors.ts';
import { groupChange, readGroup } from '../../protocol/scim/group-change.ts';
import { listResponse } from '../../protocol/scim/list.ts';
import { personChange, readPerson } from '../../protocol/scim/user-change.ts';
import type { ScimToken } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { paced } from '../downloads/downloads.ts';
import { failureOf, sendFailure } from '../failures.ts';
import { retryAfterSeconds } from '../oauth/responses.ts';
import { requestIdsOf } from '../observing/traces.ts';
import { type ScimRoute, scimReply, sendScim, sendScimError } from './answer.ts';
import { directoryReader, tooFast } from './directory.ts';
import { resourceRoutes } from './resource-routes.ts';

const bodyLimit = 1024 * 1024;

export function scimRoutes(app: FastifyInstance, context: HttpContext): void {
  const identify = directoryReader(context);
  const tokens = new WeakMap<FastifyRequest, ScimToken>();

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = await identify(request);
    if (!(token instanceof ScimError)) return void tokens.set(request, token);
    if (token.status === 401) reply.header('WWW-Authenticate', 'Bearer realm="Latchkey"');
    if (token.status === 429) reply.header('Retry-After', token === tooFast ? 1 : retryAfterSeconds.RATE_LIMITED);
    return sendScimError(reply, token);
  };

  function errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    if (error.statusCode === 413) return sendScimError(reply, tooLarge('The request body is larger than 1 MB.'));
    return sendFailure(context, request, reply, failureOf(error, request.log, requestIdsOf(request)));
  }

  for (const { method, path, run } of [...documentRoutes(context), ...userRoutes(context), ...groupRoutes(context)]) {
    app.route({
      method,
      url: `/scim/v2${path}`,
      bodyLimit,
      onRequest,
      errorHandler,
      handler: async (request, reply) => {
        const token = tokens.get(request);
        if (token === undefined) throw new Error('the directory was not identified');
        const answer = await run(request, token);
        if (answer instanceof ScimError) {
          if (answer.status === 503) reply.header('Retry-After', retryAfterSeconds.SERVER_BUSY);
          return sendScimError(reply, answer);
        }
        if (answer.location !== undefined) reply.header('Location', answer.location);
        if (answer.pieces !== undefined) {
          return scimReply(reply, answer.status).send(paced(answer.pieces, () => {}));
        }
        if (answer.body !== undefined) return sendScim(reply, answer.status, answer.body);
        return reply.code(answer.status).header('Cache-Control', 'no-store').send();
      },
    });
  }

  const unsupported = new ScimError(501, undefined, 'This is not supported.');
  for (const url of ['/scim/v2/Bulk', '/scim/v2/Me', '/scim/v2/Me/*']) {
    app.all(url, { bodyLimit, onRequest, errorHandler }, (_request, reply) => sendScimError(reply, unsupported));
  }
  for (const url of ['/scim', '/scim/*']) {
    app.all(url, { bodyLimit, onRequest, errorHandler }, (_request, reply) =>
      sendScimError(reply, notFound('There is nothing at this URL.')),
    );
  }
}

function documentRoutes({ services }: HttpContext): readonly ScimRoute[] {
  const base = scimBase(services.issuer);
  const lists = {
    '/ResourceTypes': async () => resourceTypes(base),
    '/Schemas': async () => schemas(base, await listAttributes(services)),
  };
  const listRoutes = Object.entries(lists).flatMap(([path, read]): ScimRoute[] => [
    {
      method: 'GET',
      path,
      run: async () => {
        const all = await read();
        return { status: 200, body: listResponse(all, all.length, { startIndex: 1 }) };
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      run: async ({ params }) => {
        const { id } = params as { id: string };
        const body = (await read()).find((each) => each.id === id);
        return body === undefined ? notFound() : { status: 200, body };
      },
    },
  ]);
  const config: ScimRoute = {
    method: 'GET',
    path: '/ServiceProviderConfig',
    run: async () => ({ status: 200, body: serviceProviderConfig(base) }),
  };
  return [config, ...listRoutes];
}

function userRoutes({ services }: HttpContext): readonly ScimRoute[] {
  return resourceRoutes(services.issuer, {
    path: '/Users',
    list: (token, filter, part, projection) => listPeople(services, token, filter, part, projection),
    find: (token, id) => findPerson(services, token, id),
    shown: (token, user, projection) => personFor(services, token, user, projection),
    read: readPerson,
    readOperations: personChange,
    create: (token, change, requester) => createPerson(services, token, change, requester),
    change: (token, id, written, requester) => changePerson(services, token, id, written, requester),
    delete: (token, id, requester) => deletePerson(services, token, id, requester),
  });
}

function groupRoutes({ services }: HttpContext): readonly ScimRoute[] {
  return resourceRoutes(services.issuer, {
    path: '/Groups',
    filterable: groupFilterAttributes,
    list: (token, filter, part, projection) => listOwnGroups(services, token, filter, part, projection),
    find: (token, id) => findOwnGroup(services, token, id),
    shown: (_token, group, projection) => groupFor(services, group, projection),
    pieces: (group, projection) => groupInPieces(services, group, projection),
    read: readGroup,
    readOperations: groupChange,
    create: (token, change, requester) => createOwnGroup(services, token, change, requester),
    change: (token, id, { change }, requester) => changeOwnGroup(services, token, id, change, requester),
    delete: (token, id, requester) => deleteOwnGroup(services, token, id, requester),
  });
}
