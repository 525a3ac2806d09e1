// What the console shows of pending invitations, with the form that sends one.

import type { PendingInvitationValues, SentInvitation } from '../../../protocol/resources/invitation.ts';
import { type AccountFrame, allows, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import {
  action,
  askLink,
  briefTime,
  consoleLayout,
  denseList,
  makerText,
  type ShownMaker,
  shareLinkPage,
} from '../console-layout.ts';
import { fieldControls, fieldNames } from '../field-form.ts';
import { listPager, listUrl } from '../lists.ts';
import type { SubjectPage, SubjectViews } from '../subject-page.ts';
import { roleBadges } from './roles.ts';
import { peopleTabs } from './user-list.ts';

type ListedInvitation = PendingInvitationValues & { readonly maker: ShownMaker };
type Page = SubjectPage<ListedInvitation>;

const path = '/admin/people/invitations';

export function invitationViews(canSendEmail: () => boolean): SubjectViews<ListedInvitation, SentInvitation> {
  return {
    section: 'people',
    list: (frame, page) => invitationsPage(frame, page, canSendEmail()),
    created: sharedLink,
    asks: {
      resend: 'nothing',
      withdraw: ({ messages }, { email }) => {
        const m = messages.admin.people;
        return { title: m.withdrawTitle(email), text: m.withdrawText, button: m.withdrawConfirm };
      },
    },
  };
}

/** Without a mail server. */
export function sharedLink(frame: AccountFrame, sent: Partial<SentInvitation>): string | undefined {
  const { url, expiresAt: until, rolesLeftOut } = sent;
  if (url === undefined || until === undefined) return undefined;
  const remark = rolesLeftOut ? frame.messages.admin.people.noAdminByLink : undefined;
  return shareLinkPage(frame, { url, until, back: path, remark });
}

export function invitationsPage(frame: AccountFrame, page: Page, canSendEmail: boolean): string {
  const { people: m, invitations: words } = frame.messages.admin;
  const canGiveRoles = allows(frame, 'POST', '/admin/people/:id/roles');
  const controls = (...names: string[]) =>
    fieldControls(
      frame.messages,
      page.fields.filter(({ name }) => names.includes(name)),
      words.fields,
      page.problems,
    );
  const form = card({
    title: words.title,
    lead: words.lead,
    body: html`${fieldNames(page.fields)}
<div class="pair">${controls('email', 'name')}</div>
<div class="pair">${controls('groups', 'account_expires_at')}</div>
${canGiveRoles && canSendEmail && controls('admin', 'roles')}
${canGiveRoles && html`<p class="hint">${canSendEmail ? words.adminHint : words.adminNoEmail}</p>`}`,
    actions: button({ label: words.send, kind: 'primary' }),
  });
  const body = html`
${peopleTabs(frame, 'invitations')}
${postForm(frame, '/admin/people/invite', form)}
<h2 class="section-title">${m.pendingInvitations}</h2>
${list(frame, page)}
${page.place && listPager(frame, path, {}, page.place)}`;
  return consoleLayout(frame, { section: 'people', notice: page.notice, problem: page.problem, body });
}

function list(frame: AccountFrame, page: Page): Html {
  const { messages } = frame;
  const m = messages.admin.people;
  const ago = (at: number) => agoTime(messages, at, page.now);
  return denseList<ListedInvitation>({
    caption: m.pendingInvitations,
    rows: page.items,
    compact: 'wrap',
    columns: [
      {
        label: m.email,
        kind: 'wide',
        cell: ({ email, name }) => html`<span>${address(email)} <span class="quiet">${name}</span></span>`,
      },
      {
        label: m.invitedRoles,
        phone: 'first',
        cell: (invitation) => accountOf(frame, invitation, invitation.groups.join(', ')),
        brief: (invitation) => accountOf(frame, invitation, messages.admin.brief.groups(invitation.groups.length)),
      },
      { label: m.invitedBy, phone: 'hidden', cell: ({ maker }) => makerText(frame, maker) },
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
function accountOf(frame: AccountFrame, invitation: ListedInvitation, joined: string): Html | undefined {
  const { groups, roles, accountExpiresAt } = invitation;
  if (groups.length === 0 && roles.length === 0 && accountExpiresAt === null) return undefined;
  const { people } = frame.messages.admin;
  const end = accountExpiresAt === null ? '' : people.inviteEnds(new Date(accountExpiresAt).toISOString().slice(0, 10));
  return html`${roleBadges(frame, roles)} ${groups.length > 0 && joined} <span class="quiet">${end}</span>`;
}
