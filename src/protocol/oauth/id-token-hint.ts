// ID tokens that come back as hints. Only the client can verify the signature of its ID tokens, because the service doesn't
// keep client secrets; so each of them has a `sid` that only the service can make, bound to issuer, client, user and grant.
// A hint is what the `sid` proves and nothing else: it may have expired, and its grant may have ended.

import { hmacSha256, sameText } from '../digest.ts';
import { isJsonObject, readJson } from '../reading/strict-json.ts';
import { unverifiedIdTokenPayload } from './jwt.ts';
import type { TokenSubject } from './tokens.ts';

/** Whom an ID token of this service was issued to, and about whom. */
export interface Hint {
  readonly clientId: string;
  readonly userId: string;
}

const sidForm = /^([0-9a-z]{26})\.[A-Za-z0-9_-]{43}$/;

/** Every ID token of a grant has this one, as long as the key is the same. */
export function formatSid({ issuer, clientId, userId, grantId }: TokenSubject, key: Uint8Array): string {
  // A JSON array, so that no two lists have the same text.
  return `${grantId}.${hmacSha256(key, JSON.stringify([issuer, clientId, userId, grantId]))}`;
}

/** Undefined for anything but an ID token that this service has issued. */
export function readHint(token: string, issuer: string, keys: readonly Uint8Array[]): Hint | undefined {
  const payload = unverifiedIdTokenPayload(token);
  const json = payload === undefined ? undefined : readJson(payload);
  if (json?.kind !== 'read' || !isJsonObject(json.value)) return undefined;
  const { iss, aud, sub, sid } = json.value;
  if (iss !== issuer || typeof aud !== 'string' || typeof sub !== 'string' || typeof sid !== 'string') return undefined;
  const grantId = sidForm.exec(sid)?.[1];
  if (grantId === undefined) return undefined;
  const subject = { issuer, clientId: aud, userId: sub, grantId };
  return keys.some((key) => sameText(sid, formatSid(subject, key))) ? { clientId: aud, userId: sub } : undefined;
}
