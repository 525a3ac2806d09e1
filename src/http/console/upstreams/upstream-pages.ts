// What the console's pages about identity providers share: how endpoints and identities are shown.

import { type Endpoints, endpointsJson } from '../../../operations/upstreams/upstream-json.ts';
import type { LinkedIdentity } from '../../../operations/users/identities.ts';
import type { ShownIdentity } from '../../../pages/console/upstreams/list.ts';
import type { ShownEndpoint } from '../../../pages/console/upstreams/upstream.ts';
import type { Upstream } from '../../../storage/storage.ts';

export function shownEndpoints(upstream: Upstream): ShownEndpoint[] {
  return Object.entries(endpointsJson(upstream.metadata)).map(([name, value]) => ({ name, value: shownValue(value) }));
}

export function shownValue(value: Endpoints[string]): ShownEndpoint['value'] {
  return Array.isArray(value) ? value.join(', ') : value;
}

export function shownIdentity({ identity, upstream }: LinkedIdentity): ShownIdentity {
  const { subject, email, linkedAt, lastUsedAt } = identity;
  return { upstream: upstream && { name: upstream.name, label: upstream.label }, subject, email, linkedAt, lastUsedAt };
}
