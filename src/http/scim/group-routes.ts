// `/scim/v2/Groups`.

import { changeOwnGroup, createOwnGroup, deleteOwnGroup } from '../../operations/scim/change-groups.ts';
import {
  findOwnGroup,
  groupFilterAttributes,
  groupFor,
  groupInPieces,
  listOwnGroups,
} from '../../operations/scim/scim-groups.ts';
import { scimBase } from '../../operations/scim/scim-people.ts';
import { ScimError } from '../../protocol/scim/errors.ts';
import { groupChange, readGroup } from '../../protocol/scim/group-change.ts';
import { readPatch } from '../../protocol/scim/patch.ts';
import type { HttpContext } from '../context.ts';
import { requesterFor } from './directory.ts';
import { bodyOf, idOf, listRequestOf, projectionOf } from './input.ts';
import type { ScimRoute } from './route.ts';

export function groupRoutes({ services }: HttpContext): readonly ScimRoute[] {
  return [
    {
      method: 'GET',
      path: '/Groups',
      run: async (request, token) => {
        const asked = listRequestOf(request, groupFilterAttributes);
        if (asked instanceof ScimError) return asked;
        const { filter, part, projection } = asked;
        const body = await listOwnGroups(services, token, filter, part, projection);
        return body instanceof ScimError ? body : { status: 200, body };
      },
    },
    {
      method: 'GET',
      path: '/Groups/:id',
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const group = await findOwnGroup(services, token, idOf(request));
        if (group instanceof ScimError) return group;
        const pieces = groupInPieces(services, group, projection);
        if (pieces !== undefined) return { status: 200, pieces };
        return { status: 200, body: await groupFor(services, group, projection) };
      },
    },
    {
      method: 'POST',
      path: '/Groups',
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const body = bodyOf(request);
        const change = body instanceof ScimError ? body : readGroup(body);
        if (change instanceof ScimError) return change;
        const group = await createOwnGroup(services, token, change, requesterFor(request, token));
        if (group instanceof ScimError) return group;
        const location = `${scimBase(services.issuer)}/Groups/${encodeURIComponent(group.id)}`;
        return { status: 201, body: await groupFor(services, group, projection), location };
      },
    },
    {
      method: 'PUT',
      path: '/Groups/:id',
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const body = bodyOf(request);
        const change = body instanceof ScimError ? body : readGroup(body);
        if (change instanceof ScimError) return change;
        const group = await changeOwnGroup(services, token, idOf(request), change, requesterFor(request, token));
        if (group instanceof ScimError) return group;
        return { status: 200, body: await groupFor(services, group, projection) };
      },
    },
    {
      method: 'PATCH',
      path: '/Groups/:id',
      run: async (request, token) => {
        const body = bodyOf(request);
        const operations = body instanceof ScimError ? body : readPatch(body);
        const change = operations instanceof ScimError ? operations : groupChange(operations);
        if (change instanceof ScimError) return change;
        const group = await changeOwnGroup(services, token, idOf(request), change, requesterFor(request, token));
        return group instanceof ScimError ? group : { status: 204 };
      },
    },
    {
      method: 'DELETE',
      path: '/Groups/:id',
      run: async (request, token) => {
        const outcome = await deleteOwnGroup(services, token, idOf(request), requesterFor(request, token));
        return outcome instanceof ScimError ? outcome : { status: 204 };
      },
    },
  ];
}
