// `/api/people/invitations`: inviting people.

import { Type } from 'typebox';
import { invitesToRole } from '../../../operations/users/given-roles.ts';
import {
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../operations/users/invitations.ts';
import { creatorCanSignIn } from '../../../operations/users/users.ts';
import {
  newInvitationFields,
  pendingInvitationFields,
  type SentInvitation,
  sentInvitationFields,
} from '../../../protocol/resources/invitation.ts';
import { givenByName, jsonOf } from '../../../protocol/resources/resource.ts';
import { type ApiOperation, nothing, operationsAt, strict } from '../define-operation.ts';
import { creatingBody, shownFields } from '../field-schemas.ts';
import { component, listParts, page, pageOf, Text } from '../schemas.ts';
import { givenRoles, givesRoles, rolesIn } from './role-body.ts';

const named = Type.Object({ email: Text }, strict);

const PendingInvitation = component('PendingInvitation', shownFields(pendingInvitationFields));

const invitations = operationsAt<SentInvitation>({
  tag: 'people',
  path: '/api/people/invitations',
  area: 'people',
  data: component('Invitation', shownFields(sentInvitationFields)),
  json: (invitation) => jsonOf(sentInvitationFields, invitation),
});

export const invitationOperations: readonly ApiOperation[] = [
  invitations('listInvitations', 'GET', {
    summary: 'List pending invitations, newest first',
    query: page,
    data: pageOf(PendingInvitation),
    json: listParts((invitation: object) => jsonOf(pendingInvitationFields, invitation)),
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
    body: creatingBody(newInvitationFields, { roles: givenRoles }),
    message: 'Invitation created.',
    run: (services, { body }, requester) =>
      inviteUser(services, { ...givenByName(newInvitationFields, body), roles: rolesIn(body) }, requester),
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
