// `latchkey user show`: what is known about a person, how they sign in, and what they belong to.

import { listAttributes } from '../../operations/attributes/attributes.ts';
import { listIdentities } from '../../operations/users/identities.ts';
import { userDetailsJson } from '../../operations/users/user-json.ts';
import { userDetails } from '../../operations/users/users.ts';
import { attributeText, definedValues } from '../../protocol/account/attribute-values.ts';
import { rolesOf } from '../../protocol/account/roles.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { SignInFacts } from '../../storage/storage.ts';
import { requireDone } from '../command.ts';
import { styled } from '../terminal/output.ts';
import { shownTime, untilText } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { statusOf } from './list.ts';

export const person = { person: { label: '<email|id>', completes: 'person' } } as const;

export const show = defineStoreCommand({
  summary: 'show a person',
  arguments: person,
  examples: ['latchkey user show ada@example.com'],
  async run({ services, args }) {
    const { storage, clock } = services;
    const found = requireDone(await userDetails(services, args.person));
    const { user, signIn, sessions, apps, lastSignInAt, lastActiveAt } = found;
    const { breachedSince, expiresAt } = user;
    const [imported, groups, identities, defined] = await Promise.all([
      storage.findImportOrigin(user.id),
      storage.listGroupsOf(user.id, clock.now()),
      listIdentities(services, user),
      listAttributes(services),
    ]);
    const attributes = definedValues(defined, user.attributes);
    return {
      json: {
        ...(await userDetailsJson(services, found)),
        last_sign_in_at: isoTime(lastSignInAt),
        last_active_at: isoTime(lastActiveAt),
        groups: groups.map(({ id, name, listedUntil }) => ({ id, name, expires_at: isoTime(listedUntil) })),
      },
      fields: [
        ['id', user.id],
        ['email', `${user.email}${user.emailVerifiedAt === null ? ' (not verified)' : ''}`],
        ['name', user.name],
        ...(user.preferredUsername === null ? [] : [['username', user.preferredUsername]]),
        ['status', statusOf(user, clock.now(), 'ago')],
        ...(expiresAt === null ? [] : [['access ends', shownTime(expiresAt)]]),
        ['last sign-in', shownTime(lastSignInAt)],
        ['last active', shownTime(lastActiveAt)],
        ['administrator', user.adminSince === null ? 'no' : `since ${shownTime(user.adminSince)}`],
        ['roles', rolesOf(user).join(', ') || 'none'],
        ...(user.managedBy === null ? [] : [['managed by', user.managedBy]]),
        ...(breachedSince === null
          ? []
          : [['password', styled('yellow', `found in a data breach ${shownTime(breachedSince)}`)]]),
        ...factorRows(signIn),
        ...identities.map(({ identity: { issuer, subject, email }, upstream }) => [
          'identity',
          `${upstream?.name ?? issuer} ${subject}${email === null ? '' : ` (${email})`}`,
        ]),
        ...(groups.length === 0 ? [['group', 'none']] : []),
        ...groups.map(({ name, listedUntil }) => ['group', `${name}${untilText(listedUntil)}`]),
        ...Object.entries(attributes).map(([name, value]) => [`attribute ${name}`, attributeText(value)]),
        ['sessions', String(sessions.length)],
        ['applications', String(apps.length)],
        ['created', shownTime(user.createdAt)],
        ...(imported ? [['imported', `from ${imported.source}, ${shownTime(imported.importedAt)}`]] : []),
      ],
    };
  },
});

function factorRows({ authenticator, passkeys, recoveryCodes, suspended }: SignInFacts): string[][] {
  const factors = [
    ...passkeys.map(({ name, lastUsedAt }) => {
      return `passkey ${JSON.stringify(name)}, ${lastUsedAt === null ? 'never used' : `last used ${shownTime(lastUsedAt)}`}`;
    }),
    ...(authenticator === undefined ? [] : ['authenticator app']),
    ...suspended.map(
      ({ kind, name }) => `paused: ${kind.replaceAll('_', ' ')}${name ? ` ${JSON.stringify(name)}` : ''}`,
    ),
  ];
  const codes = recoveryCodes === 0 ? [] : [['recovery codes', `${recoveryCodes} left`]];
  return [...(factors.length === 0 ? ['none'] : factors).map((factor) => ['second factor', factor]), ...codes];
}
