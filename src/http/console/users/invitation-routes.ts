// The console's invitations: sending one, and those that haven't been accepted yet.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  invitesAdministrator,
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

  const givesAdminAccess = ({ field }: ConsoleForm) => field('admin') === 'yes';

  const invite = async (form: ConsoleForm) => {
    const { field } = form;
    const attempt = {
      email: field('email'),
      name: field('name'),
      groups: field('groups'),
      expires: field('expires'),
      admin: givesAdminAccess(form),
    };
    const groups = attempt.groups.split(/\r?\n/).map((line) => line.trim());
    const input = { ...attempt, groups: groups.filter(Boolean), accountExpiresAt: attempt.expires.trim() };
    const outcome = await inviteUser(services, input, form.requester);
    return sendOutcome(form, outcome, 'invited', attempt.admin, { attempt });
  };
  pages.powerful('/admin/people/invite', invite, {
    multiline: ['groups'],
    // Groups decide who can use applications.
    when: (form) => givesAdminAccess(form) || form.field('groups').trim() !== '',
  });

  const resend = async (form: ConsoleForm) => {
    const gaveAdminAccess = await invitesAdministrator(services, form.field('email'));
    const outcome = await resendInvitation(services, form.field('email'), form.requester);
    return sendOutcome(form, outcome, 'invitation-resent', gaveAdminAccess);
  };
  pages.powerful(`${list}/resend`, resend, { when: ({ field }) => invitesAdministrator(services, field('email')) });

  pages.buttons(list, sendInvitations, ({ field }) => field('email'), {
    withdraw: { run: withdrawInvitation, done: `${list}?done=invitation-withdrawn` },
  });

  /** Without a mail server, there's a link to share. */
  function sendOutcome(
    form: ConsoleForm,
    outcome: Awaited<ReturnType<typeof inviteUser>>,
    done: string,
    wantsAdminAccess: boolean,
    attempt: Partial<InvitationsPage> = {},
  ) {
    if (outcome.kind === 'refused')
      return sendInvitations(form, form.statusOf(outcome), { ...attempt, problem: refusalSentence(outcome) });
    const { url, expiresAt: until, admin } = outcome;
    if (url === undefined) return form.goTo(`${list}?done=${done}`);
    const remark = wantsAdminAccess && !admin ? form.frame.messages.admin.people.noAdminByLink : undefined;
    return form.send(200, shareLinkPage(form.frame, { url, until, back: list, remark }));
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
      attempt: { email: '', name: '', groups: '', expires: '', admin: false },
      canSendEmail: services.emailQueue.works,
      now: services.clock.now(),
      notice: page.notice,
      ...attempt,
    });
    return page.send(listed.status, body);
  }
}
