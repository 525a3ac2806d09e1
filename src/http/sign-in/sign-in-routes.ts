// Every way into an account and out of it.

import type { FastifyInstance } from 'fastify';
import { accountPage } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { redirect } from '../send-page.ts';
import { chooseAccountRoutes } from './choose-account.ts';
import { resetPasswordRoutes } from './reset-password.ts';
import { signInFormRoutes } from './sign-in-form.ts';
import { signOutRoutes } from './sign-out.ts';
import { signUpRoutes } from './sign-up.ts';
import { undoFactorRoutes } from './undo-factor.ts';
import { verifyRoutes } from './verify.ts';

export function signInRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/', (_request, reply) => redirect(reply, 302, accountPage.path));
  signInFormRoutes(app, context);
  verifyRoutes(app, context);
  chooseAccountRoutes(app, context);
  signOutRoutes(app, context);
  signUpRoutes(app, context);
  resetPasswordRoutes(app, context);
  undoFactorRoutes(app, context);
}
