// `/api/people`: inviting people, helping them back in, and stopping somebody at once.

import { Type } from 'typebox';
import { userDetails } from '../../operations/admin/details.ts';
import { isoTime, userJson } from '../../operations/admin/json-views.ts';
import { listUsers } from '../../operations/admin/lists.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  inviteUser,
  makeRecoveryLink,
  removeSecondFactors,
  sendReset,
  setAdministrator,
} from '../../operations/admin/manage-users.ts';
import { connectedJson, sessionJson } from './json-views.ts';
import { type ApiOperation, answer, operation } from './operation.ts';
import {
  ConnectedApplication,
  Id,
  Invitation,
  listOf,
  Person,
  PersonDetails,
  page,
  pageOf,
  RecoveryLink,
  Session,
  search,
  Text,
} from './schemas.ts';

const tag = 'people';
const one = '/api/people/{id}';
const params = { id: Id };

/** An operation that changes one person and tells of them as they are then. */
function change(
  operationId: string,
  action: string,
  summary: string,
  message: string,
  apply: typeof disableUser,
): ApiOperation {
  return operation({
    operationId,
    method: 'POST',
    path: `${one}/${action}`,
    tag,
    summary,
    needs: 'write',
    params,
    data: Person,
    message,
    run: async ({ services, params, origin }) =>
      answer(await apply(services, params.id, origin), ({ user }) => userJson(user)),
  });
}

export const userOperations: readonly ApiOperation[] = [
  operation({
    operationId: 'listUsers',
    method: 'GET',
    path: '/api/people',
    tag,
    summary: 'List people, the newest first; with a search, in the order of the words that were found',
    needs: 'read',
    query: { ...search, ...page },
    data: pageOf(Person),
    message: 'Here are the people.',
    run: async ({ services, query }) =>
      answer(await listUsers(services, query), ({ items, next }) => ({
        items: items.map(userJson),
        next_cursor: next ?? null,
      })),
  }),

  operation({
    operationId: 'inviteUser',
    method: 'POST',
    path: '/api/people/invitations',
    tag,
    summary: 'Invite somebody, by mail if mail is set up; otherwise the address to hand over is in the answer',
    needs: 'write',
    status: 201,
    body: Type.Object({ email: Text, name: Type.Optional(Text) }, { additionalProperties: false }),
    data: Invitation,
    message: 'The invitation is made.',
    run: async ({ services, body, origin }) => {
      const input = { email: body.email, name: body.name ?? '' };
      return answer(await inviteUser(services, input, origin), ({ email, url, expiresAt }) => ({
        email,
        url: url ?? null,
        expires_at: isoTime(expiresAt),
      }));
    },
  }),

  operation({
    operationId: 'getPerson',
    method: 'GET',
    path: one,
    tag,
    summary: 'Read a person',
    needs: 'read',
    params,
    data: PersonDetails,
    message: 'Here is the person.',
    run: async ({ services, params }) =>
      answer(await userDetails(services, params.id), ({ user, sessions, apps, factors }) => ({
        ...userJson(user),
        sessions: sessions.length,
        applications: apps.length,
        second_factors: {
          authenticator: factors.authenticator !== undefined,
          passkeys: factors.passkeys.length,
          recovery_codes: factors.recoveryCodes,
        },
      })),
  }),

  operation({
    operationId: 'deletePerson',
    method: 'DELETE',
    path: one,
    tag,
    summary: 'Delete a person with everything that is kept about them',
    needs: 'write',
    params,
    data: Type.Null(),
    message: 'The person is deleted.',
    run: async ({ services, params, origin }) => answer(await deleteUser(services, params.id, origin), () => null),
  }),

  change(
    'disablePerson',
    'disable',
    'Stop a person: their sessions and tokens fail from the next request on',
    'The person is disabled.',
    disableUser,
  ),
  change(
    'enablePerson',
    'enable',
    'Let a disabled person sign in again; revives no session and no token',
    'The person is enabled.',
    enableUser,
  ),
  change(
    'makeAdministrator',
    'make-administrator',
    'Make a person an administrator',
    'The person is an administrator.',
    (services, id, origin) => setAdministrator(services, id, true, origin),
  ),
  change(
    'removeAdministrator',
    'remove-administrator',
    'Take the administration away; the last administrator stays one',
    'The person is not an administrator any more.',
    (services, id, origin) => setAdministrator(services, id, false, origin),
  ),
  change(
    'sendPasswordReset',
    'send-reset',
    'Send the mail with which a person chooses a new password',
    'The mail is on its way.',
    sendReset,
  ),
  change(
    'endPersonSessions',
    'end-sessions',
    'Sign a person out everywhere',
    'All sessions of the person are over.',
    endSessions,
  ),
  change(
    'removeSecondFactors',
    'remove-second-factors',
    'Remove the second factors of somebody who has lost them',
    'The password alone signs the person in now.',
    removeSecondFactors,
  ),

  operation({
    operationId: 'makeRecoveryLink',
    method: 'POST',
    path: `${one}/recovery-link`,
    tag,
    summary: 'Make an address, to be handed over, at which the person chooses a new password once',
    needs: 'write',
    status: 201,
    params,
    data: RecoveryLink,
    message: 'The link works once.',
    run: async ({ services, params, origin }) =>
      answer(await makeRecoveryLink(services, params.id, origin), ({ url, expiresAt }) => ({
        url,
        expires_at: isoTime(expiresAt),
      })),
  }),

  operation({
    operationId: 'listPersonApplications',
    method: 'GET',
    path: `${one}/applications`,
    tag,
    summary: 'List the applications that a person has let in',
    needs: 'read',
    params,
    data: listOf(ConnectedApplication),
    message: 'Here are the applications of the person.',
    run: async ({ services, params }) =>
      answer(await userDetails(services, params.id), ({ apps }) => ({ items: apps.map(connectedJson) })),
  }),

  operation({
    operationId: 'listPersonSessions',
    method: 'GET',
    path: `${one}/sessions`,
    tag,
    summary: 'List where a person is signed in',
    needs: 'read',
    params,
    data: listOf(Session),
    message: 'Here are the sessions of the person.',
    run: async ({ services, params }) =>
      answer(await userDetails(services, params.id), ({ sessions }) => ({ items: sessions.map(sessionJson) })),
  }),
];
