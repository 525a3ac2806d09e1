// `/api/people`: finding, creating and editing people, helping them back in, and disabling or deleting them.

import { type TProperties, Type } from 'typebox';
import { refused } from '../../../operations/admin/outcome.ts';
import type { ListPage } from '../../../operations/admin/paging.ts';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { connectedAppJson } from '../../../operations/clients/client-json.ts';
import type { Services } from '../../../operations/services.ts';
import { approveUser, declineUser, listWaiting } from '../../../operations/users/approval.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
  verifyEmail,
} from '../../../operations/users/disable-user.ts';
import { editUserAndRoles } from '../../../operations/users/set-roles.ts';
import {
  firstLinkJson,
  listedUserJson,
  sessionJson,
  userDetailsJson,
  userJson,
} from '../../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../../operations/users/user-recovery.ts';
import {
  createUserWithLink,
  creatorCanSignIn,
  listUsers,
  sessionsOf,
  userDetails,
  userSorts,
} from '../../../operations/users/users.ts';
import { idInSegment } from '../../../pages/layout/person-path.ts';
import { messageLimit } from '../../../protocol/account/standing.ts';
import { peopleFilterNames } from '../../../protocol/admin/people-filters.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { creatingNeedsProof, givenByName } from '../../../protocol/resources/resource.ts';
import { type UserInput, userFields } from '../../../protocol/resources/user.ts';
import type { ListedUser, User } from '../../../storage/storage.ts';
import { type ApiOperation, nothing, operationsAt, operationsOn, strict } from '../define-operation.ts';
import { changingBody, creatingBody, namesProtected, shownFields } from '../field-schemas.ts';
import {
  ConnectedApplication,
  Count,
  component,
  counted,
  ending,
  foundPageOf,
  listOf,
  nullable,
  page,
  pageJson,
  peopleFilter,
  Session,
  search,
  sortedBy,
  Text,
  Time,
} from '../schemas.ts';
import { givenRoles, givesRoles, rolesIn } from './invitation-operations.ts';

export const person: TProperties = {
  ...shownFields(userFields),
  attributes: Type.Record(Text, Type.Union([Text, Type.Number(), Type.Boolean(), Type.Array(Text)]), {
    description: 'The values of attributes, by name. Those without a value are left out.',
  }),
};
export const Person = component('Person', person);
const ListedPerson = component('ListedPerson', {
  ...person,
  last_sign_in_at: nullable(Time),
  last_active_at: nullable(
    Type.String({
      format: 'date-time',
      description:
        'When the person last signed in, or used an application or an API key, to the hour; null if they never have.',
    }),
  ),
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

const pending = {
  pending: Type.Optional(
    Type.Enum(['yes'], {
      description:
        "Only those who wait for approval, the longest first. Can't be combined with a search or a sort order.",
    }),
  ),
};

const PersonId = Type.String({
  pattern: '^~?[A-Za-z0-9._|:@-]{1,255}$',
  description: 'A-Z a-z 0-9 . _ | : @ -, at most 255, percent-encoded. The ID `invitations` is written `~invitations`.',
});

/** What operations take; an email address is no ID. */
const personIn = ({ id }: { readonly id: string }) => ({ id: idInSegment(id) });

/** What a new person doesn't need. */
const given = Type.Optional(Text);
/** What each takes is up to the administrators who have defined it. */
const attributes = Type.Optional(
  Type.Record(Text, Type.Unknown(), {
    description: 'A string, number, boolean or array of strings by the name of an attribute; null removes a value.',
  }),
);

function inputIn(body: object): UserInput {
  // Checked against the schema.
  const { attributes: values } = body as { readonly attributes?: Readonly<Record<string, unknown>> };
  return { ...givenByName(userFields, body), attributes: values && { as: 'json', values }, roles: rolesIn(body) };
}

/** Checked against the schema. */
function passwordIn(body: object): string | undefined {
  return (body as { readonly password?: string }).password;
}

const subject = {
  tag: 'people',
  path: '/api/people',
  area: 'people',
  data: Person,
  json: ({ user }: { readonly user: User }, services: Services) => userJson(services, user),
} as const;
const people = operationsAt(subject);
export const onPerson = operationsOn(subject, { id: PersonId }, personIn);

export const userOperations: readonly ApiOperation[] = [
  people('listUsers', 'GET', {
    summary:
      'List people, newest first; with a search, in the order of the matching words; with expires_within, by when their access ends; with inactive, the longest inactive first. The list contains people who match the search and every filter',
    query: { ...search, ...userSort, ...peopleFilter, ...pending, ...ending, ...page, ...counted },
    data: foundPageOf(ListedPerson),
    json: async (found: ListPage<ListedUser>, services) => {
      const defined = await listAttributes(services);
      return pageJson(found, (user) => listedUserJson(defined, user));
    },
    message: 'People retrieved.',
    run: (services, { query }) => {
      const asked = { ...query, ending: query.ending === 'yes', total: query.total === 'yes' };
      if (!query.pending) return listUsers(services, asked);
      const other = [...peopleFilterNames, 'ending' as const].find((name) => query[name] !== undefined);
      return other === undefined
        ? listWaiting(services, asked)
        : Promise.resolve(refused({ subject: `pending and ${other}`, says: "can't be combined: use status=pending" }));
    },
  }),
  people('createPerson', 'POST', {
    summary: 'Create an account; without a password, the person gets a link to choose one',
    status: 201,
    powerful: (body, services) =>
      creatingNeedsProof(userFields, givenByName(userFields, body)) || creatorCanSignIn(services, passwordIn(body)),
    body: creatingBody(userFields, {
      given_name: given,
      family_name: given,
      password: given,
      attributes,
      roles: givenRoles,
    }),
    givesAdminAccess: (_services, body) => givesRoles(body),
    data: CreatedPerson,
    message: 'Account created.',
    run: (services, { body }, requester) => {
      const input = { ...inputIn(body), password: passwordIn(body) };
      return createUserWithLink(services, input, requester);
    },
    json: async ({ user, link }, services) => ({
      ...(await userJson(services, user)),
      link: firstLinkJson(link) ?? null,
    }),
  }),
  onPerson('getPerson', 'GET', {
    summary: 'Read a person',
    data: PersonDetails,
    message: 'Person retrieved.',
    run: userDetails,
    json: (found, services) => userDetailsJson(services, found),
  }),
  onPerson('updatePerson', 'PATCH', {
    summary:
      'Change the name, the email address or the roles of a person, who is notified by email, their attributes, or when access ends',
    powerful: namesProtected(userFields),
    givesAdminAccess: (_services, body) => Object.hasOwn(body, 'roles'),
    body: changingBody(userFields, { attributes, roles: givenRoles }),
    message: 'Person updated.',
    run: (services, person, requester, { body }) => editUserAndRoles(services, person, inputIn(body), requester),
  }),
  onPerson('deletePerson', 'DELETE', {
    summary: 'Delete a person and everything stored about them',
    powerful: true,
    ...nothing,
    message: 'Person deleted.',
    run: deleteUser,
  }),
  onPerson('disablePerson', 'POST /disable', {
    summary: 'Disable a person: their sessions and tokens stop working with the next request',
    powerful: true,
    message: 'Person disabled.',
    run: disableUser,
  }),
  onPerson('enablePerson', 'POST /enable', {
    summary: 'Let a disabled person sign in again; their old sessions and tokens stay invalid',
    message: 'Person enabled.',
    run: enableUser,
  }),
  onPerson('approvePerson', 'POST /approve', {
    right: 'sign_up.change',
    summary: 'Approve a person who waits for it, so that they can sign in; they are notified by email',
    message: 'Person approved.',
    run: approveUser,
  }),
  onPerson('declinePerson', 'POST /decline', {
    right: 'sign_up.change',
    summary:
      'Decline a person who waits for approval, and delete the account; with a message, they are notified by email',
    ...nothing,
    body: Type.Object(
      {
        message: Type.Optional(
          Type.String({
            maxLength: 2 * messageLimit,
            description: `Plain text of at most ${messageLimit} characters.`,
          }),
        ),
      },
      strict,
    ),
    message: 'Person declined. The account was deleted.',
    run: (services, person, requester, { body: { message = '' } }) => declineUser(services, person, message, requester),
  }),
  onPerson('makeAdministrator', 'POST /make-administrator', {
    right: 'roles.change',
    summary: 'Give a person admin access',
    powerful: true,
    message: 'Admin access granted.',
    run: makeAdministrator,
  }),
  onPerson('removeAdministrator', 'POST /remove-administrator', {
    right: 'roles.change',
    summary: 'Remove admin access; the last administrator keeps it',
    powerful: true,
    message: 'Admin access removed.',
    run: removeAdministrator,
  }),
  onPerson('sendPasswordReset', 'POST /send-reset', {
    summary: 'Send a password reset email',
    message: 'Password reset email sent.',
    run: sendReset,
  }),
  onPerson('endPersonSessions', 'POST /end-sessions', {
    summary: 'Sign a person out everywhere',
    message: 'The person is signed out on all devices.',
    run: endSessions,
  }),
  onPerson('removeSecondFactors', 'POST /remove-second-factors', {
    summary: 'Remove two-step verification for someone who has lost their devices',
    powerful: true,
    message: 'Two-step verification removed.',
    run: removeSecondFactors,
  }),
  onPerson('verifyPersonEmail', 'POST /verify-email', {
    summary: 'Mark the email address of a person as verified; applications rely on it',
    powerful: true,
    message: 'Email address verified.',
    run: verifyEmail,
  }),
  onPerson('makeRecoveryLink', 'POST /recovery-link', {
    summary: 'Create a link to share, with which the person can choose a new password once',
    powerful: true,
    status: 201,
    data: RecoveryLink,
    message: 'Recovery link created. It works once.',
    run: makeRecoveryLink,
    json: ({ url, expiresAt }) => ({ url, expires_at: isoTime(expiresAt) }),
  }),
  onPerson('listPersonApplications', 'GET /applications', {
    summary: 'List the applications that a person has connected',
    data: listOf(ConnectedApplication),
    message: 'Applications retrieved.',
    run: userDetails,
    json: ({ apps }) => ({ items: apps.map(connectedAppJson) }),
  }),
  onPerson('listPersonSessions', 'GET /sessions', {
    summary: 'List where a person is signed in',
    data: listOf(Session),
    message: 'Sessions retrieved.',
    run: sessionsOf,
    json: ({ sessions }) => ({ items: sessions.map(sessionJson) }),
  }),
];
