// The OAuth client: the authorization request, the exchange, userinfo, refresh and revocation, with the checks that a
// client must make. Written with fetch and node:crypto alone, so that nothing is hidden. Every call records a step.

import { createHash, randomBytes } from 'node:crypto';
import { equal, shown } from './checks.ts';
import type { ExperimentName } from './experiments.ts';
import { type Answer, send, type Words } from './http-exchange.ts';
import { checkIdToken, type Expectation } from './id-token.ts';
import { bounded, type Recording, type Step } from './recording.ts';
import { cancelled, steps } from './steps.ts';

export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly postLogoutRedirectUri: string;
}

/** What the server has to remember between sending the browser to Latchkey and its return. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly experiment?: ExperimentName;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly idToken: string;
}

interface Discovery {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly revocation_endpoint: string;
  readonly end_session_endpoint: string;
}

export class SignInFailed extends Error {
  override name = 'SignInFailed';
}

export class LatchkeyClient {
  readonly #settings: ClientSettings;
  #discovery: Promise<Discovery> | undefined;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** Reads discovery for every sign-in, so that it is in every recording. Other applications can cache it for hours. */
  async begin(recording: Recording, prompt?: 'consent'): Promise<{ url: string; pending: PendingSignIn }> {
    this.#discovery = undefined;
    const { authorization_endpoint } = await this.#discover(recording);
    const pending = { state: randomText(), nonce: randomText(), codeVerifier: randomText() };
    const url = new URL(authorization_endpoint);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.#settings.clientId,
      redirect_uri: this.#settings.redirectUri,
      scope: 'openid profile email',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(prompt === undefined ? {} : { prompt }),
    }).toString();
    return { url: url.href, pending };
  }

  /** Returns the code, after checking that the answer is from Latchkey and belongs to this browser. */
  readCallback(callback: URLSearchParams, pending: PendingSignIn, step: Step): string {
    const { issuer } = this.#settings;
    const state = equal('state', 'is the one stored for this browser', callback.get('state'), pending.state);
    const iss = equal('iss', 'is the issuer', callback.get('iss'), issuer);
    step.checks = [state, iss];
    if (!state.ok) throw new SignInFailed('the state doesn’t match');
    if (!iss.ok) throw new SignInFailed('the response is from another issuer');
    const error = callback.get('error');
    if (error !== null)
      step.checks = [...step.checks, { name: 'error', rule: 'is absent', ok: false, detail: shown(error) }];
    if (error === 'access_denied') {
      step.conclusion = cancelled;
      throw new SignInFailed('you canceled');
    }
    if (error !== null) throw new SignInFailed(`Latchkey returned the error ${bounded(error)}`);
    return callback.get('code') ?? '';
  }

  /** The tokens, or undefined if the code is refused. */
  exchange(code: string, codeVerifier: string, recording: Recording, words: Words = steps.exchange) {
    const { redirectUri } = this.#settings;
    const parameters = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    return this.#token(parameters, words, recording);
  }

  /** Checks the ID token and returns who has signed in. */
  identify(tokens: Tokens, nonce: string, recording: Recording): string {
    return this.#verify(tokens, { nonce }, steps.idToken, recording);
  }

  /**
   * The claims, or undefined if the token has expired or was revoked, so that the user has to sign in again. They must
   * be about the subject of the ID token.
   */
  async claims(
    accessToken: string,
    sub: string,
    recording: Recording,
    words: Words = steps.userinfo,
  ): Promise<Record<string, unknown> | undefined> {
    const { userinfo_endpoint } = await this.#discover(recording);
    const headers = { Authorization: `Bearer ${accessToken}` };
    const answer = await send({ url: userinfo_endpoint, headers }, words, recording);
    if (answer.status === 401) return undefined;
    if (answer.status !== 200) throw new Error(`userinfo returned ${answer.status}`);
    const claims = answer.json();
    const check = equal('sub', 'is the one from the ID token', claims.sub, sub);
    answer.step.checks = [check];
    if (!check.ok) throw new SignInFailed('the claims are for someone else');
    return claims;
  }

  /** New tokens, or undefined if the grant has ended. */
  async refresh(
    refreshToken: string,
    sub: string,
    recording: Recording,
    words: Words = steps.refresh,
  ): Promise<Tokens | undefined> {
    const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const tokens = await this.#token(parameters, words, recording);
    if (tokens !== undefined) this.#verify(tokens, { nonce: undefined, sub }, steps.refreshedIdToken, recording);
    return tokens;
  }

  async revoke(refreshToken: string, recording: Recording): Promise<void> {
    const { revocation_endpoint } = await this.#discover(recording);
    const parameters = { token: refreshToken, token_type_hint: 'refresh_token' };
    await this.#post(revocation_endpoint, parameters, steps.revocation, recording);
  }

  /** Where the browser goes to be signed out of Latchkey, too. The ID token proves whom this is about. */
  async signOutUrl(idToken: string | undefined, state: string, recording: Recording): Promise<string> {
    const { end_session_endpoint } = await this.#discover(recording);
    const url = new URL(end_session_endpoint);
    url.search = new URLSearchParams({
      ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      client_id: this.#settings.clientId,
      post_logout_redirect_uri: this.#settings.postLogoutRedirectUri,
      state,
    }).toString();
    return url.href;
  }

  #verify(
    { idToken, accessToken }: Tokens,
    expected: Pick<Expectation, 'nonce' | 'sub'>,
    { accepted, refused, ...words }: Words,
    recording: Recording,
  ): string {
    const { issuer, clientId, clientSecret } = this.#settings;
    const all = { ...expected, issuer, clientId, clientSecret, accessToken };
    const verdict = checkIdToken(idToken, all, Date.now() / 1000);
    const part = (label: 'Header' | 'Payload', summary: string, value: unknown) => {
      return { label, summary, sections: [{ label: 'Decoded', text: bounded(JSON.stringify(value, null, 2)) }] };
    };
    recording.add({
      ...words,
      parts: [
        part('Header', 'ignored: the algorithm is pinned to HS256, so “none” would be refused', verdict.header),
        part('Payload', 'the claims', verdict.claims),
      ],
      checks: verdict.checks,
      conclusion: verdict.kind === 'accepted' ? accepted : refused,
    });
    if (verdict.kind === 'rejected') throw new SignInFailed(`the ID token ${verdict.problem}`);
    return verdict.sub;
  }

  async #discover(recording: Recording): Promise<Discovery> {
    this.#discovery ??= (async () => {
      const { issuer } = this.#settings;
      const answer = await send({ url: `${issuer}/.well-known/openid-configuration` }, steps.discovery, recording);
      const document = answer.json() as unknown as Discovery;
      const check = equal('issuer', 'is the configured one', document.issuer, issuer);
      answer.step.checks = [check];
      if (!check.ok) throw new Error('discovery names another issuer');
      return document;
    })();
    // Don't cache a failure: Latchkey may still be starting.
    return this.#discovery.catch((error) => {
      this.#discovery = undefined;
      throw error;
    });
  }

  async #token(parameters: Record<string, string>, words: Words, recording: Recording): Promise<Tokens | undefined> {
    const { token_endpoint } = await this.#discover(recording);
    const answer = await this.#post(token_endpoint, parameters, words, recording);
    if (answer.status === 400 || answer.status === 401) return undefined;
    if (answer.status !== 200) throw new Error(`the token endpoint returned ${answer.status}`);
    const body = answer.json() as Record<string, string>;
    return {
      accessToken: body.access_token ?? '',
      refreshToken: body.refresh_token ?? '',
      idToken: body.id_token ?? '',
    };
  }

  #post(url: string, parameters: Record<string, string>, words: Words, recording: Recording): Promise<Answer> {
    const { clientId, clientSecret } = this.#settings;
    const form = { ...parameters, client_id: clientId, client_secret: clientSecret };
    return send({ url, form }, words, recording);
  }
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
