// Digests of random secrets, which is what the store keeps in their place, and comparison in constant time. Passwords are
// not random enough for this: see platform/passwords.

import { hash } from 'node:crypto';

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Looks at every character, whatever it finds. */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
