// Digests of random secrets, which is what the store keeps in their place, and comparison in constant time. Passwords are
// not random enough for this: see platform/passwords.

import { hash, timingSafeEqual } from 'node:crypto';

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
