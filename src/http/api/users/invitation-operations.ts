// `/api/people/invitations`: inviting people.

import { Type } from 'typebox';
import { invitesToRole } from '../../../operations/users/given-roles.ts';
import {
  type Invitation as InvitationFacts,
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../operations/users/invitations.ts';
import { invitationJson, pendingInvitationJson } from '../../../operations/users/user-json.ts';
import { creatorCanSignIn } from '../../../operations/users/users.ts';
import { roles } from '../../../protocol/admin/rights.ts';
import { endRule } from '../../../protocol/ends.ts';
import { type ApiOperation, nothing, operationsAt, strict } from '../define-operation.ts';
import { component, listParts, nullable, page, pageOf, Text, Time } from '../schemas.ts';
import { givenRoles, givesRoles } from './role-body.ts';

const named = Type.Object({ email: Text }, strict);

const account = {
  groups: Type.Array(Text, { description: 'The groups that the account joins.' }),
  admin: Type.Boolean({ description: 'Whether the account is an administrator.' }),
  roles: Type.Array(Type.Enum([...roles]), { description: 'The roles that the account gets.' }),
  account_expires_at: nullable(Type.String({ format: 'date-time', description: "When the account's access ends." })),
};

const PendingInvitation = component('PendingInvitation', {
  email: Text,
  name: Text,
  invited_by: nullable(Type.String({ description: 'A name; null for the command line.' })),
  invited_at: Time,
  expires_at: Time,
  ...account,
});

const Invitation = component('Invitation', {
  email: Text,
  url: nullable(Type.String({ description: 'The link to share; null if it was sent by email.' })),
  expires_at: Time,
  ...account,
});

const invitations = operationsAt<InvitationFacts>({
  tag: 'people',
  path: '/api/people/invitations',
  area: 'people',
  data: Invitation,
  json: invitationJson,
});

export const invitationOperations: readonly ApiOperation[] = [
  invitations('listInvitations', 'GET', {
    summary: 'List pending invitations, newest first',
    query: page,
    data: pageOf(PendingInvitation),
    json: listParts(pendingInvitationJson),
    message: 'Invitations retrieved.',
    run: (services, { query }) => listInvitations(services, query),
  }),
  invitations('inviteUser', 'POST', {
    summary: "Invite someone, by email if it's set up; otherwise the response contains a link to share",
    status: 201,
    givesAdminAccess: (_services, body) => ('admin' in body && body.admin === true) || givesRoles(body),
    // Groups decide who can use applications.
    powerful: (body, services) =>
      creatorCanSignIn(services) || ('groups' in body && Array.isArray(body.groups) && body.groups.length > 0),
    body: Type.Object(
      {
        email: Text,
        name: Type.Optional(Text),
        groups: Type.Optional(
          Type.Array(Text, { maxItems: 20, description: 'Groups that the account joins, by name.' }),
        ),
        admin: Type.Optional(
          Type.Boolean({
            description:
              'Makes the account an administrator, if whoever sent the invitation is one when it is accepted. A link to share never does.',
          }),
        ),
        roles: givenRoles,
        account_expires_at: Type.Optional(
          nullable(
            Type.String({
              description: `When the account's access ends. ${endRule.replace('must', 'Must')}.`,
            }),
          ),
        ),
      },
      strict,
    ),
    message: 'Invitation created.',
    run: (services, { body }, requester) => {
      const { email, name = '', groups = [], admin = false, roles: given = [], account_expires_at: end } = body;
      const account = { groups, admin, roles: given, accountExpiresAt: end ?? '' };
      return inviteUser(services, { email, name, ...account }, requester);
    },
  }),
  invitations('resendInvitation', 'POST /resend', {
    summary: 'Send an invitation again, with a new link; the earlier link stops working',
    givesAdminAccess: (services, body) => invitesToRole(services, 'email' in body ? String(body.email) : ''),
    powerful: (_body, services) => creatorCanSignIn(services),
    body: named,
    message: 'Invitation sent again.',
    run: (services, { body }, requester) => resendInvitation(services, body.email, requester),
  }),
  invitations('withdrawInvitation', 'POST /withdraw', {
    summary: 'Withdraw an invitation: its link stops working',
    body: named,
    ...nothing,
    message: 'Invitation withdrawn.',
    run: (services, { body }, requester) => withdrawInvitation(services, body.email, requester),
  }),
];
