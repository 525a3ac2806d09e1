// Access tokens as this process knows them. Whether a signature is genuine never changes, so a token that was
// verified once is not verified again; whether it still holds is asked of the store every time, elsewhere.

import type { SigningKey } from '../../protocol/oauth/jwt.ts';
import { type AccessTokenFacts, readAccessToken } from '../../protocol/oauth/tokens.ts';

/** Two generations of so many tokens each: about ten megabytes, and no bookkeeping for each look-up. */
const generationSize = 4096;

export class AccessTokens {
  readonly #issuer: string;
  readonly #currentKeys: () => readonly SigningKey[];
  #keys: readonly SigningKey[] = [];
  #recent = new Map<string, AccessTokenFacts>();
  #older = new Map<string, AccessTokenFacts>();

  /** `keys` may answer with another list when keys were rotated: what the old ones have proved is forgotten then. */
  constructor(issuer: string, keys: () => readonly SigningKey[]) {
    this.#issuer = issuer;
    this.#currentKeys = keys;
  }

  /** What a genuine token says, whether or not it has expired; undefined when it is not one of this service's. */
  read(token: string): AccessTokenFacts | undefined {
    const keys = this.#currentKeys();
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
