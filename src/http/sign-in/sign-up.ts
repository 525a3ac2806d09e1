// Asking for an account, which has a link sent by email, and creating one with a link: with that one, with an invitation, or
// with the link that sets the service up.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  findSignUpLink,
  requestSignUp,
  type SignUpLink,
  type SignUpOutcome,
  type SignUpPurpose,
  signUp,
} from '../../operations/sign-in/sign-up.ts';
import { isWaitingListFull } from '../../operations/users/approval.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import {
  type FinishSignUpPage,
  finishSignUpPage,
  type SignUpPage,
  signUpPage,
} from '../../pages/sign-in/emailed-links.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { type EmailAttempt, linkSecret, linkUrl, sendEmailOutcome, sendLinkExpired } from '../email-links.ts';
import { visitRoutes } from '../forms.ts';
import type { Visit } from '../visit.ts';
import { clientFormAction, destinationApp, signInUrl, typedEmail } from './destination.ts';
import { continueSignIn } from './dispatch.ts';
import { signInTicket } from './sign-in-tickets.ts';

/** `again` is where people can request another link themselves; the others come from an administrator. */
const linkPages: readonly { readonly purpose: SignUpPurpose; readonly path: string; readonly again?: string }[] = [
  { purpose: 'sign_up', path: '/sign-up/finish', again: '/sign-up' },
  { purpose: 'invite', path: '/invitation' },
  { purpose: 'set_up', path: '/set-up' },
];

/** The account greets a new user; an application has its own welcome. */
function withWelcome(destination: Destination): Destination {
  const greets = destination.kind === 'page' && destination.path === accountPage.path;
  return greets ? { ...destination, path: `${accountPage.path}?done=welcome` } : destination;
}

export function signUpRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form, ticketForm } = visitRoutes(app, context);

  get('/sign-up', (visit) => sendSignUp(visit, accountPage));

  // The button of the sign-in page: it leads here without losing where the user is going, or what they have typed.
  ticketForm('/sign-up/start', signInTicket, (visit, destination, fields) =>
    sendSignUp(visit, destination, typedEmail(fields)),
  );

  ticketForm('/sign-up', signInTicket, async (visit, destination, fields) => {
    const state = await availability();
    if (state !== 'open' && state !== 'approval') return sendSignUp(visit, destination, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestSignUp(services, email, destination, visit.requesterReading({ destination }));
    return sendEmailOutcome(visit, outcome, email, (attempt) => sendSignUp(visit, destination, attempt));
  });

  async function availability(): Promise<SignUpPage['state']> {
    const { signUp: mode } = services.settings;
    if (mode !== 'open' && mode !== 'approval') return 'closed';
    if (!services.emailQueue.works) return 'no_mail';
    return mode === 'approval' && (await isWaitingListFull(services)) ? 'full' : mode;
  }

  async function sendSignUp(visit: Visit, destination: Destination, attempt: EmailAttempt = {}): Promise<FastifyReply> {
    const page = signUpPage(visit.frame({ destination }), {
      app: await destinationApp(services, destination),
      email: attempt.email ?? '',
      ticket: visit.makeTicket(signInTicket, destination),
      problem: attempt.problem,
      state: await availability(),
      signInUrl: signInUrl(destination),
    });
    return visit.sendPage(attempt.status ?? 200, page);
  }

  for (const { purpose, path, again } of linkPages) {
    get(path, async (visit) => {
      const secret = linkSecret(visit);
      const link = await find(purpose, secret);
      if (link === undefined || secret === undefined) return sendLinkExpired(visit, again);
      return sendFinish(visit, path, { link, secret, email: '', name: link.name ?? '' });
    });

    form(path, async (visit, fields) => {
      const secret = fields.get('link') ?? '';
      const link = await find(purpose, secret);
      if (link === undefined) return sendLinkExpired(visit, again);
      const typed = { email: fields.get('email') ?? '', name: fields.get('name') ?? '' };
      const input = { ...typed, password: fields.get('password') ?? '' };
      const outcome = await signUp(services, link, input, visit.browser, visit.requesterReading(link));
      switch (outcome.kind) {
        case 'link_expired':
          return sendLinkExpired(visit, again);
        case 'invalid':
        case 'email_taken':
          return sendFinish(visit, path, { link, secret, ...typed }, problemsOf(visit.frame(link).messages, outcome));
        default:
          return continueSignIn(visit, { destination: withWelcome(link.destination) }, outcome);
      }
    });
  }

  /** While sign-up is closed, links from the time when it was open do not work. */
  async function find(purpose: SignUpPurpose, secret: string | undefined): Promise<SignUpLink | undefined> {
    if (purpose === 'sign_up' && services.settings.signUp === 'closed') return undefined;
    return findSignUpLink(services, purpose, secret);
  }
}

function problemsOf(
  { account: m }: Messages,
  outcome: Extract<SignUpOutcome, { kind: 'invalid' | 'email_taken' }>,
): FinishSignUpPage['problems'] {
  if (outcome.kind === 'email_taken') return { email: m.signUp.emailTaken };
  const { email, name, password } = outcome.problems;
  return {
    email: email ? m.invalidEmail : undefined,
    name: name ? m.invalidName : undefined,
    password: password && m.passwordProblems[password],
  };
}

interface OpenedLink {
  readonly link: SignUpLink;
  readonly secret: string;
  readonly email: string;
  readonly name: string;
}

async function sendFinish(
  visit: Visit,
  path: string,
  { link, secret, name, email }: OpenedLink,
  problems?: FinishSignUpPage['problems'],
): Promise<FastifyReply> {
  const page = finishSignUpPage(visit.frame({ ...link, formUrl: linkUrl(path, secret) }), {
    purpose: link.purpose,
    email: link.email ?? email,
    name,
    link: secret,
    problems: problems ?? {},
  });
  return visit.sendPage(
    problems === undefined ? 200 : 400,
    page,
    await clientFormAction(visit.services, link.destination),
  );
}
