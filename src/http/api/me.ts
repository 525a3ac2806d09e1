// `/api/me`: what signed-in users read and change of their own account.

import { Type } from 'typebox';
import { changeProfile, type ProfileProblems } from '../../operations/account/profile.ts';
import { connectedApps, removeApp } from '../../operations/account/your-apps.ts';
import { refused } from '../../operations/admin/outcome.ts';
import { connectedAppJson } from '../../operations/clients/client-json.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '../../operations/sessions/sessions.ts';
import { sessionJson } from '../../operations/users/user-json.ts';
import type { UsernameProblem } from '../../protocol/account/username.ts';
import type { Profile as ProfileRecord } from '../../storage/storage.ts';
import { type ApiOperation, defineOperation, done, notFound } from './define-operation.ts';
import { ConnectedApplication, component, Id, listOf, nullable, OwnSession, SessionId, Text } from './schemas.ts';

const Me = component('Me', {
  id: Text,
  email: Text,
  name: Text,
  preferred_username: nullable(Text),
  administrator: Type.Boolean(),
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

const own = { tag: 'me', needs: 'self' } as const;

/** Each completes a sentence that starts with "the username". */
const usernameProblems: Record<UsernameProblem, string> = {
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
  defineOperation({
    ...own,
    operationId: 'getMe',
    method: 'GET',
    path: '/api/me',
    summary: 'Read who is signed in, and the CSRF token for changes',
    data: Me,
    message: "You're signed in.",
    run: async ({ caller }) => {
      const { id, email, name, preferredUsername, adminSince } = caller.signedIn.user;
      return done({
        id,
        email,
        name,
        preferred_username: preferredUsername,
        administrator: adminSince !== null,
        csrf_token: caller.csrfToken,
      });
    },
  }),

  defineOperation({
    ...own,
    operationId: 'getProfile',
    method: 'GET',
    path: '/api/me/profile',
    summary: 'Read your profile',
    data: Profile,
    message: 'Profile retrieved.',
    run: async ({ caller }) => done(profileJson(caller.signedIn.user)),
  }),

  defineOperation({
    ...own,
    operationId: 'updateProfile',
    method: 'PATCH',
    path: '/api/me/profile',
    summary: 'Change the given members of your profile; null removes one',
    body: Type.Object(
      {
        name: Type.Optional(Text),
        given_name: Type.Optional(profile.given_name),
        family_name: Type.Optional(profile.family_name),
        preferred_username: Type.Optional(profile.preferred_username),
        locale: Type.Optional(profile.locale),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    data: Profile,
    message: 'Profile updated.',
    run: async ({ services, caller, body, requester }) => {
      const { signedIn } = caller;
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

  defineOperation({
    ...own,
    operationId: 'listMyApplications',
    method: 'GET',
    path: '/api/me/apps',
    summary: 'List the applications you have approved',
    data: listOf(ConnectedApplication),
    message: 'Applications retrieved.',
    run: async ({ services, caller }) =>
      done({ items: (await connectedApps(services, caller.signedIn)).map(connectedAppJson) }),
  }),

  defineOperation({
    ...own,
    operationId: 'removeMyApplication',
    method: 'DELETE',
    path: '/api/me/apps/{client_id}',
    summary: 'Remove an application: its tokens for you stop working with the next request',
    params: { client_id: Id },
    data: Type.Null(),
    message: 'Access removed.',
    run: async ({ services, caller, params, requester }) =>
      (await removeApp(services, caller.signedIn, params.client_id, requester))
        ? done(null)
        : notFound("you haven't connected such an application"),
  }),

  defineOperation({
    ...own,
    operationId: 'listMySessions',
    method: 'GET',
    path: '/api/me/sessions',
    summary: 'List your sessions, this one first',
    data: listOf(OwnSession),
    message: 'Sessions retrieved.',
    run: async ({ services, caller }) => {
      const sessions = await listOwnSessions(services, caller.signedIn);
      return done({ items: sessions.map((each) => ({ ...sessionJson(each), current: each.current })) });
    },
  }),

  defineOperation({
    ...own,
    operationId: 'endMyOtherSessions',
    method: 'DELETE',
    path: '/api/me/sessions',
    summary: 'Sign out everywhere else',
    data: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
    message: 'Other sessions ended.',
    run: async ({ services, caller, requester }) =>
      done({ ended: await endOtherSessions(services, caller.signedIn, requester) }),
  }),

  defineOperation({
    ...own,
    operationId: 'endMySession',
    method: 'DELETE',
    path: '/api/me/sessions/{id}',
    summary: 'End one session',
    params: { id: SessionId },
    data: Type.Null(),
    message: 'Session ended.',
    run: async ({ services, caller, params, requester }) =>
      (await endOwnSession(services, caller.signedIn, params.id, requester))
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
