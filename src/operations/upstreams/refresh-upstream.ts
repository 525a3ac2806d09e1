// Looks a provider's endpoints up again. What would change is shown first, and accepting it accepts what was shown and
// nothing else: whoever controls a discovery document for a moment could otherwise move secrets and sign-ins elsewhere.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import type { Upstream } from '../../storage/storage.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { type Endpoints, endpointsJson } from './upstream-json.ts';
import { chosenAlgorithm, findUpstream, lookUp, storeChange } from './upstreams.ts';

export interface EndpointChange {
  /** As the API calls it. */
  readonly name: string;
  /** Null for what the provider doesn't have. */
  readonly before: Endpoints[string];
  readonly after: Endpoints[string];
}

export interface LookedUp {
  readonly upstream: Upstream;
  /** None when the provider announces what is in use. */
  readonly changes: readonly EndpointChange[];
  /** Identifies what the provider announces. */
  readonly version: string;
}

/** Changes nothing. */
export async function lookUpEndpoints(services: Services, name: string): Promise<AdminOutcome<LookedUp>> {
  const announced = await announcedBy(services, name);
  return announced.kind === 'refused' ? announced : { kind: 'done', ...comparison(announced) };
}

/** `version` is that of what was looked at; undefined accepts whatever the provider announces now. */
export async function refreshUpstream(
  services: Services,
  name: string,
  version: string | undefined,
  requester: Requester,
): Promise<AdminOutcome<LookedUp>> {
  const announced = await announcedBy(services, name);
  if (announced.kind === 'refused') return announced;
  const looked = comparison(announced);
  if (version !== undefined && version !== looked.version) {
    return refused('the provider announces other endpoints than a moment ago; look at them again', 'conflict');
  }
  if (looked.changes.length === 0) return { kind: 'done', ...looked };
  const changed = looked.changes.map((change) => change.name);
  const change = { metadata: announced.metadata };
  const stored = await storeChange(services, looked.upstream, change, ['upstream_refreshed', changed], requester);
  return stored.kind === 'refused' ? stored : { kind: 'done', ...looked, upstream: stored.upstream };
}

interface Announced {
  readonly upstream: Upstream;
  readonly metadata: UpstreamMetadata;
}

async function announcedBy(services: Services, name: string): Promise<AdminOutcome<Announced>> {
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
