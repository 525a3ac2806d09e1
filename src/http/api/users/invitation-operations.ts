// `/api/people/invitations`: inviting people.

import { Type } from 'typebox';
import {
  type Invitation as InvitationFacts,
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../operations/users/invitations.ts';
import { invitationJson, pendingInvitationJson } from '../../../operations/users/user-json.ts';
import { type ApiOperation, nothing, operationsAt, strict } from '../define-operation.ts';
import { component, listParts, nullable, page, pageOf, Text, Time } from '../schemas.ts';

const named = Type.Object({ email: Text }, strict);

const PendingInvitation = component('PendingInvitation', {
  email: Text,
  name: Text,
  invited_by: nullable(Type.String({ description: 'A name; null for the command line.' })),
  invited_at: Time,
  expires_at: Time,
});

const Invitation = component('Invitation', {
  email: Text,
  url: nullable(Type.String({ description: 'The link to share; null if it was sent by email.' })),
  expires_at: Time,
});

const invitations = operationsAt<InvitationFacts>({
  tag: 'people',
  path: '/api/people/invitations',
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
    body: Type.Object({ email: Text, name: Type.Optional(Text) }, strict),
    message: 'Invitation created.',
    run: (services, { body: { email, name = '' } }, requester) => inviteUser(services, { email, name }, requester),
  }),
  invitations('resendInvitation', 'POST /resend', {
    summary: 'Send an invitation again, with a new link; the earlier link stops working',
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
