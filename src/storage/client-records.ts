// The records of clients, with their secrets, links and logos. Part of records.ts.

import type { ClientLinks } from '../protocol/oauth/client-links.ts';
import type { Scope } from '../protocol/oauth/scope.ts';
import type { ImageType } from '../protocol/reading/image.ts';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  /** Who can use it: everyone, or those on its list. */
  readonly access: 'everyone' | 'listed';
  readonly secondFactor: 'optional' | 'required';
  /** Newest first; at most two; none for public clients. */
  readonly secrets: readonly ClientSecret[];
  /** Changes whenever the logo does; null without one. */
  readonly logoVersion: string | null;
  readonly links: ClientLinks;
  /** The name of the upstream that its people are sent to. */
  readonly upstream: string | null;
  readonly revokedAt: number | null;
  /** How often the client has been revoked. Consents and grants of an earlier generation are void. */
  readonly generation: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ClientSecret {
  readonly digest: string;
  readonly createdAt: number;
  /** Accurate to the hour. */
  readonly usedAt: number | null;
}

/** A client as the caller last read it. */
export type ClientBasis = Pick<Client, 'id' | 'redirectUris' | 'postLogoutRedirectUris' | 'isPublic'>;

export interface ClientChange {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly scopes?: readonly Scope[];
  readonly secondFactor?: Client['secondFactor'];
  readonly access?: Client['access'];
  /** Null for none. */
  readonly upstream?: string | null;
  /** Null removes it. */
  readonly logo?: Logo | null;
  /** Only the given ones change; null removes one. */
  readonly links?: Partial<ClientLinks>;
  readonly type?: { readonly kind: 'public' } | { readonly kind: 'confidential'; readonly secretDigest: string };
}

/** A client's logo or a user's picture. */
export interface Logo {
  readonly version: string;
  readonly contentType: ImageType;
  readonly bytes: Uint8Array;
}

export interface SecretUse {
  readonly clientId: string;
  readonly digest: string;
  readonly at: number;
}
