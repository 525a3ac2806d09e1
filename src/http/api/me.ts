// `/api/me`: what signed-in users read and change of their own account.

import { Type } from 'typebox';
import { changeProfile, type ProfileProblems } from '../../operations/account/profile.ts';
import { connectedApps, removeApp } from '../../operations/account/your-apps.ts';
import { refused } from '../../operations/admin/outcome.ts';
import { connectedAppJson } from '../../operations/clients/client-json.ts';
import { listOwnedClients } from '../../operations/clients/owned-clients.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '../../operations/sessions/sessions.ts';
import { sessionJson } from '../../operations/users/user-json.ts';
import type { UsernameProblem } from '../../protocol/account/names.ts';
import { rolesOf } from '../../protocol/account/roles.ts';
import { ownedBy, roles } from '../../protocol/admin/rights.ts';
import type { Profile as ProfileRecord } from '../../storage/storage.ts';
import { type ApiOperation, done, notFound, nothing, operationsOn, strict } from './define-operation.ts';
import { ConnectedApplication, component, Id, listOf, nullable, OwnSession, SessionId, Text } from './schemas.ts';

const Me = component('Me', {
  id: Text,
  email: Text,
  name: Text,
  preferred_username: nullable(Text),
  administrator: Type.Boolean(),
  roles: Type.Array(Type.Enum([...roles]), { description: 'What the person can do in administration.' }),
  csrf_token: Type.String({ description: 'For the header X-CSRF-Token of changes made with this session.' }),
});
const profile = {
  given_name: nullable(Text),
  family_name: nullable(Text),
  preferred_username: nullable(
    Type.String({ description: '3 to 30 of a-z 0-9 . - _, starting with a letter; unique, ignoring case.' }),
  ),
  locale: nullable(Type.String({ description: 'A language tag such as pt-BR.' })),
};
const Profile = component('Profile', { name: Text, ...profile });

const OwnedApplication = component('OwnedApplication', {
  client_id: Text,
  name: Text,
  access: Type.Enum(['everyone', 'listed']),
  people: Type.Integer({
    minimum: 0,
    description:
      'Number of people who can use it; of one that everyone can use, of those who have connected it. Counted up to 10,000.',
  }),
});

const own = operationsOn({ tag: 'me', path: '/api/me', area: 'self' }, {}, (_params, caller) => {
  if (caller.kind === 'api_key') throw new Error('an API key has no account of its own');
  return caller;
});

/** Each completes a sentence that starts with "the username". */
const usernameProblems: Record<UsernameProblem, string> = {
  managed: 'is managed by your organization',
  too_short: 'must have at least 3 characters',
  too_long: 'must have at most 30 characters',
  invalid_start: 'must start with a letter',
  invalid_characters: 'can only have the letters a to z, digits, dots, hyphens and underscores',
};

function firstOf({ name, givenName, familyName, username }: ProfileProblems): string {
  if (name || givenName || familyName) return 'a name is empty, too long, or has characters that are not allowed';
  if (username !== undefined) return `the username ${usernameProblems[username]}`;
  return 'the locale is not the tag of a language';
}

export const meOperations: readonly ApiOperation[] = [
  own('getMe', 'GET', {
    summary: 'Read who is signed in, and the CSRF token for changes',
    data: Me,
    message: "You're signed in.",
    run: async (_services, { signedIn, csrfToken }) => {
      const { id, email, name, preferredUsername, adminSince } = signedIn.user;
      return done({
        id,
        email,
        name,
        preferred_username: preferredUsername,
        administrator: adminSince !== null,
        roles: [...rolesOf(signedIn.user)],
        csrf_token: csrfToken,
      });
    },
  }),
  own('getProfile', 'GET /profile', {
    summary: 'Read your profile',
    data: Profile,
    message: 'Profile retrieved.',
    run: async (_services, { signedIn }) => done(profileJson(signedIn.user)),
  }),
  own('updateProfile', 'PATCH /profile', {
    summary: 'Change the given members of your profile; null removes one',
    body: Type.Partial(Type.Object({ name: Text, ...profile }), { ...strict, minProperties: 1 }),
    data: Profile,
    message: 'Profile updated.',
    run: async (services, { signedIn }, requester, { body }) => {
      const { user } = signedIn;
      // A member that is left out keeps its value, and null removes it.
      const given = (member: string | null | undefined, current: string | null) =>
        (member === undefined ? current : member) ?? '';
      const input = {
        name: body.name ?? user.name,
        givenName: given(body.given_name, user.givenName),
        familyName: given(body.family_name, user.familyName),
        preferredUsername: given(body.preferred_username, user.preferredUsername),
        locale: given(body.locale, user.locale),
      };
      const outcome = await changeProfile(services, signedIn, input, requester);
      switch (outcome.kind) {
        case 'changed':
          return done(profileJson(outcome.profile));
        case 'invalid':
          return refused(firstOf(outcome.problems));
        case 'username_taken':
          return refused('that username is taken', 'conflict');
      }
    },
  }),
  own('listMyApplications', 'GET /apps', {
    summary: 'List the applications you have approved',
    data: listOf(ConnectedApplication),
    message: 'Applications retrieved.',
    run: async (services, { signedIn }) =>
      done({ items: (await connectedApps(services, signedIn)).map(connectedAppJson) }),
  }),
  own('listMyOwnedApplications', 'GET /owned-applications', {
    summary: 'List the applications that you own',
    data: listOf(OwnedApplication),
    message: 'Applications retrieved.',
    run: async (services, { authority }) => {
      const owned = await listOwnedClients(services, ownedBy(authority));
      return done({
        items: owned.map(({ id, name, access, people }) => ({ client_id: id, name, access, people: people.count })),
      });
    },
  }),
  own('removeMyApplication', 'DELETE /apps/{client_id}', {
    summary: 'Remove an application: its tokens for you stop working with the next request',
    params: { client_id: Id },
    ...nothing,
    message: 'Access removed.',
    run: async (services, { signedIn }, requester, { params }) =>
      (await removeApp(services, signedIn, params.client_id, requester))
        ? done(null)
        : notFound("you haven't connected such an application"),
  }),
  own('listMySessions', 'GET /sessions', {
    summary: 'List your sessions, this one first',
    data: listOf(OwnSession),
    message: 'Sessions retrieved.',
    run: async (services, { signedIn }) => {
      const sessions = await listOwnSessions(services, signedIn);
      return done({ items: sessions.map((each) => ({ ...sessionJson(each), current: each.current })) });
    },
  }),
  own('endMyOtherSessions', 'DELETE /sessions', {
    summary: 'Sign out everywhere else',
    data: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
    message: 'Other sessions ended.',
    run: async (services, { signedIn }, requester) =>
      done({ ended: await endOtherSessions(services, signedIn, requester) }),
  }),
  own('endMySession', 'DELETE /sessions/{id}', {
    summary: 'End one session',
    params: { id: SessionId },
    ...nothing,
    message: 'Session ended.',
    run: async (services, { signedIn }, requester, { params }) =>
      (await endOwnSession(services, signedIn, params.id, requester))
        ? done(null)
        : notFound('you have no such session'),
  }),
];

function profileJson({ name, givenName, familyName, preferredUsername, locale }: ProfileRecord) {
  return {
    name,
    given_name: givenName,
    family_name: familyName,
    preferred_username: preferredUsername,
    locale,
  };
}
