// Issues access tokens and reads them. A valid signature stays valid, so each token is verified once in a process, and one
// that was signed here not at all; whether it has been revoked is asked of the store on every request, in revoke-token.ts.

import type { SigningKey } from '../../protocol/oauth/jwt.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import {
  type AccessTokenFacts,
  accessTokenExpiry,
  issueAccessToken,
  readAccessToken,
  type TokenSubject,
} from '../../protocol/oauth/tokens.ts';

/** The cache holds two generations of this size: about ten megabytes, and a hit costs no bookkeeping. */
const generationSize = 4096;

export class AccessTokens {
  readonly #issuer: string;
  readonly #keysAt: (now: number) => readonly SigningKey[];
  #keys: readonly SigningKey[] = [];
  #recent = new Map<string, AccessTokenFacts>();
  #older = new Map<string, AccessTokenFacts>();

  /**
   * `keysAt` returns another list after a rotation and when a key stops verifying; what was verified with the list before
   * is then forgotten.
   */
  constructor(issuer: string, keysAt: (now: number) => readonly SigningKey[]) {
    this.#issuer = issuer;
    this.#keysAt = keysAt;
  }

  /** Signs a token, which is then as good as verified, if its key verifies tokens. */
  issue(
    subject: Omit<TokenSubject, 'issuer'>,
    scopes: readonly Scope[],
    tokenId: string,
    key: SigningKey,
    now: number,
  ): string {
    const token = issueAccessToken({ issuer: this.#issuer, ...subject }, scopes, tokenId, key, now);
    this.#useKeysAt(now);
    if (this.#keys.includes(key)) {
      const { grantId, userId, clientId } = subject;
      this.#remember(token, { grantId, tokenId, userId, clientId, scopes, expiresAt: accessTokenExpiry(now) });
    }
    return token;
  }

  /** What the token says, expired or not; undefined when this service has not issued it. */
  read(token: string, now: number): AccessTokenFacts | undefined {
    this.#useKeysAt(now);
    const recent = this.#recent.get(token);
    if (recent !== undefined) return recent;
    const facts = this.#older.get(token) ?? readAccessToken(token, this.#issuer, this.#keys);
    if (facts !== undefined) this.#remember(token, facts);
    return facts;
  }

  #useKeysAt(now: number): void {
    const keys = this.#keysAt(now);
    if (keys === this.#keys) return;
    this.#keys = keys;
    this.#recent = new Map();
    this.#older = new Map();
  }

  #remember(token: string, facts: AccessTokenFacts): void {
    if (this.#recent.size >= generationSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(token, facts);
  }
}
