// The applications on a person's page: those that they can use, and those that they've connected and can't use any more.

import { firstSince } from '../../../operations/clients/people-with-access.ts';
import type { ShownApp } from '../../../pages/console/users/user-access.ts';
import type { AccessibleClient, ConnectedApp } from '../../../storage/storage.ts';

/** By name. */
export function appsOf(connected: readonly ConnectedApp[], usable: readonly AccessibleClient[]): ShownApp[] {
  const ids = new Set(usable.map(({ client }) => client.id));
  const lost = connected.filter(({ client }) => !ids.has(client.id));
  const apps = [
    ...usable.map(({ client, ...access }): ShownApp => {
      return { id: client.id, name: client.name, since: firstSince(access.reasons), ...access };
    }),
    ...lost.map(({ client, grantedAt, lastUsedAt }): ShownApp => {
      const nothing = { reasons: [], since: null, expiresAt: null };
      return { id: client.id, name: client.name, ...nothing, connectedAt: grantedAt, lastUsedAt };
    }),
  ];
  return apps.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
