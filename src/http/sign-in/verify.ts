// A second factor for a session that was started without one, because a policy or an application asks for it now: proves
// the one that the person has, or sets one up. The session goes on with it, and what was started continues.

import type { FastifyInstance } from 'fastify';
import { askForOwnPasskey } from '../../operations/sign-in/prove-identity.ts';
import { proveToSetUp, raiseSession, setUpInSession } from '../../operations/sign-in/raise-session.ts';
import { lacksSecondFactor } from '../../operations/sign-in/second-factor-need.ts';
import { offerPasskeyFor } from '../../operations/sign-in/set-up-factor.ts';
import { accountPage, formatDestination, parsePage } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { visitRoutes } from '../forms.ts';
import { sendToUpstream } from '../upstreams/send-to-upstream.ts';
import { verifyPath } from './destination.ts';
import { answerStep } from './dispatch.ts';
import { factorIn, proofIn, sendChallenge, sendLinkedChallenge } from './passkey-challenge.ts';
import { sessionSetUpTicket, verifyTicket } from './sign-in-tickets.ts';
import { refusalText, showStep } from './step-pages.ts';

export function verifyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form, ticketForm } = visitRoutes(app, context);

  get(verifyPath, async (visit) => {
    const destination = parsePage(visit.query.get('to') ?? '') ?? accountPage;
    const signedIn = await visit.signedIn();
    // Without a session the page asks for a sign-in, and without a need it simply opens.
    if (signedIn === undefined || !(await lacksSecondFactor(services, signedIn)))
      return visit.redirect(302, formatDestination(destination));
    return showStep(visit, { page: 'verify', signedIn, destination });
  });

  form(`${verifyPath}/options`, async (visit, fields) => {
    const signedIn = visit.readTicket(verifyTicket, fields) && (await visit.signedIn());
    return sendChallenge(visit, 'verification', signedIn && (await askForOwnPasskey(services, signedIn.user)));
  });

  ticketForm(verifyPath, verifyTicket, async (visit, destination, fields) => {
    const signedIn = await visit.signedIn();
    if (signedIn === undefined) return visit.sendFormExpired();
    const { marks } = visit.browser;
    const outcome = await raiseSession(
      services,
      signedIn,
      proofIn(visit, fields, 'verification'),
      marks,
      visit.requester,
    );
    return answerStep(visit, { page: 'verify', signedIn, destination }, outcome);
  });

  ticketForm(`${verifyPath}/proof`, verifyTicket, async (visit, destination, fields) => {
    const signedIn = await visit.signedIn();
    if (signedIn === undefined) return visit.sendFormExpired();
    // They come back without a second factor, and get here again.
    const start = { purpose: 'prove', name: fields.get('upstream') ?? '', destination, signedIn } as const;
    if (await sendToUpstream(visit, start)) return visit.reply;
    return answerStep(visit, { page: 'verify', signedIn, destination }, { kind: 'unavailable' });
  });

  // The password is checked here as well, because a passkey that is refused afterwards stays on the device.
  form(`${verifyPath}/set-up/options`, async (visit, fields) => {
    const step = visit.readTicket(sessionSetUpTicket, fields);
    const signedIn = step && (await visit.signedIn());
    if (step === undefined || signedIn === undefined) return visit.sendJson(403, {});
    const proof = await proveToSetUp(services, signedIn, fields.get('current_password') ?? '', visit.requester);
    if (proof.kind !== 'confirmed') {
      const { messages } = visit.frame({ user: signedIn.user });
      const { status, problem } = refusalText(visit, messages, proof);
      return visit.sendJson(status, { problem });
    }
    return sendLinkedChallenge(visit, 'setUp', await offerPasskeyFor(services, signedIn.user, step.key));
  });

  ticketForm(`${verifyPath}/set-up`, sessionSetUpTicket, async (visit, { key, destination }, fields) => {
    const signedIn = await visit.signedIn();
    if (signedIn === undefined) return visit.sendFormExpired();
    const factor = factorIn(visit, fields);
    const input = { factor, currentPassword: fields.get('current_password') ?? '' };
    const outcome = await setUpInSession(services, signedIn, key, input, visit.requester);
    return answerStep(visit, { page: 'verify', signedIn, destination, key }, outcome);
  });
}
