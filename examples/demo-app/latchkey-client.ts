// Everything that this application says to Latchkey: the authorization request, the exchange, userinfo, refresh and
// revocation, with the checks that a client owes its users. Plain fetch and node:crypto, so that nothing is hidden.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { checkIdToken } from './id-token.ts';

export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** What has to be remembered, on the server, between sending a person away and their coming back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
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

  async begin(): Promise<{ url: string; pending: PendingSignIn }> {
    const { authorization_endpoint } = await this.#discover();
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
    }).toString();
    return { url: url.href, pending };
  }

  /** The person is back: checks that they are the one who left, exchanges the code, and checks who they are. */
  async finish(callback: URLSearchParams, pending: PendingSignIn): Promise<{ sub: string; tokens: Tokens }> {
    if (!same(callback.get('state') ?? '', pending.state)) throw new SignInFailed('the state does not match');
    if (callback.get('iss') !== this.#settings.issuer) throw new SignInFailed('the answer is from another issuer');
    const error = callback.get('error');
    if (error !== null) throw new SignInFailed(error === 'access_denied' ? 'you cancelled' : `the answer was ${error}`);

    const response = await this.#token({
      grant_type: 'authorization_code',
      code: callback.get('code') ?? '',
      redirect_uri: this.#settings.redirectUri,
      code_verifier: pending.codeVerifier,
    });
    if (response === undefined) throw new SignInFailed('the code was refused');
    const { issuer, clientId, clientSecret } = this.#settings;
    const expected = { issuer, clientId, clientSecret, nonce: pending.nonce };
    const verdict = checkIdToken(response.idToken, expected, Date.now() / 1000);
    if (verdict.kind === 'rejected') throw new SignInFailed(`the ID token ${verdict.problem}`);
    return { sub: verdict.sub, tokens: response };
  }

  /** The claims, or undefined when the token is over or revoked: then the person has to sign in again. */
  async claims(accessToken: string): Promise<Record<string, unknown> | undefined> {
    const { userinfo_endpoint } = await this.#discover();
    const response = await fetch(userinfo_endpoint, { headers: { Authorization: `Bearer ${accessToken}` } });
    if (response.status === 401) return undefined;
    if (!response.ok) throw new Error(`userinfo answered ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  }

  /** New tokens, or undefined when the grant is gone. */
  async refresh(refreshToken: string): Promise<Tokens | undefined> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  async revoke(refreshToken: string): Promise<void> {
    const { revocation_endpoint } = await this.#discover();
    await this.#post(revocation_endpoint, { token: refreshToken, token_type_hint: 'refresh_token' });
  }

  async #discover(): Promise<Discovery> {
    this.#discovery ??= (async () => {
      const response = await fetch(`${this.#settings.issuer}/.well-known/openid-configuration`);
      const document = (await response.json()) as Discovery;
      if (document.issuer !== this.#settings.issuer) throw new Error('discovery names another issuer');
      return document;
    })();
    // A failure is not remembered: the service may only be starting.
    return this.#discovery.catch((error) => {
      this.#discovery = undefined;
      throw error;
    });
  }

  async #token(parameters: Record<string, string>): Promise<Tokens | undefined> {
    const { token_endpoint } = await this.#discover();
    const response = await this.#post(token_endpoint, parameters);
    if (response.status === 400 || response.status === 401) return undefined;
    if (!response.ok) throw new Error(`the token endpoint answered ${response.status}`);
    const body = (await response.json()) as Record<string, string>;
    return {
      accessToken: body.access_token ?? '',
      refreshToken: body.refresh_token ?? '',
      idToken: body.id_token ?? '',
    };
  }

  #post(url: string, parameters: Record<string, string>): Promise<Response> {
    const { clientId, clientSecret } = this.#settings;
    const body = new URLSearchParams({ ...parameters, client_id: clientId, client_secret: clientSecret });
    return fetch(url, { method: 'POST', body });
  }
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
