// Setting a new password with a link: one that was requested by email, or one that an administrator has handed over.

import type { FastifyInstance } from 'fastify';
import { findResetLink, type ResetPurpose, resetPassword } from '../../operations/sign-in/reset-password.ts';
import { newPasswordPage, passwordResetPage } from '../../pages/sign-in/reset-password.ts';
import type { HttpContext } from '../context.ts';
import { linkSecret, linkUrl, sendLinkExpired } from '../email-links.ts';
import { formRoutes } from '../forms.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { passwordSignInUrl, signInUrl } from './destination.ts';

interface LinkPages {
  readonly purpose: ResetPurpose;
  readonly path: string;
  /** Where people can request another link themselves; the others come from an administrator. */
  readonly again?: string;
}

const linkPages: readonly LinkPages[] = [
  { purpose: 'reset_password', path: '/reset-password/finish', again: '/reset-password' },
  { purpose: 'recover', path: '/recover' },
];

export function newPasswordRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form } = formRoutes(app, context);

  for (const { purpose, path, again } of linkPages) {
    app.get(path, async (request, reply) => {
      const secret = linkSecret(request);
      const link = await findResetLink(services, purpose, secret);
      if (link === undefined || secret === undefined) return sendLinkExpired(context, reply, again);
      const page = { action: path, link: secret, email: link.user.email, problem: undefined };
      return sendPage(reply, 200, newPasswordPage(frameOf(context, request, link), page));
    });

    form(path, async ({ request, reply, fields }) => {
      const secret = fields.get('link') ?? '';
      const link = await findResetLink(services, purpose, secret);
      if (link === undefined) return sendLinkExpired(context, reply, again);
      const outcome = await resetPassword(services, link, fields.get('password') ?? '', requesterOf(request));
      const frame = frameOf(context, request, link);
      switch (outcome.kind) {
        case 'changed': {
          // Where people are sent to a provider, the new password would be of no use.
          const mayBeSent = (await services.upstreamDirectory.open()).length > 0;
          const url = (mayBeSent ? passwordSignInUrl : signInUrl)(link.destination);
          return sendPage(reply, 200, passwordResetPage(frame, url));
        }
        case 'link_expired':
          return sendLinkExpired(context, reply, again);
        case 'invalid_password': {
          const problem = frame.messages.account.passwordProblems[outcome.problem];
          const page = { action: path, link: secret, email: link.user.email, problem };
          return sendPage(reply, 400, newPasswordPage({ ...frame, returnTo: linkUrl(path, secret) }, page));
        }
      }
    });
  }
}
