// What somebody with a stolen key of the service can make.

import { hkdfSync } from 'node:crypto';
import { signAccessToken } from '../../src/protocol/oauth/jwt.ts';
import { decodeJwt } from './relying-party.ts';

/** A genuine access token with other claims, signed with the given key of the service. */
export function forgeAccessToken(genuine: string, secret: string, changes: Record<string, unknown>): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'latchkey access token', 32));
  return signAccessToken(JSON.stringify({ ...decodeJwt(genuine), ...changes }), key);
}
