// The console's pending invitations, with the form that sends one.

import type { Role } from '../../../protocol/admin/rights.ts';
import type { PendingInvitationValues } from '../../../protocol/resources/invitation.ts';
import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { checkbox, field, textArea } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import { action, askLink, briefTime, consoleLayout, denseList } from '../console-layout.ts';
import { endField } from '../ends.ts';
import { joinableNames } from '../groups/group-names.ts';
import { type ListPlace, listPager, listUrl } from '../lists.ts';
import { roleBadges, roleBoxes } from './roles.ts';
import { peopleTabs } from './user-list.ts';

interface Invitation extends PendingInvitationValues {
  readonly id: string;
}

export interface InvitationsPage extends PageResult {
  readonly invitations: readonly Invitation[];
  readonly place: ListPlace;
  /** What was entered, when it was refused; groups one in each line. */
  readonly attempt: Readonly<Record<'email' | 'name' | 'groups' | 'expires', string>> & {
    readonly roles: readonly Role[];
  };
  readonly canSendEmail: boolean;
  /** Whether the person who looks at the page can give roles. */
  readonly canGiveRoles: boolean;
  readonly now: number;
}

const path = '/admin/people/invitations';

export function invitationsPage(frame: AccountFrame, page: InvitationsPage): string {
  const m = frame.messages.admin.people;
  const { email, name, groups, expires, roles } = page.attempt;
  const fields = html`<div class="pair">
${field({ name: 'email', label: m.inviteEmail, type: 'email', autocomplete: 'off', value: email, limit: 254 })}
${field({ name: 'name', label: m.inviteName, autocomplete: 'off', value: name, limit: 100, optional: true })}
</div>
<div class="pair">
${textArea({ name: 'groups', label: m.inviteGroups, value: groups, rows: 2, optional: true, names: joinableNames(frame.messages) })}
${endField(frame.messages, { name: 'expires', value: expires })}
</div>
${page.canGiveRoles && page.canSendEmail && html`${checkbox({ name: 'admin', label: m.inviteAdmin, checked: roles.includes('administrator') })}${roleBoxes(frame, roles)}`}
${page.canGiveRoles && html`<p class="hint">${page.canSendEmail ? m.inviteAdminHint : m.inviteAdminNoEmail}</p>`}`;
  const form = card({
    title: m.inviteTitle,
    lead: m.inviteLead,
    body: fields,
    actions: button({ label: m.sendInvitation, kind: 'primary' }),
  });
  const body = html`
${peopleTabs(frame, 'invitations')}
${postForm(frame, '/admin/people/invite', form)}
<h2 class="section-title">${m.pendingInvitations}</h2>
${list(frame, page)}
${listPager(frame, path, {}, page.place)}`;
  return consoleLayout(frame, { section: 'people', notice: page.notice, problem: page.problem, body });
}

function list(frame: AccountFrame, page: InvitationsPage): Html {
  const { messages } = frame;
  const m = messages.admin.people;
  const ago = (at: number) => agoTime(messages, at, page.now);
  return denseList<Invitation>({
    caption: m.pendingInvitations,
    rows: page.invitations,
    compact: 'wrap',
    columns: [
      {
        label: m.email,
        kind: 'wide',
        cell: ({ email, name }) => html`<span>${email} <span class="quiet">${name}</span></span>`,
      },
      {
        label: m.invitedRoles,
        phone: 'first',
        cell: (invitation) => accountOf(frame, invitation, invitation.groups.join(', ')),
        brief: (invitation) => accountOf(frame, invitation, messages.admin.brief.groups(invitation.groups.length)),
      },
      { label: m.invitedBy, phone: 'hidden', cell: ({ inviter }) => inviter ?? m.commandLine },
      { label: m.invitedAt, phone: 'hidden', cell: ({ invitedAt }) => ago(invitedAt) },
      {
        label: m.expires,
        cell: ({ expiresAt }) => ago(expiresAt),
        brief: ({ expiresAt }) => briefTime(frame, expiresAt, page.now, messages.admin.brief.expires),
      },
      {
        label: messages.admin.details,
        unlabelled: true,
        kind: 'end',
        cell: ({ email }) =>
          html`<span class="row-actions">${action(frame, `${path}/resend`, m.resend, { fields: { email }, about: email })}${askLink(frame, { label: m.withdraw, href: listUrl(`${path}/withdraw`, { email }), about: email, danger: true, small: true })}</span>`,
      },
    ],
    none: { icon: 'envelope', title: m.noInvitations },
  });
}

/** What the account gets besides a name. The date is written as in the form. */
function accountOf(frame: AccountFrame, invitation: Invitation, joined: string): Html | undefined {
  const { groups, roles, accountExpiresAt } = invitation;
  if (groups.length === 0 && roles.length === 0 && accountExpiresAt === null) return undefined;
  const { people } = frame.messages.admin;
  const end = accountExpiresAt === null ? '' : people.inviteEnds(new Date(accountExpiresAt).toISOString().slice(0, 10));
  return html`${roleBadges(frame, roles)} ${groups.length > 0 && joined} <span class="quiet">${end}</span>`;
}
