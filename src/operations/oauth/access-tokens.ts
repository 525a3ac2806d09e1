// A cache of verified access tokens. A valid signature stays valid, so each token is verified once in a process; whether
// the token has been revoked is checked against storage on every request, in read-claims.ts.

import type { SigningKey } from '../../protocol/oauth/jwt.ts';
import { type AccessTokenFacts, readAccessToken } from '../../protocol/oauth/tokens.ts';

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

  /** What the token says, expired or not; undefined when this service has not issued it. */
  read(token: string, now: number): AccessTokenFacts | undefined {
    const keys = this.#keysAt(now);
    if (keys !== this.#keys) {
      this.#keys = keys;
      this.#recent = new Map();
      this.#older = new Map();
    }
    const recent = this.#recent.get(token);
    if (recent !== undefined) return recent;
    const facts = this.#older.get(token) ?? readAccessToken(token, this.#issuer, this.#keys);
    if (facts !== undefined) this.#remember(token, facts);
    return facts;
  }

  #remember(token: string, facts: AccessTokenFacts): void {
    if (this.#recent.size >= generationSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(token, facts);
  }
}
