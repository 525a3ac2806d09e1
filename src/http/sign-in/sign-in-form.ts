// The forms of a sign-in: a password, a passkey, the second step, and setting up an app for it. Each is one operation, whose
// outcome dispatch.ts answers.

import type { FastifyInstance } from 'fastify';
import { askForPasskey } from '../../operations/second-factors/passkey-challenge.ts';
import { askForSecondStepPasskey } from '../../operations/sign-in/advance.ts';
import { openSetUpLink } from '../../operations/sign-in/lost-factor.ts';
import { finishSetUp, offerPasskeyAtSignIn } from '../../operations/sign-in/set-up-factor.ts';
import { completeSecondStep, signIn, signInWithPasskey } from '../../operations/sign-in/sign-in.ts';
import { accountPage, formatDestination, parseDestination, parsePage } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { forgetAccount } from '../cookies.ts';
import { linkSecret, sendLinkExpired } from '../email-links.ts';
import { visitRoutes } from '../forms.ts';
import { passwordSignInUrl } from './destination.ts';
import { answerStep, askToSignIn } from './dispatch.ts';
import { factorIn, proofIn, sendChallenge, sendLinkedChallenge } from './passkey-challenge.ts';
import { challengeTickets, keepIn, secondStepTicket, setUpTicket, signInTicket } from './sign-in-tickets.ts';
import { showStep } from './step-pages.ts';

export function signInFormRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form, ticketForm } = visitRoutes(app, context);

  get('/sign-in', async (visit) => {
    const { query } = visit;
    const wanted = query.get('to') ?? '';
    // For administrators, and for anyone who can't use the upstream that people are sent to by default.
    if (query.has('password')) {
      return showStep(visit, { page: 'sign_in', destination: parseDestination(wanted) ?? accountPage });
    }
    const destination = parsePage(wanted) ?? accountPage;
    if (await visit.signedIn()) return visit.redirect(302, formatDestination(destination));
    return askToSignIn(visit, destination);
  });

  ticketForm('/sign-in', signInTicket, async (visit, destination, fields) => {
    const [email, password, keep] = [fields.get('email') ?? '', fields.get('password') ?? '', keepIn(fields)];
    const way = { destination, browser: visit.browser, keep };
    const outcome = await signIn(services, { email, password }, way, visit.requester);
    return answerStep(visit, { page: 'sign_in', destination, email, keep }, outcome);
  });

  // "Not you?"
  ticketForm('/sign-in/forget', signInTicket, (visit, destination) => {
    forgetAccount(context, visit.reply);
    return visit.redirect(303, passwordSignInUrl(destination));
  });

  form('/sign-in/passkey/options', async (visit) => sendChallenge(visit, 'signIn', await askForPasskey(services, [])));

  ticketForm('/sign-in/passkey', signInTicket, async (visit, destination, fields) => {
    const given = { answer: fields.get('answer') ?? '', challenge: visit.readTicket(challengeTickets.signIn, fields) };
    const way = { destination, browser: visit.browser, keep: keepIn(fields) };
    const outcome = await signInWithPasskey(services, given, way, visit.requester);
    return answerStep(visit, { page: 'sign_in', destination, keep: way.keep }, outcome);
  });

  form('/sign-in/second-step/options', async (visit, fields) => {
    const step = visit.readTicket(secondStepTicket, fields);
    return sendChallenge(visit, 'secondStep', step && (await askForSecondStepPasskey(services, step.pending)));
  });

  ticketForm('/sign-in/second-step', secondStepTicket, async (visit, step, fields) => {
    const { pending, destination, keep } = step;
    const trust = fields.has('trust');
    const way = { destination, browser: visit.browser, keep, trust };
    const outcome = await completeSecondStep(
      services,
      pending,
      proofIn(visit, fields, 'secondStep'),
      way,
      visit.requester,
    );
    return answerStep(visit, { page: 'second_step', ...step, trust }, outcome);
  });

  // Opening the link stores nothing, because mail programs open links, too.
  get('/sign-in/set-up', async (visit) => {
    const opened = await openSetUpLink(services, linkSecret(visit));
    if (opened === undefined) return sendLinkExpired(visit, '/sign-in');
    return showStep(visit, { page: 'set_up', ...opened, keep: false });
  });

  form('/sign-in/set-up/options', async (visit, fields) => {
    const step = visit.readTicket(setUpTicket, fields);
    return sendLinkedChallenge(visit, 'setUp', step && (await offerPasskeyAtSignIn(services, step.pending, step.key)));
  });

  ticketForm('/sign-in/set-up', setUpTicket, async (visit, step, fields) => {
    const { pending, key, destination, keep } = step;
    const given = { key, factor: factorIn(visit, fields) };
    const way = { destination, browser: visit.browser, keep };
    const outcome = await finishSetUp(services, pending, given, way, visit.requester);
    return answerStep(visit, { page: 'set_up', ...step }, outcome);
  });
}
