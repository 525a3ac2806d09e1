// Creating an account with a link: one that was requested by email, an invitation, or the link that sets the service up.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  findSignUpLink,
  type SignUpLink,
  type SignUpOutcome,
  type SignUpPurpose,
  signUp,
} from '../../operations/sign-in/sign-up.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import { type FinishSignUpPage, finishSignUpPage } from '../../pages/sign-in/sign-up.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { linkSecret, linkUrl, sendLinkExpired } from '../email-links.ts';
import { formRoutes } from '../forms.ts';
import { pageRequester } from '../language.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { clientFormAction } from './destination.ts';
import { sendSetUp } from './set-up-factor.ts';
import { browserOf, sendSignedIn } from './signed-in.ts';

interface LinkPages {
  readonly purpose: SignUpPurpose;
  readonly path: string;
  /** Where people can request another link themselves; invitations and set-up links come from an administrator. */
  readonly again?: string;
}

const linkPages: readonly LinkPages[] = [
  { purpose: 'sign_up', path: '/sign-up/finish', again: '/sign-up' },
  { purpose: 'invite', path: '/invitation' },
  { purpose: 'set_up', path: '/set-up' },
];

/** The account greets a new user; an application has its own welcome. */
function withWelcome(destination: Destination): Destination {
  const greets = destination.kind === 'page' && destination.path === accountPage.path;
  return greets ? { ...destination, path: `${accountPage.path}?done=welcome` } : destination;
}

export function finishSignUpRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form } = formRoutes(app, context);

  for (const { purpose, path, again } of linkPages) {
    app.get(path, async (request, reply) => {
      const secret = linkSecret(request);
      const link = await find(purpose, secret);
      if (link === undefined || secret === undefined) return sendLinkExpired(context, reply, again);
      return sendFinish(path, reply, link, secret, { email: '', name: link.name ?? '' });
    });

    form(path, async ({ request, reply, fields }) => {
      const secret = fields.get('link') ?? '';
      const link = await find(purpose, secret);
      if (link === undefined) return sendLinkExpired(context, reply, again);
      const typed = { email: fields.get('email') ?? '', name: fields.get('name') ?? '' };
      const input = { ...typed, password: fields.get('password') ?? '' };
      const outcome = await signUp(
        services,
        link,
        input,
        browserOf(context, request),
        pageRequester(context, request, link),
      );
      switch (outcome.kind) {
        case 'signed_up':
          return sendSignedIn(context, reply, outcome, withWelcome(link.destination));
        case 'set_up': {
          const { pending } = outcome;
          return sendSetUp(context, request, reply, {
            pending,
            destination: withWelcome(link.destination),
            keep: false,
          });
        }
        case 'link_expired':
          return sendLinkExpired(context, reply, again);
        case 'invalid':
        case 'email_taken':
          return sendFinish(
            path,
            reply,
            link,
            secret,
            typed,
            problemsOf(frameOf(context, request, link).messages, outcome),
          );
      }
    });
  }

  /** While sign-up is closed, links from the time when it was open do not work. */
  async function find(purpose: SignUpPurpose, secret: string | undefined): Promise<SignUpLink | undefined> {
    if (purpose === 'sign_up' && context.signUp === 'closed') return undefined;
    return findSignUpLink(services, purpose, secret);
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

  function sendFinish(
    path: string,
    reply: FastifyReply,
    link: SignUpLink,
    secret: string,
    typed: { email: string; name: string },
    problems?: FinishSignUpPage['problems'],
  ): FastifyReply {
    const { purpose, email = typed.email, destination } = link;
    const page = finishSignUpPage(frameOf(context, reply.request, { ...link, formUrl: linkUrl(path, secret) }), {
      purpose,
      email,
      name: typed.name,
      link: secret,
      problems: problems ?? {},
    });
    return sendPage(reply, problems === undefined ? 200 : 400, page, clientFormAction(destination));
  }
}
