// Invitations, as administrators manage them. They're part of people: the command is "latchkey user", and the path of the API has no
// email address, so that logs have none.

import { describeRights, roles } from '../../protocol/admin/rights.ts';
import {
  type InvitationInput,
  newInvitationFields,
  pendingInvitationFields,
  type SentInvitation,
  sentInvitationFields,
} from '../../protocol/resources/invitation.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { makerInWords } from '../admin/makers.ts';
import { defineAction, defineSubject, type Words } from '../admin/subject.ts';
import { linkLifetimes } from '../email-links/links.ts';
import { invitesToRole } from './given-roles.ts';
import { findPending, inviteUser, listInvitations, resendInvitation, withdrawInvitation } from './invitations.ts';
import { creatorCanSignIn } from './users.ts';

export const invitations = defineSubject({
  one: 'invitation',
  many: 'invitations',
  area: 'people',
  api: '/api/people/invitations',
  console: '/admin/people/invitations',
  tag: 'people',
  command: 'user',
  commandNames: {
    create: 'invite',
    list: 'invitations',
    resend: 'resend-invitation',
    withdraw: 'withdraw-invitation',
  },
  about: '',
  fields: sentInvitationFields,
  key: { name: 'email', description: '', example: 'grace@example.com', inBody: true },
  shown: (sent) => sent,
  list: {
    about: ', newest first',
    items: { one: 'pending invitation', many: 'pending invitations', fields: pendingInvitationFields },
    read: { page: listInvitations, find: findPending },
    columns: {
      EMAIL: 'email',
      NAME: 'name',
      'INVITED BY': ({ maker }) => makerInWords(maker),
      EXPIRES: 'expires_at',
      GROUPS: 'groups',
      ROLES: 'roles',
      'ACCESS ENDS': 'account_expires_at',
    },
  },
  create: {
    does: "invite someone, by email if it's set up; otherwise with a link to share",
    operation: 'inviteUser',
    // Groups decide who can use applications.
    proof: (services, { groups = [], admin = false, roles: given = [] }: InvitationInput) =>
      creatorCanSignIn(services) || admin || given.length > 0 || groups.length > 0,
    fields: newInvitationFields,
    run: inviteUser,
    says: (invitation, _services, words) => sentence('Sent an invitation', invitation, words),
    details: roles.map((role) => `${role}: ${describeRights({ roles: [role] })}.`).join('\n\n'),
    examples: [
      'latchkey user invite --email grace@example.com --name "Grace Hopper"',
      'latchkey user invite --email intern@example.com --group Staff --expires 2027-01-31',
      'latchkey user invite --email helpdesk@example.com --role people',
    ],
  },
  actions: {
    resend: defineAction({
      does: 'send an invitation again, with a new link; the earlier link stops working',
      done: 'sent again',
      proof: (services, email) => creatorCanSignIn(services) || invitesToRole(services, email),
      field: 'email',
      run: resendInvitation,
      json: sentJson,
      says: (invitation, _services, words) => sentence('Sent a new invitation', invitation, words),
    }),
    withdraw: defineAction({
      does: 'withdraw an invitation: its link stops working',
      done: 'withdrawn',
      deletes: true,
      field: 'email',
      run: withdrawInvitation,
      json: () => ({}),
      says: ({ email }) => `Withdrew the invitation for ${email}.`,
    }),
  },
});

/** As the command line prints one. */
export function sentJson(invitation: SentInvitation) {
  return { ...jsonOf(sentInvitationFields, invitation), mailed: invitation.url === undefined };
}

function sentence(sent: string, { email, url, rolesLeftOut }: SentInvitation, { howLong }: Words): string {
  const once = `works once and expires in ${howLong(linkLifetimes.invite)}`;
  if (url === undefined) return `${sent} to ${email}. Its link ${once}.`;
  const withoutRole = rolesLeftOut ? '\n\nA link that you share gives no admin access.' : '';
  return `Email isn't set up, so share this link with ${email}. It ${once}:\n\n  ${url}${withoutRole}`;
}
