// A forgotten password: the page that has a link sent by email, and setting a new password, or a passkey instead, with such a
// link, or with one that an administrator has handed over.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { passwordsAreOff } from '../../operations/passwords/password-policy.ts';
import {
  findResetLink,
  offerResetPasskey,
  type ResetLink,
  type ResetPurpose,
  requestReset,
  resetPassword,
  resetToPasskey,
  resetWays,
} from '../../operations/sign-in/reset-password.ts';
import { recoveryNeededPage } from '../../pages/sign-in/email-code.ts';
import {
  type NewPasswordPage,
  newPasswordPage,
  passkeyCreatedPage,
  passwordResetPage,
  resetPasswordPage,
} from '../../pages/sign-in/emailed-links.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { type EmailAttempt, linkSecret, linkUrl, sendEmailOutcome, sendLinkExpired } from '../email-links.ts';
import { visitRoutes } from '../forms.ts';
import type { Visit } from '../visit.ts';
import { passwordSignInUrl, signInUrl, typedEmail } from './destination.ts';
import { createdPasskeyIn, sendLinkedChallenge } from './passkey-challenge.ts';
import { signInTicket } from './sign-in-tickets.ts';
import { refusalText } from './step-pages.ts';

/** `again` is where people can request another link themselves; the others come from an administrator. */
const linkPages: readonly { readonly purpose: ResetPurpose; readonly path: string; readonly again?: string }[] = [
  { purpose: 'reset_password', path: '/reset-password/finish', again: '/reset-password' },
  { purpose: 'recover', path: '/recover' },
];

export function resetPasswordRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form, ticketForm } = visitRoutes(app, context);

  get('/reset-password', async (visit) => sendReset(visit, accountPage));

  // The button of the sign-in page: it leads here without losing where the user is going, or what they have typed.
  ticketForm('/reset-password/start', signInTicket, (visit, destination, fields) =>
    sendReset(visit, destination, typedEmail(fields)),
  );

  form('/reset-password', async (visit, fields) => {
    // A form from another browser or an earlier visit is good enough to have the email sent; it leads to the account page.
    const destination = visit.readTicket(signInTicket, fields) ?? accountPage;
    if (!services.emailQueue.works) return sendReset(visit, destination, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestReset(services, email, destination, visit.requesterReading({ destination }));
    const sent = { form: 'reset_password', email, destination } as const;
    return sendEmailOutcome(visit, outcome, sent, (attempt) => sendReset(visit, destination, attempt));
  });

  async function sendReset(visit: Visit, destination: Destination, attempt: EmailAttempt = {}): Promise<FastifyReply> {
    const page = resetPasswordPage(visit.frame({ destination }), {
      email: attempt.email ?? '',
      problem: attempt.problem,
      available: services.emailQueue.works,
      ticket: visit.makeTicket(signInTicket, destination),
      signInUrl: signInUrl(destination),
      passwordsOff: await passwordsAreOff(services),
    });
    return visit.sendPage(attempt.status ?? 200, page);
  }

  for (const { purpose, path, again } of linkPages) {
    get(path, async (visit) => {
      const secret = linkSecret(visit);
      const link = await findResetLink(services, purpose, secret);
      if (link === undefined || secret === undefined) return sendLinkExpired(visit, again);
      return sendNewPassword(visit, path, { link, secret });
    });

    // Called by the script on the page.
    form(`${path}/options`, async (visit, fields) => {
      const link = await findResetLink(services, purpose, fields.get('link'));
      const { messages } = visit.frame(link);
      if (link === undefined) return visit.sendJson(400, { problem: messages.account.linkExpired.title });
      const offer = await offerResetPasskey(services, link);
      if (offer === undefined) return visit.sendJson(400, { problem: messages.passwordless.notByEmail });
      return sendLinkedChallenge(visit, 'reset', offer);
    });

    form(path, async (visit, fields) => {
      const secret = fields.get('link') ?? '';
      const link = await findResetLink(services, purpose, secret);
      if (link === undefined) return sendLinkExpired(visit, again);
      const created = createdPasskeyIn(visit, fields, 'reset');
      const { requester } = visit;
      const frame = visit.frame(link);
      const { account, passwordless } = frame.messages;
      const outcome =
        created === undefined
          ? await resetPassword(services, link, fields.get('password') ?? '', requester)
          : await resetToPasskey(services, link, { created, code: fields.get('code') ?? '' }, requester);
      switch (outcome.kind) {
        case 'changed':
          return visit.sendPage(200, passwordResetPage(frame, await signInUrlAfter(link)));
        case 'created': {
          const page = { signInUrl: await signInUrlAfter(link), email: link.user.email, codes: outcome.recoveryCodes };
          return visit.sendPage(200, passkeyCreatedPage(frame, page));
        }
        case 'link_expired':
          return sendLinkExpired(visit, again);
        case 'recovery_needed':
          return sendRecoveryNeeded(visit, link);
        case 'invalid_password':
          return sendNewPassword(visit, path, { link, secret }, 400, {
            problem: account.passwordProblems[outcome.problem],
          });
        case 'wrong_passkey':
          return sendNewPassword(visit, path, { link, secret }, 400, { passkeyProblem: passwordless.failed });
        case 'not_offered':
          return sendNewPassword(visit, path, { link, secret }, 403, { problem: passwordless.notByEmail });
        default: {
          const { status, problem: codeProblem } = refusalText(visit, frame.messages, outcome);
          return sendNewPassword(visit, path, { link, secret }, status, { codeProblem });
        }
      }
    });
  }

  async function sendNewPassword(
    visit: Visit,
    path: string,
    { link, secret }: { readonly link: ResetLink; readonly secret: string },
    status = 200,
    problems: Partial<Pick<NewPasswordPage, 'problem' | 'passkeyProblem' | 'codeProblem'>> = {},
  ): Promise<FastifyReply> {
    const ways = await resetWays(services, link);
    if (ways === undefined) return sendRecoveryNeeded(visit, link);
    const page = newPasswordPage(visit.frame({ ...link, formUrl: linkUrl(path, secret) }), {
      action: path,
      link: secret,
      email: link.user.email,
      ways,
      problem: undefined,
      ...problems,
    });
    return visit.sendPage(status, page);
  }

  async function sendRecoveryNeeded(visit: Visit, link: ResetLink): Promise<FastifyReply> {
    return visit.sendPage(403, recoveryNeededPage(visit.frame(link), await signInUrlAfter(link)));
  }

  /** Where people are sent to an upstream, what they have just chosen would be of no use. */
  async function signInUrlAfter({ destination }: ResetLink): Promise<string> {
    const mayBeSent = (await services.openUpstreams.read()).length > 0;
    return (mayBeSent ? passwordSignInUrl : signInUrl)(destination);
  }
}
