// An identity provider of our own that can be told to lie: a real HTTP server with real keys, whose every answer a test can twist.
// Untwisted, it is a plain OpenID Connect provider that signs with RS256, or a GitHub.

import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sends the beginning of a response and then nothing more. */
  readonly hangs?: boolean;
  /** Sends bytes for as long as somebody reads them. */
  readonly endless?: boolean;
}

/** How an answer differs from the honest one. */
export interface Twists {
  discovery?(document: Json): Json | Answer;
  /** The parameters with which the browser is sent back. */
  response?(parameters: Record<string, string>): Record<string, string>;
  header?(header: Json): Json;
  claims?(claims: Json): Json;
  /** Instead of signing with the identity provider's own key. */
  signature?(input: string, header: Json): string;
  token?(body: Json): Json | Answer;
  userinfo?(body: Json): Json | Answer;
  keys?(body: Json): Json | Answer;
}

interface Code {
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly freshAt: number | undefined;
}

/** Making one takes longer than most tests. */
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

export class HostileUpstream {
  twists: Twists = {};
  /** What the identity provider says about whoever signs in. */
  person: Json = { sub: 'grace', email: 'grace@people.example', email_verified: true, name: 'Grace Hopper' };
  /** What the identity provider was asked for, by path. */
  readonly asked: {
    readonly path: string;
    readonly body: URLSearchParams;
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  readonly clientId: string = 'latchkey';
  readonly secret: string = 'a secret that is long enough for HS256';
  readonly issuer: string;
  readonly #server: Server;
  readonly #now: () => number;
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Set<string>();
  readonly rsa = rsa;

  private constructor(server: Server, now: () => number) {
    this.#server = server;
    this.#now = now;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  /** `now` is the time of the service that it is played to. */
  static async start(now: () => number): Promise<HostileUpstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HostileUpstream(server, now);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Signs somebody in at the authorization endpoint; where the browser is sent back to. */
  authorize(url: string): URL {
    const asked = new URL(url).searchParams;
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, {
      nonce: asked.get('nonce') ?? undefined,
      challenge: asked.get('code_challenge') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
      freshAt: asked.get('prompt') === 'login' ? this.#seconds() : undefined,
    });
    const honest = { code, state: asked.get('state') ?? '', iss: this.issuer };
    const back = new URL(asked.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries(this.twists.response?.(honest) ?? honest)) {
      back.searchParams.set(name, value);
    }
    return back;
  }

  sign(claims: Json, header: Json = { alg: 'RS256', kid: 'rsa', typ: 'JWT' }): string {
    const input = `${encode(this.twists.header?.(header) ?? header)}.${encode(claims)}`;
    const used = this.twists.header?.(header) ?? header;
    const own = () => sign('sha256', Buffer.from(input), this.rsa.privateKey).toString('base64url');
    return `${input}.${this.twists.signature?.(input, used) ?? own()}`;
  }

  /** The public key as text, which a verifier that mixes up kinds of keys would take for a shared secret. */
  get publicPem(): string {
    return this.rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    this.asked.push({ path, body, headers: request.headers });
    const answer = this.#answer(path, body, request.headers.authorization);
    const { status = 200, headers = {}, body: content, hangs, endless } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (endless) {
      const more = () => response.write('x'.repeat(65_536), (error) => error || setImmediate(more));
      more();
    } else if (hangs) response.write('{');
    else response.end(typeof content === 'string' ? content : JSON.stringify(content ?? {}));
  }

  #answer(path: string, body: URLSearchParams, authorization: string | undefined): Answer {
    switch (path) {
      case '/.well-known/openid-configuration':
        return asAnswer(this.#discovery(), this.twists.discovery);
      case '/keys':
        return asAnswer({ keys: [jwkOf(this.rsa.publicKey, 'rsa')] }, this.twists.keys);
      case '/token':
        return this.#token(body);
      case '/userinfo':
        if (!this.#tokens.has(authorization ?? '')) return { status: 401 };
        return asAnswer(this.person, this.twists.userinfo);
      case '/login/oauth/access_token':
        return this.#githubToken(body);
      case '/api/v3/user':
        return this.#tokens.has(authorization ?? '')
          ? asAnswer(this.github.user, this.twists.userinfo)
          : { status: 401 };
      case '/api/v3/user/emails':
        return { body: this.github.emails };
      default:
        return { status: 404 };
    }
  }

  github: { user: Json; emails: unknown } = {
    user: { id: 583231, login: 'grace', name: 'Grace Hopper', email: 'typed@people.example' },
    emails: [
      { email: 'other@people.example', primary: false, verified: true },
      { email: 'grace@people.example', primary: true, verified: true },
    ],
  };

  #githubToken(body: URLSearchParams): Answer {
    if (!this.#redeem(body)) return { body: { error: 'bad_verification_code' } };
    return asAnswer({ access_token: this.#newToken(), token_type: 'bearer', scope: '' }, this.twists.token);
  }

  #discovery(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256', 'plain'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #token(body: URLSearchParams): Answer {
    const code = this.#redeem(body);
    if (code === undefined || body.get('client_secret') !== this.secret) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const now = this.#seconds();
    const honest: Json = {
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 300,
      ...(code.nonce !== undefined && { nonce: code.nonce }),
      ...(code.freshAt !== undefined && { auth_time: code.freshAt }),
      ...this.person,
    };
    const idToken = this.sign(this.twists.claims?.(honest) ?? honest);
    return asAnswer({ access_token: this.#newToken(), token_type: 'Bearer', id_token: idToken }, this.twists.token);
  }

  #redeem(body: URLSearchParams): Code | undefined {
    const code = this.#codes.get(body.get('code') ?? '');
    this.#codes.delete(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = code?.challenge === challenge && code.redirectUri === body.get('redirect_uri');
    return fits ? code : undefined;
  }

  #newToken(): string {
    const token = randomBytes(16).toString('hex');
    this.#tokens.add(`Bearer ${token}`);
    return token;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}

export function hmac(secret: string | Buffer, input: string): string {
  return createHmac('sha256', secret).update(input).digest('base64url');
}

export function jwkOf(key: KeyObject, kid: string): Json {
  return { ...key.export({ format: 'jwk' }), kid, use: 'sig' };
}

function asAnswer(honest: Json, twist: ((body: Json) => Json | Answer) | undefined): Answer {
  const twisted = twist?.(honest);
  if (twisted === undefined) return { body: honest };
  return answerNames.some((name) => name in twisted) ? twisted : { body: twisted };
}

const answerNames = ['status', 'headers', 'body', 'hangs', 'endless'];

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
