// How the service talks to other providers.

import type { SigningAlgorithm } from '../../protocol/upstreams/metadata.ts';
import {
  type AuthorizationOptions,
  type AuthorizationResponse,
  refusedAnswer,
  type UpstreamAnswer,
  type UpstreamFacts,
} from './answer.ts';
import { type Discovery, discover } from './discovery.ts';
import { finishGitHub, githubAuthorizationUrl } from './github.ts';
import { finishOidc, type KeySets, oidcAuthorizationUrl } from './oidc.ts';
import { type UpstreamFetchOptions, upstreamFetch } from './upstream-fetch.ts';

export type { AnswerRefusal, UpstreamAnswer } from './answer.ts';

export interface UpstreamConnector {
  /** Why a URL can't be one of a provider, as the end of a sentence. */
  urlProblem(text: string): string | undefined;
  /** Never rejects. `algorithm` is the one that the administrator has chosen. */
  discover(
    upstream: { readonly kind: 'oidc' | 'github'; readonly issuer: string },
    algorithm: SigningAlgorithm | undefined,
  ): Promise<Discovery>;
  /** Where the browser goes to sign in there. */
  authorizationUrl(upstream: UpstreamFacts, options: AuthorizationOptions): Promise<string>;
  /** Finds out whom the response is about. Never rejects because of what the provider does. */
  finish(upstream: UpstreamFacts, response: AuthorizationResponse): Promise<UpstreamAnswer>;
}

/** How many responses are looked into at once. A slow provider must not fill the memory with those who wait for it. */
const finishesAtOnce = 50;

export function upstreamConnector(options: UpstreamFetchOptions): UpstreamConnector {
  const fetch = upstreamFetch(options);
  const keySets: KeySets = new Map();
  let finishing = 0;
  return {
    urlProblem: fetch.urlProblem,
    discover: (upstream, algorithm) => discover(fetch, upstream, algorithm),

    async authorizationUrl(upstream, request) {
      const { metadata } = upstream;
      if (metadata.kind === 'github') return githubAuthorizationUrl(upstream, metadata, request);
      return oidcAuthorizationUrl(upstream, metadata, request);
    },

    async finish(upstream, response) {
      if (finishing >= finishesAtOnce) return refusedAnswer('upstream_unreachable', 'too many wait for providers');
      finishing++;
      try {
        const { metadata } = upstream;
        if (metadata.kind === 'github') return await finishGitHub(fetch, upstream, metadata, response);
        return await finishOidc(fetch, keySets, upstream, metadata, response);
      } finally {
        finishing--;
      }
    },
  };
}
