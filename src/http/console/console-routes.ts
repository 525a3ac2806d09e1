// Every page of the console.

import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';
import { consoleAccessRequestRoutes } from './access-requests/access-request-routes.ts';
import { consoleApiKeyRoutes } from './api-keys/api-key-routes.ts';
import { consoleAttributeRoutes } from './attributes/attribute-routes.ts';
import { clientListRoutes } from './clients/access-list-routes.ts';
import { consoleClaimRoutes } from './clients/claim-routes.ts';
import { consoleClientRoutes } from './clients/client-routes.ts';
import { connectRoutes } from './clients/connect-routes.ts';
import { consoleEventRoutes } from './events/event-routes.ts';
import { consoleGroupRoutes } from './groups/group-routes.ts';
import { consoleReviewRoutes } from './reviews/review-routes.ts';
import { consoleScimTokenRoutes } from './scim/scim-token-routes.ts';
import { consoleSearchRoutes } from './search/search-routes.ts';
import { consoleSettingRoutes } from './settings/setting-routes.ts';
import { consoleUpstreamRoutes } from './upstreams/upstream-routes.ts';
import { consoleUserRoutes } from './users/user-routes.ts';
import { consoleWebhookRoutes } from './webhooks/webhook-routes.ts';

export function consoleRoutes(app: FastifyInstance, context: HttpContext): void {
  consoleClientRoutes(app, context);
  connectRoutes(app, context);
  consoleUserRoutes(app, context);
  consoleGroupRoutes(app, context);
  consoleReviewRoutes(app, context);
  consoleUpstreamRoutes(app, context);
  consoleWebhookRoutes(app, context);
  clientListRoutes(app, context);
  consoleAccessRequestRoutes(app, context);
  consoleClaimRoutes(app, context);
  consoleEventRoutes(app, context);
  consoleApiKeyRoutes(app, context);
  consoleScimTokenRoutes(app, context);
  consoleSettingRoutes(app, context);
  consoleAttributeRoutes(app, context);
  consoleSearchRoutes(app, context);
}
