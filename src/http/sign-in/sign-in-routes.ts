// Every way into an account and out of it, one file for each step.

import type { FastifyInstance } from 'fastify';
import { accountPage } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { redirect } from '../send-page.ts';
import { chooseAccountRoutes } from './choose-account.ts';
import { finishSignUpRoutes } from './finish-sign-up.ts';
import { newPasswordRoutes } from './new-password.ts';
import { passkeyRoutes } from './passkey.ts';
import { resetPasswordRoutes } from './reset-password.ts';
import { secondStepRoutes } from './second-step.ts';
import { setUpFactorRoutes } from './set-up-factor.ts';
import { signInFormRoutes } from './sign-in-form.ts';
import { signOutRoutes } from './sign-out.ts';
import { signUpRoutes } from './sign-up.ts';
import { undoFactorRoutes } from './undo-factor.ts';
import { verifyRoutes } from './verify.ts';

export function signInRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/', (_request, reply) => redirect(reply, 302, accountPage.path));
  signInFormRoutes(app, context);
  passkeyRoutes(app, context);
  secondStepRoutes(app, context);
  setUpFactorRoutes(app, context);
  verifyRoutes(app, context);
  chooseAccountRoutes(app, context);
  signOutRoutes(app, context);
  signUpRoutes(app, context);
  finishSignUpRoutes(app, context);
  resetPasswordRoutes(app, context);
  newPasswordRoutes(app, context);
  undoFactorRoutes(app, context);
}
