// Asks a person who has signed in with a password to create a passkey, because passwords are on their way out for them. It's on
// the way to where they were going.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { standingOfPassword } from '../../operations/passwords/password-policy.ts';
import { addPasskey } from '../../operations/second-factors/second-factors.ts';
import { createPasskeyPage } from '../../pages/account/create-passkey.ts';
import { savedCodesPage } from '../../pages/sign-in/set-up-factor.ts';
import { accountPage, formatDestination, parseDestination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { createPasskeyPath, targetOf } from '../sign-in/destination.ts';
import { challengeTickets } from '../sign-in/sign-in-tickets.ts';
import { type AccountRequest, accountPages } from './account-pages.ts';

export function createPasskeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, createPasskeyPath);

  pages.get(createPasskeyPath, (page) => sendQuestion(page, page.query.get('to') ?? ''));

  pages.powerful(
    createPasskeyPath,
    async (form) => {
      const { signedIn, frame, field } = form;
      const to = field('to');
      const challenge = form.visit.readTicket(challengeTickets.registration, form.fields);
      // Without one, the form was sent for the proof alone: the script goes on from here.
      if (challenge === undefined) return sendQuestion(form, to);
      const input = { answer: field('answer'), challenge, name: '' };
      const outcome = await addPasskey(services, signedIn, input, form.requester);
      if (outcome.kind !== 'changed') return sendQuestion(form, to, frame.messages.passwordless.failed);
      const continueTo = formatDestination(destinationIn(to));
      const codes = outcome.recoveryCodes;
      if (codes === undefined) return form.goTo(continueTo);
      return form.send(200, savedCodesPage(frame, { codes, email: signedIn.user.email, continueTo }));
    },
    { pageNeeds: async ({ field }) => (await targetOf(services, destinationIn(field('to')))).needs },
  );

  async function sendQuestion(page: AccountRequest, to: string, problem?: string): Promise<FastifyReply> {
    const destination = destinationIn(to);
    const standing = await standingOfPassword(services, page.signedIn.user);
    const body = createPasskeyPage(page.frame, {
      action: createPasskeyPath,
      to: formatDestination(destination),
      until: standing.kind === 'ending' ? standing.until : undefined,
      problem,
    });
    return page.send(problem === undefined ? 200 : 400, body, (await targetOf(services, destination)).needs);
  }
}

/** The text comes from the browser: anything but a page of the service or an authorization request is the account page. */
function destinationIn(text: string) {
  return parseDestination(text) ?? accountPage;
}
