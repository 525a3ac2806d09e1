// What the gate asks of Latchkey, as any application does: where to sign in, tokens for a code, fresh claims, revocation. The
// library knows the protocol, except that it doesn't verify HS256, so the ID token's signature is verified here.

import * as client from 'openid-client';
import { quotedCode } from '../platform/upstreams/answer.ts';
import { openidFetch } from '../platform/upstreams/discovery.ts';
import { isUnreachable, problemIn } from '../platform/upstreams/openid-problems.ts';
import { verifyIdToken } from '../protocol/oauth/jwt.ts';
import { codeOf } from '../protocol/reading/caught-errors.ts';
import type { GateApplication } from './config-file.ts';
import { type Claims, trustedClaims } from './identity.ts';
import { type Send, TooLarge } from './requests.ts';

export type Answer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** Latchkey has said no. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** Unknown: no connection, no response in time, or one that isn't valid. */
  | { readonly kind: 'unanswered'; readonly problem: string; readonly isInvalid: boolean };

/** What ties a callback to the request that it answers. */
export interface RoundTrip {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export interface Tokens {
  readonly accessToken: string;
  /** Of the access token, in seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly idToken: string;
  readonly sub: string;
  readonly sid: string;
}

export interface Issuer {
  signInUrl(application: GateApplication, trip: RoundTrip, otherAccount: boolean): Promise<Answer<string>>;
  /** `query` is the callback's, with its question mark. */
  exchange(application: GateApplication, trip: RoundTrip, query: string): Promise<Answer<Tokens>>;
  refresh(application: GateApplication, tokens: Pick<Tokens, 'refreshToken' | 'sub' | 'sid'>): Promise<Answer<Tokens>>;
  /** Email addresses that aren't verified are left out. */
  claims(application: GateApplication, accessToken: string, sub: string): Promise<Answer<Claims>>;
  revoke(application: GateApplication, refreshToken: string): Promise<Answer<void>>;
  /** Where the browser signs out. */
  signOutUrl(application: GateApplication, idToken: string): Promise<Answer<string>>;
}

/** Clocks differ a little. In seconds. */
const clockTolerance = 60;
const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
] as const;
const clocksDiffer = "the ID token is for another time: compare this machine's clock with Latchkey's";

/** `unanswered` is told of each request that got no answer, or an invalid one. */
export function issuerAt(url: string, send: Send, now: () => number, unanswered: (isInvalid: boolean) => void): Issuer {
  let discovered: Promise<client.ServerMetadata> | undefined;

  /** Asked once it's needed, so that a gate can start before Latchkey, and again after a failure. */
  function discover(): Promise<client.ServerMetadata> {
    discovered ??= client
      .discovery(new URL(url), 'discovery', undefined, client.None(), {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: openidFetch({ send }),
      })
      .then((found) => {
        const metadata = found.serverMetadata();
        // The library compares issuers as URLs, which have several spellings.
        if (metadata.issuer !== url) throw new Error('the discovery document names another issuer');
        // The client secret and the tokens go there.
        const isElsewhere = endpoints.some((name) => URL.parse(String(metadata[name]))?.origin !== url);
        if (isElsewhere) throw new Error('the discovery document names endpoints on another host');
        return metadata;
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  }

  /** Calls the library with a configuration whose last response is known, because its errors don't always say. */
  async function ask<Value>(
    application: GateApplication,
    question: (configuration: client.Configuration) => Promise<Value> | Value,
  ): Promise<Answer<Value>> {
    let status = 0;
    let isTooLarge = false;
    try {
      const metadata = await discover();
      const configuration = configure(metadata, application);
      const sendAndNote: Send = async (target, request) => {
        const response = await send(target, request).catch((error: unknown) => {
          isTooLarge = error instanceof TooLarge;
          throw error;
        });
        status = response.status;
        return response;
      };
      configuration[client.customFetch] = openidFetch({ send: sendAndNote });
      return { kind: 'answered', value: await question(configuration) };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', problem: error.message };
      if (error instanceof client.AuthorizationResponseError)
        return { kind: 'refused', problem: quotedCode(error.error) };
      const described = problemIn(error, 'Latchkey');
      const problem = codeOf(error) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? clocksDiffer : described;
      // 400 is a refusal if it's OAuth's. Anything else may come from something in between, such as a firewall.
      const isRefused = status === 401 || (status === 400 && error instanceof client.ResponseBodyError);
      if (isRefused && !isUnreachable(error)) return { kind: 'refused', problem };
      const isInvalid = isTooLarge || !isUnreachable(error);
      unanswered(isInvalid);
      return { kind: 'unanswered', problem, isInvalid };
    }
  }

  function configure(metadata: client.ServerMetadata, { clientId, clientSecret }: GateApplication) {
    const settings = {
      id_token_signed_response_alg: 'HS256',
      // The library uses the system clock. In tests, the gate's is a different one.
      [client.clockSkew]: Math.round((now() - Date.now()) / 1000),
      [client.clockTolerance]: clockTolerance,
    };
    const method = client.ClientSecretPost(clientSecret);
    const configuration = new client.Configuration(metadata, clientId, settings, method);
    client.allowInsecureRequests(configuration);
    return configuration;
  }

  return {
    signInUrl: (application, { redirectUri, state, nonce, verifier }, otherAccount) =>
      ask(application, async (configuration) => {
        const parameters = {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(otherAccount && { prompt: 'select_account' }),
        };
        return client.buildAuthorizationUrl(configuration, parameters).href;
      }),

    exchange: (application, { redirectUri, state, nonce, verifier }, query) =>
      ask(application, async (configuration) => {
        const response = await client.authorizationCodeGrant(configuration, new URL(redirectUri + query), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return tokensIn(response, application, now());
      }),

    refresh: (application, { refreshToken, sub, sid }) =>
      ask(application, async (configuration) => {
        const response = await client.refreshTokenGrant(configuration, refreshToken);
        const tokens = tokensIn(response, application, now(), refreshToken);
        if (tokens.sub !== sub || tokens.sid !== sid) throw new Refused('the new ID token is about another sign-in');
        return tokens;
      }),

    claims: (application, accessToken, sub) =>
      ask(application, async (configuration) =>
        trustedClaims(await client.fetchUserInfo(configuration, accessToken, sub)),
      ),

    revoke: (application, refreshToken) =>
      ask(application, (configuration) => client.tokenRevocation(configuration, refreshToken)),

    signOutUrl: (application, idToken) =>
      ask(application, (configuration) => client.buildEndSessionUrl(configuration, { id_token_hint: idToken }).href),
  };
}

/** What was received can't be accepted. */
class Refused extends Error {}

/** The library has checked issuer, audience, times and nonce of the ID token. */
function tokensIn(
  response: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  { clientSecret }: GateApplication,
  now: number,
  knownRefreshToken?: string,
): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken = knownRefreshToken, id_token: idToken } = response;
  const claims = idToken === undefined ? undefined : verifyIdToken(idToken, clientSecret);
  if (idToken === undefined || claims === undefined) throw new Refused('the signature of the ID token is invalid');
  const { sub, sid, iat } = claims;
  // The library doesn't mind. But logout tokens would be refused for the same reason, without anyone noticing.
  if (typeof iat !== 'number' || iat > now / 1000 + clockTolerance) throw new Refused(clocksDiffer);
  if (refreshToken === undefined || typeof sub !== 'string' || typeof sid !== 'string') {
    throw new Refused('the response has no refresh token, sub or sid');
  }
  return { accessToken, expiresIn: response.expiresIn() ?? 0, refreshToken, idToken, sub, sid };
}
