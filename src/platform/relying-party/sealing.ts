// What a relying party seals: what travels through the browser, and what lies in its file. A key comes from the secret in the
// key file and, for what belongs to one browser, from the secret in its cookie, so neither of them opens anything alone.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export function derivedKey(secret: string, salt: string, info: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, 32));
}

const algorithm = 'aes-256-gcm';
const nonceSize = 12;
const tagSize = 16;

/** `boundTo` isn't in it, but without the same text it doesn't open. */
export function seal(text: string, key: Uint8Array, boundTo: string): Buffer {
  const nonce = randomBytes(nonceSize);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined if it was sealed with another key, bound to something else, or changed. */
export function unseal(sealed: Uint8Array, key: Uint8Array, boundTo: string): string | undefined {
  if (sealed.length < nonceSize + tagSize) return undefined;
  const end = sealed.length - tagSize;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceSize), { authTagLength: tagSize });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(end));
  try {
    const text = decipher.update(sealed.subarray(nonceSize, end));
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** 256 random bits, which is all that a cookie contains. */
export function newCookieSecret(): string {
  return randomBytes(32).toString('base64url');
}
