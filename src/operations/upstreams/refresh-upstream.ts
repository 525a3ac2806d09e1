// Looks up an identity provider's endpoints again. What would change is shown first, and only what was shown is accepted:
// control over a discovery document for a moment would otherwise be enough to redirect secrets and sign-ins.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { chosenAlgorithm, type UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import type { Upstream } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Recording, Services, Storing } from '../services.ts';
import { type Endpoints, endpointsJson } from './upstream-json.ts';
import { findUpstream, lookUp, storeChange } from './upstreams.ts';

export interface EndpointChange {
  /** As the API calls it. */
  readonly name: string;
  /** Null if the identity provider doesn't have it. */
  readonly before: Endpoints[string];
  readonly after: Endpoints[string];
}

export interface LookedUp {
  readonly upstream: Upstream;
  /** Empty if the identity provider announces what is in use. */
  readonly changes: readonly EndpointChange[];
  /** Identifies what the identity provider announces. */
  readonly version: string;
}

/** Changes nothing. */
export async function lookUpEndpoints(
  services: Storing & Pick<Services, 'upstreams'>,
  name: string,
): Outcome<LookedUp> {
  const announced = await announcedBy(services, name);
  return announced.kind === 'refused' ? announced : { kind: 'done', ...comparison(announced) };
}

/** `version` is that of what was shown; undefined accepts whatever the identity provider announces now. */
export async function refreshUpstream(
  services: Recording & Pick<Services, 'upstreams' | 'openUpstreams'>,
  name: string,
  version: string | undefined,
  requester: Requester,
): Outcome<LookedUp> {
  const announced = await announcedBy(services, name);
  if (announced.kind === 'refused') return announced;
  const looked = comparison(announced);
  if (version !== undefined && version !== looked.version) {
    return refused('the identity provider announces other endpoints than a moment ago; look at them again', 'conflict');
  }
  if (looked.changes.length === 0) return { kind: 'done', ...looked };
  const event = {
    kind: 'upstream_refreshed',
    detail: { changed: looked.changes.map(({ name: changed }) => changed) },
  } as const;
  const stored = await storeChange(services, looked.upstream, { metadata: announced.metadata }, event, requester);
  return stored.kind === 'refused' ? stored : { kind: 'done', ...looked, upstream: stored.upstream };
}

interface Announced {
  readonly upstream: Upstream;
  readonly metadata: UpstreamMetadata;
}

async function announcedBy(services: Storing & Pick<Services, 'upstreams'>, name: string): Outcome<Announced> {
  const found = await findUpstream(services, name);
  if (found.kind === 'refused') return found;
  const { upstream } = found;
  const looked = await lookUp(services, upstream, chosenAlgorithm(upstream.metadata));
  return looked.kind === 'refused' ? looked : { kind: 'done', upstream, metadata: looked.metadata };
}

function comparison({ upstream, metadata }: Announced): LookedUp {
  const [before, after] = [endpointsJson(upstream.metadata), endpointsJson(metadata)];
  const changes = Object.keys(after)
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
  return { upstream, changes, version: digestOf(JSON.stringify(after)) };
}
