// The console's invitations: sending one, and those that haven't been accepted yet.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { invitesToRole } from '../../../operations/users/given-roles.ts';
import {
  inviteUser,
  isInvited,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../operations/users/invitations.ts';
import { creatorCanSignIn } from '../../../operations/users/users.ts';
import { shareLinkPage } from '../../../pages/console/console-layout.ts';
import { type InvitationsPage, invitationsPage } from '../../../pages/console/users/invitations.ts';
import { roleField } from '../../../pages/console/users/roles.ts';
import { lesserRoles, may, type Role } from '../../../protocol/admin/rights.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { endIn } from '../field-forms.ts';
import { cursorIn, listedIn } from '../list-requests.ts';

const list = '/admin/people/invitations';

export function consoleInvitationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'people');

  pages.get(list, (page) => sendInvitations(page, 200, {}));

  const rolesIn = ({ field }: ConsoleForm): readonly Role[] => [
    ...(field('admin') === 'yes' ? (['administrator'] as const) : []),
    ...lesserRoles.filter((role) => field(roleField(role)) === 'yes'),
  ];

  const invite = async (form: ConsoleForm) => {
    const { field } = form;
    const attempt = {
      email: field('email'),
      name: field('name'),
      groups: field('groups'),
      expires: endIn(form, 'expires'),
      roles: rolesIn(form),
    };
    const groups = attempt.groups.split(/\r?\n/).map((line) => line.trim());
    const input = { ...attempt, groups: groups.filter(Boolean), accountExpiresAt: attempt.expires || null };
    const outcome = await inviteUser(services, input, form.requester);
    return sendOutcome(form, outcome, 'invited', attempt.roles.length > 0, { attempt });
  };
  pages.powerful('/admin/people/invite', invite, {
    multiline: ['groups'],
    // Groups decide who can use applications.
    when: (form) => creatorCanSignIn(services) || rolesIn(form).length > 0 || form.field('groups').trim() !== '',
  });

  const resend = async (form: ConsoleForm) => {
    const gaveRole = await invitesToRole(services, form.field('email'));
    const outcome = await resendInvitation(services, form.field('email'), form.requester);
    return sendOutcome(form, outcome, 'invitation-resent', gaveRole);
  };
  pages.powerful(`${list}/resend`, resend, {
    when: ({ field }) => creatorCanSignIn(services) || invitesToRole(services, field('email')),
  });

  pages.question(`${list}/withdraw`, 'people', async ({ query, frame }) => {
    const m = frame.messages.admin.people;
    const email = query.get('email') ?? '';
    if (!(await isInvited(services, email))) return undefined;
    return { title: m.withdrawTitle(email), text: m.withdrawText, button: m.withdrawConfirm, fields: { email } };
  });

  pages.buttons(list, sendInvitations, ({ field }) => field('email'), {
    withdraw: { run: withdrawInvitation, done: `${list}?done=invitation-withdrawn` },
  });

  /** Without a mail server, there's a link to share. */
  function sendOutcome(
    form: ConsoleForm,
    outcome: Awaited<ReturnType<typeof inviteUser>>,
    done: string,
    wantsRole: boolean,
    attempt: Partial<InvitationsPage> = {},
  ) {
    if (outcome.kind === 'refused')
      return sendInvitations(form, form.statusOf(outcome), { ...attempt, problem: refusalSentence(outcome) });
    const { url, expiresAt: until, roles } = outcome;
    if (url === undefined) return form.goTo(`${list}?done=${done}`);
    const remark = wantsRole && roles.length === 0 ? form.frame.messages.admin.people.noAdminByLink : undefined;
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
      attempt: { email: '', name: '', groups: '', expires: '', roles: [] },
      canSendEmail: services.emailQueue.works,
      canGiveRoles: may(page.requester.authority, 'roles.change'),
      now: services.clock.now(),
      notice: page.notice,
      ...attempt,
    });
    return page.send(listed.status, body);
  }
}
