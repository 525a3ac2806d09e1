// The records of clients, with their secrets, links and logos. Part of records.ts.

import type { Logo } from '../../protocol/reading/logo.ts';
import type { ClientValues, clientFields } from '../../protocol/resources/client.ts';
import type { ReadOf } from '../../protocol/resources/resource.ts';

export type { Logo };

export interface Client extends ClientValues {
  /** Newest first; at most two; none for public clients. */
  readonly secrets: readonly ClientSecret[];
  /** Changes whenever the logo does; null without one. */
  readonly logoVersion: string | null;
  /** How often the client has been revoked. Consents and grants of an earlier generation are void. */
  readonly generation: number;
}

export interface ClientSecret {
  readonly digest: string;
  readonly createdAt: number;
  /** Accurate to the hour. */
  readonly usedAt: number | null;
}

/** What changes; a client that becomes confidential gets a secret. */
export interface ClientChange extends Partial<ReadOf<typeof clientFields>> {
  readonly secretDigest?: string;
}

export interface SecretUse {
  readonly clientId: string;
  readonly digest: string;
  readonly at: number;
}
