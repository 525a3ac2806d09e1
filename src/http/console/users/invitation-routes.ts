// The console's invitations: sending one, and those that haven't been accepted yet.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../operations/users/invitations.ts';
import { shareLinkPage } from '../../../pages/console/console-layout.ts';
import { type InvitationsPage, invitationsPage } from '../../../pages/console/users/invitations.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { cursorIn, listedIn } from '../list-requests.ts';

const list = '/admin/people/invitations';

export function consoleInvitationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(list, (page) => sendInvitations(page, 200, {}));

  pages.post('/admin/people/invite', async (form) => {
    const attempt = { email: form.field('email'), name: form.field('name') };
    const outcome = await inviteUser(services, attempt, form.requester);
    return sendOutcome(form, outcome, 'invited', { attempt });
  });

  pages.post(`${list}/resend`, async (form) => {
    const outcome = await resendInvitation(services, form.field('email'), form.requester);
    return sendOutcome(form, outcome, 'invitation-resent');
  });

  pages.buttons(list, sendInvitations, ({ field }) => field('email'), {
    withdraw: { run: withdrawInvitation, done: `${list}?done=invitation-withdrawn` },
  });

  /** Without a mail server, there's a link to share. */
  function sendOutcome(
    form: ConsoleForm,
    outcome: Awaited<ReturnType<typeof inviteUser>>,
    done: string,
    attempt: Partial<InvitationsPage> = {},
  ) {
    if (outcome.kind === 'refused')
      return sendInvitations(form, 400, { ...attempt, problem: refusalSentence(outcome) });
    const { url, expiresAt: until } = outcome;
    if (url === undefined) return form.goTo(`${list}?done=${done}`);
    return form.send(200, shareLinkPage(form.frame, { url, until, back: list }));
  }

  async function sendInvitations(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<InvitationsPage>,
  ): Promise<FastifyReply> {
    const { items, ...listed } = listedIn(await listInvitations(services, cursorIn(page)), status);
    const body = invitationsPage(page.frame, {
      ...listed,
      invitations: items.map((invitation, index) => ({ ...invitation, id: String(index) })),
      attempt: { email: '', name: '' },
      now: services.clock.now(),
      notice: page.notice,
      ...attempt,
    });
    return page.send(listed.status, body);
  }
}
