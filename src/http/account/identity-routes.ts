// Linking an identity at an upstream, and unlinking one. Both need fresh proof of identity.

import type { FastifyInstance } from 'fastify';
import { unlinkIdentity } from '../../operations/users/identities.ts';
import type { HttpContext } from '../context.ts';
import { redirect } from '../send-page.ts';
import { sendToUpstream } from '../upstreams/send-to-upstream.ts';
import { accountPages } from './account-pages.ts';

const securityPath = '/account/security';

export function identityRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const forms = accountPages(app, context, securityPath);

  forms.powerful('/account/identities/link', async ({ visit, signedIn, field }) => {
    const destination = { kind: 'page', path: `${securityPath}?done=identity-linked` } as const;
    const start = { purpose: 'link', name: field('upstream'), destination, signedIn } as const;
    const sent = await sendToUpstream(visit, start);
    return sent ?? visit.redirect(303, `${securityPath}?done=not-possible`);
  });

  forms.powerful('/account/identities/unlink', async ({ reply, signedIn, field, requester }) => {
    const key = { issuer: field('issuer'), subject: field('subject') };
    const outcome = await unlinkIdentity(services, signedIn.user, key, requester);
    const done = outcome.kind === 'unlinked' ? 'identity-unlinked' : 'not-possible';
    return redirect(reply, 303, `${securityPath}?done=${done}`);
  });
}
