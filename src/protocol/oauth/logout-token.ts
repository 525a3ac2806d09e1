// The token of OpenID Connect Back-Channel Logout 1.0, which tells a client that a person's session has ended.

import { signLogoutToken, verifyLogoutToken } from './jwt.ts';

/** In seconds. Long enough for clocks that differ a little, short enough to be of no use later. */
export const logoutTokenLifetime = 120;
/** In seconds. */
const clockTolerance = 60;
export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export interface Logout {
  readonly issuer: string;
  readonly clientId: string;
  readonly userId: string;
  /** The one in the ID tokens of the grant. */
  readonly sid: string;
  /** Of this token alone. */
  readonly tokenId: string;
}

/** No `nonce`, so that it can't be taken for an ID token. `states` are those of the client's secret (resumable-hmac.ts). */
export function issueLogoutToken(
  { issuer, clientId, userId, sid, tokenId }: Logout,
  states: string,
  now: number,
): string {
  const iat = Math.floor(now / 1000);
  const times = { iat, exp: iat + logoutTokenLifetime };
  const claims = {
    iss: issuer,
    sub: userId,
    aud: clientId,
    ...times,
    jti: tokenId,
    events: { [logoutEvent]: {} },
    sid,
  };
  return signLogoutToken(JSON.stringify(claims), states);
}

/** Whose session a valid token for this client is about; undefined for anything else. */
export function readLogoutToken(
  token: string,
  { issuer, clientId, secret }: { readonly issuer: string; readonly clientId: string; readonly secret: string },
  now: number,
): Pick<Logout, 'userId' | 'sid'> | undefined {
  const claims = verifyLogoutToken(token, secret);
  if (claims === undefined || claims.iss !== issuer || claims.aud !== clientId || 'nonce' in claims) return undefined;
  const { exp, iat, events, sub: userId, sid } = claims;
  if (typeof exp !== 'number' || typeof iat !== 'number') return undefined;
  if (typeof userId !== 'string' || typeof sid !== 'string') return undefined;
  if (now / 1000 >= exp + clockTolerance || iat > now / 1000 + clockTolerance) return undefined;
  return typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
    ? { userId, sid }
    : undefined;
}
