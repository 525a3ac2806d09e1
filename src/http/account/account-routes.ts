// Every page of a user's own account except for security (security-routes.ts), one file for each.

import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';
import { activityRoutes } from './activity-routes.ts';
import { connectedAppRoutes } from './connected-app-routes.ts';
import { dataRoutes } from './data-routes.ts';
import { emailRoutes } from './email-routes.ts';
import { homeRoutes } from './home-routes.ts';
import { pictureRoutes } from './picture-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { sessionRoutes } from './session-routes.ts';

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  homeRoutes(app, context);
  profileRoutes(app, context);
  pictureRoutes(app, context);
  emailRoutes(app, context);
  reviewRoutes(app, context);
  sessionRoutes(app, context);
  connectedAppRoutes(app, context);
  activityRoutes(app, context);
  dataRoutes(app, context);
}
