// `/scim/v2/Users`.

import { changePerson, createPerson, deletePerson } from '../../operations/scim/change-people.ts';
import { listPeople, personFor, scimBase, showPerson } from '../../operations/scim/scim-people.ts';
import { ScimError } from '../../protocol/scim/errors.ts';
import { readPatch } from '../../protocol/scim/patch.ts';
import { personChange, readPerson } from '../../protocol/scim/user-change.ts';
import type { HttpContext } from '../context.ts';
import { requesterFor } from './directory.ts';
import { bodyOf, idOf, listRequestOf, projectionOf } from './input.ts';
import type { ScimRoute } from './route.ts';

export function userRoutes({ services }: HttpContext): readonly ScimRoute[] {
  return [
    {
      method: 'GET',
      path: '/Users',
      run: async (request, token) => {
        const asked = listRequestOf(request);
        if (asked instanceof ScimError) return asked;
        const { filter, part, projection } = asked;
        return { status: 200, body: await listPeople(services, token, filter, part, projection) };
      },
    },
    {
      method: 'GET',
      path: '/Users/:id',
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const body = await showPerson(services, token, idOf(request), projection);
        return body instanceof ScimError ? body : { status: 200, body };
      },
    },
    {
      method: 'POST',
      path: '/Users',
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const body = bodyOf(request);
        const change = body instanceof ScimError ? body : readPerson(body);
        if (change instanceof ScimError) return change;
        const user = await createPerson(services, token, change, requesterFor(request, token));
        if (user instanceof ScimError) return user;
        const location = `${scimBase(services.issuer)}/Users/${encodeURIComponent(user.id)}`;
        return { status: 201, body: await personFor(services, token, user, projection), location };
      },
    },
    {
      method: 'PUT',
      path: '/Users/:id',
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const body = bodyOf(request);
        const change = body instanceof ScimError ? body : readPerson(body);
        if (change instanceof ScimError) return change;
        const user = await changePerson(services, token, idOf(request), change, true, requesterFor(request, token));
        if (user instanceof ScimError) return user;
        return { status: 200, body: await personFor(services, token, user, projection) };
      },
    },
    {
      method: 'PATCH',
      path: '/Users/:id',
      run: async (request, token) => {
        const body = bodyOf(request);
        const operations = body instanceof ScimError ? body : readPatch(body);
        const change = operations instanceof ScimError ? operations : personChange(operations);
        if (change instanceof ScimError) return change;
        const user = await changePerson(services, token, idOf(request), change, false, requesterFor(request, token));
        return user instanceof ScimError ? user : { status: 204 };
      },
    },
    {
      method: 'DELETE',
      path: '/Users/:id',
      run: async (request, token) => {
        const outcome = await deletePerson(services, token, idOf(request), requesterFor(request, token));
        return outcome instanceof ScimError ? outcome : { status: 204 };
      },
    },
  ];
}
