// What is known about a provider's endpoints. It's looked up when an administrator saves or refreshes an upstream and then
// stays what it was: a provider that announces other endpoints later moves nothing by that.

import { includes } from '../reading/includes.ts';

/** Signature algorithms that a provider's published keys can be checked with. HS256 is only for whoever chooses it. */
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
  /** Those that an ID token may be signed with, and whether an administrator has chosen the only one. */
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

/** GitHub has no discovery. Another issuer is a GitHub Enterprise Server, whose API is below its own address. */
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

export function isSigningAlgorithm(text: string): text is SigningAlgorithm {
  return text === symmetricAlgorithm || includes(asymmetricAlgorithms, text);
}
