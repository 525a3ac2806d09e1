// `/api/me`: what signed-in users read and change of their own account.

import { Type } from 'typebox';
import { connectedApps, removeApp } from '../../operations/account/connected-apps.ts';
import { changeProfile, type ProfileProblems } from '../../operations/account/profile.ts';
import { refused } from '../../operations/admin/outcome.ts';
import { connectedAppJson } from '../../operations/clients/client-json.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '../../operations/sessions/active-sessions.ts';
import { sessionJson } from '../../operations/users/user-json.ts';
import type { UsernameProblem } from '../../protocol/account/username.ts';
import type { Profile as ProfileRecord } from '../../storage/storage.ts';
import { type ApiOperation, defineOperation, done, notFound } from './define-operation.ts';
import { ConnectedApplication, Id, listOf, Me, nullable, OwnSession, Profile, SessionId, Text } from './schemas.ts';

const tag = 'me';

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
    operationId: 'getMe',
    method: 'GET',
    path: '/api/me',
    tag,
    summary: 'Read who is signed in, and the CSRF token for changes',
    needs: 'self',
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
    operationId: 'getProfile',
    method: 'GET',
    path: '/api/me/profile',
    tag,
    summary: 'Read your profile',
    needs: 'self',
    data: Profile,
    message: 'Profile retrieved.',
    run: async ({ caller }) => done(profileJson(caller.signedIn.user)),
  }),

  defineOperation({
    operationId: 'updateProfile',
    method: 'PATCH',
    path: '/api/me/profile',
    tag,
    summary: 'Change the given members of your profile; null removes one',
    needs: 'self',
    body: Type.Object(
      {
        name: Type.Optional(Text),
        given_name: Type.Optional(nullable(Text)),
        family_name: Type.Optional(nullable(Text)),
        preferred_username: Type.Optional(
          nullable(Type.String({ description: '3 to 30 of a-z 0-9 . - _, a letter first; unique whatever its case.' })),
        ),
        locale: Type.Optional(nullable(Type.String({ description: 'A language tag such as pt-BR.' }))),
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
    operationId: 'listMyApplications',
    method: 'GET',
    path: '/api/me/apps',
    tag,
    summary: 'List the applications you have approved',
    needs: 'self',
    data: listOf(ConnectedApplication),
    message: 'Applications retrieved.',
    run: async ({ services, caller }) =>
      done({ items: (await connectedApps(services, caller.signedIn)).map(connectedAppJson) }),
  }),

  defineOperation({
    operationId: 'removeMyApplication',
    method: 'DELETE',
    path: '/api/me/apps/{client_id}',
    tag,
    summary: 'Remove an application: its tokens for you stop working with the next request',
    needs: 'self',
    params: { client_id: Id },
    data: Type.Null(),
    message: 'Access removed.',
    run: async ({ services, caller, params, requester }) =>
      (await removeApp(services, caller.signedIn, params.client_id, requester))
        ? done(null)
        : notFound('you have not let in such an application'),
  }),

  defineOperation({
    operationId: 'listMySessions',
    method: 'GET',
    path: '/api/me/sessions',
    tag,
    summary: 'List your sessions, this one first',
    needs: 'self',
    data: listOf(OwnSession),
    message: 'Sessions retrieved.',
    run: async ({ services, caller }) => {
      const sessions = await listOwnSessions(services, caller.signedIn);
      return done({ items: sessions.map((each) => ({ ...sessionJson(each), current: each.current })) });
    },
  }),

  defineOperation({
    operationId: 'endMyOtherSessions',
    method: 'DELETE',
    path: '/api/me/sessions',
    tag,
    summary: 'Sign out everywhere else',
    needs: 'self',
    data: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
    message: 'Other sessions ended.',
    run: async ({ services, caller, requester }) =>
      done({ ended: await endOtherSessions(services, caller.signedIn, requester) }),
  }),

  defineOperation({
    operationId: 'endMySession',
    method: 'DELETE',
    path: '/api/me/sessions/{id}',
    tag,
    summary: 'End one session',
    needs: 'self',
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
