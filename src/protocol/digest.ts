// Digests of high-entropy secrets. What is stored is the digest; what is compared is compared in constant time.

import { hash, timingSafeEqual } from 'node:crypto';

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
