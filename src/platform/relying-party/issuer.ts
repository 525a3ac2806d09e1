// What a relying party asks of Latchkey, as any application does: where to sign in, tokens for a code, fresh claims, revocation.
// The library knows the protocol, except that it doesn't verify HS256, so the ID token's signature is verified here.

import * as client from 'openid-client';
import { MINUTE } from '../../protocol/durations.ts';
import { type Claims, verifyIdToken } from '../../protocol/oauth/jwt.ts';
import { challengeOf } from '../../protocol/oauth/pkce.ts';
import { codeOf } from '../../protocol/reading/caught-errors.ts';
import type { Secrets } from '../config-file/members.ts';
import { quotedCode } from '../upstreams/answer.ts';
import { openidFetch } from '../upstreams/discovery.ts';
import { isUnreachable, problemIn } from '../upstreams/openid-problems.ts';
import { type Send, Unusable } from './requests.ts';

/** A client at Latchkey. */
export interface Registration {
  readonly clientId: string;
  readonly secrets: Secrets;
}

export type Answer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** Latchkey has said no: to the browser, with an error that is for the application, or to a request from here. */
  | {
      readonly kind: 'refused';
      readonly problem: string;
      readonly error?: OAuthError;
      readonly isFromBrowser?: boolean;
    }
  /** Unknown: no connection, no response in time, or one that isn't valid. */
  | { readonly kind: 'unanswered'; readonly problem: string; readonly isInvalid: boolean };

/** As Latchkey has sent it. */
export interface OAuthError {
  readonly code: string;
  readonly description: string | undefined;
}

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
  /** Of the ID token. */
  readonly claims: Claims;
  readonly sub: string;
  readonly sid: string;
  readonly scope: string | undefined;
}

export interface Issuer {
  signInUrl(
    client: Registration,
    trip: RoundTrip,
    parameters: Readonly<Record<string, string>>,
  ): Promise<Answer<string>>;
  /** `query` is the callback's, with its question mark. */
  exchange(client: Registration, trip: RoundTrip, query: string): Promise<Answer<Tokens>>;
  /** `scope` is what is asked for; undefined for all that was granted. */
  refresh(
    client: Registration,
    tokens: Pick<Tokens, 'refreshToken' | 'sub' | 'sid'>,
    scope?: string,
  ): Promise<Answer<Tokens>>;
  claims(client: Registration, accessToken: string, sub: string): Promise<Answer<Claims>>;
  revoke(client: Registration, refreshToken: string): Promise<Answer<void>>;
  /** Where the browser signs out. */
  signOutUrl(
    client: Registration,
    idToken: string | undefined,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Answer<string>>;
  /** Whether Latchkey's endpoints are known. */
  discover(): Promise<Answer<void>>;
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
/** Milliseconds until a refused secret is tried again, if there's another. */
const refusedFor = MINUTE;
const clocksDiffer = "the ID token is for another time: compare this machine's clock with Latchkey's";

type Question<Value> = (configuration: client.Configuration) => Promise<Value> | Value;

/** `unanswered` is told of each request that got no answer, or an invalid one. */
export function issuerAt(url: string, send: Send, now: () => number, unanswered: (isInvalid: boolean) => void): Issuer {
  let discovered: Promise<client.ServerMetadata> | undefined;

  /** Asked once it's needed, so that a relying party can start before Latchkey, and again after a failure. */
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

  /** Secrets that Latchkey has refused, and when. It's asked again: a rotation may be under way. */
  const refusedSecrets = new Map<string, number>();

  /** The newest secret that Latchkey takes. */
  async function ask<Value>(registration: Registration, question: Question<Value>): Promise<Answer<Value>> {
    const { clientId, secrets } = registration;
    const [newest, older] = secrets;
    if (older === undefined) return askWith(clientId, newest, question);
    const refusedAt = refusedSecrets.get(newest) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - refusedAt >= refusedFor) {
      const answer = await askWith(clientId, newest, question);
      if (answer.kind !== 'refused' || answer.error?.code !== 'invalid_client') return answer;
      refusedSecrets.set(newest, performance.now());
    }
    return askWith(clientId, older, question);
  }

  /** Calls the library with a configuration whose last response is known, because its errors don't always say. */
  async function askWith<Value>(clientId: string, secret: string, question: Question<Value>): Promise<Answer<Value>> {
    let status = 0;
    let isUnusable = false;
    let isBeforeRequest = false;
    try {
      const metadata = await discover();
      isBeforeRequest = true;
      const configuration = configure(metadata, clientId, secret);
      const sendAndNote: Send = async (target, request) => {
        isBeforeRequest = false;
        const response = await send(target, request).catch((error: unknown) => {
          isUnusable = error instanceof Unusable;
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
        return { kind: 'refused', problem: quotedCode(error.error), error: oauthErrorIn(error), isFromBrowser: true };
      const described = problemIn(error, 'Latchkey');
      // What came by the browser, such as a callback that names another issuer. Latchkey has no part in it.
      if (isBeforeRequest) return { kind: 'refused', problem: described, isFromBrowser: true };
      const problem = codeOf(error) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? clocksDiffer : described;
      // 400 is a refusal if it's OAuth's. Anything else may come from something in between, such as a firewall.
      const isOAuth = error instanceof client.ResponseBodyError;
      if ((status === 401 || (status === 400 && isOAuth)) && !isUnreachable(error)) {
        return { kind: 'refused', problem, ...(isOAuth && { error: oauthErrorIn(error) }) };
      }
      const isInvalid = isUnusable || !isUnreachable(error);
      unanswered(isInvalid);
      return { kind: 'unanswered', problem, isInvalid };
    }
  }

  function configure(metadata: client.ServerMetadata, clientId: string, secret: string) {
    const settings = {
      id_token_signed_response_alg: 'HS256',
      // The library uses the system clock. In tests, the relying party's is a different one.
      [client.clockSkew]: Math.round((now() - Date.now()) / 1000),
      [client.clockTolerance]: clockTolerance,
    };
    const configuration = new client.Configuration(metadata, clientId, settings, client.ClientSecretPost(secret));
    client.allowInsecureRequests(configuration);
    return configuration;
  }

  return {
    signInUrl: (registration, { redirectUri, state, nonce, verifier }, parameters) =>
      ask(registration, (configuration) => {
        const own = {
          redirect_uri: redirectUri,
          state,
          nonce,
          code_challenge: challengeOf(verifier),
          code_challenge_method: 'S256',
        };
        return client.buildAuthorizationUrl(configuration, { ...parameters, ...own }).href;
      }),

    exchange: (registration, { redirectUri, state, nonce, verifier }, query) =>
      ask(registration, async (configuration) => {
        const response = await client.authorizationCodeGrant(configuration, new URL(redirectUri + query), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return tokensIn(response, registration, now());
      }),

    refresh: (registration, { refreshToken, sub, sid }, scope) =>
      ask(registration, async (configuration) => {
        const response = await client.refreshTokenGrant(
          configuration,
          refreshToken,
          scope === undefined ? {} : { scope },
        );
        const tokens = tokensIn(response, registration, now(), refreshToken);
        if (tokens.sub !== sub || tokens.sid !== sid) throw new Refused('the new ID token is about another sign-in');
        return tokens;
      }),

    claims: (registration, accessToken, sub) =>
      ask(registration, (configuration) => client.fetchUserInfo(configuration, accessToken, sub)),

    async revoke({ clientId, secrets }, refreshToken) {
      // Latchkey answers 200 to a wrong secret, too.
      const revokeWith = (secret: string) =>
        askWith(clientId, secret, (configuration) => client.tokenRevocation(configuration, refreshToken));
      const [newest, ...older] = secrets;
      const answer = await revokeWith(newest);
      await Promise.all(older.map(revokeWith));
      return answer;
    },

    signOutUrl: (registration, idToken, parameters = {}) =>
      ask(
        registration,
        (configuration) =>
          client.buildEndSessionUrl(configuration, {
            ...parameters,
            ...(idToken !== undefined && { id_token_hint: idToken }),
          }).href,
      ),

    discover: () => askWith('discovery', 'none', () => undefined),
  };
}

/** What was received can't be accepted. */
class Refused extends Error {}

function oauthErrorIn({
  error,
  error_description,
}: {
  error: string;
  error_description?: string | undefined;
}): OAuthError {
  return { code: quotedCode(error), description: error_description };
}

/** The library has checked issuer, audience, times and nonce of the ID token. */
function tokensIn(
  response: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  { secrets }: Registration,
  now: number,
  knownRefreshToken?: string,
): Tokens {
  const {
    access_token: accessToken,
    refresh_token: refreshToken = knownRefreshToken,
    id_token: idToken = '',
  } = response;
  const [claims] = secrets.map((secret) => verifyIdToken(idToken, secret)).filter((each) => each !== undefined);
  if (claims === undefined) throw new Refused('the signature of the ID token is invalid');
  const { sub, sid, iat } = claims;
  // The library doesn't mind. But logout tokens would be refused for the same reason, without anyone noticing.
  if (typeof iat !== 'number' || iat > now / 1000 + clockTolerance) throw new Refused(clocksDiffer);
  if (refreshToken === undefined || typeof sub !== 'string' || typeof sid !== 'string') {
    throw new Refused('the response has no refresh token, sub or sid');
  }
  const { scope } = response;
  return { accessToken, expiresIn: response.expires_in ?? 0, refreshToken, idToken, claims, sub, sid, scope };
}
