// What the bridge's file says, once it's read (config-file.ts).

import type { ListenAddress } from '../platform/config-file/rules.ts';
import type { SecretSource } from '../platform/relying-party/secrets.ts';

export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** An application that signs in over the bridge. To Latchkey, it's the client with the same ID. */
export interface BridgeApplication {
  readonly clientId: string;
  /** Of the client at Latchkey. */
  readonly clientSecret: SecretSource;
  /** What the application presents to the bridge; undefined for the client's secret. */
  readonly applicationSecret: SecretSource | undefined;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null | undefined;
  /** What the ID token says about people, besides what every ID token says. */
  readonly claims: readonly string[];
  readonly pkce: 'required' | 'optional';
  /** Of requests without PKCE. */
  readonly nonce: 'required' | 'optional';
  readonly signing: SigningAlgorithm;
}

export interface BridgeConfig {
  /** The bridge's own URL and issuer. */
  readonly baseUrl: string;
  /** Latchkey's base URL. */
  readonly issuer: string;
  readonly listen: ListenAddress;
  readonly metrics: ListenAddress | undefined;
  readonly dataDir: string;
  readonly keyFile: string;
  /** Whose X-Forwarded-For says where a request comes from. */
  readonly trustedProxies: readonly string[];
  readonly applications: readonly BridgeApplication[];
}
