// The identities that imported people had at identity providers, as far as these are set up here as well.

import type { Json } from '../reading/strict-json.ts';
import { identityLimit } from '../sign-in/ways-in.ts';
import { isSubject } from '../upstreams/claims.ts';

export interface MappedUpstream {
  readonly name: string;
  readonly issuer: string;
}

export interface IdentityChoices {
  /** Identity providers here, by what the other service calls them. */
  readonly upstreams?: ReadonlyMap<string, MappedUpstream> | undefined;
}

export interface GivenIdentity {
  /** As the other service calls it. */
  readonly provider: string;
  readonly subject: Json | undefined;
  /** What it's listed as if it isn't imported. */
  readonly as: string;
}

export interface ImportedIdentity {
  readonly upstream: string;
  readonly issuer: string;
  readonly subject: string;
}

/** Adds to `left` those of providers that aren't mapped. */
export function readIdentities(
  given: readonly GivenIdentity[],
  { upstreams }: IdentityChoices,
  left: string[],
  problems: string[],
): readonly ImportedIdentity[] {
  const identities: ImportedIdentity[] = [];
  for (const { provider, subject, as } of given) {
    const upstream = upstreams?.get(provider);
    const name = JSON.stringify(provider.slice(0, 60));
    if (upstream === undefined) left.push(as);
    else if (!isSubject(subject)) problems.push(`the identity at ${name} must be 1 to 255 characters of ASCII`);
    else if (identities.some((each) => each.issuer === upstream.issuer && each.subject === subject)) {
      problems.push(`has the same identity at ${name} twice`);
    } else identities.push({ upstream: upstream.name, issuer: upstream.issuer, subject });
  }
  if (identities.length > identityLimit) problems.push(`has more than ${identityLimit} identities`);
  return identities;
}
