// Who can sign in with an identity provider, as one choice instead of the three fields that it stands for.

import { everyDomain } from './claims.ts';

export interface SignInRules {
  readonly createsAccounts: boolean;
  readonly trustedDomains: readonly string[];
  readonly allowedDomains: readonly string[];
}

/** `custom` is every combination that the others don't stand for. */
export const whoChoices = ['linked', 'domains', 'anyone', 'custom'] as const;
export type Who = (typeof whoChoices)[number];

export function whoCanSignIn({ createsAccounts, trustedDomains, allowedDomains }: SignInRules): Who {
  const trusted = new Set(trustedDomains);
  const allowed = new Set(allowedDomains);
  if (!createsAccounts) return trusted.size + allowed.size === 0 ? 'linked' : 'custom';
  if (allowed.size > 0) return trusted.symmetricDifference(allowed).size === 0 ? 'domains' : 'custom';
  return trusted.size === 1 && trusted.has(everyDomain) ? 'anyone' : 'custom';
}

/** The domains are those of `domains`. */
export function rulesFor(who: Exclude<Who, 'custom'>, domains: readonly string[]): SignInRules {
  switch (who) {
    case 'linked':
      return { createsAccounts: false, trustedDomains: [], allowedDomains: [] };
    case 'domains':
      return { createsAccounts: true, trustedDomains: domains, allowedDomains: domains };
    case 'anyone':
      return { createsAccounts: true, trustedDomains: [everyDomain], allowedDomains: [] };
  }
}

/**
 * Whether nobody can get in who couldn't before: no account is created, and nobody has one that is linked, or would be by what
 * a directory says.
 */
export function letsNobodyIn(
  { createsAccounts, trustedDomains, allowedDomains }: SignInRules,
  { linked, hasDirectory }: { readonly linked: number; readonly hasDirectory: boolean },
): boolean {
  if (linked > 0) return false;
  const isTrusted = (domain: string) => trustedDomains.includes(domain) || trustedDomains.includes(everyDomain);
  const isReachable = allowedDomains.length === 0 ? trustedDomains.length > 0 : allowedDomains.some(isTrusted);
  if (allowedDomains.length > 0 && !isReachable) return true;
  return !hasDirectory && !(createsAccounts && isReachable);
}
