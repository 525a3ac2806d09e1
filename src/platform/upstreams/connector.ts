// How the service talks to other providers.

import type { SigningAlgorithm } from '../../protocol/upstreams/metadata.ts';
import { type Discovery, discover } from './discovery.ts';
import { type UpstreamFetchOptions, upstreamFetch } from './upstream-fetch.ts';

export interface UpstreamConnector {
  /** Why a URL can't be one of a provider, as the end of a sentence. */
  urlProblem(text: string): string | undefined;
  /** Never rejects. `algorithm` is the one that the administrator has chosen. */
  discover(
    upstream: { readonly kind: 'oidc' | 'github'; readonly issuer: string },
    algorithm: SigningAlgorithm | undefined,
  ): Promise<Discovery>;
}

export function upstreamConnector(options: UpstreamFetchOptions): UpstreamConnector {
  const fetch = upstreamFetch(options);
  return {
    urlProblem: fetch.urlProblem,
    discover: (upstream, algorithm) => discover(fetch, upstream, algorithm),
  };
}
