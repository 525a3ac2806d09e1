// Who someone is, in the words of the application: the claims that Latchkey has answered with, and the headers made of them.

import type { Claims } from '../protocol/oauth/jwt.ts';

/** An email address counts only if it's verified: anyone can claim to have another. */
export function trustedClaims(claims: Claims): Claims {
  if (claims.email_verified === true) return claims;
  const { email: _, ...rest } = claims;
  return rest;
}

/** What people recognize the account by. */
export function accountOf({ email, name, sub }: Claims): string {
  return [email, name, sub].find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

/**
 * Names and values, one after the other, as a response takes them. Every header is there, whatever the claims are: a proxy
 * that copies them replaces what a client has sent under the same name.
 */
export function identityHeaders(claimOf: Readonly<Record<string, string>>, claims: Claims): string[] {
  return Object.entries(claimOf).flatMap(([name, claim]) => [
    name,
    headerValue(Object.hasOwn(claims, claim) ? claims[claim] : undefined),
  ]);
}

function headerValue(claim: unknown): string {
  if (!Array.isArray(claim)) return inBytes(textOf(claim));
  const items = claim.map(textOf).filter((text) => text !== '');
  return inBytes(items.map((text) => text.replace(/[%,]/g, encodeURIComponent)).join(','));
}

function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string'
    ? value
        .replace(/\p{Cc}/gu, '')
        .trim()
        .toWellFormed()
    : '';
}

/** Node writes a character as a byte, so each byte of the UTF-8 text becomes one. */
function inBytes(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
}
