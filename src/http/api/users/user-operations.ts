// `/api/people`: finding, creating and editing people, helping them back in, and disabling or deleting them.

import { Type } from 'typebox';
import { connectedAppJson } from '../../../operations/clients/client-json.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
  verifyEmail,
} from '../../../operations/users/disable-user.ts';
import { editUser } from '../../../operations/users/edit-user.ts';
import { firstLinkJson, listedUserJson, sessionJson, userJson } from '../../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../../operations/users/user-recovery.ts';
import { createUserWithLink, listUsers, userDetails, userSorts } from '../../../operations/users/users.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { userFields } from '../../../protocol/resources/user.ts';
import type { User } from '../../../storage/storage.ts';
import type { ApiOperation } from '../define-operation.ts';
import { changingBody, creatingBody, fieldsThatNeedProof, shownFields } from '../field-schemas.ts';
import { operationsOn } from '../resource-operations.ts';
import {
  ConnectedApplication,
  Count,
  component,
  listOf,
  listParts,
  nullable,
  page,
  pageOf,
  Session,
  search,
  sortedBy,
  Text,
  Time,
} from '../schemas.ts';
import { PersonId, personIn } from './user-id.ts';

const person = shownFields(userFields);
export const Person = component('Person', person);
const ListedPerson = component('ListedPerson', {
  ...person,
  last_sign_in_at: nullable(Time),
  second_factor: Type.Boolean({ description: 'Whether the person has set up two-step verification.' }),
});
const PersonDetails = component('PersonDetails', {
  ...person,
  sessions: Count,
  applications: Count,
  second_factors: Type.Object({ authenticator: Type.Boolean(), passkeys: Count, recovery_codes: Count }),
});
const CreatedPerson = component('CreatedPerson', {
  ...person,
  link: nullable(
    Type.Object({
      url: nullable(Type.String({ description: 'The link to share; null if it was sent by email.' })),
      expires_at: Time,
    }),
  ),
});
const RecoveryLink = component('RecoveryLink', { url: Text, expires_at: Time });

export const userSort = sortedBy(userSorts);

/** What a new person doesn't need. */
const given = Type.Optional(Text);

const subject = { tag: 'people', data: Person, json: ({ user }: { readonly user: User }) => userJson(user) };
const people = operationsOn({ ...subject, path: '/api/people', params: {} });
const one = operationsOn({ ...subject, path: '/api/people/{id}', params: { id: PersonId } });

/** An operation that changes one user and responds with them as they are afterwards. */
function changeOperation(
  operationId: string,
  action: string,
  summary: string,
  message: string,
  // Of these operations, it's the one that takes the most services.
  change: typeof sendReset,
  powerful?: true,
): ApiOperation {
  return one({
    operationId,
    path: `/${action}`,
    summary,
    ...(powerful && { powerful }),
    message,
    run: (services, { id }, requester) => change(services, personIn({ id }), requester),
  });
}

export const userOperations: readonly ApiOperation[] = [
  people({
    operationId: 'listUsers',
    method: 'GET',
    summary: 'List people, newest first; with a search, in the order of the matching words',
    query: { ...search, ...userSort, ...page },
    data: pageOf(ListedPerson),
    json: listParts(listedUserJson),
    message: 'People retrieved.',
    run: (services, { query }) => listUsers(services, query),
  }),
  people({
    operationId: 'createPerson',
    summary: 'Create an account; without a password, the person gets a link to choose one',
    status: 201,
    body: creatingBody(userFields, { given_name: given, family_name: given, password: given }),
    data: CreatedPerson,
    message: 'Account created.',
    run: (services, { body }, requester) => {
      // Checked against the schema.
      const { password } = body as { readonly password?: string };
      const input = { ...givenByName(userFields, body), password, admin: false };
      return createUserWithLink(services, input, requester);
    },
    json: ({ user, link }) => ({ ...userJson(user), link: firstLinkJson(link) ?? null }),
  }),
  one({
    operationId: 'getPerson',
    method: 'GET',
    summary: 'Read a person',
    data: PersonDetails,
    message: 'Person retrieved.',
    run: (services, input) => userDetails(services, personIn(input)),
    json: ({ user, sessions, apps, signIn }) => ({
      ...userJson(user),
      sessions: sessions.length,
      applications: apps.length,
      second_factors: {
        authenticator: signIn.authenticator !== undefined,
        passkeys: signIn.passkeys.length,
        recovery_codes: signIn.recoveryCodes,
      },
    }),
  }),
  one({
    operationId: 'updatePerson',
    method: 'PATCH',
    summary: 'Change the name or the email address of a person, who is notified by email',
    powerful: { with: fieldsThatNeedProof(userFields) },
    body: changingBody(userFields),
    message: 'Person updated.',
    run: (services, { id, body }, requester) =>
      editUser(services, personIn({ id }), givenByName(userFields, body), requester),
  }),
  one({
    operationId: 'deletePerson',
    method: 'DELETE',
    summary: 'Delete a person and everything stored about them',
    powerful: true,
    data: Type.Null(),
    json: () => null,
    message: 'Person deleted.',
    run: (services, input, requester) => deleteUser(services, personIn(input), requester),
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
    'Let a disabled person sign in again; their old sessions and tokens stay invalid',
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
  one({
    operationId: 'makeRecoveryLink',
    path: '/recovery-link',
    summary: 'Create a link to share, with which the person can choose a new password once',
    powerful: true,
    status: 201,
    data: RecoveryLink,
    message: 'Recovery link created. It works once.',
    run: (services, input, requester) => makeRecoveryLink(services, personIn(input), requester),
    json: ({ url, expiresAt }) => ({ url, expires_at: isoTime(expiresAt) }),
  }),
  one({
    operationId: 'listPersonApplications',
    method: 'GET',
    path: '/applications',
    summary: 'List the applications that a person has connected',
    data: listOf(ConnectedApplication),
    message: 'Applications retrieved.',
    run: (services, input) => userDetails(services, personIn(input)),
    json: ({ apps }) => ({ items: apps.map(connectedAppJson) }),
  }),
  one({
    operationId: 'listPersonSessions',
    method: 'GET',
    path: '/sessions',
    summary: 'List where a person is signed in',
    data: listOf(Session),
    message: 'Sessions retrieved.',
    run: (services, input) => userDetails(services, personIn(input)),
    json: ({ sessions }) => ({ items: sessions.map(sessionJson) }),
  }),
];
