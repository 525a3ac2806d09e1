// The JSON of upstreams and identities: the same for the API and for the command line's --json. It never has a secret.

import { isoTime } from '../../protocol/iso-time.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import type { Upstream, UpstreamPeople } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import type { LinkedIdentity } from '../users/identities.ts';
import { callbackUrl, chosenAlgorithm } from './upstreams.ts';

export function upstreamJson(services: Pick<Services, 'issuer'>, upstream: Upstream) {
  return {
    name: upstream.name,
    kind: upstream.kind,
    issuer: upstream.issuer,
    client_id: upstream.clientId,
    label: upstream.label,
    scopes: [...upstream.scopes],
    creates_accounts: upstream.createsAccounts,
    trusted_domains: [...upstream.trustedDomains],
    allowed_domains: [...upstream.allowedDomains],
    routes_domains: upstream.routesDomains,
    trusted_amr: [...upstream.trustedAmr],
    trusted_acr: [...upstream.trustedAcr],
    algorithm: chosenAlgorithm(upstream.metadata) ?? null,
    icon: upstream.iconVersion !== null,
    callback_url: callbackUrl(services, upstream.name),
    endpoints: endpointsJson(upstream.metadata),
    disabled_at: isoTime(upstream.disabledAt),
    created_at: isoTime(upstream.createdAt),
    updated_at: isoTime(upstream.updatedAt),
  };
}

export function upstreamDetailsJson(
  services: Pick<Services, 'issuer'>,
  { upstream, people }: { readonly upstream: Upstream; readonly people: UpstreamPeople },
) {
  return {
    ...upstreamJson(services, upstream),
    people: { linked: people.all, without_other_way: people.withoutOtherWay },
  };
}

/** What is known about where a provider is and how it signs. */
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
