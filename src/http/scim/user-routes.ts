// `/scim/v2/Users`.

import { changePerson, createPerson, deletePerson } from '../../operations/scim/change-people.ts';
import { findPerson, listPeople, personFor } from '../../operations/scim/scim-people.ts';
import { personChange, readPerson } from '../../protocol/scim/user-change.ts';
import type { HttpContext } from '../context.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { ScimRoute } from './route.ts';

export function userRoutes({ services }: HttpContext): readonly ScimRoute[] {
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
