// An identity provider's claims about a person, from an ID token, userinfo or GitHub's API. The sender may be hostile: unusable
// text is dropped, and an invalid subject makes the whole response invalid.

import { emailKey, isEmail } from '../account/email-address.ts';
import { cleanName, nameProblem } from '../account/names.ts';
import { isPlainText } from '../reading/control-characters.ts';

export interface UpstreamClaims {
  readonly subject: string;
  /** What Microsoft Entra ID calls the person in its directory; null without one. */
  readonly objectId: string | null;
  readonly email: string | null;
  /** Whether the identity provider says that the address is verified. `countsAsVerified` decides whether to trust that. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly locale: string | null;
  readonly amr: readonly string[];
  readonly acr: string | null;
  /** In seconds. */
  readonly authTime: number | null;
}

export type RawClaims = Readonly<Record<string, unknown>>;

/** OpenID Connect allows 255 ASCII characters, compared byte for byte. */
const subjectForm = /^[\x20-\x7e]{1,255}$/;
const localeForm = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/;
const longestValue = 200;

export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && subjectForm.test(value);
}

/** Undefined without a valid subject. Invalid profile claims are dropped. */
export function readClaims(raw: RawClaims): UpstreamClaims | undefined {
  if (!isSubject(raw.sub)) return undefined;
  const email = typeof raw.email === 'string' && isEmail(raw.email) ? raw.email : null;
  return {
    subject: raw.sub,
    objectId: isSubject(raw.oid) ? raw.oid : null,
    email,
    emailVerified: email !== null && saysVerified(raw),
    name: nameIn(raw.name),
    givenName: nameIn(raw.given_name),
    familyName: nameIn(raw.family_name),
    locale: typeof raw.locale === 'string' && localeForm.test(raw.locale) ? raw.locale.replaceAll('_', '-') : null,
    amr: Array.isArray(raw.amr) ? raw.amr.filter(isValue) : [],
    acr: isValue(raw.acr) ? raw.acr : null,
    // The library has refused everything but a number that isn't negative.
    authTime: typeof raw.auth_time === 'number' ? Math.floor(raw.auth_time) : null,
  };
}

/**
 * Microsoft Entra ID has its own claim, xms_edov: whether the tenant has proven that it owns the address's domain. It comes
 * as true, 1 or "1". For email_verified only the specified value is accepted: some identity providers send the text "true"
 * for whatever their users typed.
 */
function saysVerified({ email_verified: verified, xms_edov: ownsDomain }: RawClaims): boolean {
  if (verified !== undefined) return verified === true;
  return ownsDomain === true || ownsDomain === 1 || ownsDomain === '1';
}

function nameIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = cleanName(value);
  return nameProblem(name) === undefined ? name : null;
}

function isValue(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestValue && isPlainText(value);
}

/** The domain of an address in the form that `readDomain` gives domains. */
export function emailDomain(email: string): string {
  const key = emailKey(email);
  return key.slice(key.lastIndexOf('@') + 1);
}

/** A domain as DNS knows it, in lower case; undefined for text that isn't one. */
export function readDomain(text: string): string | undefined {
  const trimmed = text.trim().replace(/^@/, '');
  if (!isEmail(`x@${trimmed}`)) return undefined;
  const domain = emailDomain(`x@${trimmed}`);
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : undefined;
}

export const everyDomain = '*';

export interface DomainRules {
  readonly allowedDomains: readonly string[];
  readonly trustedDomains: readonly string[];
}

/** Whether `email_verified` is trusted for the address. A subdomain is a different domain. */
export function countsAsVerified({ email, emailVerified }: UpstreamClaims, rules: DomainRules): boolean {
  return email !== null && emailVerified && isTrustedFor(email, rules);
}

/** Whether the identity provider is trusted for the domain of the address. */
export function isTrustedFor(email: string, { trustedDomains }: Pick<DomainRules, 'trustedDomains'>): boolean {
  return trustedDomains.includes(everyDomain) || trustedDomains.includes(emailDomain(email));
}

/** Whether someone with this address may sign in. An address that isn't trusted as verified counts as missing. */
export function isAllowedDomain(claims: UpstreamClaims, rules: DomainRules): boolean {
  if (rules.allowedDomains.length === 0) return true;
  if (claims.email === null || !countsAsVerified(claims, rules)) return false;
  return rules.allowedDomains.includes(emailDomain(claims.email));
}

/** Whether the token has an `amr` or `acr` value that the administrator trusts as two factors. */
export function hasProvenTwoFactors(
  claims: Pick<UpstreamClaims, 'amr' | 'acr'>,
  trusted: { readonly trustedAmr: readonly string[]; readonly trustedAcr: readonly string[] },
): boolean {
  const trustsAcr = claims.acr !== null && trusted.trustedAcr.includes(claims.acr);
  return trustsAcr || claims.amr.some((value) => trusted.trustedAmr.includes(value));
}
