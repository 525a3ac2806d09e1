// What is stored of the secrets of clients. Part of the records in records.ts.

export interface ClientSecret {
  readonly digest: string;
  readonly createdAt: number;
  /** Accurate to the hour. */
  readonly usedAt: number | null;
  /** What signs logout tokens with it (resumable-hmac.ts), for a client with back-channel logout, once it was presented. */
  readonly sealedStates: string | null;
  /** Null for one from before they were kept. */
  readonly lastFour: string | null;
}

export type NewClientSecret = Pick<ClientSecret, 'digest' | 'lastFour'>;

export interface SecretUse {
  readonly clientId: string;
  readonly digest: string;
  readonly at: number;
}
