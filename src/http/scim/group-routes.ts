// `/scim/v2/Groups`.

import { changeOwnGroup, createOwnGroup, deleteOwnGroup } from '../../operations/scim/change-groups.ts';
import {
  findOwnGroup,
  groupFilterAttributes,
  groupFor,
  groupInPieces,
  listOwnGroups,
} from '../../operations/scim/scim-groups.ts';
import { groupChange, readGroup } from '../../protocol/scim/group-change.ts';
import type { HttpContext } from '../context.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { ScimRoute } from './route.ts';

export function groupRoutes({ services }: HttpContext): readonly ScimRoute[] {
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
