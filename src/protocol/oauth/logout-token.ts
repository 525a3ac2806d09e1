// The token of OpenID Connect Back-Channel Logout 1.0, which tells a client that somebody's session has ended.

import { signLogoutToken } from './jwt.ts';

/** In seconds. Long enough for clocks that differ a little, short enough to be of no use later. */
const lifetime = 120;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

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
  const times = { iat, exp: iat + lifetime };
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
