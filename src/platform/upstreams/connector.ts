// How the service talks to identity providers.

import type { SigningAlgorithm } from '../../protocol/upstreams/metadata.ts';
import type { OutgoingOptions } from '../webhooks/checked-host.ts';
import {
  type AuthorizationOptions,
  type AuthorizationResponse,
  refusedAnswer,
  type UpstreamAnswer,
  type UpstreamFacts,
} from './answer.ts';
import type { Discovery } from './discovery.ts';
import { finishGitHub, githubAuthorizationUrl } from './github.ts';
import type { KeySets } from './oidc.ts';
import { upstreamFetch } from './upstream-fetch.ts';

export type { AnswerRefusal, ReceivedClaims, UpstreamAnswer } from './answer.ts';

export interface UpstreamConnector {
  /** Why a URL can't be used for an identity provider, as the end of a sentence. */
  urlProblem(text: string): string | undefined;
  /** Never rejects. `algorithm` is the one that the administrator has chosen. */
  discover(
    upstream: { readonly kind: 'oidc' | 'github'; readonly issuer: string },
    algorithm: SigningAlgorithm | undefined,
  ): Promise<Discovery>;
  /** Where the browser goes to sign in there. */
  authorizationUrl(upstream: UpstreamFacts, options: AuthorizationOptions): Promise<string>;
  /** Finds out who the response is about. Never rejects because of what the identity provider does. */
  finish(upstream: UpstreamFacts, response: AuthorizationResponse): Promise<UpstreamAnswer>;
}

/**
 * How many responses are processed at once, for one upstream and in total. A slow identity provider must neither fill the
 * memory with waiting requests nor block people who use another one.
 */
const finishesAtOnce = { each: 25, all: 200 };

/** OpenID Connect is loaded by the first who uses it: most commands and many services never do. */
const loadOidc = () => import('./oidc.ts');

export function upstreamConnector(options: OutgoingOptions): UpstreamConnector {
  const fetch = upstreamFetch(options);
  const keySets: KeySets = new Map();
  const finishing = new Map<string, number>();
  let finishingAll = 0;
  return {
    urlProblem: fetch.urlProblem,

    async discover(upstream, algorithm) {
      const { discover } = await import('./discovery.ts');
      return discover(fetch, upstream, algorithm);
    },

    async authorizationUrl(upstream, request) {
      const { metadata } = upstream;
      if (metadata.kind === 'github') return githubAuthorizationUrl(upstream, metadata, request);
      return (await loadOidc()).oidcAuthorizationUrl(upstream, metadata, request);
    },

    async finish(upstream, response) {
      const { issuer, metadata } = upstream;
      const waiting = finishing.get(issuer) ?? 0;
      if (waiting >= finishesAtOnce.each || finishingAll >= finishesAtOnce.all) {
        return refusedAnswer('upstream_unreachable', 'too many wait for the identity provider');
      }
      finishing.set(issuer, waiting + 1);
      finishingAll++;
      try {
        if (metadata.kind === 'github') return await finishGitHub(fetch, upstream, metadata, response);
        return await (await loadOidc()).finishOidc(fetch, keySets, upstream, metadata, response);
      } finally {
        finishingAll--;
        const left = (finishing.get(issuer) ?? 0) - 1;
        if (left > 0) finishing.set(issuer, left);
        else finishing.delete(issuer);
      }
    },
  };
}
