// The identity providers in the file of `latchkey apply`.

import { isDisabledIn } from '../../operations/admin/applied-resource.ts';
import { applyUpstream, exportUpstreams, planUpstreams } from '../../operations/upstreams/apply-upstreams.ts';
import { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { Upstream } from '../../storage/storage.ts';
import { memberLine } from './diff.ts';
import { resourceSection } from './resource-section.ts';

export const upstreamsSection = resourceSection<Upstream, typeof upstreamFields>({
  section: 'upstreams',
  fields: upstreamFields,
  key: 'name',
  // Deleting one makes room for another with the same issuer.
  deletesFirst: true,
  plan: ({ services, described: { upstreams }, prune }) => upstreams && planUpstreams(services, upstreams, prune),
  take: applyUpstream,
  named: ({ id }) => `identity provider ${id}`,
  newLines: (described) => (isDisabledIn(described) ? [memberLine('+', 'disabled', true)] : []),
  export: exportUpstreams,
});
