// Asking for an account, which has a link sent by email, and creating one with a link: with that one, with an invitation, or
// with the link that sets the service up. A link to sign up with opens the page that asks for the email address.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  type FoundSignUpLink,
  findSignUpLink,
  mayChoosePassword,
  offerSignUpPasskey,
  requestSignUp,
  type SignUpInput,
  type SignUpLink,
  type SignUpOutcome,
  type SignUpPurpose,
  signUp,
  signUpVerdict,
} from '../../operations/sign-in/sign-up.ts';
import { isWaitingListFull } from '../../operations/users/approval.ts';
import { findSharedLink } from '../../operations/users/sign-up-links.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import {
  type FinishSignUpPage,
  finishSignUpPage,
  signUpLinkEndedPage,
  signUpPage,
} from '../../pages/sign-in/emailed-links.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { SignUpLinkEnd } from '../../protocol/sign-in/sign-up-rules.ts';
import type { HttpContext } from '../context.ts';
import { type EmailAttempt, linkSecret, linkUrl, sendEmailOutcome, sendLinkExpired } from '../email-links.ts';
import { visitRoutes } from '../forms.ts';
import type { Visit } from '../visit.ts';
import { signInUrl, targetOf, typedEmail } from './destination.ts';
import { continueSignIn, sendWaiting, waitingPath } from './dispatch.ts';
import { createdPasskeyIn, sendLinkedChallenge } from './passkey-challenge.ts';
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

  get(waitingPath, (visit) => sendWaiting(visit, accountPage));
  get('/sign-up', async (visit) => {
    const secret = linkSecret(visit);
    return sendSignUp(visit, accountPage, secret === undefined ? {} : { secret });
  });

  // The button of the sign-in page: it leads here without losing where the user is going, or what they have typed.
  ticketForm('/sign-up/start', signInTicket, (visit, destination, fields) =>
    sendSignUp(visit, destination, typedEmail(fields)),
  );

  ticketForm('/sign-up', signInTicket, async (visit, destination, fields) => {
    const email = fields.get('email') ?? '';
    const secret = fields.get('link');
    const again = (attempt: EmailAttempt) => sendSignUp(visit, destination, { ...attempt, ...(secret && { secret }) });
    const shared = secret === undefined ? undefined : await findSharedLink(services, { secret });
    if (secret !== undefined && (shared === undefined || shared.end !== undefined)) return again({ status: 403 });
    if (secret === undefined && (await isFull())) return again({ status: 403 });
    const wish = { email, destination, signUpLink: shared?.link.id };
    const outcome = await requestSignUp(services, wish, visit.requesterReading({ destination }));
    const sent = { form: 'sign_up', email, destination, link: secret } as const;
    if (outcome.kind !== 'refused') return sendEmailOutcome(visit, outcome, sent, again);
    if (outcome.verdict !== 'other_domain') return again({ status: 403 });
    return again({ status: 403, email, problem: visit.frame({ destination }).messages.signUpLinks.otherDomain });
  });

  /** Too many wait for approval already. */
  async function isFull(): Promise<boolean> {
    return services.settings.signUp === 'approval' && (await isWaitingListFull(services));
  }

  /** With the link to sign up with that a person has brought, or says why it can't be used. */
  async function sendSignUp(
    visit: Visit,
    destination: Destination,
    attempt: EmailAttempt & { readonly secret?: string } = {},
  ): Promise<FastifyReply> {
    const { secret, email = '', problem, status } = attempt;
    const shared = secret === undefined ? undefined : await findSharedLink(services, { secret });
    const verdict = await signUpVerdict(services, { hasLink: secret !== undefined });
    if (secret !== undefined && verdict === 'allowed') {
      if (shared === undefined) return sendLinkExpired(visit);
      if (shared.end !== undefined) return sendLinkEnded(visit, shared.end);
    }
    const waits = verdict === 'allowed' && secret === undefined && services.settings.signUp === 'approval';
    const page = signUpPage(visit.frame({ destination, ...(secret && { formUrl: linkUrl('/sign-up', secret) }) }), {
      app: (await targetOf(services, destination)).app,
      email,
      ticket: visit.makeTicket(signInTicket, destination),
      problem,
      state: waits && (await isFull()) ? 'full' : verdict,
      approval: waits,
      link: secret,
      signInUrl: signInUrl(destination),
    });
    return visit.sendPage(status ?? 200, page);
  }

  for (const { purpose, path, again } of linkPages) {
    get(path, async (visit) => {
      const secret = linkSecret(visit);
      const found = await findSignUpLink(services, purpose, secret);
      if (found.kind !== 'found' || secret === undefined) return sendUnusable(visit, found, again);
      const { link } = found;
      return sendFinish(visit, path, { link, secret, email: '', name: link.name ?? '' });
    });

    form(path, async (visit, fields) => {
      const secret = fields.get('link') ?? '';
      const found = await findSignUpLink(services, purpose, secret);
      if (found.kind !== 'found') return sendUnusable(visit, found, again);
      const { link } = found;
      const typed = typedIn(fields);
      const passkey = createdPasskeyIn(visit, fields, 'signUp');
      const chosen = passkey === undefined ? { password: fields.get('password') ?? '' } : { passkey };
      const input = { ...typed, ...chosen };
      const outcome = await signUp(services, link, input, visit.browser, visit.requesterReading(link));
      switch (outcome.kind) {
        case 'link_expired':
        case 'sign_up_link_ended':
          return sendUnusable(visit, outcome, again);
        case 'invalid':
        case 'email_taken':
        case 'wrong_passkey':
          return sendFinish(visit, path, { link, secret, ...typed }, problemsOf(visit.frame(link).messages, outcome));
        default:
          return continueSignIn(visit, { destination: withWelcome(link.destination) }, outcome);
      }
    });

    // Called by the script on the page, which shows the problem next to its button.
    form(`${path}/options`, async (visit, fields) => {
      const found = await findSignUpLink(services, purpose, fields.get('link'));
      if (found.kind !== 'found') {
        return visit.sendJson(400, { problem: visit.frame().messages.account.linkExpired.title });
      }
      const { link } = found;
      const offer = await offerSignUpPasskey(services, link, typedIn(fields));
      if (offer.kind === 'offered') return sendLinkedChallenge(visit, 'signUp', offer);
      const { email, name } = problemsOf(visit.frame(link).messages, offer);
      return visit.sendJson(400, { problem: email ?? name });
    });
  }
}

function sendUnusable(visit: Visit, found: FoundSignUpLink, again: string | undefined): FastifyReply {
  return found.kind === 'sign_up_link_ended' ? sendLinkEnded(visit, found.end) : sendLinkExpired(visit, again);
}

function sendLinkEnded(visit: Visit, end: SignUpLinkEnd): FastifyReply {
  return visit.sendPage(410, signUpLinkEndedPage(visit.frame(), end));
}

function typedIn(fields: Parameters): SignUpInput {
  return { email: fields.get('email') ?? '', name: fields.get('name') ?? '' };
}

function problemsOf(
  { account: m, passwordless }: Messages,
  outcome: Extract<SignUpOutcome, { kind: 'invalid' | 'email_taken' | 'wrong_passkey' }>,
): FinishSignUpPage['problems'] {
  if (outcome.kind === 'wrong_passkey') return { passkey: passwordless.failed };
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
    password: await mayChoosePassword(visit.services, link),
    problems: problems ?? {},
  });
  const { needs } = await targetOf(visit.services, link.destination);
  return visit.sendPage(problems === undefined ? 200 : 400, page, needs);
}
