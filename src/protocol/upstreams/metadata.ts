// What is known about the endpoints of an upstream. They're looked up when an administrator adds or refreshes it. If the
// identity provider announces other endpoints later, nothing changes until an administrator accepts them.

/** Signature algorithms with published keys. HS256 is only used if an administrator chooses it. */
export const asymmetricAlgorithms = [
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
  'RS384',
  'RS512',
  'PS384',
  'PS512',
  'ES384',
  'ES512',
] as const;
export const symmetricAlgorithm = 'HS256';
export type SigningAlgorithm = (typeof asymmetricAlgorithms)[number] | typeof symmetricAlgorithm;

export type UpstreamMetadata = OidcMetadata | GitHubMetadata;

export interface OidcMetadata {
  readonly kind: 'oidc';
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly userinfoEndpoint: string | null;
  /** Those that an ID token may be signed with, and whether an administrator chose the only one. */
  readonly algorithms: readonly SigningAlgorithm[];
  readonly chosen: boolean;
  readonly authentication: 'client_secret_post' | 'client_secret_basic';
  /** Whether every response names its issuer (RFC 9207). */
  readonly namesIssuer: boolean;
}

export interface GitHubMetadata {
  readonly kind: 'github';
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
  readonly emailsEndpoint: string;
}

export const githubIssuer = 'https://github.com';

/** GitHub has no discovery. Another issuer is a GitHub Enterprise Server, whose API is below its own URL. */
export function githubMetadata(issuer: string): GitHubMetadata {
  const api = issuer === githubIssuer ? 'https://api.github.com' : `${issuer}/api/v3`;
  return {
    kind: 'github',
    authorizationEndpoint: `${issuer}/login/oauth/authorize`,
    tokenEndpoint: `${issuer}/login/oauth/access_token`,
    userEndpoint: `${api}/user`,
    emailsEndpoint: `${api}/user/emails`,
  };
}

/** The algorithm that an administrator chose; undefined if the announced ones are accepted. */
export function chosenAlgorithm(metadata: UpstreamMetadata): SigningAlgorithm | undefined {
  return metadata.kind === 'oidc' && metadata.chosen ? metadata.algorithms[0] : undefined;
}
