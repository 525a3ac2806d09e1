// The applications on a person's page: those they've connected, and those that only some people can use, if they can.

import type { ShownApp } from '../../../pages/console/users/user-access.ts';
import type { ConnectedApp, OpenedToUser } from '../../../storage/storage.ts';

type Connected = Pick<ConnectedApp, 'grantedAt' | 'lastUsedAt'> & {
  readonly client: Pick<ConnectedApp['client'], 'id' | 'name' | 'access'>;
};

/** By name. */
export function appsOf(connected: readonly Connected[], opened: readonly OpenedToUser[]): ShownApp[] {
  const named = new Map(
    [...opened, ...connected.map(({ client }) => client)].map(({ id, name }) => [id, name] as const),
  );
  const apps = [...named].map(([id, name]): ShownApp => {
    const own = connected.find(({ client }) => client.id === id);
    const ways = opened.filter((each) => each.id === id);
    const isOpen = own?.client.access === 'everyone';
    const ends = ways.map(({ until }) => until ?? Number.POSITIVE_INFINITY);
    const last = Math.max(...ends);
    return {
      id,
      name,
      access: isOpen ? 'everyone' : ways.map(({ group, until }) => ({ group, until })),
      // Access lasts until the last of several ways ends.
      until: isOpen || !Number.isFinite(last) ? null : last,
      connectedAt: own?.grantedAt ?? null,
      lastUsedAt: own?.lastUsedAt ?? null,
    };
  });
  return apps.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
