// What the gate seals: sessions in their file, and sign-ins on their way through the browser. The key comes from the key
// file and from the secret in the browser's cookie, so neither of them opens anything without the other.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { hmacSha256 } from '../protocol/digest.ts';
import type { GateApplication } from './config-file.ts';

type Purpose = 'session' | 'sign-in';

export interface GateKeys {
  /** The key for what belongs to one browser. */
  keyFor(purpose: Purpose, cookie: string): Uint8Array;
  /** By which a session's row is found when Latchkey ends it. The file doesn't say what it is. */
  sidMark(clientId: string, sid: string): string;
}

/** `secret` is the one in the key file. */
export function gateKeys(secret: string): GateKeys {
  const markKey = derived(secret, '', 'latchkey gate sid');
  return {
    keyFor: (purpose, cookie) => derived(secret, cookie, `latchkey gate ${purpose}`),
    sidMark: (clientId, sid) => hmacSha256(markKey, JSON.stringify([clientId, sid])),
  };
}

function derived(secret: string, salt: string, info: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, 32));
}

const algorithm = 'aes-256-gcm';
const nonceSize = 12;
const tagSize = 16;

/** Bound to the application: in the hands of another host or client, it doesn't open. */
export function seal(text: string, key: Uint8Array, application: GateApplication): Buffer {
  const nonce = randomBytes(nonceSize);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(application));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined if it was sealed with another key, for another application, or changed. */
export function unseal(sealed: Uint8Array, key: Uint8Array, application: GateApplication): string | undefined {
  if (sealed.length < nonceSize + tagSize) return undefined;
  const end = sealed.length - tagSize;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceSize), { authTagLength: tagSize });
  decipher.setAAD(boundTo(application)).setAuthTag(sealed.subarray(end));
  try {
    const text = decipher.update(sealed.subarray(nonceSize, end));
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function boundTo({ host, clientId }: GateApplication): Buffer {
  return Buffer.from(JSON.stringify([host, clientId]));
}

/** 256 random bits, which is all that a cookie contains. */
export function newCookieSecret(): string {
  return randomBytes(32).toString('base64url');
}
