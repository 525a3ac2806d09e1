// `/api/people` and `/api/people/invitations`: inviting people, creating their accounts, and correcting who they are.

import { Type } from 'typebox';
import { createPerson } from '../../../operations/users/create-user.ts';
import { editPerson } from '../../../operations/users/edit-user.ts';
import {
  type Invitation as InvitationFacts,
  inviteUser,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../operations/users/invitations.ts';
import { userJson } from '../../../operations/users/user-json.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { type ApiOperation, defineOperation, respondWith } from '../define-operation.ts';
import {
  CreatedPerson,
  Invitation,
  nullable,
  PendingInvitation,
  Person,
  page,
  pageJson,
  pageOf,
  Text,
} from '../schemas.ts';
import { PersonId, personIn } from './user-id.ts';

const tag = 'people';
const invitationsPath = '/api/people/invitations';
const strict = { additionalProperties: false } as const;

const invitationJson = ({ email, url, expiresAt }: InvitationFacts) => ({
  email,
  url: url ?? null,
  expires_at: isoTime(expiresAt),
});

export const newUserOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'createPerson',
    method: 'POST',
    path: '/api/people',
    tag,
    summary: 'Create an account; without a password, the person gets a link to choose one',
    needs: 'write',
    status: 201,
    body: Type.Object(
      {
        email: Text,
        name: Text,
        given_name: Type.Optional(Text),
        family_name: Type.Optional(Text),
        password: Type.Optional(Text),
        email_verified: Type.Optional(Type.Boolean()),
      },
      strict,
    ),
    data: CreatedPerson,
    message: 'Account created.',
    run: async ({ services, body, requester }) => {
      const { email, name, given_name: givenName, family_name: familyName, password } = body;
      const emailVerified = body.email_verified ?? false;
      const input = { email, name, givenName, familyName, password, emailVerified, admin: false };
      return respondWith(await createPerson(services, input, requester), ({ user, link }) => ({
        ...userJson(user),
        link: link === undefined ? null : { url: link.url ?? null, expires_at: isoTime(link.expiresAt) },
      }));
    },
  }),

  defineOperation({
    operationId: 'updatePerson',
    method: 'PATCH',
    path: '/api/people/{id}',
    tag,
    summary: 'Change the name or the email address of a person, who is notified by email',
    needs: 'write',
    powerful: { with: ['email'] },
    params: { id: PersonId },
    body: Type.Object(
      {
        name: Type.Optional(Text),
        given_name: Type.Optional(nullable(Text)),
        family_name: Type.Optional(nullable(Text)),
        email: Type.Optional(Text),
      },
      { ...strict, minProperties: 1 },
    ),
    data: Person,
    message: 'Person updated.',
    run: async ({ services, params, body, requester }) => {
      const { name, email, given_name: givenName, family_name: familyName } = body;
      const edit = { name, givenName, familyName, email };
      return respondWith(await editPerson(services, personIn(params), edit, requester), ({ user }) => userJson(user));
    },
  }),

  defineOperation({
    operationId: 'listInvitations',
    method: 'GET',
    path: invitationsPath,
    tag,
    summary: 'List pending invitations, newest first',
    needs: 'read',
    query: page,
    data: pageOf(PendingInvitation),
    message: 'Invitations retrieved.',
    run: async ({ services, query }) =>
      respondWith(await listInvitations(services, query), (page) =>
        pageJson(page, ({ email, name, inviter, invitedAt, expiresAt }) => ({
          email,
          name,
          invited_by: inviter ?? null,
          invited_at: isoTime(invitedAt),
          expires_at: isoTime(expiresAt),
        })),
      ),
  }),

  defineOperation({
    operationId: 'inviteUser',
    method: 'POST',
    path: invitationsPath,
    tag,
    summary: "Invite someone, by email if it's set up; otherwise the response contains a link to share",
    needs: 'write',
    status: 201,
    body: Type.Object({ email: Text, name: Type.Optional(Text) }, strict),
    data: Invitation,
    message: 'Invitation created.',
    run: async ({ services, body, requester }) =>
      respondWith(await inviteUser(services, { email: body.email, name: body.name ?? '' }, requester), invitationJson),
  }),

  defineOperation({
    operationId: 'resendInvitation',
    method: 'POST',
    path: `${invitationsPath}/resend`,
    tag,
    summary: 'Send an invitation again, with a new link; the earlier link stops working',
    needs: 'write',
    body: Type.Object({ email: Text }, strict),
    data: Invitation,
    message: 'Invitation sent again.',
    run: async ({ services, body, requester }) =>
      respondWith(await resendInvitation(services, body.email, requester), invitationJson),
  }),

  defineOperation({
    operationId: 'withdrawInvitation',
    method: 'POST',
    path: `${invitationsPath}/withdraw`,
    tag,
    summary: 'Withdraw an invitation: its link stops working',
    needs: 'write',
    body: Type.Object({ email: Text }, strict),
    data: Type.Null(),
    message: 'Invitation withdrawn.',
    run: async ({ services, body, requester }) =>
      respondWith(await withdrawInvitation(services, body.email, requester), () => null),
  }),
];
