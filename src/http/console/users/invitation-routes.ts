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
import { redirect } from '../../send-page.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { emptyList, placeOf } from '../list-requests.ts';

const list = '/admin/people/invitations';

export function consoleInvitationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(list, (page) => sendInvitations(page, 200, {}));

  pages.post('/admin/people/invite', async (form) => {
    const attempt = { email: form.field('email'), name: form.field('name') };
    const outcome = await inviteUser(services, attempt, form.requester);
    if (outcome.kind === 'refused') return sendInvitations(form, 400, { attempt, problem: refusalSentence(outcome) });
    if (outcome.url === undefined) return redirect(form.reply, 303, `${list}?done=invited`);
    return form.send(200, shareLinkPage(form.frame, { url: outcome.url, until: outcome.expiresAt, back: list }));
  });

  pages.post(`${list}/resend`, async (form) => {
    const outcome = await resendInvitation(services, form.field('email'), form.requester);
    if (outcome.kind === 'refused') return sendInvitations(form, 400, { problem: refusalSentence(outcome) });
    if (outcome.url === undefined) return redirect(form.reply, 303, `${list}?done=invitation-resent`);
    return form.send(200, shareLinkPage(form.frame, { url: outcome.url, until: outcome.expiresAt, back: list }));
  });

  pages.post(`${list}/withdraw`, async (form) => {
    const outcome = await withdrawInvitation(services, form.field('email'), form.requester);
    if (outcome.kind === 'refused') return sendInvitations(form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${list}?done=invitation-withdrawn`);
  });

  async function sendInvitations(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<InvitationsPage>,
  ): Promise<FastifyReply> {
    const outcome = await listInvitations(services, { cursor: page.query.get('cursor') ?? undefined });
    const listed = outcome.kind === 'done' ? outcome : emptyList;
    const body = invitationsPage(page.frame, {
      invitations: listed.items.map((invitation, index) => ({ ...invitation, id: String(index) })),
      place: placeOf(listed),
      attempt: { email: '', name: '' },
      now: services.clock.now(),
      notice: status === 200 ? page.notice : undefined,
      problem: outcome.kind === 'done' ? undefined : refusalSentence(outcome),
      ...attempt,
    });
    return page.send(outcome.kind === 'done' ? status : 400, body);
  }
}
