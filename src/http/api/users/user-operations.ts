// `/api/people`: finding users, helping them back in, and disabling or deleting them. Inviting, creating and editing them
// is in new-users.ts.

import { Type } from 'typebox';
import { connectedAppJson } from '../../../operations/clients/client-json.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
} from '../../../operations/users/disable-user.ts';
import { verifyEmail } from '../../../operations/users/edit-user.ts';
import { listedUserJson, sessionJson, userJson } from '../../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../../operations/users/user-recovery.ts';
import { listUsers, userDetails } from '../../../operations/users/users.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { type ApiOperation, defineOperation, respondWith } from '../define-operation.ts';
import {
  ConnectedApplication,
  ListedPerson,
  listOf,
  Person,
  PersonDetails,
  page,
  pageJson,
  pageOf,
  RecoveryLink,
  Session,
  search,
  userSort,
} from '../schemas.ts';
import { PersonId, personIn } from './user-id.ts';

const tag = 'people';
const userPath = '/api/people/{id}';
const params = { id: PersonId };

/** An operation that changes one user and responds with them as they are afterwards. */
function changeOperation(
  operationId: string,
  action: string,
  summary: string,
  message: string,
  // Of these operations, it's the one that takes the most services.
  apply: typeof sendReset,
  powerful?: true,
): ApiOperation {
  return defineOperation({
    operationId,
    method: 'POST',
    path: `${userPath}/${action}`,
    tag,
    summary,
    needs: 'write',
    ...(powerful && { powerful }),
    params,
    data: Person,
    message,
    run: async ({ services, params, requester }) =>
      respondWith(await apply(services, personIn(params), requester), ({ user }) => userJson(user)),
  });
}

export const userOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listUsers',
    method: 'GET',
    path: '/api/people',
    tag,
    summary: 'List people, the newest first; with a search, in the order of the words that were found',
    needs: 'read',
    query: { ...search, ...userSort, ...page },
    data: pageOf(ListedPerson),
    message: 'People retrieved.',
    run: async ({ services, query }) =>
      respondWith(await listUsers(services, query), (page) => pageJson(page, listedUserJson)),
  }),

  defineOperation({
    operationId: 'getPerson',
    method: 'GET',
    path: userPath,
    tag,
    summary: 'Read a person',
    needs: 'read',
    params,
    data: PersonDetails,
    message: 'Person retrieved.',
    run: async ({ services, params }) =>
      respondWith(await userDetails(services, personIn(params)), ({ user, sessions, apps, signIn }) => ({
        ...userJson(user),
        sessions: sessions.length,
        applications: apps.length,
        second_factors: {
          authenticator: signIn.authenticator !== undefined,
          passkeys: signIn.passkeys.length,
          recovery_codes: signIn.recoveryCodes,
        },
      })),
  }),

  defineOperation({
    operationId: 'deletePerson',
    method: 'DELETE',
    path: userPath,
    tag,
    summary: 'Delete a person with everything that is kept about them',
    needs: 'write',
    powerful: true,
    params,
    data: Type.Null(),
    message: 'Person deleted.',
    run: async ({ services, params, requester }) =>
      respondWith(await deleteUser(services, personIn(params), requester), () => null),
  }),

  changeOperation(
    'disablePerson',
    'disable',
    'Disable a person: their sessions and tokens stop working with the next request',
    'Person disabled.',
    disableUser,
    true,
  ),
  changeOperation(
    'enablePerson',
    'enable',
    "Let a disabled person sign in again; old sessions and tokens aren't restored",
    'Person enabled.',
    enableUser,
  ),
  changeOperation(
    'makeAdministrator',
    'make-administrator',
    'Give a person admin access',
    'Admin access granted.',
    makeAdministrator,
    true,
  ),
  changeOperation(
    'removeAdministrator',
    'remove-administrator',
    'Remove admin access; the last administrator keeps it',
    'Admin access removed.',
    removeAdministrator,
    true,
  ),
  changeOperation(
    'sendPasswordReset',
    'send-reset',
    'Send a password reset email',
    'Password reset email sent.',
    sendReset,
  ),
  changeOperation(
    'endPersonSessions',
    'end-sessions',
    'Sign a person out everywhere',
    'The person is signed out on all devices.',
    endSessions,
  ),
  changeOperation(
    'removeSecondFactors',
    'remove-second-factors',
    'Remove two-step verification for someone who has lost their devices',
    'Two-step verification removed.',
    removeSecondFactors,
    true,
  ),

  changeOperation(
    'verifyPersonEmail',
    'verify-email',
    'Mark the email address of a person as verified; applications rely on it',
    'Email address verified.',
    verifyEmail,
    true,
  ),

  defineOperation({
    operationId: 'makeRecoveryLink',
    method: 'POST',
    path: `${userPath}/recovery-link`,
    tag,
    summary: 'Create a link to share, with which the person chooses a new password once',
    needs: 'write',
    powerful: true,
    status: 201,
    params,
    data: RecoveryLink,
    message: 'Recovery link created. It works once.',
    run: async ({ services, params, requester }) =>
      respondWith(await makeRecoveryLink(services, personIn(params), requester), ({ url, expiresAt }) => ({
        url,
        expires_at: isoTime(expiresAt),
      })),
  }),

  defineOperation({
    operationId: 'listPersonApplications',
    method: 'GET',
    path: `${userPath}/applications`,
    tag,
    summary: 'List the applications that a person has connected',
    needs: 'read',
    params,
    data: listOf(ConnectedApplication),
    message: 'Applications retrieved.',
    run: async ({ services, params }) =>
      respondWith(await userDetails(services, personIn(params)), ({ apps }) => ({ items: apps.map(connectedAppJson) })),
  }),

  defineOperation({
    operationId: 'listPersonSessions',
    method: 'GET',
    path: `${userPath}/sessions`,
    tag,
    summary: 'List where a person is signed in',
    needs: 'read',
    params,
    data: listOf(Session),
    message: 'Sessions retrieved.',
    run: async ({ services, params }) =>
      respondWith(await userDetails(services, personIn(params)), ({ sessions }) => ({
        items: sessions.map(sessionJson),
      })),
  }),
];
