// Digests of high-entropy secrets. What is stored is the digest; what is compared is compared in constant time.

import { createHash, timingSafeEqual } from 'node:crypto';

export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
