// The gate's keys, and what they seal: sessions in their file, and sign-ins on their way through the browser.

import { derivedKey, seal, unseal } from '../platform/relying-party/sealing.ts';
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
  const markKey = derivedKey(secret, '', 'latchkey gate sid');
  return {
    keyFor: (purpose, cookie) => derivedKey(secret, cookie, `latchkey gate ${purpose}`),
    sidMark: (clientId, sid) => hmacSha256(markKey, JSON.stringify([clientId, sid])),
  };
}

/** Bound to the application: in the hands of another host or client, it doesn't open. */
export function sealFor(application: GateApplication, text: string, key: Uint8Array): Buffer {
  return seal(text, key, boundTo(application));
}

export function unsealFor(application: GateApplication, sealed: Uint8Array, key: Uint8Array): string | undefined {
  return unseal(sealed, key, boundTo(application));
}

function boundTo({ host, clientId }: GateApplication): string {
  return JSON.stringify([host, clientId]);
}
