// The identities at upstreams that a page is about.

import type { Services } from '../../operations/services.ts';
import { listIdentities } from '../../operations/users/identities.ts';
import type { Identities } from '../../pages/account/identities.ts';
import type { User } from '../../storage/storage.ts';

/** What the security page shows of them. */
export async function identitiesOf(services: Services, user: User): Promise<Identities> {
  const [linked, open] = await Promise.all([listIdentities(services, user), services.upstreamDirectory.open()]);
  return {
    linked: linked.map(({ identity, upstream, canUnlink }) => ({
      ...identity,
      label: upstream?.label ?? identity.issuer,
      disabled: upstream === undefined || upstream.disabledAt !== null,
      canUnlink,
    })),
    linkable: open.filter(({ issuer }) => !linked.some(({ identity }) => identity.issuer === issuer)),
  };
}

/** The upstreams at which somebody can prove who they are. */
export async function provingUpstreams(services: Services, user: User) {
  const linked = await listIdentities(services, user);
  return linked.flatMap(({ upstream }) => (upstream === undefined || upstream.disabledAt !== null ? [] : [upstream]));
}
