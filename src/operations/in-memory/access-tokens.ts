// Reads access tokens. A valid signature stays valid, so each token is verified once in a process, and one that a code was just
// exchanged for not at all; whether it has been revoked is asked of the store on every request, in revoke-token.ts.

import type { SigningKey } from '../../protocol/oauth/jwt.ts';
import { type AccessTokenFacts, accessTokenExpiry, readAccessToken } from '../../protocol/oauth/tokens.ts';

interface Verified {
  readonly token: string;
  readonly facts: AccessTokenFacts;
}

/** A power of two; about five megabytes when every place is taken. */
const places = 8192;

export class AccessTokens {
  readonly #issuer: string;
  readonly #keysAt: (now: number) => readonly SigningKey[];
  #keys: readonly SigningKey[] = [];
  /** Each token has one place, where the next one that has it replaces it. */
  #verified: (Verified | undefined)[] = [];

  /**
   * `keysAt` returns another list after a rotation and when a key stops verifying; what was verified with the list before
   * is then forgotten.
   */
  constructor(issuer: string, keysAt: (now: number) => readonly SigningKey[]) {
    this.#issuer = issuer;
    this.#keysAt = keysAt;
  }

  /** What the token says, expired or not; undefined when this service has not issued it. */
  read(token: string, now: number): AccessTokenFacts | undefined {
    this.#useKeysAt(now);
    const place = placeOf(token);
    const known = this.#verified[place];
    if (known?.token === token) return known.facts;
    const facts = readAccessToken(token, this.#issuer, this.#keys);
    if (facts !== undefined) this.#verified[place] = { token, facts };
    return facts;
  }

  /** For a token that was signed here and is about to be used. It's as good as verified if its key verifies tokens. */
  expect(
    token: string,
    { grantId, tokenId, userId, clientId, scopes }: Omit<AccessTokenFacts, 'expiresAt'>,
    key: SigningKey,
    now: number,
  ): void {
    this.#useKeysAt(now);
    if (!this.#keys.includes(key)) return;
    const facts = { grantId, tokenId, userId, clientId, scopes, expiresAt: accessTokenExpiry(now) };
    this.#verified[placeOf(token)] = { token, facts };
  }

  #useKeysAt(now: number): void {
    const keys = this.#keysAt(now);
    if (keys === this.#keys) return;
    this.#keys = keys;
    this.#verified = new Array(places).fill(undefined);
  }
}

/** By the end of its signature, which is as good as random. Hashing the whole token would cost more than what follows. */
function placeOf(token: string): number {
  let place = 0;
  for (let index = token.length - 4; index < token.length; index++) place = place * 31 + token.charCodeAt(index);
  return place & (places - 1);
}
