// Names of groups that a form offers while someone types, for those who can send such a form: it offers the first of them
// itself, so they need no right to read groups.

import type { FastifyInstance } from 'fastify';
import { groupNames } from '../../../operations/groups/group-names.ts';
import { groupNamesPath, joinableNamesPath } from '../../../pages/console/groups/group-names.ts';
import type { HttpContext } from '../../context.ts';
import { consolePages } from '../console-pages.ts';

export function groupNameRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'groups');

  pages.needing('applications.change').get(groupNamesPath, async ({ visit, query }) => {
    return visit.sendJson(200, await groupNames(services, query.get('search') ?? ''));
  });

  pages.needing('groups.change').get(joinableNamesPath, async ({ visit, query, requester }) => {
    return visit.sendJson(200, await groupNames(services, query.get('search') ?? '', requester));
  });
}
