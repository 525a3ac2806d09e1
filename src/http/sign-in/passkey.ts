// Signing in with a passkey alone: the script of the sign-in page asks for a challenge, and its form brings the answer.

import type { FastifyInstance } from 'fastify';
import { askForPasskey } from '../../operations/second-factors/passkey-challenge.ts';
import { signInWithPasskey } from '../../operations/sign-in/sign-in-with-passkey.ts';
import type { HttpContext } from '../context.ts';
import { formRoutes } from '../forms.ts';
import { requesterOf } from '../requester.ts';
import { frameOf } from '../send-page.ts';
import { throttledAttempt } from '../throttled.ts';
import { readTicket } from '../tickets.ts';
import { challengeTicket, sendChallenge } from './passkey-challenge.ts';
import { sendSignInPage } from './sign-in-page.ts';
import { signInTicket } from './sign-in-tickets.ts';
import { browserOf, sendSignedIn } from './signed-in.ts';

export function passkeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form, ticketForm } = formRoutes(app, context);

  form('/sign-in/passkey/options', async ({ request, reply }) => {
    const { challenge, options } = await askForPasskey(services, []);
    return sendChallenge(context, request, reply, challenge, options);
  });

  ticketForm('/sign-in/passkey', signInTicket, async ({ request, reply, fields }, destination) => {
    const m = frameOf(context, request, { destination }).messages.signIn;
    const keep = fields.has('keep');
    const refused = { status: 400, keep, problem: m.passkeyFailed };
    const challenge = readTicket(context, request, challengeTicket, fields);
    if (challenge === undefined) return sendSignInPage(context, request, reply, destination, refused);
    const answer = fields.get('answer') ?? '';
    const signInContext = { destination, browser: browserOf(context, request), keep };
    const outcome = await signInWithPasskey(services, answer, challenge, signInContext, requesterOf(request));
    switch (outcome.kind) {
      case 'signed_in':
        return sendSignedIn(context, reply, outcome, destination);
      case 'refused':
        return sendSignInPage(context, request, reply, destination, refused);
      case 'throttled': {
        const attempt = { ...throttledAttempt(reply, outcome, m.throttled), keep };
        return sendSignInPage(context, request, reply, destination, attempt);
      }
    }
  });
}
