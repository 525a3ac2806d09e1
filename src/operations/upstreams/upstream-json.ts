// The JSON of upstreams and identities: the same for the API and for the command line's --json. It never has a secret.

import { isoTime } from '../../protocol/iso-time.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import type { Upstream, UpstreamPeople } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import type { LinkedIdentity } from '../users/identities.ts';
import { callbackUrl } from './upstreams.ts';

export function upstreamJson(services: Pick<Services, 'issuer'>, upstream: Upstream) {
  return {
    ...jsonOf(upstreamFields, upstream),
    callback_url: callbackUrl(services, upstream.name),
    endpoints: endpointsJson(upstream.metadata),
  };
}

export function upstreamDetailsJson(
  services: Pick<Services, 'issuer'>,
  { upstream, people }: { readonly upstream: Upstream; readonly people: UpstreamPeople },
) {
  return {
    ...upstreamJson(services, upstream),
    people: { linked: people.all.count, without_other_way: people.withoutOtherWay.count },
  };
}

/** Where an identity provider's endpoints are, and how it signs. */
export type Endpoints = Readonly<Record<string, string | boolean | string[] | null>>;

export function endpointsJson(metadata: UpstreamMetadata): Endpoints {
  const { authorizationEndpoint, tokenEndpoint } = metadata;
  const shared = { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint };
  if (metadata.kind === 'github') {
    return { ...shared, user_endpoint: metadata.userEndpoint, emails_endpoint: metadata.emailsEndpoint };
  }
  return {
    ...shared,
    userinfo_endpoint: metadata.userinfoEndpoint,
    jwks_uri: metadata.jwksUri,
    algorithms: [...metadata.algorithms],
    authentication: metadata.authentication,
    names_issuer: metadata.namesIssuer,
  };
}

export function identityJson({ identity, upstream }: LinkedIdentity) {
  return {
    upstream: upstream?.name ?? null,
    issuer: identity.issuer,
    subject: identity.subject,
    email: identity.email,
    linked_at: isoTime(identity.linkedAt),
    last_used_at: isoTime(identity.lastUsedAt),
  };
}
